"""`includes`: items whose field is true are listed only if the parameter is true."""

from __future__ import annotations

from docrev.facts.call_values import response_values
from docrev.facts.fact_values import ItemField
from docrev.facts.kind import Kind
from docrev.facts.wire_values import key_of
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    asked = key_of(call.arguments.get(fact.location, False)) not in ("false", "")
    return call.ok and not asked and any(value is True for value in response_values(call, fact.value))


KIND = Kind("includes", ItemField, about=frozenset(["parameter"]), effect="choose", refutes=_refutes)
