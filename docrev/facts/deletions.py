"""What a run deleted while other things of its own lay in it, or named it by its ID, and what became of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from docrev.calls.path_texts import noun_of
from docrev.conventions.ids import refers_to
from docrev.conventions.run_names import is_made_up
from docrev.facts.creations import Created, ReadingsByPlace, concrete_path
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import last, parent
from docrev.records import Call, Json

Lifetime = tuple[int, float]
"""When something was created, and when it was deleted, in the order of the calls."""


class Referrer(NamedTuple):
    """A thing that was created with the ID of another one at a `pointer` of the body, and was read so before that one
    was deleted; `after` is its first reading after that, unless the run deleted it before. `end` is when it did."""

    made: Call
    pointer: str
    after: Call | None
    end: float


class Deletion(NamedTuple):
    """A call that should delete the thing at a `path`, which the run had created, and whose ID is `id`.

    `contents` are the calls that made what lay directly in it and was read, each with the first reading after, if any.
    """

    call: Call
    path: str
    id: str
    contents: tuple[tuple[Call, Call | None], ...]
    referrers: tuple[Referrer, ...]


def deletions(
    calls: Iterable[Call], created: list[Created], lifetimes: Mapping[str, Lifetime], readings: ReadingsByPlace
) -> Iterator[Deletion]:
    """The deletions of things that were there; `lifetimes` say from when to when, by the calls that created them."""
    for call in filter(_deletes, calls):
        path, now = concrete_path(call), readings.when(call)
        there = [one for one in created if _is_there(one, lifetimes, now)]
        outer = next((one for one in there if one.place == (call.key.tool, path)), None)
        if outer is not None:
            inside = (one for one in there if _lies_in(one, outer))
            beside = (one for one in there if not _lies_below(one, outer))
            referrers = tuple(_referrers(beside, outer, lifetimes, readings, now))
            yield Deletion(call, path, outer.id, tuple(_contents(inside, readings, now)), referrers)


def _contents(inside: Iterable[Created], readings: ReadingsByPlace, now: int) -> Iterator[tuple[Call, Call | None]]:
    """The calls that made what was read before a moment, each with the first reading afterwards."""
    for one in inside:
        if any(read.ok for read in readings.before(one.place, now)):
            yield one.call, readings.after(one.place, now)


def _referrers(
    beside: Iterable[Created], outer: Created, lifetimes: Mapping[str, Lifetime], readings: ReadingsByPlace, now: int
) -> Iterator[Referrer]:
    """The things whose creation named another one, each read with its ID before a moment."""
    noun = noun_of(outer.item.path.rpartition("/")[0])
    for one in beside if noun else ():
        pointer = reference(one.call.arguments.get("body:"), noun, outer.id)
        read = readings.before(one.place, now) if pointer and one.item.tool == outer.item.tool else []
        before = [call for call in read if call.ok]
        if before and has_id(before[-1], outer.id):
            end = lifetimes[one.call.id][1]
            yield Referrer(one.call, pointer, readings.after(one.place, now, end), end)


def reference(body: Json, noun: str, id: str) -> str:
    """Where a body has the ID of a thing that is called so; "" if nowhere. A number needs a name that says so."""
    found = (at for at, value in leaves(body) if not isinstance(value, bool) and str(value) == id)
    return next((at for at in found if is_made_up(id) or refers_to(referring_name(at), noun)), "")


def referring_name(pointer: str) -> str:
    """The name of the property at a pointer; of a list, for what is in it."""
    return last(pointer) if last(pointer) != "0" else last(parent(pointer))


def has_id(call: Call, id: str) -> bool:
    """Whether a response has an ID somewhere."""
    return any(not isinstance(value, bool) and str(value) == id for _, value in leaves(call.body))


def _lies_below(inner: Created, outer: Created) -> bool:
    """Whether one of two things lies in the other, or is it."""
    one, other = f"{inner.item.path}/", f"{outer.item.path}/"
    return one.startswith(other) or other.startswith(one)


def _deletes(call: Call) -> bool:
    return call.key.method == "DELETE"


def _is_there(one: Created, lifetimes: Mapping[str, Lifetime], now: int) -> bool:
    """Whether a thing is there when a call is made, which may be the one that deletes it."""
    start, end = lifetimes[one.call.id]
    return start < now <= end


def _lies_in(inner: Created, outer: Created) -> bool:
    below = inner.item.path.startswith(f"{outer.item.path}/") and inner.item.tool == outer.item.tool
    return below and inner.shape.count("{}") == outer.shape.count("{}") + 1
