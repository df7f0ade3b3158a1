"""Errors of pydantic on a union: those of each of its members, where meeting one is enough.

`loc` has the member that was tried: `("body", "messages", 0, "function-after[check(), Note]", "role")`, or its class.
"""

from __future__ import annotations

import re
from itertools import pairwise

from docrev.json_values.containers import mapping
from docrev.records import Json

Place = tuple[str, ...]

_WRAPPED = re.compile(r"[\w\-]+\[(?!\d+\]|['\"]).*\]", re.DOTALL)
_CLASS = re.compile(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")


def nearest_member(errors: list[Json]) -> list[Json]:
    """The errors on the member of each union that has the fewest, or is the first of these, without its class in `loc`;
    and all that are on no union.
    """
    while unions := _unions(errors):
        nearest = {place: min(members, key=lambda one: len(members[one])) for place, members in unions.items()}
        dropped = {
            number
            for place, members in unions.items()
            for one, numbers in members.items()
            for number in numbers
            if one != nearest[place]
        }
        shorter = {n: len(place) for place, members in unions.items() for n in members[nearest[place]]}
        errors = [_without(error, shorter.get(n)) for n, error in enumerate(errors) if n not in dropped]
    return errors


def _unions(errors: list[Json]) -> dict[Place, dict[str, list[int]]]:
    """The numbers of the errors on each member of a union, by the keys to the union."""
    found: dict[Place, dict[str, list[int]]] = {}
    for number, error in enumerate(errors):
        keys = [str(key) for key in _keys(error)]
        if (at := _tried_at(keys)) is not None:
            found.setdefault(tuple(keys[:at]), {}).setdefault(keys[at], []).append(number)
    # One class alone may be a name: `("body", "Address", "street")`.
    return {place: each for place, each in found.items() if len(each) > 1 or _WRAPPED.fullmatch(next(iter(each)))}


def _tried_at(keys: list[str]) -> int | None:
    """Where what may be a member of a union stands in a location; None without one before the last key.

    A class is told from a name by what comes after it: names of one API are all written alike.
    """
    for number, (key, after) in enumerate(pairwise(keys[1:]), 1):
        if _WRAPPED.fullmatch(key) or (_CLASS.fullmatch(key) and after[:1].islower()):
            return number
    return None


def _keys(error: Json) -> list[Json]:
    named = mapping(error).get("loc")
    return named if isinstance(named, list) else []


def _without(error: Json, at: int | None) -> Json:
    """An error without one of the keys of its location."""
    keys = _keys(error)
    return error if at is None else {**mapping(error), "loc": keys[:at] + keys[at + 1 :]}
