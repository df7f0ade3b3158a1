"""What the run made itself: its ids, times and names say nothing to a reader once they are deleted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.records import Call, JournalItem, Json

_DEPTH = 5
_MAX_ITEMS = 50
# Below this a number is a count or a rating, and may well be an example.
_LARGE = 10_000


def own_values(journal: Iterable[JournalItem], calls: Iterable[Call]) -> frozenset[str]:
    """The ids of what the run created, and what else in the same objects tells them apart: numbers, times, tokens."""
    # One or two characters are too little to know an id by.
    ids = {str(value) for item in journal for value in item.arguments.values() if len(str(value)) > 2}
    if not ids:
        return frozenset()
    found = set(ids)
    for call in calls:
        if call.ok:
            for thing in _objects(call.body):
                scalars = [value for value in thing.values() if isinstance(value, str | int | float)]
                if any(str(value) in ids for value in scalars):
                    found.update(str(value) for value in scalars if _telling(value))
    return frozenset(found)


def _objects(body: Json, depth: int = _DEPTH) -> Iterator[dict[str, Json]]:
    if isinstance(body, dict):
        yield body
    if depth and isinstance(body, dict | list):
        inner = list(body.values()) if isinstance(body, dict) else body[:_MAX_ITEMS]
        for value in inner:
            yield from _objects(value, depth - 1)


def _telling(value: Json) -> bool:
    """Whether a value is one of its own: a large number, or a text with several digits in it."""
    if isinstance(value, str):
        return sum(char.isdigit() for char in value) >= 3
    return not isinstance(value, bool) and abs(value) >= _LARGE
