"""Runners on instructions of five granularities: what tables 1, 5 and 27 of ToolPlanner show."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from docrev.errors import ModelError, UsageError
from docrev.eval.agents.models import acting, judging
from docrev.eval.agents.opinions import WON, WORTH, answered
from docrev.eval.agents.outcomes import outcome
from docrev.eval.tooleval.judging import judge_better
from docrev.eval.tooleval.labels import Label
from docrev.events import Handler, ignore
from docrev.models import Model
from docrev.records import Json, OperationKey, Task
from docrev.runners import Toolbox
from docrev.spec import Catalog
from docrev.train.data.annotating import Annotation, AnnotationResult, annotate, catalog_of
from docrev.train.data.tool_listing import ToolListing
from docrev.train.settings import AnnotationSettings, GranularityBenchSettings, SolvingSettings
from docrev.train.toolplanner.rates_by_level import ByLevel, by_level, table
from docrev.train.toolplanner.tagging import TagScores, extracted, retrieved, tag_scores, tag_table

_LABELS: dict[str, Label] = {label: label for label in WORTH}


@dataclass(frozen=True, slots=True)
class GranularityReport:
    """A row for each runner, the first of which the others' wins are over, and the rows of tag extraction."""

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
    async with judging(settings.judge, settings, settings.out, settings.seed, on_event) as judge:
        for each in done:
            rows.append(await _row(each, done[0], catalog, judge))
    tags: list[TagScores] = []
    if settings.tags:
        async with acting(settings, settings.out, settings.seed, on_event) as model:
            tags = await _tags(model, [one.instruction.task() for one in done[0].rows], catalog, settings)
    first = done[0]
    return GranularityReport(first.model, first.judge, len(first.rows), tuple(rows), tuple(tags), first.warnings)


def _of_runner(settings: GranularityBenchSettings, runner: str) -> AnnotationSettings:
    shared = settings.model_dump(include=set(SolvingSettings.model_fields))
    return AnnotationSettings(**shared, runner=runner, out=settings.out / runner)


async def _row(mine: AnnotationResult, first: AnnotationResult, catalog: Catalog, judge: Model) -> ByLevel:
    listing = ToolListing(catalog)
    categories = {key.tool: entry.category for key, entry in listing.entries.items()}
    others = {one.instruction.id: one for one in first.rows}
    outcomes = []
    for one in mine.rows:
        found = outcome(one.instruction.task(), one.trajectory, categories)
        won = None if mine is first else await _won(one, others[one.instruction.id], judge)
        outcomes.append(replace(found, passed=_worth(one.label), preferred=won))
    return by_level(mine.runner, outcomes)


def _worth(label: str) -> float | None:
    return WORTH[_LABELS[label]] if label in _LABELS else None


async def _won(mine: Annotation, other: Annotation, judge: Model) -> float | None:
    """Whether `mine` is better than `other`; None if the judge had no answer that could be used."""
    if mine.label not in _LABELS or other.label not in _LABELS:
        return None
    labels, task = (_LABELS[other.label], _LABELS[mine.label]), mine.instruction.task()
    try:
        return WON[(await answered(judge_better(task, other.trajectory, mine.trajectory, labels), judge)).won]
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
