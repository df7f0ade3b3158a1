"""What a trajectory achieved, by every deterministic metric: one row of the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from docrev.records import Finish, Json, OperationKey, Task, Trajectory

from ..metrics.arguments import argument_f1, contradicts
from ..metrics.execution import is_executed
from ..metrics.paths import (
    covers_gold,
    delta_length,
    invented,
    is_correct_path,
    is_match,
    is_same_order,
    is_same_set,
    length,
    tool_calling,
)

ErrorClass = Literal["", "plan", "caller", "parser"]


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """A row. What a task cannot be judged by is None: it has no gold path, or no truth.

    A judge fills the last three: `judged` is 1 if the answer fulfils the task, `passed` is ToolEval's label, each with
    0.5 for unsure; `preferred` to the yardstick is 1, 0.5 for a tie, or 0.
    """

    task: str
    group: str
    level: str
    finish: Finish
    reason: str
    success: bool | None
    correct_path: bool | None
    covers: bool | None
    same_set: bool | None
    same_order: bool | None
    delta_length: int | None
    length: int
    calls_answered: float
    calls_planned: int
    argument_f1: float | None
    match_category: bool | None
    match_tool: bool | None
    invented: int
    error: ErrorClass
    asks: int
    tokens_in: int
    tokens_out: int
    judged: float | None = None
    passed: float | None = None
    preferred: float | None = None

    @property
    def solved(self) -> bool:
        """Executed with success if there is a truth, else the correct path."""
        return bool(self.success if self.success is not None else self.correct_path)

    def to_json(self) -> dict[str, Json]:
        return asdict(self)


def outcome(task: Task, trajectory: Trajectory, categories: Mapping[str, str]) -> TaskOutcome:
    """Judge what a runner did for a task."""

    def category(key: OperationKey) -> str:
        return categories.get(key.tool, key.tool)

    gold = bool(task.gold)
    success = is_executed(task, trajectory, trajectory.state)
    path = is_correct_path(task, trajectory) if gold else None
    matched = argument_f1(task, trajectory)
    calling = tool_calling(trajectory)
    return TaskOutcome(
        task=task.id,
        group=task.group,
        level=task.level,
        finish=trajectory.finish,
        reason=trajectory.reason,
        success=success,
        correct_path=path,
        covers=covers_gold(task, trajectory) if gold else None,
        same_set=is_same_set(task, trajectory) if gold else None,
        same_order=is_same_order(task, trajectory) if gold else None,
        delta_length=delta_length(task, trajectory) if gold else None,
        length=length(trajectory),
        calls_answered=calling.hits,
        calls_planned=calling.total,
        argument_f1=matched.f1 if matched is not None else None,
        match_category=is_match(task, trajectory, "category", category) if gold else None,
        match_tool=is_match(task, trajectory, "tool", category) if gold else None,
        invented=invented(trajectory),
        error=error_class(task, trajectory, solved=bool(success if success is not None else path)),
        asks=trajectory.asks,
        tokens_in=trajectory.tokens_in,
        tokens_out=trajectory.tokens_out,
    )


def error_class(task: Task, trajectory: Trajectory, *, solved: bool) -> ErrorClass:
    """Which part failed first (ToolBFS+ §6, figure 4): the plan, the caller, or the parser; "" if none did.

    Plan: an operation of the gold path was never chosen. Caller: all were chosen, and one of them was never answered
    with 2xx, or only with arguments that contradict every gold path. Parser: what is left, where what was answered did
    not become the right answer.
    """
    if solved:
        return ""
    if not task.gold:
        return _error_without_gold(trajectory)
    chosen = {node.plan.key for node in trajectory.nodes if node.plan is not None}
    reachable = [at for at, path in enumerate(task.gold) if chosen.issuperset(path)]
    if not reachable:
        return "plan"
    return "parser" if any(_is_called(task, at, trajectory) for at in reachable) else "caller"


def _is_called(task: Task, at: int, trajectory: Trajectory) -> bool:
    """Whether each step of a gold path was answered with 2xx somewhere in the tree, with no argument that it denies."""
    calls = [node.call for node in trajectory.nodes if node.call is not None and node.call.ok]
    path = task.gold[at]
    wanted = [*(task.arguments if at == 0 else ()), *({} for _ in path)]
    return all(
        any(call.key == key and not contradicts(arguments, call.arguments) for call in calls)
        for key, arguments in zip(path, wanted, strict=False)
    )


def _error_without_gold(trajectory: Trajectory) -> ErrorClass:
    if not trajectory.calls:
        return "plan"
    return "parser" if any(call.ok for call in trajectory.calls) else "caller"
