"""`needs-credentials`: the operation refuses without credentials a request that it answers with them."""

from __future__ import annotations

import re

from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, StatusCode, shows_status
from docrev.facts.observations import Observations
from docrev.facts.status_causes import message
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    return call.ok and call.anonymous


_LACKING = re.compile(
    r"\b(?:missing|required?|requires|no|without|not (?:provided|supplied|given|found|set)|absent)\b", re.IGNORECASE
)
_CREDENTIAL = re.compile(
    r"\b(?:api[ _-]?keys?|access[ _-]?keys?|tokens?|credentials?|authenticat\w+|authoriz\w+)\b", re.IGNORECASE
)


def _from_calls(view: EvidenceView) -> Facts:
    """A request that is answered with credentials is refused without; or the API says itself that they are missing.

    That all requests are refused says nothing by itself: whoever explored may have had the wrong credentials.
    """
    answering = {key.tool for key, seen in view.observations.items() if seen.good}
    for key, seen in view.observations.items():
        if not seen.good and key.tool in answering:
            refused = [call for call in seen.with_status(401) if _says_missing(message(call.body))]
        else:
            refused = _refused_without(seen)
        if refused and (status := refused[0].status) is not None:
            yield KIND.fact(key, "", StatusCode(status), ids(refused))


def _refused_without(seen: Observations) -> list[Call]:
    """The requests without credentials that were refused, of which one was answered with them."""
    anonymous = ([call for call in seen.with_status(status) if call.anonymous] for status in (401, 403))
    return next((calls for calls in anonymous if _work_with_credentials(seen, calls)), [])


def _work_with_credentials(seen: Observations, anonymous: list[Call]) -> bool:
    asked = [{at: value for at, value in call.arguments.items() if value is not None} for call in anonymous]
    return any(call.arguments in asked for call in seen.good)


def _says_missing(text: str) -> bool:
    return bool(_LACKING.search(text) and _CREDENTIAL.search(text))


KIND = Kind("needs-credentials", StatusCode, OPERATION, shows=shows_status, refutes=_refutes, from_calls=_from_calls)
