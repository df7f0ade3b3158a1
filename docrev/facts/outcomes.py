"""What became of each write, in the order of the calls: its response, and that of the next GET of the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from docrev.calls.path_texts import item_path
from docrev.conventions.ids import created_id
from docrev.conventions.methods import SAFE_METHODS
from docrev.facts.creations import Place, place_called
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import find
from docrev.records import Call, Json

P = TypeVar("P", bound="tuple[Any, ...]")
V = TypeVar("V")

DEPTH = 3
"""Levels of a request body whose members are compared."""
WRITES = ("POST", "PUT", "PATCH")


@dataclass(frozen=True)
class AcceptedWrite:
    """A write that was answered 2xx, and the path of the thing that it was about. `states` are how the thing was seen
    after it: in its own response, and in those of GETs, if nothing was written there in between."""

    call: Call
    thing: str
    states: list[Json] = field(default_factory=list)
    reads: list[Json] = field(default_factory=list)
    """Those of the states that GETs returned."""

    @property
    def place(self) -> Place:
        return self.call.key.tool, self.thing

    @property
    def body(self) -> Json:
        return self.call.arguments.get("body:")

    @cached_property
    def sent(self) -> dict[str, Json]:
        """The scalars of the request body by their pointers."""
        return dict(scalar_members(self.body, depth=DEPTH))

    def holds(self, pointer: str) -> tuple[bool, Json]:
        """Whether a state has something at a pointer of the request body, and what: the last that is not null."""
        shown = (find_shown(_inner(state, self.body), pointer) for state in self.states)
        found = [value for there, value in shown if there]
        known = [value for value in found if value is not None]
        return bool(found), known[-1] if known else None

    @property
    def is_whole(self) -> bool:
        """Whether a state was seen that is the thing itself: it has an identifier, or what was sent beside it."""
        return any(created_id(state) is not None for state in self.states)

    @property
    def is_seen(self) -> bool:
        """Whether a state has what was sent somewhere: so the write took effect, and the states are of its thing."""
        return any(value == self.holds(at)[1] for at, value in self.sent.items() if isinstance(value, str) and value)


def find_shown(state: Json, pointer: str) -> tuple[bool, Json]:
    """Whether a thing shows a property of the request body, and its value: at its pointer, or in the one part of the
    thing that has a member of its name (`name` in `attributes`). A part with an ID of its own is another thing."""
    there, value = find(state, pointer)
    if there or pointer.count("/") != 1 or not isinstance(state, dict):
        return there, value
    parts = (part for part in state.values() if isinstance(part, dict) and "id" not in part)
    shown = [value for there, value in (find(part, pointer) for part in parts) if there]
    return (True, shown[0]) if len(shown) == 1 else (False, None)


def _inner(state: object, body: object) -> Json:
    """A state, or what its only member contains, if that has more of the names that were sent."""
    if isinstance(state, dict) and len(state) == 1 and isinstance(body, dict) and body.keys().isdisjoint(state):
        return next(iter(state.values()))
    return state


def outcomes(calls: Iterable[Call], made: Mapping[str, str]) -> list[AcceptedWrite]:
    """The writes among calls that were answered 2xx, in their order; `made` are the paths of what calls created."""
    found: list[AcceptedWrite] = []
    latest: dict[Place, AcceptedWrite] = {}
    paths = {*made.values()}
    for call in calls:
        place = (call.key.tool, made[call.id]) if call.id in made else place_called(call)
        if call.key.method in SAFE_METHODS:
            if place in latest and _is_state(call):
                latest[place].states.append(call.body)
                latest[place].reads.append(call.body)
            continue
        # Even a refused write, or one to what is below, may have changed the thing.
        latest = untouched(latest, place)
        if call.ok and call.key.method in WRITES:
            found.append(AcceptedWrite(call, place[1], [call.body] if _is_state(call) else []))
            there = _returned(call, place[1]) if call.key.method == "POST" else place[1]
            if call.key.method != "POST" or call.id in made or there in paths:
                latest[call.key.tool, there if there in paths else place[1]] = found[-1]
    return found


def _returned(call: Call, path: str) -> str:
    """The path of the thing that a POST to `path` returned, by its ID."""
    id = created_id(call.body)
    return item_path(path, str(id.value)) if id is not None else path


def agreed(seen: Mapping[P, Mapping[str, V]]) -> Iterator[tuple[P, str, V]]:
    """Of what was seen at places, by what became of it: the places where only one thing did, with that."""
    for place, by_fate in sorted(seen.items()):
        [(fate, found), *others] = by_fate.items()
        if not others:
            yield place, fate, found


def _is_state(call: Call) -> bool:
    """Whether a response may be a thing: a whole object."""
    return call.ok and isinstance(call.body, dict) and not call.sampled


def untouched(by_place: Mapping[Place, V], written: Place) -> dict[Place, V]:
    """What is known of other places than one that was written to."""
    return {place: one for place, one in by_place.items() if not _touches(written, place)}


def _touches(written: Place, place: Place) -> bool:
    """Whether a write to a path of a tool may change the thing at another: it is the same, below it, or above it."""
    (tool, path), (other_tool, other) = written, place
    is_related = path == other or path.startswith(f"{other}/") or other.startswith(f"{path}/")
    return tool == other_tool and is_related
