"""`stored`: a property of the request body that its schema does not declare, and that the thing has as it was sent."""

from __future__ import annotations

from collections.abc import Sequence

from docrev.calls.effects import is_batch
from docrev.conventions.run_names import is_invented
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind
from docrev.facts.kind import Sequence as Values
from docrev.facts.outcomes import AcceptedWrite
from docrev.json_values.pointer import split
from docrev.records import OperationKey
from docrev.spec.schema import properties_of

_LEAST = 2
"""Values that must have been stored."""


def _from_calls(view: EvidenceView) -> Facts:
    for key, found in view.outcomes.items():
        declared = properties_of(view.catalog[key].body_schema)
        if declared and not is_batch(view.catalog[key]):
            yield from _of_operation(key, found, {f"/{name}" for name in declared})


def _of_operation(key: OperationKey, found: Sequence[AcceptedWrite], declared: set[str]) -> Facts:
    """The undeclared properties of which different values were stored, while the API itself fills in another value."""
    for at in sorted({at for one in found for at in one.sent if len(split(at)) == 1} - declared):
        stored = {str(one.sent[at]): one for one in found if _is_stored(one, at)}
        filled = _filled_in(found, at)
        if len(stored) >= _LEAST and filled is not None and not any(_is_passed_over(one, at) for one in found):
            calls = ids(one.call for one in (*stored.values(), filled))
            yield KIND.fact(key, f"body:{at}", Values(tuple(sorted(stored))), calls)


def _filled_in(found: Sequence[AcceptedWrite], at: str) -> AcceptedWrite | None:
    """A write without the property, after which the thing has one all the same."""
    return next((one for one in found if at not in one.sent and one.holds(at)[1] is not None), None)


def _is_stored(one: AcceptedWrite, at: str) -> bool:
    """Whether a thing has a value as it was sent there and nowhere else, and others can send it too."""
    value = one.sent.get(at)
    is_alone = [*one.sent.values()].count(value) == 1 and not is_invented(value)
    return at in one.sent and is_alone and one.holds(at)[1] == value


def _is_passed_over(one: AcceptedWrite, at: str) -> bool:
    """Whether a thing has another value than the one that was sent: then it may have had the others before."""
    value = one.sent.get(at)
    return at in one.sent and not is_invented(value) and one.holds(at)[1] not in (value, None)


KIND = Kind("stored", Values, PROPERTY, from_calls=_from_calls)
