"""The order in time of a list whose items show no time, as GETs of the single items show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from docrev.conventions.ids import created_object, own_id
from docrev.conventions.lists import list_of
from docrev.conventions.time_order import claimed_order
from docrev.facts.shape import format_of
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import find
from docrev.records import Call, Json
from docrev.revision.observations import CatalogObservations, ObservedOperation

_LEAST = 4
"""Pairs of items that must be in the same order, none being in the other."""
_MAX_CALLS = 5
_WORDS = {True: ("oldest", "newest"), False: ("newest", "oldest")}
"""By whether a text claims that a list descends: what is first, and what is not."""


class _OrderedList(NamedTuple):
    """A list with those of its things that were read, in its order."""

    call: Call
    things: list[Call]

    def values(self, pointer: str) -> list[Json]:
        return [find(created_object(call.body), pointer)[1] for call in self.things]


def mended_order(
    text: str, observed: ObservedOperation, observations: CatalogObservations
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A text that claims the other order in time, mended, with the calls that show it."""
    claim = claimed_order(text)
    if claim is None or observed.key.method != "GET":
        return
    descends, start, end = claim
    rows = [row for row in _rows(observed, observations.things.get(observed.key, {})) if len(row.things) > 1]
    for pointer in dict(scalar_members(created_object(rows[0].things[0].body))) if rows else ():
        if _is_reversed([row.values(pointer) for row in rows], descends):
            first, other = _WORDS[descends]
            behind = end + text[end:].lower().index("first") + len("first")
            calls = [id for row in rows for id in (row.call.id, *(call.id for call in row.things))]
            yield f"{text[:start]}{first}{text[end:behind]}, not the {other}{text[behind:]}", tuple(calls[:_MAX_CALLS])
            return


def _is_reversed(columns: list[list[Json]], descends: bool) -> bool:
    """Whether columns of times are all in the other order than a text claims."""
    if not format_of(value for column in columns for value in column).startswith("date"):
        return False
    pairs = [(str(one), str(two)) for column in columns for one, two in pairwise(column) if one != two]
    return len(pairs) >= _LEAST and all((one < two) is descends for one, two in pairs)


def _rows(observed: ObservedOperation, things: Mapping[str, Call]) -> Iterator[_OrderedList]:
    for call in observed.good:
        found = list_of(call)
        ids = [str(own_id(item, "id", "")) for item in found.items] if found is not None else []
        yield _OrderedList(call, [things[id] for id in ids if id in things])
