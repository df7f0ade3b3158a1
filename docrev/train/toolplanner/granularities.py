"""Runners on instructions of five granularities: what tables 1, 5 and 27 of ToolPlanner show."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from docrev.errors import ModelError, UsageError
from docrev.eval.agents.models import acting, judging
from docrev.eval.agents.opinions import WON
from docrev.eval.agents.outcomes import outcome
from docrev.eval.tooleval.judging import answered, judge_better
from docrev.eval.tooleval.labels import WORTH, Label
from docrev.eval.tooleval.predictions import read_golden
from docrev.events import Handler, ignore
from docrev.models import Model
from docrev.records import Json, OperationKey, Task, Trajectory
from docrev.runners import Toolbox
from docrev.spec import Catalog
from docrev.train.data.annotating import AnnotationResult, annotate, catalog_of
from docrev.train.data.tool_listing import ToolListing
from docrev.train.settings import AnnotationSettings, GranularityBenchSettings, SolvingSettings
from docrev.train.toolplanner.build import seed_of
from docrev.train.toolplanner.rates_by_level import ByLevel, by_level, table
from docrev.train.toolplanner.tagging import TagScores, extracted, retrieved, tag_scores, tag_table

_LABELS: dict[str, Label] = {label: label for label in get_args(Label)}


@dataclass(frozen=True, slots=True)
class GranularityReport:
    """A row for each runner and the rows of tag extraction. Wins are over golden answers, or over the first runner."""

    model: str
    judge: str
    tasks: int
    rows: tuple[ByLevel, ...]
    tags: tuple[TagScores, ...] = ()
    warnings: tuple[str, ...] = field(default=(), repr=False)

    def to_json(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "judge": self.judge,
            "tasks": self.tasks,
            "runners": [row.to_json() for row in self.rows],
            "tags": [row.to_json() for row in self.tags],
            "warnings": list(self.warnings),
        }

    def to_text(self) -> str:
        head = f"{self.tasks} instructions, model {self.model}, judge {self.judge}; 95 % intervals"
        tags = ["", "tags: precision, recall, F1", tag_table(self.tags)] if self.tags else []
        return "\n".join([head, "", table(self.rows), *tags])


def run(
    instructions: Path, specs: Sequence[str], settings: GranularityBenchSettings, on_event: Handler = ignore
) -> GranularityReport:
    """Let each runner do the instructions; what was done before is not done again.

    Raises UsageError if no runner is named, and as `annotate`.
    """
    runners = tuple(dict.fromkeys(name.strip() for name in settings.runners.split(",") if name.strip()))
    if not runners:
        raise UsageError("no runner", where="--runner", fix="name one, as toolplanner")
    return asyncio.run(_run(instructions, specs, settings, runners, on_event))


async def _run(
    instructions: Path,
    specs: Sequence[str],
    settings: GranularityBenchSettings,
    runners: Sequence[str],
    on_event: Handler,
) -> GranularityReport:
    catalog = catalog_of([instructions], specs, settings.max_spec_size)
    done = [await annotate([instructions], specs, _of_runner(settings, name), on_event) for name in runners]
    rows = []
    golden = read_golden(settings.golden) if settings.golden is not None else None
    async with judging(settings.judge, settings, settings.out, settings.seed, on_event) as judge:
        for each in done:
            rows.append(await _row(each, done[0], catalog, judge, golden))
    tags: list[TagScores] = []
    if settings.tags:
        async with acting(settings, settings.out, settings.seed, on_event) as model:
            tags = await _tags(model, [one.instruction.task() for one in done[0].rows], catalog, settings)
    first = done[0]
    return GranularityReport(first.model, first.judge, len(first.rows), tuple(rows), tuple(tags), first.warnings)


def _of_runner(settings: GranularityBenchSettings, runner: str) -> AnnotationSettings:
    shared = settings.model_dump(include=set(SolvingSettings.model_fields))
    return AnnotationSettings(**shared, runner=runner, out=settings.out / runner)


async def _row(
    mine: AnnotationResult,
    first: AnnotationResult,
    catalog: Catalog,
    judge: Model,
    golden: Mapping[str, Trajectory] | None,
) -> ByLevel:
    """The rates of a runner; it wins over the golden answers (ToolPlanner §5.1) where there are some, or the first."""
    listing = ToolListing(catalog)
    categories = {key.tool: entry.category for key, entry in listing.entries.items()}
    others = {one.instruction.id: one for one in first.rows}
    outcomes = []
    for one in mine.rows:
        found = outcome(one.instruction.task(), one.trajectory, categories)
        task, label = one.instruction.task(), _LABELS.get(one.label)
        if golden is not None:
            answer = golden.get(seed_of(one.instruction).rpartition("-")[2])
            won = await _won(task, (answer, "pass"), (one.trajectory, label), judge) if answer is not None else None
        elif mine is first:
            won = None
        else:
            other = others[one.instruction.id]
            won = await _won(task, (other.trajectory, _LABELS.get(other.label)), (one.trajectory, label), judge)
        outcomes.append(replace(found, passed=_worth(one.label), preferred=won))
    return by_level(mine.runner, outcomes)


def _worth(label: str) -> float | None:
    return WORTH[_LABELS[label]] if label in _LABELS else None


Labelled = tuple[Trajectory, Label | None]


async def _won(task: Task, other: Labelled, mine: Labelled, judge: Model) -> float | None:
    """Whether `mine` is better than `other`; None if the judge had no answer that could be used."""
    if mine[1] is None or other[1] is None:
        return None
    try:
        return WON[(await answered(judge_better(task, other[0], mine[0], (other[1], mine[1])), judge)).won]
    except ModelError:
        return None


async def _tags(
    model: Model, tasks: Sequence[Task], catalog: Catalog, settings: GranularityBenchSettings
) -> list[TagScores]:
    from docrev.retrieval import open_retriever

    listing = ToolListing(catalog)
    retriever = open_retriever(catalog, model=settings.retriever, cache=settings.out / "retriever")

    def category(key: OperationKey) -> str:
        return listing[key].category

    def search(task: Task, count: int) -> list[OperationKey]:
        return retriever.top(task.text, count, task.operations or None)

    found = await extracted(model, tasks, lambda task: Toolbox(catalog, task.operations))
    rows = [
        tag_scores(f"{retriever.method}@{count}", keys, tasks, category)
        for count, keys in retrieved(search, tasks).items()
    ]
    return [*rows, tag_scores(f"tags by {model.name}", found, tasks, category)]
