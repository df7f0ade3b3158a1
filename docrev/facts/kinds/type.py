"""`type`: the JSON type of a parameter, a request property or a part of a response."""

from __future__ import annotations

from docrev.facts.call_values import call_values, is_response
from docrev.facts.fact_values import Text
from docrev.facts.kind import Kind
from docrev.facts.shape import type_name
from docrev.facts.wire_values import number
from docrev.records import Call, Fact, Json


def _of_type(fact: Fact, value: Json) -> bool:
    return type_name(value) == fact.value or (fact.value == "number" and type_name(value) == "integer")


def _reads_as(fact: Fact, value: Json) -> bool:
    """Whether a value in a URL, where everything is text, may be meant as one of the type."""
    if fact.value in ("integer", "number"):
        return value == "" or number(value) is not None
    return fact.value != "boolean" or str(value).lower() in ("", "0", "1", "true", "false")


def _in_url(fact: Fact) -> bool:
    return not fact.location.startswith("body:") and not is_response(fact.location)


def _values(fact: Fact, call: Call) -> list[Json]:
    return [value for value in call_values(call, fact.location) if value is not None]


def _shows(fact: Fact, call: Call) -> bool:
    values = _values(fact, call)
    return bool(values) and (_in_url(fact) or all(_of_type(fact, value) for value in values))


def _refutes(fact: Fact, call: Call) -> bool:
    holds = _reads_as if _in_url(fact) else _of_type
    return any(not holds(fact, value) for value in _values(fact, call))


KIND = Kind("type", Text, about=frozenset(["parameter", "property", "response"]), shows=_shows, refutes=_refutes)
