"""Trials: calls that differ from a call that worked in one argument. What a parameter does is read off them.

A trial names its calls by id, so that a run may keep many of them; a `Scene` has those of one operation at hand.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from docrev.conventions.error_messages import Statement, statements_about
from docrev.facts.volatility import volatile
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import values_at
from docrev.json_values.pointer import escape
from docrev.records import Call, Json, OperationKey

AGAIN = ""
"""The location of a trial that changes nothing: the base call once more, which shows what moves by itself."""
UNKNOWN = "query:*"
"""The location of a trial with a query parameter that nobody declared."""
REJECTED = frozenset((400, 406, 416, 422))
_LIST_NAMES = ("data", "items", "results", "records", "entries", "values", "hits", "content", "rows")
_LIST_DEPTH = 3


class Trial(NamedTuple):
    """One argument changed: at `location` the call `call` sent `value` (where not `sent`: nothing), `base` did not."""

    location: str
    value: Json
    base: str
    call: str
    sent: bool = True


Trials = Mapping[OperationKey, tuple[Trial, ...]]
"""The trials of a run by operation, in the order in which they were made."""
Lookup = Callable[[str], Call | None]


@dataclass(frozen=True, slots=True)
class Tried:
    """A trial with its calls. `said` is what a rejection says on the argument that was changed."""

    location: str
    value: Json
    sent: bool
    base: Call
    call: Call
    said: tuple[Statement, ...]

    @property
    def ok(self) -> bool:
        return self.call.ok

    @property
    def rejected(self) -> bool:
        """Refused for what was sent: not for who sent it, nor since nothing was found."""
        return self.call.error is None and self.call.status in REJECTED

    @property
    def calls(self) -> tuple[str, str]:
        return self.base.id, self.call.id


@dataclass
class Scene:
    """The trials of one operation. `moving` are the response pointers that differ between equal calls.

    `steady` is False where the same call was answered with something else altogether: then no difference between
    two calls says anything on their arguments.
    """

    key: OperationKey
    tried: dict[str, list[Tried]] = field(default_factory=dict)
    moving: frozenset[str] = frozenset()
    steady: bool = True

    @classmethod
    def of(cls, key: OperationKey, trials: Iterable[Trial], lookup: Lookup) -> Scene:
        """The scene of the trials whose calls are at hand; `lookup` finds a call by id."""
        scene = cls(key)
        calls: dict[str, Call | None] = {}
        for trial in trials:
            for id in (trial.base, trial.call):
                if id not in calls:
                    calls[id] = lookup(id)
            base, call = calls[trial.base], calls[trial.call]
            if base is not None and call is not None and base.ok:
                said = () if call.ok else statements_about(call.body, *_named(trial.location))
                tried = Tried(trial.location, trial.value, trial.sent, base, call, tuple(said))
                scene.tried.setdefault(trial.location, []).append(tried)
        scene._look_at_repetitions()
        return scene

    def _look_at_repetitions(self) -> None:
        again = self.tried.pop(AGAIN, [])
        moving = {pointer for tried in again for pointer in volatile(tried.base, tried.call)}
        self.moving = frozenset(moving)
        self.steady = all(same(tried.base.body, tried.call.body, self.moving) and tried.ok for tried in again)

    def same(self, tried: Tried, other: Call) -> bool:
        """Whether a trial was answered like another call: what moves by itself, and what echoes the value, aside."""
        echo = str(tried.value) if tried.sent else ""
        name = tried.location.partition(":")[2]
        return tried.call.status == other.status and same(tried.call.body, other.body, self.moving, echo, name=name)

    def values(self, location: str) -> list[Tried]:
        """The trials of a location that sent something."""
        return [tried for tried in self.tried.get(location, ()) if tried.sent]


def _named(location: str) -> tuple[str, str]:
    """(name, place) of a location as a message may name it."""
    place, _, name = location.partition(":")
    return name.rpartition("/")[2], place


def same(
    one: Json, two: Json, moving: frozenset[str] = frozenset(), echo: str = "", pointer: str = "", name: str = ""
) -> bool:
    """Whether two bodies are equal but for the pointers that move, and for texts that echo what was sent.

    Links that differ in nothing but their argument `name` echo it too.
    """
    if one == two and type(one) is type(two):
        return True
    if pointer in moving and pointer:
        return True
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(
            same(one[key], two[key], moving, echo, f"{pointer}/{escape(key)}", name) for key in one
        )
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(
            same(left, right, moving, echo, f"{pointer}/0", name) for left, right in zip(one, two, strict=True)
        )
    if not isinstance(one, str) or not isinstance(two, str):
        return False
    return (len(echo) > 2 and echo in one) or (bool(name) and "?" in one and _linked(one, name) == _linked(two, name))


def _linked(text: str, name: str) -> tuple[str, tuple[str, ...]]:
    """A link without one of the arguments in its query: the rest of them in order."""
    path, _, query = text.partition("?")
    return path, tuple(part for part in query.split("&") if part and part.partition("=")[0] != name)


class Listing(NamedTuple):
    """The list that a response is about: its pointer, and its items."""

    pointer: str
    items: list[Json]


def listing(body: Json) -> Listing | None:
    """The list of objects that a body is, or wraps; by name where it has several, then the longest."""
    found = [Listing(pointer, items) for pointer, items in _lists(body, "", _LIST_DEPTH)]
    if not found:
        return None

    def rank(one: Listing) -> tuple[bool, int, int, int]:
        name = one.pointer.rpartition("/")[2]
        known = _LIST_NAMES.index(name) if name in _LIST_NAMES else len(_LIST_NAMES)
        return not any(isinstance(item, dict) for item in one.items), one.pointer.count("/"), known, -len(one.items)

    return min(found, key=rank)


def _lists(body: Json, pointer: str, depth: int) -> Iterator[tuple[str, list[Json]]]:
    if isinstance(body, list):
        known = not pointer or pointer.rpartition("/")[2] in _LIST_NAMES
        if known or any(isinstance(item, dict) for item in body) or not body:
            yield pointer, body
    elif isinstance(body, dict) and depth:
        for name, part in body.items():
            if isinstance(part, list | dict):
                yield from _lists(part, f"{pointer}/{escape(name)}", depth - 1)


def items_at(call: Call, pointer: str) -> list[Json] | None:
    """The items of the list at `pointer`, all of them; None where there is no list."""
    found = call.body if not pointer else next(iter(values_at(call.body, pointer)), None)
    return found if isinstance(found, list) else None


def scalars(items: Iterable[Json], depth: int = 2) -> dict[str, list[Json]]:
    """The scalar fields of items by pointer below the item (`/name`, `/owner/id`): a value for each item, or None."""
    rows: list[dict[str, Json]] = []
    for item in items:
        row: dict[str, Json] = {}
        _flatten(row, item, "", depth)
        rows.append(row)
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _flatten(row: dict[str, Json], value: Json, pointer: str, depth: int) -> None:
    """Put the scalars of a value into `row`, by pointer; lists are left out."""
    if not isinstance(value, dict):
        if not isinstance(value, list):
            row[pointer] = value
    elif depth:
        for name, part in value.items():
            plain = name if "~" not in name and "/" not in name else escape(name)
            if isinstance(part, dict):
                _flatten(row, part, f"{pointer}/{plain}", depth - 1)
            elif not isinstance(part, list):
                row[f"{pointer}/{plain}"] = part


def fold(text: str) -> str:
    """Small letters without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def number(value: Json) -> float | int | None:
    """The number that a value is, or reads as; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value):
        return int(value)
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,15}\.\d{1,15}", value):
        return float(value)
    return None


def key_of(value: Json) -> str:
    """Equal for values that go over the wire alike."""
    return value if isinstance(value, str) else canonical(value)
