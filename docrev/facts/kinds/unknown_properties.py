"""`unknown-properties`: what becomes of a property of the request body that nobody declared: `ignored`, `stored` or
`rejected`.

Whether a misspelt name is refused, or lost without a word, shows in no schema that does not say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from docrev.calls.effects import is_batch
from docrev.conventions.run_names import run_name
from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, Record
from docrev.facts.outcomes import AcceptedWrite
from docrev.grouping import only
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import scalar_members
from docrev.json_values.pointer import last, parent
from docrev.records import Call, OperationKey

UNKNOWN_PROPERTIES = tuple(run_name(number, "u") for number in (1, 2))
"""Names that no API has for a property."""
UNKNOWN_VALUE = 1
"""Their value: no text, since what is created is known to be the run's own by the texts that were sent."""
IGNORED, STORED, REJECTED = "ignored", "stored", "rejected"
_DEPTH = 2


@dataclass(frozen=True)
class Treatment(Record):
    """What becomes of unknown properties, with the status if they are rejected."""

    effect: str
    status: int | None = None


def _from_calls(view: EvidenceView) -> Facts:
    for key, seen in view.observations.items():
        by_call = {one.call.id: one for one in view.outcomes.get(key, ())}
        found: dict[str, list[tuple[Treatment | None, str, Call]]] = {}
        for call in seen.calls:
            for above, name in unknown_in(call):
                found.setdefault(above, []).append((_treatment(call, by_call.get(call.id), above, name), name, call))
        if seen.good and not is_batch(view.catalog[key]):
            yield from _of_operation(key, found)


def _of_operation(key: OperationKey, found: dict[str, list[tuple[Treatment | None, str, Call]]]) -> Facts:
    """What became of all names that were tried in one object of the body, if that was the same."""
    for above, tried in sorted(found.items()):
        treatment = only({treatment for treatment, _, _ in tried})
        if treatment is not None and len({name for _, name, _ in tried}) == len(UNKNOWN_PROPERTIES):
            yield KIND.fact(key, f"body:{above}", treatment, ids(call for _, _, call in tried))


def unknown_in(call: Call) -> Iterator[tuple[str, str]]:
    """(pointer of the object, name) of the unknown properties that a call sent."""
    for at, _ in scalar_members(call.arguments.get("body:"), depth=_DEPTH):
        if (name := last(at)) in UNKNOWN_PROPERTIES:
            yield parent(at), name


def _treatment(call: Call, write: AcceptedWrite | None, above: str, name: str) -> Treatment | None:
    """What became of an unknown property; None if that does not show."""
    if call.status in INVALID:
        return Treatment(REJECTED, call.status) if name in canonical(call.body) else None
    if write is None or not write.states:
        return None
    if write.holds(f"{above}/{name}")[1] == UNKNOWN_VALUE:
        return Treatment(STORED)
    others = (at for at, value in write.sent.items() if value and write.holds(at)[1] == value)
    is_lost = write.is_whole and not any(name in canonical(state) for state in write.states)
    return Treatment(IGNORED) if is_lost and any(others) else None


KIND = Kind("unknown-properties", Treatment, PROPERTY, from_calls=_from_calls)
