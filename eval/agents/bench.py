"""A benchmark from its options to its results: documents prepared, tasks done, outcomes judged."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from docrev.errors import UsageError
from docrev.events import CellStarted, Handler, TaskDone, ignore
from docrev.evidence import Evidence
from docrev.models import Model
from docrev.records import Json, Task, Trajectory
from docrev.runners import TrackLimits, read_rules, runner
from docrev.settings.models import ModelSettings

from ..suites.registry import suite
from .docs import Docs, Preparation, named, prepare
from .engine import Cell, counting, do
from .models import RULES, acting, judging
from .opinions import Opinions, rated, select
from .outcomes import TaskOutcome, outcome
from .stages import Stage, staged
from .summary import Line, RateDifference, difference

DOCS = ("original", "revised")
RUNNERS = ("react",)


@dataclass(frozen=True)
class BenchRequest:
    """What `docrev bench SUITE` was asked for. `limit` takes the first tasks only; `mended` applies the patch list.

    `models` say who acts (role "agent"), explores and writes; `judge` is "rules" or a model for the judged metrics.
    `retrieve` gives agents that many operations, found by BM25 or, with the embedding model `retriever`, by both.
    `compression` are rules of `docrev collect` for responses that are too long to be shown whole.
    """

    suite: str
    docs: tuple[str, ...] = DOCS
    runners: tuple[str, ...] = RUNNERS
    models: ModelSettings = field(default_factory=ModelSettings)
    judge: str = RULES
    data: Path | None = None
    out: Path = Path(".docrev-bench")
    mended: bool = True
    limit: int | None = None
    seed: int = 0
    concurrency: int = 8
    limits: TrackLimits = field(default_factory=TrackLimits)
    calls: int = 40
    retrieve: int | None = None
    retriever: str | None = None
    compression: Path | None = None
    fresh: bool = False


@dataclass(frozen=True)
class BenchReport:
    """What came of it: a line for every set of documents and runner, and how each compares with the first documents."""

    request: BenchRequest
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
        asked = self.request
        return {
            "suite": asked.suite,
            "title": self.title,
            "source": self.source,
            "served": self.stage,
            "tasks": len(self.tasks),
            "mended": asked.mended,
            "patches": self.patches,
            "model": self.model,
            "judge": asked.judge,
            "retrieve": asked.retrieve,
            "seed": asked.seed,
            "limits": {name: getattr(asked.limits, name) for name in ("steps", "calls", "asks", "tokens")},
            "findings": list(self.findings),
            "lines": [one.to_json() for one in self.lines],
            "differences": [one.to_json() for one in self.differences],
            "ratings": {name: dict(scores) for name, scores in self.ratings.items()},
            "outcomes": [
                {"docs": one.docs, "runner": one.runner, **row.to_json()} for one in self.lines for row in one.outcomes
            ],
        }


def run(request: BenchRequest, on_event: Handler = ignore, *, agent: Model | None = None) -> BenchReport:
    """Prepare, do and judge. What was done before, by the same settings, is not done again.

    `agent` acts instead of the request's models. Raises UsageError for what is not there, UnreachableError where API
    or model cannot be reached, StoreError.
    """
    return asyncio.run(_Bench(request, on_event).run(agent))


class _Bench:
    """One request at work."""

    def __init__(self, request: BenchRequest, on_event: Handler) -> None:
        self.request, self.emit = request, on_event
        self.suite = suite(request.suite)
        self.loaded = self.suite.load(request.data, mended=request.mended)
        self.tasks = self.loaded.tasks[: request.limit]
        if not self.tasks:
            raise UsageError("the suite has no tasks", where=request.suite)
        self.wanted = [named(text, self.loaded) for text in request.docs]
        self.runners = [(name, runner(name)) for name in request.runners]
        self.rules = read_rules(request.compression) if request.compression is not None else None

    async def run(self, agent: Model | None) -> BenchReport:
        request = self.request
        with staged(self.loaded, request.seed) as stage, Evidence.open(request.out, write=True) as evidence:
            async with acting(request.models, request.out, request.seed, counting(self.emit), agent) as model:
                lines, documents = await self._lines(stage, evidence, model)
            async with judging(request.judge, request.models, request.out, request.seed, self.emit) as judge:
                judged = await self._judged(lines, documents, evidence, judge)
                ratings = {docs.name: await rated(docs.catalog, judge) for docs in documents}
        return BenchReport(
            request,
            self.suite.title,
            self.suite.source,
            stage.name,
            self.tasks,
            self.loaded.findings,
            tuple(judged),
            tuple(_differences(judged, request.seed)),
            lines[0].model,
            ratings,
            len(self.loaded.patches),
        )

    async def _lines(self, stage: Stage, evidence: Evidence, model: Model) -> tuple[list[Line], list[Docs]]:
        request = self.request
        how = Preparation(
            self.loaded, stage, request.out, request.models, request.seed, request.calls, on_event=self.emit
        )
        lines: list[Line] = []
        documents: list[Docs] = []
        for name, specs in self.wanted:
            docs = await prepare(name, specs, how)
            if request.retrieve is not None:
                docs = docs.retrieved(request.retrieve, request.retriever, request.out / "retriever")
            if self.rules is not None:
                docs = replace(docs, rule=self.rules)
            documents.append(docs)
            for runner_name, run_one in self.runners:
                identity = {"documents": docs.identity(), "seed": request.seed, "mended": request.mended}
                if request.retrieve is not None:
                    identity["retrieved"] = [request.retrieve, request.retriever]
                if self.rules is not None:
                    identity["compression"] = self.rules.to_json()
                cell = Cell(docs.name, runner_name, model.name, docs.tools, run_one, request.limits, identity)
                outcomes = await self._outcomes(cell, stage, model, evidence)
                lines.append(Line(docs.name, runner_name, model.name, tuple(outcomes), request.seed))
        return lines, documents

    async def _outcomes(self, cell: Cell, stage: Stage, model: Model, evidence: Evidence) -> list[TaskOutcome]:
        self.emit(CellStarted(cell.docs, cell.runner, len(self.tasks)))
        evidence.begin(cell.settings(self.loaded.suite, self.tasks, stage), fresh=self.request.fresh)

        def report(trajectory: Trajectory) -> None:
            self.emit(TaskDone(trajectory))

        await do(self.tasks, cell, stage, model, evidence, concurrency=self.request.concurrency, done=report)
        evidence.finish({"tasks": len(self.tasks)})
        by_id = {task.id: task for task in self.tasks}
        found = (one for one in evidence.trajectories() if one.task in by_id)
        return [outcome(by_id[one.task], one, self.loaded.categories) for one in found]

    async def _judged(
        self, lines: Sequence[Line], documents: Sequence[Docs], evidence: Evidence, judge: Model
    ) -> list[Line]:
        """The lines with what the judge says of every task: ToolEval's label, and the better of two paths."""
        shown = {docs.name: docs for docs in documents}
        firsts: dict[tuple[str, str], Line] = {}
        made: list[Line] = []
        for one in lines:
            first = firsts.setdefault((one.runner, one.model), one)
            opinions = await Opinions(self.tasks, evidence, judge).of(one, shown[one.docs], first)
            made.append(replace(one, outcomes=tuple(replace(row, **opinions[row.task]) for row in one.outcomes)))
            firsts[one.runner, one.model] = made[-1] if first is one else first
        return made


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
    with Evidence.open(report.request.out, write=False) as evidence:
        for one in report.lines:
            select(evidence, one.docs, one.runner, one.model)
            yield one, evidence.trajectories()
