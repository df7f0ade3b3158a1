"""What an operation says that it does: the verbs in its path, its operationId and its summary."""

from __future__ import annotations

from typing import Protocol

from docrev.language.words import words

ACTING = frozenset(
    [
        "abort",
        "accept",
        "activate",
        "approve",
        "archive",
        "cancel",
        "clear",
        "close",
        "confirm",
        "deactivate",
        "delete",
        "deploy",
        "destroy",
        "disable",
        "drop",
        "enable",
        "execute",
        "interrupt",
        "invoke",
        "kill",
        "lock",
        "merge",
        "pause",
        "publish",
        "reject",
        "remove",
        "restart",
        "restore",
        "resume",
        "run",
        "send",
        "start",
        "stop",
        "subscribe",
        "suspend",
        "sync",
        "trigger",
        "unlock",
        "unpublish",
        "unsubscribe",
    ]
)
"""Verbs of operations that change something, whatever their method."""
READING = frozenset(["count", "filter", "find", "graphql", "list", "lookup", "query", "search"])
"""Verbs of operations that only read, though their method may be POST."""


class Described(Protocol):
    """What an operation says of itself."""

    @property
    def path(self) -> str: ...
    @property
    def operation_id(self) -> str: ...
    @property
    def summary(self) -> str: ...


def acting_verb(operation: Described) -> str | None:
    """The verb by which an operation says that it acts: the first word of its operationId or of its summary, or its
    last path segment after an item. None if it says nothing of the kind; nouns and plurals (`/runs`) are none.
    """
    return next((verb for verb in _verbs(operation) if verb in ACTING), None)


def reading_verb(operation: Described) -> str | None:
    """The verb by which an operation says that it only reads; None if it does not, or also says that it acts."""
    if acting_verb(operation) is not None:
        return None
    last = words(operation.path.rpartition("/")[2])
    return last[0] if len(last) == 1 and last[0] in READING else None


def _verbs(operation: Described) -> list[str]:
    segments = [segment for segment in operation.path.split("/") if segment]
    last = words(segments[-1]) if len(segments) > 1 and "{" in segments[-2] and "{" not in segments[-1] else []
    return [*words(operation.operation_id)[:1], *words(operation.summary)[:1], *(last if len(last) == 1 else [])]
