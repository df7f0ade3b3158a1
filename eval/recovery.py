"""The recovery benchmark: hide what a good spec says, explore what is left, and score what is found again."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from docrev import api
from docrev.calls.permissions import Permission
from docrev.eval.hiding import Hiding, hide
from docrev.eval.scores import Score, score
from docrev.eval.statements import TextStatement, statements_of
from docrev.eval.text_statements import stated
from docrev.eval.truth import Truth, truth_of
from docrev.eval.worlds import add_world, count_left_out, world_of
from docrev.events import Handler, ignore
from docrev.evidence import Evidence
from docrev.records import Json
from docrev.sessions.exploration import explore, permissions
from docrev.settings.choices import ALL_METHODS, ProbeOrder
from docrev.settings.groups import ExploreSettings
from docrev.spec import load

BUDGETS = (5, 10, 20, 40)
"""Calls per operation at which a curve is measured."""
ORDERS: tuple[ProbeOrder, ...] = ("poorest", "random")
"""Orders of probing: what tells most for a call first, which is where documentation is poorest, and at random."""


@dataclass(frozen=True, slots=True)
class RecoveryPlan:
    """What to measure: good specs, how they are hidden, and how the services are asked.

    `specs` are files; one named `truth.yaml` goes by the name of its folder. `closed`: see `Truth`. `simulated`: the
    services are worlds made of the specs. `calls` are per operation; `order` is that of probing.
    """

    specs: tuple[Path, ...]
    hiding: Hiding = field(default_factory=Hiding)
    headers: tuple[str, ...] = ()
    allow: tuple[str, ...] = ALL_METHODS
    closed: bool = False
    simulated: bool = False
    calls: int = 40
    seed: int = 0
    order: ProbeOrder = "poorest"


Services = Callable[[], AbstractContextManager[Mapping[str, str]]]
"""Starts (or just names) the services; yields base URLs by tool."""


@dataclass(slots=True)
class Result:
    """What a run came to. `facts` scores the facts, `revised` what the revised spec says by keywords and sentences."""

    facts: Score
    revised: Score
    requests: int
    operations: int
    reached: int
    seconds: float
    left_out: dict[str, Json]

    @property
    def calls_per_operation(self) -> float:
        return self.requests / self.operations

    def to_json(self) -> dict[str, Json]:
        """As `docrev bench recovery --json` prints it."""
        return {
            "operations": self.operations,
            "operations_2xx": self.reached,
            "requests": self.requests,
            "calls_per_operation": round(self.calls_per_operation, 2),
            "seconds": self.seconds,
            "facts": self.facts.to_json(),
            "revised": self.revised.to_json(),
            "left_out": self.left_out,
        }


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a curve: a run of its own with this budget and order."""

    order: str
    budget: int
    calls: float
    recall: float | None
    mean_recall: float | None
    precision: float | None

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


def run(plan: RecoveryPlan, services: Services, *, revised: bool = True, on_event: Handler = ignore) -> Result:
    """Hide, explore, revise (unless not `revised`) and score, once. Leaves no file behind."""
    with tempfile.TemporaryDirectory() as name, services() as bases:
        folder = Path(name)
        truth = truth_in(plan, folder / "truth")
        (folder / "hidden").mkdir()
        files = hide(truth.catalog, plan.hiding, folder / "hidden")
        operations = len(truth.catalog.operations)
        settings = ExploreSettings(
            base_urls=tuple(f"{tool}={url}" for tool, url in sorted(bases.items())),
            headers=plan.headers,
            allow=plan.allow,
            out=str(folder / "evidence"),
            max_calls=plan.calls * operations,
            seed=plan.seed,
            probe_order=plan.order,
        )
        _leave_out_denied(truth, permissions(files, settings))
        hidden = _hidden(plan.hiding, files)
        started = time.monotonic()
        explored = asyncio.run(explore(files, settings, on_event=on_event))
        seconds = round(time.monotonic() - started, 2)
        with Evidence.open(folder / "evidence", write=False) as evidence:
            facts = list(evidence.facts())
        return Result(
            facts=score(statements_of(facts), truth, hidden),
            revised=_revised(files, folder, truth, hidden) if revised else Score(),
            requests=explored.summary["requests"],
            operations=operations,
            reached=explored.summary["operations_2xx"],
            seconds=seconds,
            left_out=count_left_out(truth),
        )


def _leave_out_denied(truth: Truth, permitted: Sequence[Permission]) -> None:
    """What the policy forbids to call cannot be shown either."""
    for key in [row.key for row in permitted if row.verdict in ("denied", "consent")]:
        for place in [place for place in truth.statements if place[0] == key]:
            truth.leave_out(key, place[1], place[2], "the operation may not be called")
            del truth.statements[place]


def _hidden(hiding: Hiding, files: Sequence[Path]) -> Callable[[TextStatement], bool]:
    """Chooses what was hidden: not what the stripped specs say still, as allowed values that are texts say the type."""
    left = truth_of(load(files)).statements
    return lambda told: told.place not in left and hiding.hidden(told)


def _revised(files: Sequence[Path], folder: Path, truth: Truth, hidden: Callable[[TextStatement], bool]) -> Score:
    """The score of what the revised specs say, contract edits included."""
    api.revise(files, evidence=folder / "evidence", write_to=folder / "revised", edit="contract", examples="observed")
    return score(stated(load([folder / "revised"])), truth, hidden)


def truth_in(plan: RecoveryPlan, folder: Path) -> Truth:
    """The truth of a plan's specs, through copies in `folder` that bear the names of their tools."""
    folder.mkdir(parents=True)
    copies = [folder / f"{tool_of(spec)}{spec.suffix}" for spec in plan.specs]
    for spec, copy in zip(plan.specs, copies, strict=True):
        shutil.copyfile(spec, copy)
    truth = truth_of(load(copies), closed=plan.closed or plan.simulated, extended=not plan.simulated)
    if plan.simulated:
        for copy in copies:
            add_world(truth, world_of(copy, plan.seed))
    return truth


def tool_of(spec: Path) -> str:
    """The name of the tool that a good spec describes."""
    return spec.resolve().parent.name if spec.stem == "truth" else spec.stem


def simulated(plan: RecoveryPlan) -> Services:
    """Services simulated from the plan's specs, fresh each time."""

    @contextmanager
    def serve() -> Iterator[Mapping[str, str]]:
        from docrev.simulator import serve_simulated

        with ExitStack() as stack:
            yield {tool_of(spec): stack.enter_context(serve_simulated(spec, plan.seed)) for spec in plan.specs}

    return serve


def curve(
    plan: RecoveryPlan,
    services: Services,
    orders: Sequence[ProbeOrder] = ORDERS,
    *,
    budgets: Sequence[int] = BUDGETS,
    on_event: Handler = ignore,
) -> list[Point]:
    """Recall at each budget in each order of probing; every point is a run of its own on services started anew."""
    points = []
    for order in orders:
        for budget in budgets:
            result = run(replace(plan, calls=budget, order=order), services, revised=False, on_event=on_event)
            total = result.facts.total
            calls = round(result.calls_per_operation, 2)
            points.append(Point(order, budget, calls, total.recall, result.facts.mean_recall, total.precision))
    return points
