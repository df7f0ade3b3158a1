"""`repeated`: what a request comes to that was answered 2xx and is sent once more: it is refused, or undoes itself.

What creations return for a thing that is there already is of the kind `exists`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.conventions.ids import ids_of
from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import ids
from docrev.facts.creations import Place, place_called
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.facts.outcomes import untouched
from docrev.facts.state_changes import StateChange, followed
from docrev.facts.trials import list_in
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.records import Call, OperationKey

_LEAST = 2
"""Repetitions that must come to the same."""
_REFUSALS = INVALID | {403, 409}


@dataclass(frozen=True)
class Repetition(Record):
    """The status of the refusal; or that what the first request did is `undone`."""

    status: int | None = None
    undone: bool | None = None


@dataclass
class _Pair:
    """A request that was answered 2xx, and the same again, with nothing else called on its thing in between.

    The lists are how its path was read before both, between them, and after them.
    """

    first: Call
    again: Call
    lists: list[Call | None]


def _from_calls(view: EvidenceView) -> Facts:
    created = {one.call.id for one in view.created}
    changes = {one.call.id: one for one in view.changes}
    for key, found in sorted(grouped((pair.again.key, pair) for pair in _pairs(view)).items()):
        if all(pair.again.status in _REFUSALS and pair.first.id not in created for pair in found):
            yield from _repetitions(key, found)
        else:
            yield from _repetitions(key, _undone(found, changes), undone=True)


def _undone(found: Sequence[_Pair], changes: dict[str, StateChange]) -> list[_Pair]:
    """The pairs of which the second request took back what the first one did, if no pair shows anything else."""
    seen = [(pair, _is_undone(pair, changes)) for pair in found if pair.again.ok]
    return [] if any(is_undone is False for _, is_undone in seen) else [pair for pair, undone in seen if undone]


def _repetitions(key: OperationKey, pairs: Sequence[_Pair], *, undone: bool | None = None) -> Facts:
    statuses = {pair.again.status for pair in pairs}
    if len(pairs) >= _LEAST and len(statuses) == 1:
        value = Repetition(None if undone else statuses.pop(), undone)
        yield KIND.fact(key, "", value, ids(call for pair in pairs[:_LEAST] for call in (pair.first, pair.again)))


def _pairs(view: EvidenceView) -> list[_Pair]:
    """The requests that were accepted and sent again right after; each is in one pair."""
    return followed(view.calls, _Watch()).found


class _Watch:
    """Follows what is listed, and what is sent."""

    def __init__(self) -> None:
        self.found: list[_Pair] = []
        self._lists: dict[Place, Call] = {}
        self._latest: dict[Place, tuple[Call, Call | None]] = {}
        self._waiting: dict[Place, _Pair] = {}

    def read(self, call: Call) -> None:
        """Take in a list: before the next call on it, and after the last pair."""
        if not call.ok or list_in(call) is None or any(at.startswith("query:") for at in call.arguments):
            return
        place = place_called(call)
        self._lists[place] = call
        if place in self._waiting:
            self._waiting.pop(place).lists.append(call)

    def write(self, call: Call) -> None:
        """Take in a request: it may be the last one again."""
        place = place_called(call)
        first, before = self._latest.get(place, (None, None))
        listed = self._lists.get(place)
        self._lists, self._latest = untouched(self._lists, place), untouched(self._latest, place)
        self._waiting = untouched(self._waiting, place)
        if first is not None and (first.key, first.arguments) == (call.key, call.arguments):
            self._waiting[place] = _Pair(first, call, [before, listed])
            self.found.append(self._waiting[place])
        elif call.ok and call.key.method != "DELETE":
            self._latest[place] = call, listed


def _is_undone(pair: _Pair, changes: dict[str, StateChange]) -> bool | None:
    """Whether the second request took back what the first one did: a state that it set, or something that was listed
    then. None if nobody looked.
    """
    first, again = changes.get(pair.first.id), changes.get(pair.again.id)
    if first is not None and again is not None:
        forth = {at: canonical([old, new]) for at, old, new in first.fields()}
        back = {at: canonical([new, old]) for at, old, new in again.fields()}
        return forth != {} and forth == back
    return _is_listed_no_more([call for call in pair.lists if call is not None])


def _is_listed_no_more(lists: Sequence[Call]) -> bool | None:
    """Whether three readings of a list have something, one after the other, in the second one alone."""
    listed = [{str(one) for one in ids_of(found)} for call in lists if (found := list_in(call)) is not None]
    if len(listed) < len(("before", "between", "after")):
        return None
    before, between, after = listed
    return before == after and before < between


KIND = Kind("repeated", Repetition, OPERATION, from_calls=_from_calls)
