"""Experiences as they stand in a spec, under `x-docrev` of an operation.

docrev's own stand on the operation that was wrongly chosen or called, to be read before the choice. Those of ToolBFS+
say what was `known`, and are looked at after the operation was called (§3.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docrev.json_values.containers import mapping, sequence
from docrev.records import OperationKey
from docrev.spec import Catalog, Operation
from docrev.spec.meaning import string

MAX_LESSONS, MAX_TEXT = 4, 300


class Lesson(NamedTuple):
    """What is to be known before an operation is chosen, or, with a `location`, before an argument is filled in.

    `after`: it is of the choice that follows a call of the operation.
    """

    text: str
    location: str = ""
    after: bool = False


Lessons = Mapping[OperationKey, Sequence[Lesson]]


def lessons(catalog: Catalog, operations: Sequence[Operation] = ()) -> Lessons:
    """The experiences of some operations of a catalog, before a call a few at most; () takes all operations."""
    chosen = operations or catalog.operations
    return {operation.key: tuple(_few(_of(catalog, operation))) for operation in chosen}


def _few(found: Iterator[Lesson]) -> Iterator[Lesson]:
    before = 0
    for lesson in found:
        before += not lesson.after
        if lesson.after or before <= MAX_LESSONS:
            yield lesson


def _of(catalog: Catalog, operation: Operation) -> Iterator[Lesson]:
    extension = mapping(catalog.node(operation.place, "/x-docrev"))
    for entry in map(mapping, sequence(extension.get("experience"))):
        text = " ".join(string(entry.get("text")).split())
        if text:
            after = "known" in entry
            yield Lesson(text if after else text[:MAX_TEXT], string(entry.get("parameter")), after)
