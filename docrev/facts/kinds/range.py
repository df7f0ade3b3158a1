"""`range`: a number below the minimum, or above the maximum, is refused."""

from __future__ import annotations

from docrev.facts.call_values import call_values
from docrev.facts.fact_values import Ends
from docrev.facts.kind import Kind
from docrev.facts.wire_values import number
from docrev.records import Call, Fact, Json


def number_at(location: str, value: Json) -> float | int | None:
    """The number that a value at a location is: a text in a body is none."""
    return None if location.startswith("body:") and isinstance(value, str) else number(value)


def _refutes(fact: Fact, call: Call) -> bool:
    numbers = [number_at(fact.location, value) for value in call_values(call, fact.location)]
    return any(n is not None and KIND.value_of(fact).excludes(n) for n in numbers)


KIND = Kind("range", Ends, about=frozenset(["parameter", "property"]), refutes=_refutes, proves_read=True)
