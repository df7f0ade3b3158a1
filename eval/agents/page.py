"""A report as one self-contained HTML page: tables, figures, and every trajectory side by side with the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from docrev.records import Task, Trajectory
from docrev.render import render
from docrev.search.outline import Leaf, as_text, outline

from ..tooleval.rating import ASPECTS
from . import tables
from .bench import BenchReport, trajectories
from .outcomes import TaskOutcome
from .summary import METRICS, Line

MOST = 4000
"""Maximum number of trajectories on a page; the evidence has them all."""
TURNED = 6
"""Lines up to which the table of metrics has them as columns: then it needs no scrolling."""
LOST, GAINED = "Lost with other documents", "Gained with other documents"
UNSOLVED, SOLVED = "Solved by none", "Solved by some or all alike"


@dataclass
class Try:
    """What one line did for a task."""

    line: str
    solved: bool
    outcome: TaskOutcome
    answer: str
    reason: str
    ways: tuple[tuple[Leaf, ...], ...]


@dataclass
class PageItem:
    """A task with what every line did for it."""

    task: Task
    truth: str
    gold: tuple[str, ...]
    tries: list[Try] = field(default_factory=list)

    @property
    def is_solved(self) -> bool:
        return any(attempt.solved for attempt in self.tries)


def page(report: BenchReport) -> str:
    """The page; the trajectories are read from the evidence, at most `MOST` of them."""
    items = _items(report)
    return render(
        "bench/page.html.j2",
        report=report,
        verdicts=[
            (difference, tables.verdict(difference), tables.causes(report, difference))
            for difference in report.differences
        ],
        names=[line.name for line in report.lines],
        turned=len(report.lines) <= TURNED,
        groups=_groups(report, list(items.values())),
        columns=[
            (metric.key, tables.title(metric.key, report.settings.judge))
            for metric in METRICS
            if _some(report.lines, metric.key)
        ],
        shown=tables.formatted_measure,
        rates=[
            (key, tables.title(key, report.settings.judge))
            for key in ("success", "correct_path")
            if _some(report.lines, key)
        ],
        aspects=ASPECTS,
        left_out=max(0, len(report.lines) * len(report.tasks) - MOST),
    )


def _some(lines: Sequence[Line], key: str) -> bool:
    return any(key in line.measures for line in lines)


def _items(report: BenchReport) -> dict[str, PageItem]:
    items = {
        task.id: PageItem(task, as_text(task.answer) if task.answer is not None else "", tuple(map(_way, task.gold)))
        for task in report.tasks
    }
    left = MOST
    for line, found in trajectories(report):
        outcomes = {outcome.task: outcome for outcome in line.outcomes}
        for trajectory in found:
            if left and trajectory.task in items:
                left -= 1
                items[trajectory.task].tries.append(_try(line, outcomes[trajectory.task], trajectory))
    return items


def _try(line: Line, outcome: TaskOutcome, trajectory: Trajectory) -> Try:
    return Try(
        line.name,
        outcome.solved,
        outcome,
        as_text(trajectory.answer) if trajectory.answer is not None else "",
        trajectory.reason,
        outline(trajectory.nodes, trajectory.path),
    )


def _groups(report: BenchReport, items: Sequence[PageItem]) -> list[tuple[str, list[PageItem]]]:
    """Tasks by what became of them: gained and lost against the first documents first, for that says most."""
    gained = {task for difference in report.differences for task in difference.gained}
    lost = {task for difference in report.differences for task in difference.lost}
    groups: dict[str, list[PageItem]] = {title: [] for title in (LOST, GAINED, UNSOLVED, SOLVED)}
    for item in items:
        groups[_group(item, gained, lost)].append(item)
    return [(title, found) for title, found in groups.items() if found]


def _group(item: PageItem, gained: set[str], lost: set[str]) -> str:
    if item.task.id in lost:
        return LOST
    if item.task.id in gained:
        return GAINED
    return SOLVED if item.is_solved else UNSOLVED


def _way(path: Sequence[object]) -> str:
    return " → ".join(map(str, path))
