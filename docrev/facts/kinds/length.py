"""`length`: a text shorter than the minimum, or longer than the maximum, is refused."""

from __future__ import annotations

from docrev.facts.call_values import call_values
from docrev.facts.fact_values import Ends
from docrev.facts.kind import Kind
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    texts = [value for value in call_values(call, fact.location) if isinstance(value, str)]
    return any(KIND.value_of(fact).excludes(len(text)) for text in texts)


KIND = Kind("length", Ends, about=frozenset(["parameter", "property"]), refutes=_refutes, proves_read=True)
