"""What lists show at the end of a run that came while it went on: what was made beside what was asked for.

The calls that the run kept tell it, so that it costs no request. A thing came during the run if its list was read whole
before and did not show it, if the answer to a request that may change something was the first to name it, or if it
names what came itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from docrev.calls.executor import Executor
from docrev.calls.listings import Listed, asks_for_all, read_whole_list
from docrev.calls.path_texts import item_path, last_segment
from docrev.calls.seen_things import is_unique_id
from docrev.evidence import Evidence
from docrev.json_values.canonical import canonical
from docrev.prompts.steps import Invoke
from docrev.records import Json, OperationKey

Ids = tuple[str, ...]
Place = tuple[str, str]
"""A tool, and the path of a list in it."""
Change = tuple[int, OperationKey]
"""The number of an accepted call that may have made something, and its operation."""


class _Reading(NamedTuple):
    """A call that read a list whole: its number, and the IDs in the list; None if there was none."""

    number: int = 2**63
    shown: frozenset[str] | None = None

    def lacks(self, ids: Ids) -> bool:
        """Whether what has these IDs was not there."""
        return self.shown is not None and self.shown.isdisjoint(ids)


class Appearances:
    """Finds the things that came during a run in what lists show at its end, and what may have made them."""

    def __init__(self, executor: Executor, evidence: Evidence) -> None:
        self._executor, self._evidence = executor, evidence

    def among(self, lists: Mapping[Place, Listed], own: Iterable[str]) -> dict[Place, dict[Ids, str]]:
        """Why each thing in the lists at these places is taken to have come during the run, by place and by its IDs.

        `own` are the paths of what the run created, be it removed by now: what names that came after it.
        """
        found: dict[Place, dict[Ids, str]] = {}
        undecided: dict[tuple[Place, Ids], str] = {}
        for place, listed in lists.items():
            found[place], open_ones = self._in_list(place, listed)
            undecided |= {(place, ids): canonical(thing) for ids, thing in open_ones.items()}
        names = {id: path for path in own if is_unique_id(id := last_segment(path))}
        names |= _paths_by_id((place, ids) for place, came in found.items() for ids in came)
        while naming := {one: path for one, text in undecided.items() if (path := _named(text, names)) is not None}:
            names = _paths_by_id(naming)
            for (place, ids), path in naming.items():
                del undecided[place, ids]
                found[place][ids] = f"it names {path}, which came during the run"
        return found

    def sent_first(self, text: str) -> str | None:
        """The operation of the first accepted call that may have changed something and sent a text, or None."""
        for id, (_, key) in sorted(self._changes.items(), key=itemgetter(1)):
            call = self._evidence.calls.get(id)
            if call is not None and text in canonical(call.arguments):
                return key.operation
        return None

    def misses_nothing(self, place: Place, listed: Listed) -> bool:
        """Whether all that came during the run shows in what a list showed last: it was read whole before and after,
        and has shown things that the run made. A list that gives fewer things than it was asked for may leave some out.
        """
        look = self._executor.journal.collections.listing(*place)
        if look is None or not listed.whole or not self._is_before(self._first_reading(place[1], look)):
            return False
        own = (item for item in self._executor.journal.items if item.confirmed)
        made = {last_segment(item.path) for item in own if (item.tool, item.path.rpartition("/")[0]) == place}
        return any(not made.isdisjoint(shown or ()) for _, shown in self._readings(place[1], look))

    def _is_before(self, reading: _Reading) -> bool:
        """Whether nothing was changed before a list was read."""
        return reading.number < min((at for at, _ in self._changes.values()), default=0)

    def _in_list(self, place: Place, listed: Listed) -> tuple[dict[Ids, str], dict[Ids, Json]]:
        """What came by what its list and the answers show, with the reason; and the things of which that is open."""
        journal = self._executor.journal
        look = journal.collections.listing(*place)
        if look is None or not self._changes:
            return {}, {}
        has_items = journal.routes.item_under(look.key) is not None
        shown = {ids: thing for ids, thing in listed.things if has_items or isinstance(thing, dict)}
        reading = self._first_reading(place[1], look)
        new = [ids for ids in shown if reading.lacks(ids)]
        if self._is_before(reading):
            return self._listed_later(new, reading.number, self._makers(new)), {}
        makers = self._makers(shown)
        came = self._named_first(shown, reading.number, makers) | self._listed_later(new, reading.number, makers)
        return came, {ids: thing for ids, thing in shown.items() if ids not in came}

    def _listed_later(self, new: Iterable[Ids], number: int, makers: Mapping[str, Change]) -> dict[Ids, str]:
        """What a list did not show in an earlier reading, if something was changed after that: why it is told."""
        since = {key.operation for at, key in self._changes.values() if at > number}
        reasons = {}
        for ids in new if since else ():
            named = next((makers[id][1].operation for id in ids if id in makers), None)
            maker = named or (min(since) if len(since) == 1 else None)
            reasons[ids] = "it came during the run" + (f", and {maker} may have made it" if maker else "")
        return reasons

    def _first_reading(self, collection: str, look: Invoke) -> _Reading:
        return next(self._readings(collection, look), _Reading())

    def _readings(self, collection: str, look: Invoke) -> Iterator[_Reading]:
        """The calls that read a list whole, in the order in which they were made."""
        operation = self._executor.catalog[look.key]
        calls = self._evidence.calls
        readings = (
            call.id
            for call in calls.select(key=look.key, ok=True)
            if not call.sampled and asks_for_all(operation, look, call.arguments)
        )
        for id, number in sorted(calls.order(readings).items(), key=itemgetter(1)):
            listed = read_whole_list(operation, collection, calls[id])
            if listed is not None:
                yield _Reading(number, frozenset(one for ids, _ in listed.things for one in ids))

    @cached_property
    def _changes(self) -> dict[str, Change]:
        """Each accepted call that may have made something, by its ID."""
        executor, reads = self._executor, self._executor.journal.readings.reads
        keys = [op.key for op in executor.catalog.operations if not executor.reads(op.key) and not reads.get(op.key)]
        found = {call.id: key for key in keys for call in self._evidence.calls.select(key=key, ok=True)}
        numbers = self._evidence.calls.order(found)
        return {id: (numbers[id], key) for id, key in found.items()}

    def _makers(self, things: Iterable[Ids]) -> dict[str, Change]:
        """By ID, the first change whose answer names it though the request did not."""
        unique = _unique(things)
        found: dict[str, Change] = {}
        for call in filter(None, map(self._evidence.calls.get, self._changes if unique else ())):
            at = self._changes[call.id]
            text = canonical(call.body)
            for id in unique:
                if id in text and id not in canonical(call.arguments):
                    found[id] = min(found.get(id, at), at)
        return found

    def _named_first(self, shown: Iterable[Ids], number: int, makers: Mapping[str, Change]) -> dict[Ids, str]:
        """What no call named before the change that may have made it, before its list was read: why it is told."""
        naming = list(self._naming([id for id, (at, _) in makers.items() if at < number]))
        order = self._evidence.calls.order(call for call, _ in naming)
        first = {id for _, id in naming} - {id for call, id in naming if order[call] < makers[id][0]}
        return {
            ids: f"{makers[id][1].operation} returned its ID before anything else did, and may have made it"
            for ids in shown
            for id in ids
            if id in first
        }

    def _naming(self, ids: Collection[str]) -> Iterator[tuple[str, str]]:
        """(call, ID) of each call that names one of these IDs."""
        for call in self._evidence.calls.select() if ids else ():
            text = canonical([call.arguments, call.body])
            yield from ((call.id, id) for id in ids if id in text)


def _paths_by_id(things: Iterable[tuple[Place, Ids]]) -> dict[str, str]:
    """The paths of things by their IDs, as far as nothing else has these."""
    return {id: item_path(collection, ids[0]) for (_, collection), ids in things for id in _unique([ids])}


def _unique(things: Iterable[Ids]) -> list[str]:
    """The IDs among those of some things that nothing else has."""
    return [id for ids in things for id in ids if is_unique_id(id)]


def _named(text: str, names: Mapping[str, str]) -> str | None:
    """The path of the first thing whose ID a text contains; None if it contains none."""
    return next((path for id, path in names.items() if id in text), None)
