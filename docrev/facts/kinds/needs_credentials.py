"""`needs-credentials`: the operation refuses requests without credentials."""

from __future__ import annotations

from docrev.facts.fact_values import StatusCode
from docrev.facts.kind import OPERATION, Kind
from docrev.records import Call, Fact


def _shows(fact: Fact, call: Call) -> bool:
    return call.status == KIND.value_of(fact).status


def _refutes(fact: Fact, call: Call) -> bool:
    return call.ok and call.anonymous


KIND = Kind("needs-credentials", StatusCode, about=OPERATION, shows=_shows, refutes=_refutes)
