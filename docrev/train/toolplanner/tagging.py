"""Tag extraction beside a retriever: precision, recall and F1 by granularity (ToolPlanner tables 6 and 27)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from docrev.errors import ModelError
from docrev.eval.metrics.arguments import Matched
from docrev.eval.metrics.paths import tags
from docrev.language.tables import columns
from docrev.models import Model
from docrev.prompts.planning import ExtractTags
from docrev.prompts.training import LEVELS
from docrev.records import Json, OperationKey, Task
from docrev.runners import Toolbox
from docrev.runners.toolplanner import categories
from docrev.train.toolplanner.rewards import MATCHED_AT, Category

RETRIEVED = (1, 3, 5)


@dataclass(frozen=True)
class TagScores:
    """A row of table 27: how well the tags of instructions are found, by the instructions' level, all tasks at once."""

    name: str
    levels: dict[str, Matched]

    def to_json(self) -> dict[str, Json]:
        """Precision, recall and F1 by level; None of nothing."""
        found = {
            level: {"precision": one.precision, "recall": one.recall, "f1": one.f1}
            for level, one in self.levels.items()
        }
        return {"name": self.name, **found}


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

    async def one(task: Task) -> list[OperationKey]:
        box = tools(task)
        try:
            said = await model.ask(ExtractTags(task=task.text, operations=box.sheets, categories=categories(box)))
        except ModelError:
            return []
        keys = [sheet.key for name in said.operations if (sheet := box.sheet(name)) is not None]
        return keys or [sheet.key for sheet in box.sheets if sheet.key.tool in said.tools]

    found = await asyncio.gather(*map(one, tasks))
    return {task.id: keys for task, keys in zip(tasks, found, strict=True)}


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
