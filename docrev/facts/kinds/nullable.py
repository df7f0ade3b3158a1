"""`nullable`: a part of a response may be null. A value that is there does not refute it."""

from __future__ import annotations

from docrev.facts.call_values import response_values
from docrev.facts.fact_values import Holds
from docrev.facts.kind import RESPONSE, Kind
from docrev.records import Call, Fact


def _shows(fact: Fact, call: Call) -> bool:
    return None in response_values(call, fact.location)


KIND = Kind("nullable", Holds, about=RESPONSE, shows=_shows)
