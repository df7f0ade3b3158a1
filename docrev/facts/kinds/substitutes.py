"""`substitutes`: a value of a property that the API does not know is accepted, and another one takes its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.calls.effects import is_batch
from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, TextValue
from docrev.facts.outcomes import AcceptedWrite
from docrev.records import OperationKey

_LEAST = 2


def _from_calls(view: EvidenceView) -> Facts:
    created = {one.call.id for one in view.created}
    for key, found in view.outcomes.items():
        if not is_batch(view.catalog[key]):
            own = [one for one in found if key.method != "POST" or one.call.id in created]
            yield from _of_operation(key, own)


def _of_operation(key: OperationKey, found: Sequence[AcceptedWrite]) -> Facts:
    """Invented values that become one that is kept if it is sent itself, while yet another one is kept as well."""
    for at in sorted({at for one in found for at in one.sent}):
        yield from _of_property(key, at, list(_pairs(found, at)))


def _of_property(key: OperationKey, at: str, pairs: Sequence[tuple[str, str, AcceptedWrite]]) -> Facts:
    kept = {sent: one for sent, got, one in pairs if sent == got}
    unknown = [(got, one) for sent, got, one in pairs if is_invented(sent) and got != sent]
    becomes = {got for got, _ in unknown}
    if len(unknown) >= _LEAST and len(becomes) == 1 and len(kept) >= 2 and becomes < kept.keys():
        calls = [*(one.call for _, one in unknown[:4]), *(one.call for one in list(kept.values())[:2])]
        yield KIND.fact(key, f"body:{at}", TextValue(becomes.pop()), ids(calls))


def _pairs(found: Sequence[AcceptedWrite], at: str) -> Iterator[tuple[str, str, AcceptedWrite]]:
    """(what was sent, what the thing then has) for each write that sent a text there."""
    for one in found:
        got, sent = one.holds(at)[1], one.sent.get(at)
        if isinstance(sent, str) and isinstance(got, str) and sent and got:
            yield sent, got, one


KIND = Kind("substitutes", TextValue, PROPERTY, from_calls=_from_calls)
