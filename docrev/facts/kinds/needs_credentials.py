"""`needs-credentials`: the operation refuses requests without credentials."""

from __future__ import annotations

from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, StatusCode, shows_status
from docrev.facts.observations import Observations
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    return call.ok and call.anonymous


def _from_calls(view: EvidenceView) -> Facts:
    for key, seen in view.observations.items():
        refused = seen.with_status(401)
        if not refused or len(refused) < len(seen.calls):
            anonymous = ([call for call in seen.with_status(status) if call.anonymous] for status in (401, 403))
            refused = next((calls for calls in anonymous if _work_with_credentials(seen, calls)), [])
        if refused and (status := refused[0].status) is not None:
            yield KIND.fact(key, "", StatusCode(status), ids(refused))


def _work_with_credentials(seen: Observations, anonymous: list[Call]) -> bool:
    asked = [{at: value for at, value in call.arguments.items() if value is not None} for call in anonymous]
    return any(call.arguments in asked for call in seen.good)


KIND = Kind("needs-credentials", StatusCode, OPERATION, shows=shows_status, refutes=_refutes, from_calls=_from_calls)
