"""`required`: a request without this parameter, property or body is refused."""

from __future__ import annotations

from docrev.facts.call_values import argument
from docrev.facts.fact_values import Holds
from docrev.facts.kind import Kind
from docrev.json_values import pointer as pointers
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    """Whether a call without it was accepted; a property can be missing only in a parent that was sent."""
    parent = pointers.parent(fact.location)
    parent_sent = not parent.startswith("body:") or argument(call.arguments, parent)[0]
    return call.ok and parent_sent and not argument(call.arguments, fact.location)[0]


KIND = Kind("required", Holds, about=frozenset(["parameter", "property"]), refutes=_refutes, proves_read=True)
