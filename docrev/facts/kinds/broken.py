"""`broken`: every request to the operation fails."""

from __future__ import annotations

from docrev.facts.fact_values import StatusCode
from docrev.facts.kind import OPERATION, Kind, Replay
from docrev.records import Call, Fact


def _shows(fact: Fact, call: Call) -> bool:
    return call.status == KIND.value_of(fact).status


def _refutes(fact: Fact, call: Call) -> bool:
    return call.ok


KIND = Kind(
    "broken",
    StatusCode,
    about=OPERATION,
    shows=_shows,
    refutes=_refutes,
    replay=Replay(weight=4),
)
