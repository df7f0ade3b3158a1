"""What a run deleted while other things of its own lay in it, and what became of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from docrev.facts.creations import Created, concrete_path, readings_by_path
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
    readings = readings_by_path(calls)
    for call in filter(_deletes, calls):
        path, now = concrete_path(call), order[call.id]
        there = [one for one in created if _is_there(one, lifetimes, now)]
        outer = next((one for one in there if (one.item.tool, one.item.path) == (call.key.tool, path)), None)
        if outer is not None:
            inside = (
                (one.call, readings.get((one.item.tool, one.item.path), [])) for one in there if _lies_in(one, outer)
            )
            yield Deletion(call, path, tuple(_contents(inside, order, now)))


def _contents(
    inside: Iterable[tuple[Call, list[Call]]], order: Mapping[str, int], now: int
) -> Iterator[tuple[Call, Call | None]]:
    """What was made and read before a moment, with its first reading afterwards; given with all of its readings."""
    for made, readings in inside:
        if any(one.ok and order[one.id] < now for one in readings):
            yield made, next((one for one in readings if order[one.id] > now), None)


def _deletes(call: Call) -> bool:
    return call.key.method == "DELETE"


def _is_there(one: Created, lifetimes: Mapping[str, tuple[int, float]], now: int) -> bool:
    """Whether a thing is there when a call is made, which may be the one that deletes it."""
    start, end = lifetimes[one.call.id]
    return start < now <= end


def _lies_in(inner: Created, outer: Created) -> bool:
    below = inner.item.path.startswith(f"{outer.item.path}/") and inner.item.tool == outer.item.tool
    return below and inner.shape.count("{}") == outer.shape.count("{}") + 1
