"""The calls of a run, as the kinds of facts look at them: what was sent and returned, where values come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from docrev.calls.routes import Routes
from docrev.conventions.statuses import INVALID, REFUSALS
from docrev.evidence import Evidence
from docrev.evidence.queries import arguments
from docrev.facts.creations import Created, ReadingsByPlace, creations, place_called
from docrev.facts.deletions import Deletion, deletions
from docrev.facts.observations import Observations, observe
from docrev.facts.origins import Origins, origins
from docrev.facts.outcomes import AcceptedWrite, outcomes
from docrev.facts.samples import Sample, samples
from docrev.facts.shape import Field, shape
from docrev.facts.siblings import Beside, pairs_beside
from docrev.facts.state_changes import StateChange, state_changes
from docrev.facts.stated import Stated, StatedPartners, StatedRelation, stated_partners, stated_relations, stated_rules
from docrev.grouping import grouped
from docrev.json_values.pointer import find, last
from docrev.records import Call, JournalItem, OperationKey

if TYPE_CHECKING:
    from docrev.graph.tool_graph import Edge
    from docrev.spec import Catalog

# A code, a name of one word, a number, a date; what is longer in a body that was sent is free text.
_WORD = re.compile(r"[\w.:/+-]+")


@dataclass
class EvidenceView:
    """The calls to the operations of a catalog. `origins` are the edges of the tool graph that the calls bear out,
    `order` says which of two calls was made before, by their ids."""

    catalog: Catalog
    samples: Mapping[OperationKey, Sample]
    observations: Mapping[OperationKey, Observations]
    journal: tuple[JournalItem, ...]
    origins: Origins
    order: Mapping[str, int]

    @classmethod
    def of(cls, catalog: Catalog, evidence: Evidence, edges: Iterable[Edge]) -> EvidenceView:
        """What `evidence` has of the operations of `catalog`; `edges` are those of the tool graph."""
        keys = [operation.key for operation in catalog.operations]
        taken = {key: sample for key, sample in samples(evidence.calls.select()).items() if key in catalog}
        seen = observe(evidence.calls.select(), keys)
        order = evidence.calls.order(call.id for one in seen.values() for call in one.calls)
        return cls(catalog, taken, seen, tuple(evidence.journal.items()), origins(edges, taken), order)

    @cached_property
    def calls(self) -> list[Call]:
        """All calls, in their order."""
        return sorted(chain.from_iterable(seen.calls for seen in self.observations.values()), key=self.when)

    def when(self, call: Call) -> int:
        """The place of a call in the order of all."""
        return self.order[call.id]

    @cached_property
    def readings(self) -> ReadingsByPlace:
        """The GETs among the calls, by what they read."""
        return ReadingsByPlace(self.calls, self.order)

    @cached_property
    def writes(self) -> list[AcceptedWrite]:
        """What came of each write that was answered 2xx, in the order of the calls."""
        return outcomes(self.calls, {one.call.id: one.item.path for one in self.created})

    @cached_property
    def outcomes(self) -> dict[OperationKey, list[AcceptedWrite]]:
        """The same by operation."""
        return dict(sorted(grouped((one.call.key, one) for one in self.writes).items()))

    @cached_property
    def changes(self) -> list[StateChange]:
        """What calls changed in the state of things that were there, in their order."""
        return state_changes(self.calls, {one.call.id for one in self.created})

    @cached_property
    def lifetimes(self) -> dict[str, tuple[int, float]]:
        """When what a call created was created and deleted, by the order of the calls, for each call that created."""
        ends = grouped(
            (place_called(call), self.when(call))
            for key, seen in self.observations.items()
            for call in (seen.good if key.method == "DELETE" else ())
        )
        found = {}
        for one in self.created:
            start = self.when(one.call)
            later = [end for end in ends.get(one.place, ()) if end > start]
            found[one.call.id] = (start, min(later, default=inf))
        return found

    def is_there(self, creation: Call, later: Call) -> bool:
        """Whether what a call created was there when a later call was made."""
        start, end = self.lifetimes[creation.id]
        return start < self.order[later.id] < end

    def is_as_created(self, one: AcceptedWrite, later: Call) -> bool:
        """Whether the thing that a write created was there, with nothing written to it, when a later call was made."""
        between = range(self.order[one.call.id] + 1, self.order[later.id])
        return self.is_there(one.call, later) and not any(at in between for at in self._writes[one.thing])

    @cached_property
    def _writes(self) -> Mapping[str, list[int]]:
        """When each thing was written, by its path."""
        return grouped((one.thing, self.order[one.call.id]) for one in self.writes)

    @cached_property
    def created(self) -> list[Created]:
        """What the run created."""
        return creations(self.observations, self.journal, Routes(self.catalog.operations))

    @cached_property
    def deletions(self) -> list[Deletion]:
        """The calls that should delete what the run created, in their order."""
        return list(deletions(self.calls, self.created, self.lifetimes, self.readings))

    @cached_property
    def made_up(self) -> frozenset[str]:
        """Texts that did not come from the API: ids of items that were created to try it out, and invented texts."""
        own = {str(value) for item in self.journal for value in item.arguments.values()}
        sent = ((at, one.texts) for sample in self.samples.values() for at, one in sample.accepted.items())
        texts = {text for at, found in sent if at.startswith("body:") for text in found}
        return frozenset(own | {text for text in texts if not _WORD.fullmatch(text)})

    @cached_property
    def stated(self) -> list[Stated]:
        """The rules on values that refusals state and calls bear out, by operation and location."""
        return [rule for key, seen in self.observations.items() for rule in stated_rules(seen, self.catalog[key])]

    @cached_property
    def relations(self) -> list[StatedRelation]:
        """The relations between arguments that refusals state and calls bear out."""
        return [one for key, seen in self.observations.items() for one in stated_relations(seen, self.catalog[key])]

    @cached_property
    def partners(self) -> list[StatedPartners]:
        """The arguments that refusals allow only with, or without, others."""
        return [one for key, seen in self.observations.items() for one in stated_partners(seen, self.catalog[key])]

    @cached_property
    def pairs_beside(self) -> list[tuple[OperationKey, str, str, list[Beside]]]:
        """The fields that stand beside each other, see `docrev.facts.siblings`."""
        return list(pairs_beside(self.observations))

    @cached_property
    def refusals(self) -> list[Refusal]:
        """The refusals of each operation whose bodies are all objects, a status each."""
        return [found for seen in self.observations.values() for found in _refusals(seen)]


class Refusal(NamedTuple):
    """What all refusals of an operation with one status have in common: the `fields` of their bodies."""

    key: OperationKey
    status: int
    calls: list[Call]
    fields: list[tuple[str, Field]]
    """(location, field) of what is in all of them, apart from what is named after something that was sent."""


def _refusals(seen: Observations) -> Iterator[Refusal]:
    sent = _names_sent(seen)
    # What can be repeated is shown again by that; a message on one argument says nothing on the next.
    least = 1 if seen.key.method == "GET" else 2
    for status in sorted(REFUSALS):
        calls = seen.with_status(status)
        if len(calls) >= least and all(isinstance(call.body, dict) for call in calls):
            telling = len(calls) > 1 or status not in INVALID
            common = _common_fields(calls, sent) if telling else ()
            yield Refusal(seen.key, status, calls, [(f"{status}:{at}", place) for at, place in common])


def _names_sent(seen: Observations) -> set[str]:
    """The names of all arguments and properties that requests had."""
    places = {place.partition(":")[2] for call in seen.calls for place, _ in arguments(call)}
    return {name for place in places for name in place.split("/")} - {"", "0"}


def _common_fields(calls: list[Call], sent: set[str]) -> Iterator[tuple[str, Field]]:
    """(pointer, field) of what all bodies have, if all have the same members."""
    if len({frozenset(call.body) for call in calls}) == 1:
        for at, place in shape(calls).items():
            shared = place.always and not place.is_map and len(place.calls) >= min(2, len(calls))
            if at and shared and (sent.isdisjoint(at.split("/")) or all(_repeats(call, at) for call in calls)):
                yield at, place


def _repeats(call: Call, at: str) -> bool:
    """Whether a refusal repeats at a place the value that was sent under its name: the ID of what is not there."""
    sent = (value for place, value in arguments(call) if last(place.partition(":")[2]) == last(at))
    value = find(call.body, at)[1]
    return isinstance(value, str | int) and str(value) in map(str, sent)
