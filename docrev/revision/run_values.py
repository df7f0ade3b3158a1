"""IDs, times and names that the run itself created: they mean nothing to a reader once they are deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.json_values.leaves import MAX_ITEMS, objects
from docrev.records import Call, JournalItem, Json

_DEPTH = 5
_LARGE = 10_000
"""Below this a number is a count or a rating, and may well be an example."""
_MIN_DIGITS = 3
_MIN_ID = 3
"""Characters that an ID must have to be recognised by."""


def temporary_values(journal: Iterable[JournalItem], calls: Iterable[Call]) -> frozenset[str]:
    """The IDs of what the run created, and what else identifies it in the same objects: numbers, times, tokens."""
    ids = {str(value) for item in journal for value in item.arguments.values() if len(str(value)) >= _MIN_ID}
    found = set(ids)
    for values in _scalars_of_objects(calls) if ids else ():
        if any(str(value) in ids for value in values):
            found.update(str(value) for value in values if _is_identifying(value))
    return frozenset(found)


def _scalars_of_objects(calls: Iterable[Call]) -> Iterator[list[Json]]:
    """The scalars of each object in the responses."""
    for call in calls:
        for thing in objects(call.body, depth=_DEPTH, items=MAX_ITEMS) if call.ok else ():
            yield [value for value in thing.values() if isinstance(value, str | int | float)]


def _is_identifying(value: Json) -> bool:
    """Whether a value belongs to one object alone: a large number, or a text with several digits in it."""
    if isinstance(value, str):
        return sum(char.isdigit() for char in value) >= _MIN_DIGITS
    return not isinstance(value, bool) and abs(value) >= _LARGE
