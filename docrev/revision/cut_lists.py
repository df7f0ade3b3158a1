"""Lists inside one thing that have only some of their items: how many at most, and which operation returns all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from docrev.calls.routes import only_path
from docrev.conventions.lists import list_of
from docrev.records import Call, Json
from docrev.revision.observations import CatalogObservations
from docrev.revision.places import Spot
from docrev.revision.refutations import RefutedClause, is_aside

_LEAST = 3
"""Things whose list must be cut at the same length."""
_EVERY = re.compile(r"\ball(?: of)?(?: the)?\b", re.IGNORECASE)


class CutList(NamedTuple):
    """How many items are shown at most, and the field beside the list that has the number of all."""

    most: int
    counter: str


def cut_list(spot: Spot) -> CutList | None:
    """Where a list is cut, by a number beside it: the same length for all that have more, whole for all others."""
    use = spot.first
    is_read = use.location[:1].isdecimal() and use.observed.key.method == "GET"
    if not is_read or use.location.count("/") != 1:
        return None
    things = [thing for _, thing in _things(use.observed.good) if isinstance(thing.get(spot.name), list)]
    most = max((len(thing[spot.name]) for thing in things), default=0)
    for counter in things[0] if most else ():
        counted = Counter(_counts(thing, counter, spot.name, most) for thing in things)
        if counted.keys() - {"none"} == {"more", "all"} and counted["more"] >= _LEAST:
            return CutList(most, counter)
    return None


def _things(calls: Sequence[Call]) -> list[tuple[str, dict[str, Json]]]:
    """Each thing that was returned once, with what its path was filled with."""
    found = {_place(call): call.body for call in calls}
    return [(place, body) for place, body in found.items() if isinstance(body, dict)]


def _place(call: Call) -> str:
    return str([*map(str, only_path(call.arguments).values())])


def _counts(thing: dict[str, Json], counter: str, name: str, most: int) -> str:
    """Whether a number is that of all items, "more" than those that are shown, or neither; 0 of none says little."""
    number, shown = thing.get(counter), len(thing[name])
    if not isinstance(number, int) or isinstance(number, bool):
        return ""
    if number == shown == 0:
        return "none"
    return "all" if number == shown else "more" if number > shown == most else ""


def cut_correction(spot: Spot) -> str:
    """Where a text says that all items are there."""
    found = _EVERY.search(spot.text)
    cut = cut_list(spot) if found is not None and not is_aside(spot.text, found) else None
    if found is None or cut is None:
        return ""
    return RefutedClause(*found.span(), f"at most {cut.most}", "not all").mended(spot.text)


def all_items(spot: Spot, observations: CatalogObservations) -> str:
    """That a list is cut, and what says more: an operation that returns all items, or their number."""
    cut = cut_list(spot)
    if cut is None:
        return ""
    whole = next(_operations_with_all(spot, observations, cut), "")
    rest = f"`{whole}` returns all." if whole else f"`{cut.counter}` is the number of all."
    return rest if cut_correction(spot) else f"At most {cut.most}; {rest}"


def _operations_with_all(spot: Spot, observations: CatalogObservations, cut: CutList) -> Iterator[str]:
    """The operations below the thing whose lists have as many items as there are in all."""
    use = spot.first
    numbers = {place: thing.get(cut.counter) for place, thing in _things(use.observed.good)}
    below = f"{use.observed.key.path.rstrip('/')}/"
    for other in observations.operations:
        is_below = other.key.tool == use.observed.key.tool and other.key.path.startswith(below)
        if is_below and other.key.method == "GET" and _has_all(other.good, numbers, cut.most):
            yield other.key.operation


def _has_all(calls: Sequence[Call], numbers: Mapping[str, Json], most: int) -> bool:
    """Whether lists have as many items as these `numbers` of things say, and one of them more than `most`."""
    lists = {_place(call): found for call in calls if (found := list_of(call)) is not None}
    pairs = [(len(found.items), numbers[place]) for place, found in lists.items() if place in numbers]
    return all(length == number for length, number in pairs) and any(length > most for length, _ in pairs)
