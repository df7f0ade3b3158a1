"""`allowed-values`: a parameter or a request property accepts these values and no others."""

from __future__ import annotations

from docrev.facts.call_values import call_values
from docrev.facts.fact_values import Sequence
from docrev.facts.kind import Kind, Replay
from docrev.facts.wire_values import key_of
from docrev.records import Call, Fact


def _refutes(fact: Fact, call: Call) -> bool:
    allowed = {key_of(value) for value in fact.value} | {""}
    sent = [key_of(value) for value in call_values(call, fact.location)]
    # A list of several values may be accepted if each of them is allowed.
    return any(value not in allowed and not allowed.issuperset(value.split(",")) for value in sent)


KIND = Kind(
    "allowed-values",
    Sequence,
    about=frozenset(["parameter", "property"]),
    refutes=_refutes,
    # All values were accepted once: the refusal and one of them are enough.
    replay=Replay(trials=2),
    proves_read=True,
)
