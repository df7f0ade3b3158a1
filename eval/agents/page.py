"""A report as one self-contained HTML page: tables, figures, and every trajectory side by side with the others."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docrev.records import Json, Node, Plan, Task, Trajectory
from docrev.render import render

from ..tooleval.rating import ASPECTS
from . import figures, tables
from .bench import BenchReport, trajectories
from .outcomes import TaskOutcome
from .summary import METRICS, Line

MOST = 4000
"""Maximum number of trajectories on a page; the evidence has them all."""
TURNED = 6
"""Lines up to which the table of metrics has them as columns: then it needs no scrolling."""
LONGEST = 700
"""Characters of an observation that a page shows."""

LOST, GAINED = "Lost with other documents", "Gained with other documents"
UNSOLVED, SOLVED = "Solved by none", "Solved by some or all alike"


@dataclass(frozen=True)
class Leaf:
    """A node of a search tree as the page shows it; `ways` are the chains below it if there is more than one."""

    on_path: bool
    title: str
    thought: str
    arguments: str
    status: str
    observation: str
    reason: str
    ways: tuple[tuple[Leaf, ...], ...] = ()


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
        names=[figures.name_of(line) for line in report.lines],
        turned=len(report.lines) <= TURNED,
        groups=_groups(report, list(items.values())),
        columns=[
            (metric.key, tables.title(metric.key, report.settings.judge))
            for metric in METRICS
            if _some(report.lines, metric.key)
        ],
        shown=tables.shown,
        rates=[
            (tables.title(key, report.settings.judge), figures.rates(report.lines, key))
            for key in ("success", "correct_path")
            if _some(report.lines, key)
        ],
        aspects=ASPECTS,
        errors=figures.errors(report.lines),
        tokens=figures.tokens(report.lines, lambda outcome: getattr(outcome, "tokens_in", 0), "input tokens a task"),
        left_out=max(0, len(report.lines) * len(report.tasks) - MOST),
    )


def _some(lines: Sequence[Line], key: str) -> bool:
    return any(key in line.measures for line in lines)


def _items(report: BenchReport) -> dict[str, PageItem]:
    items = {
        task.id: PageItem(task, _text(task.answer) if task.answer is not None else "", tuple(map(_way, task.gold)))
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
        figures.name_of(line),
        outcome.solved,
        outcome,
        _text(trajectory.answer) if trajectory.answer is not None else "",
        trajectory.reason,
        _ways(trajectory),
    )


def _ways(trajectory: Trajectory) -> tuple[tuple[Leaf, ...], ...]:
    """The chains that begin at the root: one, unless the runner searched a tree or started over."""
    below: dict[str | None, list[Node]] = {}
    node_ids = {node.id for node in trajectory.nodes}
    for node in trajectory.nodes:
        below.setdefault(node.parent if node.parent in node_ids else None, []).append(node)
    path = set(trajectory.path)

    def chain(node: Node) -> Iterator[Leaf]:
        while True:
            after = below.get(node.id, [])
            parted = tuple(tuple(chain(child)) for child in after) if len(after) > 1 else ()
            yield _leaf(node, node.id in path, parted)
            if len(after) != 1:
                return
            [node] = after

    return tuple(tuple(chain(node)) for node in below.get(None, ()))


def _leaf(node: Node, on_path: bool, ways: tuple[tuple[Leaf, ...], ...]) -> Leaf:
    call = node.call
    title, thought, arguments = ("?", "", {}) if node.plan is None else _described(node.plan)
    return Leaf(
        on_path,
        title,
        thought,
        _text(arguments) if arguments else "",
        "" if call is None else str(call.status or call.error),
        node.observation[:LONGEST] + ("…" if len(node.observation) > LONGEST else ""),
        node.reason,
        ways,
    )


def _described(plan: Plan) -> tuple[str, str, dict[str, Json]]:
    """A plan's title, its thought, and its arguments; those of the end are the answer."""
    title = "Finish" if plan.key is None else str(plan.key).strip()
    answer = {} if plan.answer is None else {"answer": plan.answer}
    return title, plan.thought, answer if plan.final else plan.arguments


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


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
