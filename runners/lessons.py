"""Experiences as they stand in a spec, under `x-docrev` of the operation that was wrongly chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from docrev.records import OperationKey
from docrev.spec import Catalog, Operation
from docrev.spec.meaning import mapping, sequence, string

MAX_LESSONS, MAX_TEXT = 2, 300
Lessons = Mapping[OperationKey, Sequence[str]]
"""What is to be known before an operation is chosen: a sentence each, two at most."""


def lessons(catalog: Catalog) -> Lessons:
    """The experiences of each operation of a catalog."""
    return {operation.key: tuple(_texts(catalog, operation))[:MAX_LESSONS] for operation in catalog.operations}


def _texts(catalog: Catalog, operation: Operation) -> Iterator[str]:
    extension = mapping(catalog.documents[operation.place.file].get(f"{operation.place.pointer}/x-docrev", None))
    for entry in sequence(extension.get("experience")):
        text = " ".join(string(mapping(entry).get("text")).split())
        if text:
            yield text[:MAX_TEXT]
