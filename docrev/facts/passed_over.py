"""Values that writes sent in vain: what the thing had before it still has, though the value is one that is taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from docrev.calls.effects import is_batch
from docrev.conventions.run_names import is_invented
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.outcomes import AcceptedWrite
from docrev.json_values.canonical import canonical
from docrev.language.path_templates import shape_of
from docrev.records import Json, OperationKey

_LATER = 202
"""The status of what is done later: what is seen at once says nothing."""
_LEAST = 2


@dataclass
class Fates:
    """What became of the values of a property in the writes of an operation.

    `lost` are the writes after which the thing had what it had before, `stored` the writes of other values that it then
    had: for each value, JSON text, the first.
    """

    lost: list[AcceptedWrite] = field(default_factory=list)
    stored: dict[str, AcceptedWrite] = field(default_factory=dict)

    def is_passed_over(self, at: str, choices: Iterable[Json]) -> bool:
        """Whether no value came through: both that are possible of a flag, two of the `choices` or of free texts."""
        values = {canonical(one.sent[at]): one.sent[at] for one in self.lost}
        are_flags = all(isinstance(value, bool) for value in values.values())
        known = [value for value in values.values() if not isinstance(value, str) or value in [*choices]]
        free = [value for value in values.values() if is_invented(value)]
        is_enough = are_flags or len(known) >= _LEAST or len(free) >= _LEAST
        return len(self.lost) >= _LEAST and not self.stored and is_enough

    def is_taken(self) -> bool:
        """Whether different values came through, or one that nobody else can have filled in."""
        return len(self.stored) >= _LEAST or any(is_invented(one) for one in self.stored)


@dataclass
class PassedOver:
    """The fates of what was sent, by operation and pointer, and the shape of what each operation writes."""

    by_operation: dict[OperationKey, dict[str, Fates]]
    shapes: Mapping[OperationKey, str]

    @classmethod
    def of(cls, view: EvidenceView) -> PassedOver:
        """What the writes of a run show, in the order of the calls."""
        made = {one.call.id: one.shape for one in view.created}
        found: dict[OperationKey, dict[str, Fates]] = {}
        shapes: dict[OperationKey, str] = {}
        previous: dict[tuple[str, str], AcceptedWrite] = {}
        for one in view.writes:
            key, thing = one.call.key, one.place
            if is_batch(view.catalog[key]) or not one.states or one.call.status == _LATER:
                previous.pop(thing, None)
                continue
            if key.method != "POST" or one.call.id in made:
                shapes[key] = made.get(one.call.id, shape_of(key.path))
                if thing in previous or one.call.id in made:
                    _note(one, previous.get(thing), found.setdefault(key, {}))
            previous[thing] = one
        return cls(found, shapes)

    def elsewhere(self, key: OperationKey, at: str) -> OperationKey | None:
        """The operation that stores what another one on the same kind of thing passes over."""
        others = (
            other
            for other, fates in sorted(self.by_operation.items())
            if other != key and other.tool == key.tool and self.shapes[other] == self.shapes[key] and at in fates
        )
        # What changes a thing is of more use than what only creates one.
        taking = [other for other in others if self.by_operation[other][at].is_taken()]
        return min(taking, key=lambda other: (other.method == "POST", other), default=None)


def _note(one: AcceptedWrite, before: AcceptedWrite | None, fates: dict[str, Fates]) -> None:
    for at, sent, got in _seen(one):
        had = before.holds(at)[1] if before is not None else None
        if got == sent and had != sent:
            fates.setdefault(at, Fates()).stored.setdefault(canonical(sent), one)
        elif got != sent and had == got and one.reads:
            # The answer to a write may be what was there before: only what was read afterwards says so.
            fates.setdefault(at, Fates()).lost.append(one)


def _seen(one: AcceptedWrite) -> Iterator[tuple[str, Json, Json]]:
    """(pointer, what was sent, what the thing then had), where both are of one type."""
    for at, sent in one.sent.items():
        got = one.holds(at)[1]
        if got is not None and type(got) is type(sent):
            yield at, sent, got
