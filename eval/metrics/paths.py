"""Metrics of the way that an agent took: which operations it called, how many, and whether they answered.

A gold path is right if any one of a task's gold paths is. The way is the trajectory's path: of a tree search, the
branch that it ended in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from docrev.records import OperationKey, Task, Trajectory

from ..intervals import Interval, wilson

Level = Literal["category", "tool", "operation"]
Keys = Sequence[OperationKey]


class Share(NamedTuple):
    """`hits` of `total`; a hit that counts half makes it a fraction. `rate` is None of nothing."""

    hits: float
    total: int

    @property
    def rate(self) -> float | None:
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the rate (Wilson)."""
        return wilson(self.hits, self.total)

    def percent(self, places: int = 1) -> str:
        """The rate in percent with its interval: `61.5 [45.9, 75.1]`."""
        low, high = self.interval
        return f"{100 * (self.rate or 0.0):.{places}f} [{100 * low:.1f}, {100 * high:.1f}]"

    def __add__(self, other: object) -> Share:
        if not isinstance(other, Share):
            return NotImplemented
        return Share(self.hits + other.hits, self.total + other.total)


def called(trajectory: Trajectory) -> tuple[OperationKey, ...]:
    """The operations that were called on the way, in order, whether they answered or not."""
    return tuple(call.key for call in trajectory.calls)


def is_correct_path(task: Task, trajectory: Trajectory) -> bool:
    """Whether a gold path is a subsequence of what was called: CP% (RestBench; ToolBFS+ §4.1)."""
    way = called(trajectory)
    return any(_is_subsequence(path, way) for path in task.gold)


def covers_gold(task: Task, trajectory: Trajectory) -> bool:
    """Whether all operations of a gold path were called, in any order (CP% as DRAFT's code has it)."""
    way = set(called(trajectory))
    return any(way.issuperset(path) for path in task.gold)


def is_same_set(task: Task, trajectory: Trajectory) -> bool:
    """Whether the operations of a gold path were called, and no others, in any order."""
    way = set(called(trajectory))
    return any(way == set(path) for path in task.gold)


def is_same_order(task: Task, trajectory: Trajectory) -> bool:
    """Whether a gold path was called, step for step and nothing else; the same operation again at once counts once.

    Again at once: the next page, or the same call mended.
    """
    way = _folded(called(trajectory))
    return any(way == _folded(path) for path in task.gold)


def length(trajectory: Trajectory) -> int:
    """The number of calls on the way ("ΔLen" of ToolBFS+ table 4 is the mean of these over solved tasks)."""
    return len(trajectory.calls)


def delta_length(task: Task, trajectory: Trajectory) -> int | None:
    """Calls beyond the shortest gold path that the way contains; None if it contains none (ΔLen of RestGPT §4.2)."""
    way = called(trajectory)
    held = [len(path) for path in task.gold if _is_subsequence(path, way)]
    return len(way) - min(held) if held else None


def tool_calling(trajectory: Trajectory) -> Share:
    """Calls on the way that were answered with 2xx, of all plans to call (ToolBFS+ §6, table 4).

    A plan that names an operation that does not exist is a call that failed.
    """
    plans = [node for node in trajectory.steps if node.plan is not None and node.plan.key is not None]
    return Share(sum(1 for node in plans if node.call is not None and node.call.ok), len(plans))


def invented(trajectory: Trajectory) -> int:
    """Plans anywhere in the tree that name an operation that does not exist."""
    plans = (node.plan for node in trajectory.nodes if node.plan is not None)
    return sum(1 for plan in plans if plan.key is not None and not plan.key.tool)


def is_match(task: Task, trajectory: Trajectory, level: Level, category: Callable[[OperationKey], str]) -> bool:
    """Whether everything of the gold path at `level`, and nothing else, was called (ToolPlanner appendix, match rate).

    `category` names the category of an operation's tool. At the level of operations this is the same as `is_same_set`.
    """
    way = tags(called(trajectory), level, category)
    return any(way == tags(path, level, category) for path in task.gold)


def tags(keys: Iterable[OperationKey], level: Level, category: Callable[[OperationKey], str]) -> frozenset[str]:
    """What some operations are called at a level."""
    named: dict[Level, Callable[[OperationKey], str]] = {
        "category": category,
        "tool": lambda key: key.tool,
        "operation": str,
    }
    return frozenset(map(named[level], keys))


def _is_subsequence(path: Keys, way: Keys) -> bool:
    rest = iter(way)
    return all(step in rest for step in path)


def _folded(path: Keys) -> list[OperationKey]:
    return [step for at, step in enumerate(path) if at == 0 or path[at - 1] != step]
