"""What the ways of a solution tree are worth: task completion and instruction following (ToolPlanner §4.3.1, C.2.1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from docrev.eval.metrics.paths import Level, tags
from docrev.eval.tooleval.labels import is_refusal
from docrev.records import Json, Node, OperationKey, Task, Trajectory
from docrev.runners.track import NO_ACTION

Feedback = Literal["pass", "match"]
BOTH: frozenset[Feedback] = frozenset({"pass", "match"})
REWARDS = {(True, True): 1, (False, True): -1, (True, False): -2, (False, False): -3}
"""By whether a way passes, and whether it matches: equation 1."""
MATCHED_AT: dict[str, Level | None] = {
    "statement": None,
    "category": "category",
    "tool": "tool",
    "operation": "operation",
    "hybrid": "operation",
    "": "operation",
}
"""Where an instruction of a granularity is to be followed; a statement asks for nothing that could be."""
Category = Callable[[OperationKey], str]


def reward(passed: bool, matched: bool) -> int:
    """1, -1, -2 or -3. Not to pass is punished less than not to match, which is harder and what a model gives up first.

    Only the order is used.
    """
    return REWARDS[passed, matched]


@dataclass(frozen=True, slots=True)
class JudgedPath:
    """A way from the root to a leaf of a tree, with what it is worth."""

    nodes: tuple[Node, ...]
    passed: bool
    matched: bool

    @property
    def reward(self) -> int:
        return reward(self.passed, self.matched)


def ways(trajectory: Trajectory) -> tuple[tuple[Node, ...], ...]:
    """The ways from the root to each leaf, in the order in which the leaves were reached.

    Rounds in which the model said nothing that can be read are left out: there is no action to learn, or to rank.
    """
    by_id = {node.id: node for node in trajectory.nodes}
    parents = {node.parent for node in trajectory.nodes}
    paths = (_up(node, by_id) for node in trajectory.nodes if node.id not in parents)
    read = (tuple(node for node in way if node.reason != NO_ACTION) for way in paths)
    return tuple(way for way in read if way)


def _up(node: Node, by_id: dict[str, Node]) -> tuple[Node, ...]:
    path = [node]
    while path[-1].parent in by_id:
        path.append(by_id[str(path[-1].parent)])
    return tuple(reversed(path))


def scored(
    task: Task,
    trees: Sequence[Trajectory],
    category: Category,
    *,
    feedback: Collection[Feedback] = BOTH,
    is_solved: Callable[[Json], bool] | None = None,
) -> list[JudgedPath]:
    """All ways of a task's trees with their worth; a feedback that is left out finds nothing wrong (table 5).

    `is_solved` judges an answer; without it every answer passes that is no refusal, as in the paper.
    """
    solved = is_solved or (lambda answer: not is_refusal(answer))
    return [
        JudgedPath(
            nodes,
            "pass" not in feedback or passes(nodes, solved),
            "match" not in feedback or matches(task, nodes, category),
        )
        for tree in trees
        for nodes in ways(tree)
    ]


def passes(nodes: Sequence[Node], is_solved: Callable[[Json], bool]) -> bool:
    """Whether a way ends in an answer that solves its task; giving up, or too many rounds, does not."""
    plan = nodes[-1].plan if nodes else None
    return plan is not None and plan.final and plan.answer is not None and is_solved(plan.answer)


def matches(task: Task, nodes: Sequence[Node], category: Category) -> bool:
    """Whether a way called all that the instruction names at its level, and nothing else.

    Not so if the task has no gold path: nothing says what would be right.
    """
    level = MATCHED_AT[task.level]
    if level is None:
        return True
    way = tags(called(nodes), level, category)
    return any(way == tags(path, level, category) for path in task.gold)


def called(nodes: Sequence[Node]) -> list[OperationKey]:
    """The operations that were called on a way, in order."""
    return [node.call.key for node in nodes if node.call is not None]
