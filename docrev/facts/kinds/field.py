"""`field`: every object seen at a place of a response had this member."""

from __future__ import annotations

from docrev.facts.call_values import response_values
from docrev.facts.fact_values import Holds
from docrev.facts.kind import RESPONSE, Kind
from docrev.json_values import pointer as pointers
from docrev.records import Call, Fact


def _have(fact: Fact, call: Call) -> list[bool]:
    """For every object that could have the member, whether it has."""
    parent, name = pointers.parent(fact.location), pointers.last(fact.location)
    return [name in value for value in response_values(call, parent) if isinstance(value, dict)]


def _shows(fact: Fact, call: Call) -> bool:
    return bool(have := _have(fact, call)) and all(have)


def _refutes(fact: Fact, call: Call) -> bool:
    return not all(_have(fact, call))


KIND = Kind("field", Holds, about=RESPONSE, shows=_shows, refutes=_refutes)
