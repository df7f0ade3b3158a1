"""What a run deleted while other things of its own lay in it, and what became of these."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from docrev.facts.creations import Created, concrete_path
from docrev.facts.observations import Observations
from docrev.records import Call, OperationKey


class Deletion(NamedTuple):
    """A call that should delete the thing at a `path`, which the run had created.

    `contents` are the calls that made what lay directly in it and was read, each with the first reading after, if any.
    """

    call: Call
    path: str
    contents: tuple[tuple[Call, Call | None], ...]


def deletions(
    seen: Mapping[OperationKey, Observations],
    created: list[Created],
    lifetimes: Mapping[str, tuple[int, float]],
    order: Mapping[str, int],
) -> Iterator[Deletion]:
    """The deletions of things that were there; `lifetimes` say from when to when, by the calls that created them."""
    calls = sorted(chain.from_iterable(one.calls for one in seen.values()), key=lambda call: order[call.id])
    readings: dict[tuple[str, str], list[Call]] = {}
    for call in calls:
        if call.key.method == "GET":
            readings.setdefault((call.key.tool, concrete_path(call)), []).append(call)
    for call in calls:
        path, now = concrete_path(call), order[call.id]
        outer = [one for one in created if (one.item.tool, one.item.path) == (call.key.tool, path)]
        if call.key.method == "DELETE" and any(_is_there(one, lifetimes, now) for one in outer):
            inside = [one for one in created if _lies_in(one, outer[0]) and _is_there(one, lifetimes, now)]
            pairs = ((one.call, readings.get((one.item.tool, one.item.path), [])) for one in inside)
            read = ((made, found) for made, found in pairs if any(one.ok and order[one.id] < now for one in found))
            yield Deletion(call, path, tuple((made, _next(found, order, now)) for made, found in read))


def _is_there(one: Created, lifetimes: Mapping[str, tuple[int, float]], now: int) -> bool:
    """Whether a thing is there when a call is made, which may be the one that deletes it."""
    start, end = lifetimes[one.call.id]
    return start < now <= end


def _lies_in(inner: Created, outer: Created) -> bool:
    below = inner.item.path.startswith(f"{outer.item.path}/") and inner.item.tool == outer.item.tool
    return below and inner.shape.count("{}") == outer.shape.count("{}") + 1


def _next(calls: list[Call], order: Mapping[str, int], now: int) -> Call | None:
    """The first call after a moment."""
    return next((call for call in calls if order[call.id] > now), None)
