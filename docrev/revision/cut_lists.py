"""Lists within one thing that have a part of their items: how many at most, and what returns all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docrev.calls.routes import only_path
from docrev.conventions.lists import list_of
from docrev.records import Call, Json
from docrev.revision.observations import CatalogObservations
from docrev.revision.places import Spot
from docrev.revision.refutations import MUCH
from docrev.spec.texts import count_words

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
    pointer = use.location.partition(":")[2]
    if not use.location[:1].isdecimal() or pointer.count("/") != 1 or use.observed.key.method != "GET":
        return None
    things = [thing for _, thing in _things(use.observed.good) if isinstance(thing.get(spot.name), list)]
    most = max((len(thing[spot.name]) for thing in things), default=0)
    for counter in things[0] if most else ():
        more = [thing for thing in things if _counts(thing, counter, spot.name, most) == "more"]
        counted = {_counts(thing, counter, spot.name, most) for thing in things}
        if len(more) >= _LEAST and counted == {"more", "all"}:
            return CutList(most, counter)
    return None


def _things(calls: Sequence[Call]) -> list[tuple[str, dict[str, Json]]]:
    """Each thing that was returned once, with what its path was filled with."""
    found = {str([*map(str, only_path(call.arguments).values())]): call.body for call in calls}
    return [(path, body) for path, body in found.items() if isinstance(body, dict)]


def _counts(thing: dict[str, Json], counter: str, name: str, most: int) -> str:
    """Whether a number is that of all items, "more" than those that are shown, or neither."""
    number, shown = thing.get(counter), len(thing[name])
    if not isinstance(number, int) or isinstance(number, bool):
        return ""
    return "all" if number == shown else "more" if number > shown == most else ""


def cut_correction(spot: Spot) -> str:
    """Where a text says that all items are there."""
    cut = cut_list(spot) if _EVERY.search(spot.text) else None
    if cut is None:
        return ""
    if count_words(spot.text) >= MUCH:
        return f"At most {cut.most}, not all."
    text = _EVERY.sub(f"at most {cut.most}", spot.text.strip().rstrip("."), count=1)
    return f"{text[0].upper()}{text[1:]}, not all."


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
    numbers = {path: thing.get(cut.counter) for path, thing in _things(use.observed.good)}
    for other in observations.operations:
        is_below = other.key.path.startswith(f"{use.observed.key.path.rstrip('/')}/") and other.key.method == "GET"
        if other.key.tool != use.observed.key.tool or not is_below:
            continue
        lists = {str([*map(str, only_path(call.arguments).values())]): list_of(call) for call in other.good}
        same = [(len(found.items), numbers[path]) for path, found in lists.items() if found and path in numbers]
        if any(length > cut.most for length, _ in same) and all(length == number for length, number in same):
            yield other.key.operation
