"""`field`: every object seen at a place of a response had this member."""

from __future__ import annotations

from docrev.facts.call_values import MAX_NAMED, response_values
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Holds, Kind
from docrev.facts.shape import MAX_CALLS
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


def _from_calls(view: EvidenceView) -> Facts:
    """What every object of a response has; of refusals, what all of them have in common."""
    seen = [(sample.key, *place, MAX_CALLS) for sample in view.samples.values() for place in sample.places]
    seen += [(refusal.key, *place, MAX_NAMED) for refusal in view.refusals for place in refusal.fields]
    for key, location, place, most in seen:
        if place.always and not location.endswith((":", "/0")):
            yield KIND.fact(key, location, Holds(), place.calls[:most])


KIND = Kind("field", Holds, RESPONSE, shows=_shows, refutes=_refutes, from_calls=_from_calls)
