"""Runners on instructions of five granularities: what tables 1, 5 and 27 of ToolPlanner show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar, get_args

from docrev.errors import ModelError, UsageError
from docrev.eval.agents.models import acting, judging
from docrev.eval.agents.opinions import WON
from docrev.eval.agents.outcomes import TaskOutcome, outcome
from docrev.eval.metrics.arguments import Matched
from docrev.eval.metrics.paths import Level, Share, tags
from docrev.eval.tooleval.judging import answered, judge_better
from docrev.eval.tooleval.labels import WORTH, Label
from docrev.eval.tooleval.predictions import read_golden
from docrev.events import Handler, ignore
from docrev.language.tables import columns
from docrev.models import Model
from docrev.prompts.planning import ExtractTags
from docrev.prompts.training import LEVELS
from docrev.records import Json, OperationKey, Task, Trajectory
from docrev.runners import Toolbox
from docrev.runners.toolplanner import categories
from docrev.spec import Catalog
from docrev.train.data.annotating import AnnotationResult, annotate, catalog_of
from docrev.train.data.tool_listing import ToolListing
from docrev.train.settings import AnnotationSettings, GranularityBenchSettings, SolvingSettings
from docrev.train.toolplanner.build import seed_of
from docrev.train.toolplanner.rewards import MATCHED_AT, Category

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
        measured = outcome(one.instruction.task(), one.trajectory, categories)
        task, label = one.instruction.task(), _LABELS.get(one.label)
        if golden is not None:
            answer = golden.get(seed_of(one.instruction).rpartition("-")[2])
            won = await _won(task, (answer, "pass"), (one.trajectory, label), judge) if answer is not None else None
        elif mine is first:
            won = None
        else:
            other = others[one.instruction.id]
            won = await _won(task, (other.trajectory, _LABELS.get(other.label)), (one.trajectory, label), judge)
        outcomes.append(replace(measured, passed=_worth(one.label), preferred=won))
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

    tagged = await extracted(model, tasks, lambda task: Toolbox(catalog, task.operations))
    rows = [
        tag_scores(f"{retriever.method}@{count}", keys, tasks, category)
        for count, keys in retrieved(search, tasks).items()
    ]
    return [*rows, tag_scores(f"tags by {model.name}", tagged, tasks, category)]


MATCHES: tuple[tuple[str, Level], ...] = (
    ("category", "category"),
    ("tool", "category"),
    ("tool", "tool"),
    ("operation", "category"),
    ("operation", "tool"),
    ("operation", "operation"),
    ("hybrid", "category"),
    ("hybrid", "tool"),
    ("hybrid", "operation"),
)
"""Levels of instructions with the levels that they are matched at: the nine columns of table 1."""
Column = TypeVar("Column", bound=Hashable)
_MATCHED: dict[Level, Callable[[TaskOutcome], bool | None]] = {
    "category": lambda one: one.match_category,
    "tool": lambda one: one.match_tool,
    "operation": lambda one: one.same_set,
}


@dataclass(frozen=True)
class ByLevel:
    """A row of table 1. Each is a share of tasks; what no task of a level can be judged by is not there.

    `match` by (instruction's level, matched at), `passed` and `won` by the instruction's level; `outcomes` are what
    they are counted from.
    """

    name: str
    match: dict[tuple[str, Level], Share]
    passed: dict[str, Share]
    won: dict[str, Share]
    outcomes: tuple[TaskOutcome, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """Rates with their Wilson intervals, and each task, so that two runs can be paired."""
        return {
            "name": self.name,
            "match": {f"{level} at {at}": _share_numbers(share) for (level, at), share in self.match.items()},
            "pass": {level: _share_numbers(share) for level, share in self.passed.items()},
            "win": {level: _share_numbers(share) for level, share in self.won.items()},
            "average": {
                "match": average(self.match.values()),
                "pass": average(self.passed.values()),
                "win": average(self.won.values()),
            },
            "tasks": [_task(one) for one in self.outcomes],
        }


def _task(one: TaskOutcome) -> dict[str, Json]:
    level = one.level or "hybrid"
    match = {at: _MATCHED[at](one) for name, at in MATCHES if name == level}
    return {"id": one.task, "level": level, "match": {**match}, "pass": _passed(one), "win": one.preferred}


def by_level(name: str, outcomes: Sequence[TaskOutcome]) -> ByLevel:
    """The rates of outcomes, grouped by the level of their tasks (tasks without a level count as hybrid).

    The pass rate is what a judge said where there was one (unsure is a half), otherwise whether an answer was given
    that is true, if that is known; the win rate is the judge's preference.
    """
    groups: dict[str, list[TaskOutcome]] = {
        level: [one for one in outcomes if (one.level or "hybrid") == level] for level in LEVELS
    }
    match = {(level, at): share for level, at in MATCHES if (share := _share(map(_MATCHED[at], groups[level])))}
    passed: dict[str, Share] = {level: share for level in LEVELS if (share := _share(map(_passed, groups[level])))}
    won: dict[str, Share] = {
        level: share for level in LEVELS if (share := _share(one.preferred for one in groups[level]))
    }
    return ByLevel(name, match, passed, won, tuple(outcomes))


def _passed(one: TaskOutcome) -> float | None:
    if one.passed is not None or one.success is None:
        return one.passed
    return float(one.success)


def _share(values: Iterable[float | None]) -> Share | None:
    judged = [float(value) for value in values if value is not None]
    return Share(sum(judged), len(judged)) if judged else None


def average(shares: Iterable[Share]) -> float | None:
    """The mean of rates, each column counting the same as in table 1; None of nothing."""
    rates = [share.rate for share in shares if share.rate is not None]
    return sum(rates) / len(rates) if rates else None


def _share_numbers(share: Share) -> dict[str, Json]:
    return {"rate": share.rate, **share.interval._asdict(), "tasks": share.total}


def table(rows: Sequence[ByLevel]) -> str:
    """Table 1 as text, in percent with intervals, a column for each row: match by level and tag level, pass and win."""
    names = [row.name for row in rows]
    heads = {(level, at): f"{level}, {at}" for level, at in MATCHES}
    parts = _part(["match rate (instruction, matched at)", *names], [row.match for row in rows], heads)
    for title, found in (("pass rate", [row.passed for row in rows]), ("win rate", [row.won for row in rows])):
        if any(found):
            parts += ["", *_part([title, *names], found, {str(level): str(level) for level in LEVELS})]
    return "\n".join(parts)


def _part(head: Sequence[str], found: Sequence[Mapping[Column, Share]], titles: Mapping[Column, str]) -> list[str]:
    """A rate by level: what nobody can be judged by is left out."""
    keys = [key for key in titles if any(key in shares for shares in found)]
    lines = [[titles[key], *(shares[key].percent() if key in shares else "-" for shares in found)] for key in keys]
    return columns([head, *lines, ["average", *(_percent(average(shares.values())) for shares in found)]])


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f}"


RETRIEVED = (1, 3, 5)


@dataclass(frozen=True)
class TagScores:
    """A row of table 27: how well the tags of instructions are found, by the instructions' level, all tasks at once."""

    name: str
    levels: dict[str, Matched]

    def to_json(self) -> dict[str, Json]:
        """Precision, recall and F1 by level; None of nothing."""
        levels = {
            level: {"precision": one.precision, "recall": one.recall, "f1": one.f1}
            for level, one in self.levels.items()
        }
        return {"name": self.name, **levels}


def tag_scores(
    name: str, found: Mapping[str, Collection[OperationKey]], tasks: Sequence[Task], category: Category
) -> TagScores:
    """Precision and recall of what was found for each task (by its id), at the level of its instruction.

    Tasks without a gold path, and statements, which name no tags, are left out.
    """
    levels: dict[str, Matched] = {}
    for task in tasks:
        level = MATCHED_AT[task.level]
        if level is None or not task.gold or task.id not in found:
            continue
        gold, got = tags(task.gold[0], level, category), tags(found[task.id], level, category)
        key = task.level or "hybrid"
        levels[key] = levels.get(key, Matched(0, 0, 0)) + Matched(len(gold & got), len(got), len(gold))
    return TagScores(name, levels)


async def extracted(
    model: Model, tasks: Sequence[Task], tools: Callable[[Task], Toolbox]
) -> dict[str, list[OperationKey]]:
    """What a model tags, by task: the operations it names that are there, else all those of the tools it names.

    An answer that cannot be used names nothing.
    """

    async def operations_named(task: Task) -> list[OperationKey]:
        box = tools(task)
        try:
            tags_named = await model.ask(ExtractTags(task=task.text, operations=box.sheets, categories=categories(box)))
        except ModelError:
            return []
        keys = [sheet.key for name in tags_named.operations if (sheet := box.sheet(name)) is not None]
        return keys or [sheet.key for sheet in box.sheets if sheet.key.tool in tags_named.tools]

    answers = await asyncio.gather(*map(operations_named, tasks))
    return {task.id: keys for task, keys in zip(tasks, answers, strict=True)}


def retrieved(
    search: Callable[[Task, int], Sequence[OperationKey]], tasks: Sequence[Task]
) -> dict[int, dict[str, Sequence[OperationKey]]]:
    """What a retriever finds first, by how many are taken and by task."""
    most = max(RETRIEVED)
    hits = {task.id: search(task, most) for task in tasks}
    return {count: {id: keys[:count] for id, keys in hits.items()} for count in RETRIEVED}


def tag_table(rows: Sequence[TagScores]) -> str:
    """Table 27 as text: precision, recall and F1 by level."""
    levels = [level for level in LEVELS if any(level in row.levels for row in rows)]
    cells = [[row.name, *(" ".join(_three(row.levels.get(level))) for level in levels)] for row in rows]
    return "\n".join(columns([["", *levels], *cells]))


def _three(found: Matched | None) -> list[str]:
    values = (found.precision, found.recall, found.f1) if found is not None else (None, None, None)
    return ["-" if value is None else f"{value:.4f}" for value in values]
