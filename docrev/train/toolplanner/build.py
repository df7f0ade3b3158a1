"""Rows for both stages, made of instructions at several granularities and of the trees in which they were solved.

Instructions of one seed share its trees: what solved one of them in all that it names solves the others (ToolPlanner
§3.2), and every tree is worth something else for each (§4.3.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from docrev.errors import InputError
from docrev.eval.suites.reading import read_json
from docrev.eval.tooleval.labels import is_refusal
from docrev.evidence import Evidence
from docrev.grouping import grouped
from docrev.records import Json, OperationKey, Task, Trajectory
from docrev.runners.toolbox import toolboxes
from docrev.runners.toolplanner import categories
from docrev.spec import Catalog
from docrev.train.data.annotating import SUMMARY
from docrev.train.data.conversations import Conversation
from docrev.train.data.instructions import Instruction
from docrev.train.data.tool_listing import ToolListing
from docrev.train.toolplanner.pairs import SAMPLES, leading, pairs
from docrev.train.toolplanner.rewards import BOTH, Feedback, JudgedPath, scored
from docrev.train.toolplanner.stages import PreferenceRow, balanced, conversations, preference, tagged

TOLD = ("pass", "")
"""Labels of a judge with which an answer that is no refusal counts: it passed, or nobody judged it."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What is left in of the method (table 5): tag extraction, the planned path, and the feedbacks of stage 2."""

    tags: bool = True
    path: bool = True
    feedback: frozenset[Feedback] = BOTH


class Trees:
    """The trees in folders that `docrev generate annotations` wrote, with what a judge said of each.

    Raises InputError for a folder that holds none.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._by_task: dict[str, list[tuple[Trajectory, str]]] = {}
        for folder in folders:
            labels = _labels(folder / SUMMARY)
            with Evidence.open(folder, write=False) as evidence:
                if evidence.run.settings.get("benchmark") != "annotations":
                    fix = "name a folder that docrev generate annotations wrote"
                    raise InputError("holds no annotations", where=str(folder), fix=fix)
                for tree in evidence.trajectories:
                    self._by_task.setdefault(tree.task, []).append((tree, labels.get(tree.task, "")))

    def of(self, tasks: Sequence[str]) -> list[tuple[Trajectory, str]]:
        """The trees of these tasks, in their order."""
        return [found for task in tasks for found in self._by_task.get(task, ())]


def _labels(file: Path) -> dict[str, str]:
    rows = read_json(file).get("rows", []) if file.is_file() else []
    return {str(row["id"]): str(row.get("label", "")) for row in rows}


@dataclass
class RowBuilder:
    """Makes the rows of instructions; `counts` tells what became of them."""

    catalog: Catalog
    trees: Trees
    parts: Parts = Parts()
    samples: int = SAMPLES
    seed: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._listing = ToolListing(self.catalog)
        self._toolbox = toolboxes(self.catalog)

    def conversations(self, instructions: Sequence[Instruction]) -> list[Conversation]:
        """Stage 1: of each instruction the tags, the path and the rounds of the shortest good way of its seed.

        Of one that nobody solved the tags alone, if it is known which operations it is about.
        """
        judged = self._judged(instructions, level="hybrid")
        return [row for task, ways in judged for row in self._conversations(task, ways)]

    def _conversations(self, task: Task, ways: Sequence[JudgedPath]) -> list[Conversation]:
        box = self._toolbox(task.operations)
        good, kinds = [way.nodes for way in ways if way.reward == 1], categories(box)
        if good:
            way = min(good, key=len)
            return conversations(task, box.sheets, way, kinds, tags=self.parts.tags, path=self.parts.path)
        return [tagged(task, box.sheets, path, kinds) for path in task.gold[:1] if self.parts.tags]

    def preferences(self, instructions: Sequence[Instruction]) -> list[PreferenceRow]:
        """Stage 2: the pairs of each instruction's trees."""
        return [row for task, ways in self._judged(instructions) for row in self._preferences(task, ways)]

    def _preferences(self, task: Task, ways: Sequence[JudgedPath]) -> Iterator[PreferenceRow]:
        box = self._toolbox(task.operations)
        sheets, kinds = box.sheets, categories(box)
        offered = [sheet.key for sheet in sheets]
        found = pairs(
            task, ways, self._category, offered=offered, samples=self.samples, seed=self.seed,
            feedback=self.parts.feedback,
        )  # fmt: skip
        for pair in found:
            self.counts[f"pairs, {pair.sampled or 'found'}"] += 1
            way = leading(pair, ways)
            yield preference(task, sheets, pair, way, kinds, tags=self.parts.tags, path=self.parts.path)

    def _judged(self, instructions: Sequence[Instruction], level: str = "") -> Iterator[tuple[Task, list[JudgedPath]]]:
        """The tasks with the ways of their seed's trees, judged at their level, or at this one."""
        family = grouped((seed_of(one), one.id) for one in instructions)
        kept = {task.id: task for task in balanced((one.task() for one in instructions), self.seed)}
        for one in instructions:
            if one.id not in kept:
                continue
            task = kept[one.id]
            ways = self._ways(replace(task, level=level or task.level), [seed_of(one), *family[seed_of(one)]])
            self.counts["instructions"] += 1
            self.counts["solved"] += any(way.reward == 1 for way in ways)
            yield task, ways

    def _ways(self, task: Task, family: Sequence[str]) -> list[JudgedPath]:
        return [
            way
            for tree, label in self.trees.of(tuple(dict.fromkeys(family)))
            for way in scored(task, [tree], self._category, feedback=self.parts.feedback, is_solved=_passed(label))
        ]

    def _category(self, key: OperationKey) -> str:
        return self._listing[key].category if key in self._listing.entries else key.tool


def _passed(label: str) -> Callable[[Json], bool]:
    return lambda answer: label in TOLD and not is_refusal(answer)


def seed_of(one: Instruction) -> str:
    """The id of the instruction that this one is a granularity of."""
    return one.id.removesuffix(f"-{one.level}") if one.level else one.id
