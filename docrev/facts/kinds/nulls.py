"""`nulls`: what a PATCH does with a property that it sends as null, and that had a value before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, TextValue
from docrev.facts.outcomes import AcceptedWrite, agreed
from docrev.facts.passed_over import Fates, PassedOver
from docrev.json_values.pointer import parent
from docrev.records import Call, OperationKey

REMOVED, STORED, KEPT, RESET = "removed", "stored", "kept", "reset"


def _from_calls(view: EvidenceView) -> Facts:
    """For each object of a body: what became of the values in it for which null was sent."""
    passed = PassedOver.of(view).by_operation
    found: dict[tuple[OperationKey, str], dict[str, list[Call]]] = {}
    for before, one, at in _cleared(view.writes):
        fate = _fate(one, before, at, view.writes)
        # Where no other value comes through either, null shows nothing.
        if fate != KEPT or passed.get(one.call.key, {}).get(at, Fates()).stored:
            found.setdefault((one.call.key, parent(at)), {}).setdefault(fate, []).extend([before.call, one.call])
    for (key, above), fate, calls in agreed(found):
        if fate:
            yield KIND.fact(key, f"body:{above}", TextValue(fate), ids(calls))


def _cleared(writes: Iterable[AcceptedWrite]) -> Iterator[tuple[AcceptedWrite, AcceptedWrite, str]]:
    """The pointers for which a change sent null, and to which the write before gave a value that was then there: with
    both writes."""
    latest: dict[tuple[str, str], AcceptedWrite] = {}
    for one in writes:
        before, latest[one.place] = latest.get(one.place), one
        if one.call.key.method == "PATCH" and before is not None and one.states:
            for at, value in one.sent.items():
                if value is None and before.sent.get(at) and before.holds(at)[1] == before.sent[at]:
                    yield before, one, at


def _fate(one: AcceptedWrite, before: AcceptedWrite, at: str, everything: list[AcceptedWrite]) -> str:
    """What became of a value; "" if that does not show, or is what everybody expects."""
    there, value = one.holds(at)
    if not there:
        return REMOVED if one.is_whole else ""
    if value is not None:
        return KEPT if value == before.sent[at] else RESET
    around = one.thing.rpartition("/")[0]
    beside = (other for other in everything if other.thing.rpartition("/")[0] == around and other.is_whole)
    # Where all have the property, null is how having none looks.
    return STORED if any(not other.holds(at)[0] for other in beside) else ""


KIND = Kind("nulls", TextValue, PROPERTY, from_calls=_from_calls)
