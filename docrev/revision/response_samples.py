"""What the calls of one operation show for its texts: lists and their items, fields, order.

Every statement here holds for all the calls that it was drawn from; what one call contradicts is not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from docrev.conventions.ids import is_id_name
from docrev.conventions.lists import ListFound, list_of
from docrev.conventions.parameters import ORDERING, Role, role_of
from docrev.facts.bounds import TIMES
from docrev.json_values.leaves import objects, values_at
from docrev.json_values.scalars import is_number
from docrev.language.words import words
from docrev.records import Call, Json

MIN_ORDERED = 8
"""Items that a list must have for its order to count as one."""
_POSITIONS = TIMES | {"start", "end", "position", "rank", "priority", "order"}
"""Words of fields that a list may be sorted by as soon as they have a value."""
_CREATIONS = frozenset("added created creation inserted joined registered timestamp".split())
"""Words of the names of fields that grow with IDs by themselves."""
_CHANGES = frozenset("changed modified updated edited touched".split())
"""Words in the names of the times at which things were changed."""
_MAX_ITEMS = 20
_MAX_KEYED = 3
"""Levels of a response in which members may be names of things."""
_NAMING = frozenset("id username key slug login title code".split())
"""Last words of the fields that a thing is known by, beside those that end in "name"."""
_OPAQUE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w-]{12,}")


def good(calls: Iterable[Call]) -> list[Call]:
    """The calls that were answered 2xx."""
    return [call for call in calls if call.ok]


def lists(calls: Iterable[Call]) -> list[ListFound]:
    """The list of each 2xx response; empty unless all of them have one."""
    found = [list_of(call) for call in good(calls)]
    return [part for part in found if part is not None] if None not in found else []


def fields(calls: Iterable[Call], *, always: bool = True) -> list[str]:
    """Field names that every item (or every object) of the 2xx responses has, or any of them, in the order seen."""
    calls = good(calls)
    rows = lists(calls)
    objects = [item for found in rows for item in found.items[:_MAX_ITEMS]] if rows else [call.body for call in calls]
    return shared_names(objects, always=always)


def shared_names(objects: Iterable[Json], *, always: bool = True) -> list[str]:
    """The names that all of these objects have, or any of them; other values are passed over."""
    known = [value for value in objects if isinstance(value, dict)]
    names = dict.fromkeys(name for value in known for name in value)
    return [name for name in names if not always or all(name in value for value in known)]


def counts_one_page(calls: Iterable[Call], pointer: str) -> bool:
    """Whether a number counts the items of a page that was cut: as many as were asked for, where others have more."""
    found = [(call, len(listed.items)) for call in good(calls) if (listed := list_of(call)) is not None]
    longest = max((length for _, length in found), default=0)
    is_cut = any(length < longest and length in _sizes_asked(call) for call, length in found)
    return is_cut and all(values_at(call.body, pointer) == [length] for call, length in found)


def _sizes_asked(call: Call) -> list[Json]:
    return [value for at, value in call.arguments.items() if role_of(at.partition(":")[2]) is Role.PAGE_SIZE]


def is_openapi(body: Json) -> bool:
    """Whether a response is an OpenAPI document."""
    return isinstance(body, dict) and bool({"swagger", "openapi"} & set(body))


def is_batch(body: Json) -> bool:
    """Whether a request body carries other requests: a list of objects that each have a method and a path."""
    parts = [value for value in body.values() if isinstance(value, list)] if isinstance(body, dict) else [body]
    return any(isinstance(part, list) and part and all(map(_is_request, part)) for part in parts)


def _is_request(value: Json) -> bool:
    return isinstance(value, dict) and {"method", "path"} <= set(value)


def order(calls: Iterable[Call]) -> tuple[str, bool] | None:
    """(field, descending) by which every long enough list without a sort argument is sorted; None if unclear.

    Where IDs are sorted that nobody can read, the order is that of the storage, and the rest goes with it. Things that
    were never changed are in the order of their changes as well: that tells nothing beside another field, and nobody
    lists what was changed longest ago first.
    """
    calls = good(calls)
    long = [found.items for found in lists(_unsorted(calls)) if len(found.items) >= MIN_ORDERED]
    ways = ((name, descending) for name in _telling(fields(calls), long) for descending in (True, False))
    found = [way for way in ways if all(_is_sorted(items, *way) for items in long)]
    if any(_is_opaque(long[0][0].get(name)) for name, _ in found):
        return None
    return _clear_way(found)


def _clear_way(found: Sequence[tuple[str, bool]]) -> tuple[str, bool] | None:
    """The first of the fields that explain an order; None if it may as well be that of changes, the last one first, or
    that of a field which was filled in by and by, as IDs are given."""
    others = [way for way in found if _CHANGES.isdisjoint(words(way[0]))]
    is_either = bool(others) and any(descending for name, descending in found if (name, descending) not in others)
    return None if is_either or _is_by_and_by([name for name, _ in others]) else next(iter(others or found), None)


def _is_by_and_by(names: Sequence[str]) -> bool:
    """Whether what is sorted by its IDs may as well be by another field: one that may have grown with them."""
    positions = [name for name in names if not _POSITIONS.isdisjoint(words(name))]
    return bool(names) and is_id_name(names[0]) and not all(_CREATIONS & {*words(name)} for name in positions)


def _unsorted(calls: Iterable[Call]) -> list[Call]:
    """The calls that ask neither for an order nor for a text, which has an order of its own."""
    return [call for call in calls if not any(map(_orders, call.arguments))]


def _orders(location: str) -> bool:
    place, _, name = location.partition(":")
    role = role_of(name, place=place)
    return role in ORDERING or (place == "query" and role is Role.SEARCH)


def _is_sorted(items: Sequence[Json], name: str, descending: bool) -> bool:
    values = [item.get(name) if isinstance(item, dict) else None for item in items]
    keys = _sort_keys(values, texts=not descending)
    return len(set(keys)) >= MIN_ORDERED - 2 and keys == sorted(keys, reverse=descending)


def _telling(names: Sequence[str], lists: Sequence[Sequence[Json]]) -> Sequence[str]:
    """The fields that may tell an order: none, if there is no long list, or another field may order it later."""
    return () if not lists or any(_orders_later(name, lists) for name in names) else names


def _orders_later(name: str, lists: Iterable[Sequence[Json]]) -> bool:
    """Whether a time or a position is null in all items: once it is set, it may be what the list is sorted by."""
    held = [item.get(name) for items in lists for item in items if isinstance(item, dict)]
    return all(value is None for value in held) and not _POSITIONS.isdisjoint(words(name))


def _is_opaque(value: Json) -> bool:
    """Whether a text is no word, number or date: letters and digits mixed, of an ID that a program made."""
    return isinstance(value, str) and _OPAQUE.fullmatch(value) is not None


def _sort_keys(values: Sequence[Json], *, texts: bool) -> list[Any]:
    """What values are ordered by if all are numbers, or all are texts; [] otherwise."""
    if all(is_number(value) for value in values):
        return list(values)
    return [value.casefold() for value in values] if texts and all(isinstance(value, str) for value in values) else []


def names_as_keys(bodies: Sequence[Json]) -> frozenset[str]:
    """The members of objects that have nothing but the names or IDs of things as their members, or titles (`Code
    Execution`): these are data."""
    every = [found for body in bodies for found in objects(body, depth=_MAX_KEYED)]
    names = {value for found in every for name, value in found.items() if isinstance(value, str) and _names_one(name)}
    keyed = [found for found in every if names.issuperset(found) or _are_titles(found)]
    return frozenset(name for found in keyed for name in found)


def _are_titles(keys: Iterable[str]) -> bool:
    return all(key[:1].isupper() for key in keys) and any(" " in key.strip() for key in keys)


def _names_one(field: str) -> bool:
    last = words(field)[-1:]
    return field.lower().endswith("name") or not _NAMING.isdisjoint(last)
