"""`broken`: every request to the operation fails."""

from __future__ import annotations

from docrev.conventions.statuses import FAULTS
from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Replay, StatusCode, shows_status
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    return call.ok


def _from_calls(view: EvidenceView) -> Facts:
    """An operation that fails whatever it is called with; one fault is enough if it can only be called in one way."""
    for key, seen in view.observations.items():
        operation = view.catalog[key]
        failing = [call for call in seen.calls if _is_fault(call)]
        statuses = {call.status for call in seen.calls if call in failing or call.status != 404}
        least = 2 if operation.parameters or operation.body is not None else 1
        if len(failing) >= least and len(statuses) == 1 and statuses <= FAULTS:
            yield KIND.fact(key, "", StatusCode(failing[0].status or 500), ids(failing))


def _is_fault(call: Call) -> bool:
    return call.error == "not-json" or (call.error is None and call.status in FAULTS)


KIND = Kind(
    "broken",
    StatusCode,
    OPERATION,
    shows=shows_status,
    refutes=_refutes,
    replay=Replay(weight=4),
    from_calls=_from_calls,
)
