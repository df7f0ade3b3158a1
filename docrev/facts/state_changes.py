"""What calls change in the state of things that are there: each call with the readings before and after it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple, Protocol, TypeVar

from docrev.conventions.ids import created_id
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import is_invented
from docrev.facts.creations import Place, place_called
from docrev.facts.outcomes import WRITES, untouched
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import find, last
from docrev.language.words import words
from docrev.records import Call, Json

_DEPTH = 2
"""Levels of a thing at which a field may say what state it is in."""
_MAX_WORDS = 3
"""Words of a value that names a state."""
_STATES = frozenset({"status", "state", "phase", "stage"})
"""Last words of fields that say how far something has come."""
_PASSING = re.compile(r"ing\Z|\A(?:queued|scheduled|submitted|created|new)\Z", re.IGNORECASE)


class StateChange(NamedTuple):
    """An accepted call on a thing that was there, or on a part of it, and how the thing was shown before and after."""

    call: Call
    before: Call
    after: Call

    def fields(self) -> Iterator[tuple[str, Json, Json]]:
        """(pointer, value before, value after) of what says which state a thing is in, and is another one now.

        What the request itself has a value for is changed by that.
        """
        sent = {last(at) for at, _ in scalar_members(self.call.arguments.get("body:"))}
        for at, value in scalar_members(self.after.body, depth=_DEPTH):
            there, old = find(self.before.body, at)
            if there and old != value and last(at) not in sent and _says_state(at, old) and _says_state(at, value):
                yield at, old, value


def state_changes(calls: Iterable[Call], made: Container[str]) -> list[StateChange]:
    """The changes that calls made, in their order; nothing else was called on the thing between its two readings.

    `made` are the ids of the calls that created something.
    """
    return followed(calls, _Watch(made)).found


class Watch(Protocol):
    """What follows the calls of a run, in their order."""

    def read(self, call: Call) -> None: ...
    def write(self, call: Call) -> None: ...


Watching = TypeVar("Watching", bound=Watch)


def followed(calls: Iterable[Call], watch: Watching) -> Watching:
    """The watch, after all calls."""
    for call in calls:
        (watch.read if call.key.method in SAFE_METHODS else watch.write)(call)
    return watch


class _Watch:
    """Follows what calls read and write; `made` are the calls that created something."""

    def __init__(self, made: Container[str]) -> None:
        self.found: list[StateChange] = []
        self._made = made
        self._latest: dict[Place, Call] = {}
        self._waiting: dict[Place, tuple[Call, Call]] = {}

    def read(self, call: Call) -> None:
        """Take in what a thing was before the next call, and after the last one."""
        place = place_called(call)
        if _is_plain_reading(call):
            self._latest[place] = call
            self.found += [StateChange(*self._waiting.pop(place), call)] if place in self._waiting else []

    def write(self, call: Call) -> None:
        """Take in that what a call is on, or lies in, may be another now."""
        place = place_called(call)
        thing = _nearest(place, self._latest) if self._changes(call) else None
        shown = [(thing, self._latest[thing])] if thing is not None else []
        self._latest, self._waiting = untouched(self._latest, place), untouched(self._waiting, place)
        for changed, before in shown:
            if _is_same_thing(before, call):
                self.found.append(StateChange(call, before, call))
                self._latest[changed] = call
            else:
                self._waiting[changed] = call, before

    def _changes(self, call: Call) -> bool:
        return call.ok and call.key.method in WRITES and call.id not in self._made


def _nearest(place: Place, readings: dict[Place, Call]) -> Place | None:
    """The innermost thing with a reading that a path is of, or lies in."""
    tool, path = place
    heads = (path[:end] for end in range(len(path), 0, -1) if end == len(path) or path[end] == "/")
    return next(((tool, head) for head in heads if (tool, head) in readings), None)


def _is_plain_reading(call: Call) -> bool:
    """Whether a response is a thing as it is, whatever a request might have chosen of it."""
    is_plain = all(at.startswith("path:") for at in call.arguments)
    return call.ok and is_plain and isinstance(call.body, dict) and not call.sampled


def _is_same_thing(before: Call, call: Call) -> bool:
    """Whether the response to a change is the thing itself, in the form in which it was read."""
    if not isinstance(call.body, dict) or not isinstance(before.body, dict):
        return False
    ids = [created_id(one.body) for one in (before, call)]
    return None not in ids and ids[0] == ids[1] and before.body.keys() == call.body.keys()


def names_state(pointer: str) -> bool:
    """Whether a field says by its name how far something has come."""
    return not _STATES.isdisjoint(words(last(pointer))[-1:])


def passes(state: str) -> bool:
    """Whether a state is that of something that goes on by itself: nobody need do anything for the next one."""
    return _PASSING.search(state) is not None


def _says_state(at: str, value: Json) -> bool:
    """Whether a field says what state a thing is in: true or false, or a word where names speak of a state."""
    if isinstance(value, bool):
        return True
    return names_state(at) and isinstance(value, str) and len(words(value)) <= _MAX_WORDS and not is_invented(value)
