"""A benchmark from its options to its results: documents prepared, tasks done, outcomes judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import UsageError
from docrev.events import CellStarted, Handler, TaskDone, ignore
from docrev.evidence import Evidence
from docrev.models import Model
from docrev.records import Json, Task, Trajectory
from docrev.runners import Limits, runner

from ..suites.registry import suite
from ..suites.suite import Loaded
from .docs import Preparation, named, prepare
from .engine import Cell, counting, do
from .outcomes import Outcome, outcome
from .stages import Stage, staged
from .summary import Difference, Line, difference, line

DOCS = ("original", "revised")
RUNNERS = ("react",)

MakeModel = Callable[[Handler], Model]


@dataclass(frozen=True)
class Request:
    """What `docrev bench SUITE` was asked for. `limit` takes the first tasks only; `mended` applies the patch list."""

    suite: str
    docs: tuple[str, ...] = DOCS
    runners: tuple[str, ...] = RUNNERS
    model: str = "offline"
    data: Path | None = None
    out: Path = Path(".docrev-bench")
    mended: bool = True
    limit: int | None = None
    seed: int = 0
    concurrency: int = 8
    limits: Limits = field(default_factory=Limits)
    calls: int = 40
    fresh: bool = False


@dataclass(frozen=True)
class Report:
    """What came of it: a line for every set of documents and runner, and how each compares with the first documents."""

    request: Request
    title: str
    source: str
    stage: str
    tasks: tuple[Task, ...]
    findings: tuple[str, ...]
    lines: tuple[Line, ...]
    differences: tuple[Difference, ...]
    patches: int = 0

    def to_json(self) -> dict[str, Json]:
        """One object: what was asked for, the lines, the differences, and every outcome."""
        asked = self.request
        return {
            "suite": asked.suite,
            "title": self.title,
            "source": self.source,
            "served": self.stage,
            "tasks": len(self.tasks),
            "mended": asked.mended,
            "patches": self.patches,
            "model": asked.model,
            "seed": asked.seed,
            "limits": {name: getattr(asked.limits, name) for name in ("steps", "calls", "asks", "tokens")},
            "findings": list(self.findings),
            "lines": [one.to_json() for one in self.lines],
            "differences": [one.to_json() for one in self.differences],
            "outcomes": [
                {"docs": one.docs, "runner": one.runner, **row.to_json()} for one in self.lines for row in one.outcomes
            ],
        }


def run(request: Request, make_model: MakeModel, on_event: Handler = ignore) -> Report:
    """Prepare, do and judge. What was done before, by the same settings, is not done again.

    Raises UsageError for what is not there, UnreachableError where API or model cannot be reached, StoreError.
    """
    chosen = suite(request.suite)
    loaded = chosen.load(request.data, mended=request.mended)
    tasks = loaded.tasks[: request.limit]
    if not tasks:
        raise UsageError("the suite has no tasks", where=request.suite)
    wanted = [named(text, loaded) for text in request.docs]
    runs = [(name, runner(name)) for name in request.runners]
    with staged(loaded, request.seed) as stage:
        how = Preparation(
            loaded, stage, request.out, request.seed, request.calls, on_event=on_event, writer=lambda: None
        )
        lines: list[Line] = []
        with Evidence.open(request.out, write=True) as evidence:
            model = make_model(counting(on_event))
            for name, specs in wanted:
                docs = prepare(name, specs, how)
                for runner_name, run_one in runs:
                    cell = Cell(docs.name, runner_name, model.name, docs.tools, run_one, request.limits, {
                        "documents": docs.identity(), "seed": request.seed, "mended": request.mended,
                    })  # fmt: skip
                    on_event(CellStarted(cell.docs, cell.runner, len(tasks)))
                    outcomes = _done(request, loaded, tasks, cell, stage, model, evidence, on_event)
                    lines.append(line(docs.name, runner_name, model.name, outcomes, seed=request.seed))
    return Report(
        request,
        chosen.title,
        chosen.source,
        stage.name,
        tasks,
        loaded.findings,
        tuple(lines),
        tuple(_differences(lines, request.seed)),
        len(loaded.patches),
    )


def _done(
    request: Request,
    loaded: Loaded,
    tasks: Sequence[Task],
    cell: Cell,
    stage: Stage,
    model: Model,
    evidence: Evidence,
    on_event: Handler,
) -> list[Outcome]:
    evidence.begin(cell.settings(loaded.suite, tasks, stage), fresh=request.fresh)

    def tell(trajectory: Trajectory) -> None:
        on_event(TaskDone(trajectory))

    asyncio.run(do(tasks, cell, stage, model, evidence, concurrency=request.concurrency, done=tell))
    by_id = {task.id: task for task in tasks}
    evidence.finish({"tasks": len(tasks)})
    return [outcome(by_id[one.task], one, loaded.categories) for one in evidence.trajectories() if one.task in by_id]


def _differences(lines: Sequence[Line], seed: int) -> Iterator[Difference]:
    """Every set of documents against the first one, runner by runner."""
    firsts: dict[tuple[str, str], Line] = {}
    for one in lines:
        first = firsts.setdefault((one.runner, one.model), one)
        found = None if first is one else difference(first, one, seed=seed)
        if found is not None:
            yield found


def trajectories(report: Report) -> Iterator[tuple[Line, Iterator[Trajectory]]]:
    """The trajectories of every line, read from the evidence one at a time."""
    with Evidence.open(report.request.out, write=False) as evidence:
        runs = {(run.settings.get("docs"), run.settings.get("runner")): run for run in evidence.runs()}
        for one in report.lines:
            evidence.select(runs[one.docs, one.runner])
            yield one, evidence.trajectories()


def offline(seed: int) -> MakeModel:
    """The offline agent, which reads nothing but what it is shown."""

    def make(emit: Handler) -> Model:
        from docrev.models.offline.agent import OfflineAgent

        return OfflineAgent(seed)

    return make
