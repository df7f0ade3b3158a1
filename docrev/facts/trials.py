"""Trials: calls that differ from a call that worked in one argument. What a parameter does is read off them.

A trial names its calls by id, so that a run may keep many of them; `OperationTrials` has the calls at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from docrev.conventions.disguised_errors import is_disguised
from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import hints_about
from docrev.conventions.lists import ListFound, lists_of, longest
from docrev.conventions.statuses import REJECTED_INPUT
from docrev.facts.samples import undisguised
from docrev.facts.volatility import volatile
from docrev.json_values.leaves import values_at
from docrev.json_values.pointer import escape
from docrev.records import Call, Json, OperationKey

_OF_BODY = ("content-type", "content-language", "content-disposition")
"""Headers that say what a body is."""

UNCHANGED = ""
"""The location of a trial that changes nothing: the base call is repeated, which shows what moves by itself."""
UNKNOWN = "query:*"
"""The location of a trial with a query parameter that nobody declared."""
OPERATORS = "query:*="
"""The location of a trial with such a parameter whose name has an operator and a field; its value is `NAME=VALUE`."""
_UNDECLARED = (UNKNOWN, OPERATORS)


class Trial(NamedTuple):
    """One argument changed: `call` sent `value` at `location` (nothing, if not `sent`), and `base` did not."""

    location: str
    value: Json
    base: str
    call: str
    sent: bool = True


Trials = Mapping[OperationKey, tuple[Trial, ...]]
"""The trials of a run by operation, in the order in which they were made."""
Lookup = Callable[[str], Call | None]


@dataclass(frozen=True, slots=True)
class TrialCalls:
    """A trial with its calls. `stated` is what a rejection says about the argument that was changed."""

    location: str
    value: Json
    sent: bool
    base: Call
    call: Call
    stated: tuple[Hint, ...]

    @property
    def ok(self) -> bool:
        return self.call.ok

    @property
    def rejected(self) -> bool:
        """Whether the call was refused for what was sent: not for who sent it, nor because nothing was found."""
        return self.call.error is None and self.call.status in REJECTED_INPUT

    @property
    def calls(self) -> tuple[str, str]:
        return self.base.id, self.call.id

    @property
    def is_bounded(self) -> bool:
        """Whether a rejection says that a number is too small or too large."""
        return any("imum" in statement.kind for statement in self.stated)


@dataclass
class OperationTrials:
    """The trials of one operation. `moving` are the response pointers that differ between equal calls.

    `steady` is False if the same call returned something else altogether: then no difference between two calls says
    anything about their arguments.
    """

    key: OperationKey
    tried: dict[str, list[TrialCalls]] = field(default_factory=dict)
    moving: frozenset[str] = frozenset()
    steady: bool = True

    @classmethod
    def of(cls, key: OperationKey, trials: Iterable[Trial], lookup: Lookup) -> OperationTrials:
        """The trials whose calls `lookup` finds by their ids, and whose base worked."""
        found = cls(key)
        look = lru_cache(maxsize=None)(lookup)
        for trial in trials:
            base, call = look(trial.base), look(trial.call)
            call = undisguised(call) if call is not None else None
            if base is not None and call is not None and base.ok and not (is_disguised(base) or is_disguised(call)):
                stated = () if call.ok else call.read(stated_about, trial.location)
                calls = TrialCalls(trial.location, trial.value, trial.sent, base, call, stated)
                found.tried.setdefault(trial.location, []).append(calls)
        found._compare_repetitions()
        return found

    def _compare_repetitions(self) -> None:
        again = self.tried.pop(UNCHANGED, [])
        moving = {pointer for trial in again for pointer in volatile(trial.base, trial.call)}
        self.moving = frozenset(moving)
        alike = _Likeness(self.moving)
        self.steady = all(alike.same(trial.base.body, trial.call.body) and trial.ok for trial in again)

    def same(self, trial: TrialCalls, other: Call) -> bool:
        """Whether a trial returned what another call did, apart from what moves by itself and echoes of the value."""
        alike = _Likeness(self.moving, str(trial.value) if trial.sent else "", trial.location.partition(":")[2])
        whole = not trial.call.sampled and not other.sampled
        is_same = whole and trial.call.status == other.status and _form(trial.call) == _form(other)
        return is_same and alike.same(trial.call.body, other.body)

    def values(self, location: str) -> list[TrialCalls]:
        """The trials of a location that sent something."""
        return [trial for trial in self.tried.get(location, ()) if trial.sent]

    def effective(self, *, beside: str) -> TrialCalls | None:
        """A trial of another parameter that changed something: so parameters are read at all."""
        trials = (
            trial for place in sorted(self.tried) if place not in (beside, *_UNDECLARED) for trial in self.values(place)
        )
        return next((one for one in trials if one.rejected or (one.ok and not self.same(one, one.base))), None)


def _form(call: Call) -> list[str]:
    """What the headers of a response say of its body: its media type, its language, the name to save it by."""
    return [call.headers.get(name, "") for name in _OF_BODY]


def stated_about(call: Call, location: str) -> tuple[Hint, ...]:
    """What an error response says on the argument at a location."""
    place, _, name = location.partition(":")
    return tuple(hints_about(call, name.rpartition("/")[2], place))


class _Likeness(NamedTuple):
    """Whether two bodies are equal but for the pointers that move, and for texts that echo what was sent.

    Links that differ in nothing but their argument `name` echo it too.
    """

    moving: frozenset[str]
    echo: str = ""
    name: str = ""

    def same(self, one: Json, two: Json, pointer: str = "") -> bool:
        if (one == two and type(one) is type(two)) or (pointer and pointer in self.moving):
            return True
        if type(one) is not type(two):
            return False
        if isinstance(one, dict):
            return one.keys() == two.keys() and all(
                self.same(value, two[name], f"{pointer}/{escape(name)}") for name, value in one.items()
            )
        if isinstance(one, list):
            return len(one) == len(two) and all(map(self.same, one, two, repeat(f"{pointer}/0")))
        return isinstance(one, str) and self._echoes(one, two)

    def _echoes(self, one: str, two: str) -> bool:
        quoted = len(self.echo) > 2 and self.echo in one
        return quoted or (bool(self.name) and "?" in one and _linked(one, self.name) == _linked(two, self.name))


def _linked(text: str, name: str) -> tuple[str, tuple[str, ...]]:
    """A link without one of the arguments in its query: the rest of them in order."""
    path, _, query = text.partition("?")
    return path, tuple(part for part in query.split("&") if part and part.partition("=")[0] != name)


def list_in(call: Call) -> ListFound | None:
    """The list that a response is about, or the longest of several.

    Maps are left out: facts have no way to name what all values of a map have in common. So is what is not whole.
    """
    found = longest(lists_of(call))
    return None if found is None or found.keys or call.sampled else found


def items_at(call: Call, pointer: str) -> list[Json] | None:
    """The items of the list at `pointer`, all of them; None where there is no list, or not all of them were kept."""
    if call.sampled:
        return None
    found = call.body if not pointer else next(iter(values_at(call.body, pointer)), None)
    return found if isinstance(found, list) else None
