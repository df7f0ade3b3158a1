"""`empty`: what a list looks like if nothing matches."""

from __future__ import annotations

from docrev.facts.call_values import response_values
from docrev.facts.fact_values import StatusCode
from docrev.facts.kind import RESPONSE, Kind, Replay
from docrev.records import Call, Fact


def _shows(fact: Fact, call: Call) -> bool:
    return [] in response_values(call, fact.location)


KIND = Kind("empty", StatusCode, about=RESPONSE, shows=_shows, replay=Replay(weight=4))
