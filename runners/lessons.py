"""Experiences as they stand in a spec, under `x-docrev` of the operation that was wrongly chosen, or wrongly called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docrev.records import OperationKey
from docrev.spec import Catalog, Operation
from docrev.spec.meaning import mapping, sequence, string

MAX_LESSONS, MAX_TEXT = 4, 300


class Lesson(NamedTuple):
    """What is to be known before an operation is chosen, or, with a `location`, before an argument is filled in."""

    text: str
    location: str = ""


Lessons = Mapping[OperationKey, Sequence[Lesson]]


def lessons(catalog: Catalog, operations: Sequence[Operation] = ()) -> Lessons:
    """The experiences of some operations of a catalog, a few at most; () takes all operations."""
    chosen = operations or catalog.operations
    return {operation.key: tuple(_of(catalog, operation))[:MAX_LESSONS] for operation in chosen}


def _of(catalog: Catalog, operation: Operation) -> Iterator[Lesson]:
    extension = mapping(catalog.documents[operation.place.file].get(f"{operation.place.pointer}/x-docrev", None))
    for entry in map(mapping, sequence(extension.get("experience"))):
        text = " ".join(string(entry.get("text")).split())
        if text:
            yield Lesson(text[:MAX_TEXT], string(entry.get("parameter")))
