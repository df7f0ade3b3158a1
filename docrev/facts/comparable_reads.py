"""Reads that can be compared: nothing was written between them, or they differ in one argument alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from docrev.conventions.methods import SAFE_METHODS
from docrev.facts.call_values import without
from docrev.facts.creations import place_called
from docrev.json_values.canonical import canonical
from docrev.records import Call


def between_writes(calls: Iterable[Call]) -> Iterator[list[Call]]:
    """The reading calls, those together between which nothing was written."""
    for is_safe, some in groupby(calls, key=lambda call: call.key.method in SAFE_METHODS):
        if is_safe:
            yield list(some)


def request_without(call: Call, location: str = "") -> tuple[object, ...]:
    """What a call asks for but for the argument at a location, to be compared with what others ask for."""
    return *place_called(call), canonical(without(call.arguments, location))
