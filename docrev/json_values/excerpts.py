"""A part of a JSON value for a reader with little room: chosen fields, or the beginning of every level."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from docrev.json_values.canonical import compact
from docrev.json_values.types import JsonValue

_CAPS = ((200, 4000), (100, 2000), (50, 1000), (20, 500), (10, 300), (5, 200), (2, 100), (1, 60))
"""(items of each list, characters of each text), from the most to the fewest: the first that is short enough."""
_MEMBERS = 60
"""Objects of up to so many members are kept whole; larger ones are maps, which are cut as lists are."""
_NAMED = 5
_NOTHING = object()


def select_fields(value: JsonValue, fields: Iterable[str]) -> JsonValue:
    """The parts of `value` that `fields` name, in their objects and lists: `items.name`, `name`.

    Lists are passed through (`items[].name` is the same), and a name that an object does not have is looked for in
    what it contains. None if nothing is found.
    """
    tree: dict[str, dict[str, object]] = {}
    for field in fields:
        place: dict[str, object] = tree  # type: ignore[assignment]
        for name in filter(None, field.replace("[]", "").split(".")):
            place = place.setdefault(name, {})  # type: ignore[assignment]
    found = _picked(value, tree)
    return None if found is _NOTHING else found  # type: ignore[return-value]


def _picked(value: JsonValue, tree: dict[str, dict[str, object]]) -> object:
    if isinstance(value, list):
        items = [part for item in value if (part := _picked(item, tree)) is not _NOTHING]
        return items or _NOTHING
    if not isinstance(value, dict):
        return _NOTHING
    kept: dict[str, object] = {}
    for name, part in value.items():
        inner = tree.get(name)
        chosen = part if inner == {} else _picked(part, inner or tree)  # type: ignore[arg-type]
        if chosen is not _NOTHING:
            kept[name] = chosen
    return kept or _NOTHING


def beginning(value: JsonValue, most: int) -> tuple[JsonValue, list[str]]:
    """`value` within `most` characters of compact JSON, and what was cut: "items: 20 of 143", the first few.

    Lists, texts and maps lose their ends, all to the same length; the objects in them stay whole. A value that is too
    long even so is told by its type alone.
    """
    if len(compact(value)) <= most:
        return value, []
    for items, characters in _CAPS:
        cuts: dict[str, str] = {}
        part = _cut(value, items, characters, "", cuts)
        if len(compact(part)) <= most:
            return part, [f"{place or 'the response'}: {cut}" for place, cut in islice(cuts.items(), _NAMED)]
    return None, [f"the response: {_size(value)}, too long to be shown"]


def _cut(value: JsonValue, items: int, characters: int, place: str, cuts: dict[str, str]) -> JsonValue:
    if isinstance(value, str) and len(value) > characters:
        cuts.setdefault(place, f"{characters:,} of {len(value):,} characters")
        return f"{value[:characters]}…"
    if isinstance(value, list):
        if len(value) > items:
            cuts.setdefault(place, f"{items:,} of {_size(value)}")
        return [_cut(item, items, characters, f"{place}[]", cuts) for item in value[:items]]
    if isinstance(value, dict):
        most = len(value) if len(value) <= _MEMBERS else items
        if len(value) > most:
            cuts.setdefault(place, f"{most:,} of {_size(value)}")
        part = islice(value.items(), most)
        return {name: _cut(item, items, characters, f"{place}.{name}".lstrip("."), cuts) for name, item in part}
    return value


def _size(value: JsonValue) -> str:
    if isinstance(value, list):
        return f"{len(value):,} items"
    return f"{len(value):,} members" if isinstance(value, dict) else "a value"
