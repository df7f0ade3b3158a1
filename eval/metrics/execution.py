"""Execution success on worlds: the answer compared with the truth, and what is there afterwards with what should be.

A state is a list of reads, each an operation with what it should answer:

    state:
      - read: atlas GET /notes/{id}
        arguments: {path:id: note_0001}
        status: 200                     (200 if it is left out)
        body: {rating: 4, status: published}

Of an object the properties that are named must be so, of a list all items; a list under `body` has just these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docrev.prompts.steps import Invoke, Steps
from docrev.records import Call, Json, OperationKey, Task, Trajectory

from .accepted_answers import accepts


@dataclass(frozen=True, slots=True)
class Read:
    """One look at the state: what an operation should answer when a task has been done."""

    key: OperationKey
    arguments: dict[str, Json] = field(default_factory=dict)
    status: int = 200
    body: Json = None


def reads(truth: object) -> tuple[Read, ...]:
    """The looks at the state that a truth asks for."""
    return tuple(_reads(truth))


def _reads(truth: object) -> Iterator[Read]:
    if not isinstance(truth, Mapping):
        return
    for inner in truth.get("all", ()):
        yield from _reads(inner)
    for row in truth.get("state", ()):
        tool, _, operation = row["read"].partition(" ")
        arguments = dict(row.get("arguments", {}))
        yield Read(OperationKey(tool, operation), arguments, row.get("status", 200), row.get("body"))


def read_state(task: Task) -> Steps[tuple[Call, ...]]:
    """Make the reads that a task's truth asks for, one after the other: to be driven when the agent has ended."""
    calls = []
    for read in reads(task.answer):
        calls.append((yield Invoke(read.key, read.arguments, purpose="replay", scenario=task.id)))
    return tuple(calls)


def is_executed(task: Task, trajectory: Trajectory, state: Sequence[Call] = ()) -> bool | None:
    """Whether the answer is true and `state` is as it should be; None if the task has no truth.

    A task that asks for a state only is judged by it whether or not the agent said anything.
    """
    if task.answer is None:
        return None
    wanted = reads(task.answer)
    if len(state) != len(wanted) or not all(map(is_as_read, wanted, state)):
        return False
    if isinstance(task.answer, Mapping) and set(task.answer) == {"state"}:
        return True
    return trajectory.finish == "answer" and accepts(task.answer, trajectory.answer)


def is_as_read(read: Read, call: Call) -> bool:
    """Whether a look at the state shows what it should."""
    return call.key == read.key and call.status == read.status and (read.body is None or _fits(read.body, call.body))


def _fits(wanted: object, actual: object) -> bool:
    if isinstance(wanted, Mapping):
        return isinstance(actual, Mapping) and all(
            name in actual and _fits(value, actual[name]) for name, value in wanted.items()
        )
    if isinstance(wanted, list):
        return isinstance(actual, list) and len(wanted) == len(actual) and all(map(_fits, wanted, actual))
    return bool(wanted == actual) and isinstance(wanted, bool) == isinstance(actual, bool)
