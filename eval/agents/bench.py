"""A benchmark from its options to its results: documents prepared, tasks done, outcomes judged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from docrev.calls.bases import choose_bases
from docrev.errors import UsageError
from docrev.events import Handler, ignore
from docrev.evidence import Evidence
from docrev.models import Model
from docrev.records import Json, Task, Trajectory
from docrev.runners import MEASURE, TrackLimits, read_rules, runner
from docrev.settings.groups import AgentSettings

from ..settings import BenchSettings
from ..suites.registry import suite
from ..suites.suite import Loaded
from .docs import Docs, Preparation, named, prepare
from .engine import Cell, counting, do_cell, select
from .models import acting, judging
from .opinions import Opinions, rated
from .outcomes import TaskOutcome, outcome
from .stages import Stage, staged
from .summary import Line, RateDifference, difference

DOCS = ("original", "revised")


@dataclass(frozen=True)
class BenchReport:
    """What came of it: a line for every set of documents and runner, and how each compares with the first documents."""

    suite: str
    settings: BenchSettings
    title: str
    source: str
    stage: str
    tasks: tuple[Task, ...]
    findings: tuple[str, ...]
    lines: tuple[Line, ...]
    differences: tuple[RateDifference, ...]
    model: str
    ratings: Mapping[str, Mapping[str, float]]
    patches: int = 0

    def to_json(self) -> dict[str, Json]:
        """One object: what was asked for, the lines, the differences, and every outcome."""
        asked, limits = self.settings, limits_of(self.settings)
        return {
            "suite": self.suite,
            "title": self.title,
            "source": self.source,
            "served": self.stage,
            "tasks": len(self.tasks),
            "mended": not asked.as_published,
            "patches": self.patches,
            "model": self.model,
            "judge": asked.judge,
            "against": asked.against,
            "retrieve": asked.retrieve,
            "seed": asked.seed,
            "limits": {name: getattr(limits, name) for name in ("steps", "calls", "asks", "tokens")},
            "findings": list(self.findings),
            "lines": [one.to_json() for one in self.lines],
            "differences": [one.to_json() for one in self.differences],
            "ratings": {name: dict(scores) for name, scores in self.ratings.items()},
            "outcomes": [
                {"docs": one.docs, "runner": one.runner, **row.to_json()} for one in self.lines for row in one.outcomes
            ],
        }


def limits_of(settings: AgentSettings) -> TrackLimits:
    """How far an agent may go in one task."""
    return TrackLimits(steps=settings.steps, calls=settings.max_calls, asks=settings.max_asks)


def run(
    name: str,
    settings: BenchSettings | None = None,
    on_event: Handler = ignore,
    *,
    agent: Model | None = None,
    parts: Iterable[Path] = (),
) -> BenchReport:
    """Prepare, do and judge. What was done before, by the same settings, is not done again.

    `agent` acts instead of the models of the settings; `parts` are folders of what `do_part` did. Raises UsageError for
    what is not there, UnreachableError where API or model cannot be reached, StoreError.
    """
    return asyncio.run(_Bench(name, settings or BenchSettings(), on_event, parts).run(agent))


def do_part(task: Mapping[str, Any], on_event: Handler) -> dict[str, Json]:
    """Do a `part` of the tasks of a suite: which, and of how many, in the `folder` of the part; {} is returned."""
    settings = BenchSettings.model_validate_json(json.dumps(task["settings"] | {"out": task["folder"]}))
    bench = _Bench(task["suite"], settings, on_event)
    place, parts = task["part"]
    bench.tasks = bench.tasks[place::parts]
    if bench.tasks:
        asyncio.run(bench.attempt())
    return {}


def _measured(names: Iterable[str]) -> Iterator[str]:
    """The agents that are asked for, each after the one whose questions are its measure, which is added if need be."""
    wanted = [name for name in names if name]
    ordered = dict.fromkeys(other for name in wanted for other in (MEASURE.get(name), name) if other is not None)
    yield from ordered


def _at(loaded: Loaded, settings: BenchSettings) -> Loaded:
    """The suite where the settings say that its API is; raises UsageError for URLs that do not fit its tools."""
    if not settings.base_urls:
        if settings.headers or settings.allow:
            raise UsageError("no --base-url: headers and methods are for an API of your own", fix="give its URL")
        return loaded
    catalog = loaded.catalog()
    urls, _ = choose_bases(catalog.tools, settings.base_urls, catalog.servers)
    return loaded.served_at(urls, settings.headers, settings.allow)


class _Bench:
    """One suite at work."""

    def __init__(self, name: str, settings: BenchSettings, on_event: Handler, parts: Iterable[Path] = ()) -> None:
        self.name, self.settings, self.emit, self.parts = name, settings, on_event, [*parts]
        self.suite = suite(name)
        self.loaded = _at(self.suite.load(settings.data, mended=not settings.as_published), settings)
        self.tasks = self.loaded.tasks[: settings.limit]
        if not self.tasks:
            raise UsageError("the suite has no tasks", where=name, fix="add tasks, or name another suite")
        self.wanted = [named(text, self.loaded) for text in settings.docs or DOCS]
        self.runners = [(one, runner(one)) for one in _measured(map(str.strip, settings.runners.split(",")))]
        names = [f"{one}/{docs}" for one, _ in self.runners for docs, _ in self.wanted]
        if settings.against not in (None, *names):
            raise UsageError("no such agent and documents", where="--against", fix=f"one of {', '.join(names)}")
        self.rules = read_rules(settings.compression) if settings.compression is not None else None

    async def run(self, agent: Model | None) -> BenchReport:
        settings = self.settings
        with staged(self.loaded, settings.seed) as stage, Evidence.open(settings.out, write=True) as evidence:
            async with acting(settings, settings.out, settings.seed, counting(self.emit), agent) as model:
                lines, documents = await self._lines(stage, evidence, model)
            async with judging(settings.judge, settings, settings.out, settings.seed, self.emit) as judge:
                judged = await self._judged(lines, documents, evidence, judge)
                ratings = {docs.name: await rated(docs.catalog, judge) for docs in documents}
        return BenchReport(
            self.name,
            settings,
            self.suite.title,
            self.suite.source,
            stage.name,
            self.tasks,
            self.loaded.findings,
            tuple(judged),
            tuple(_differences(judged, settings.seed)),
            lines[0].model,
            ratings,
            len(self.loaded.patches),
        )

    async def attempt(self) -> None:
        """Do the tasks alone."""
        settings = self.settings
        with staged(self.loaded, settings.seed) as stage, Evidence.open(settings.out, write=True) as evidence:
            async with acting(settings, settings.out, settings.seed, counting(self.emit)) as model:
                await self._lines(stage, evidence, model)

    async def _lines(self, stage: Stage, evidence: Evidence, model: Model) -> tuple[list[Line], list[Docs]]:
        settings = self.settings
        how = Preparation(self.loaded, stage, settings.out, settings, settings.seed, on_event=self.emit)
        lines: list[Line] = []
        documents: list[Docs] = []
        for name, specs in self.wanted:
            docs = await prepare(name, specs, how)
            if settings.retrieve is not None:
                docs = docs.retrieved(settings.retrieve, settings.retriever, settings.out / "retriever")
            if self.rules is not None:
                docs = replace(docs, rule=self.rules)
            documents.append(docs)
            spent: dict[str, dict[str, int]] = {}
            for runner_name, run_one in self.runners:
                identity = {"documents": docs.identity(), "seed": settings.seed, "mended": not settings.as_published}
                if settings.retrieve is not None:
                    identity["retrieved"] = [settings.retrieve, settings.retriever]
                if self.rules is not None:
                    identity["compression"] = self.rules.to_json()
                asks = spent.get(MEASURE.get(runner_name, ""), {})
                cell = Cell(
                    docs.name, runner_name, model.name, docs.tools, run_one, limits_of(settings), identity, asks
                )
                outcomes = await self._outcomes(cell, stage, model, evidence)
                spent[runner_name] = {one.task: one.asks for one in outcomes}
                lines.append(Line(docs.name, runner_name, model.name, tuple(outcomes), settings.seed))
        return lines, documents

    async def _outcomes(self, cell: Cell, stage: Stage, model: Model, evidence: Evidence) -> list[TaskOutcome]:
        await do_cell(cell, self.loaded.suite, self.tasks, stage, model, evidence, self.settings, self.parts, self.emit)
        evidence.finish({"tasks": len(self.tasks)})
        by_id = {task.id: task for task in self.tasks}
        done = (one for one in evidence.trajectories if one.task in by_id)
        return [outcome(by_id[one.task], one, self.loaded.categories) for one in done]

    async def _judged(
        self, lines: Sequence[Line], documents: Sequence[Docs], evidence: Evidence, judge: Model
    ) -> list[Line]:
        """The lines with what the judge says of every task: ToolEval's label, and the better of two paths."""
        by_name = {docs.name: docs for docs in documents}
        yardstick = self._yardstick(lines)
        firsts: dict[str, Line] = {}
        judged: list[Line] = []
        for one in lines:
            first = yardstick or firsts.setdefault(one.runner, one)
            opinions = await Opinions(self.tasks, evidence, judge).of(one, by_name[one.docs], first)
            judged.append(replace(one, outcomes=tuple(replace(row, **opinions[row.task]) for row in one.outcomes)))
        return judged

    def _yardstick(self, lines: Sequence[Line]) -> Line | None:
        """The line of --against; None if each agent's own first documents are the yardstick."""
        return next((one for one in lines if f"{one.runner}/{one.docs}" == self.settings.against), None)


def _differences(lines: Sequence[Line], seed: int) -> Iterator[RateDifference]:
    """Every set of documents against the first one, runner by runner."""
    firsts: dict[tuple[str, str], Line] = {}
    for one in lines:
        first = firsts.setdefault((one.runner, one.model), one)
        change = None if first is one else difference(first, one, seed=seed)
        if change is not None:
            yield change


def trajectories(report: BenchReport) -> Iterator[tuple[Line, Iterator[Trajectory]]]:
    """The trajectories of every line, read from the evidence one at a time."""
    with Evidence.open(report.settings.out, write=False) as evidence:
        for one in report.lines:
            select(evidence, one.docs, one.runner, one.model)
            yield one, iter(evidence.trajectories)
