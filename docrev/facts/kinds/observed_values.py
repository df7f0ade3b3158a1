"""`observed-values`: values that were seen; that others exist is not excluded."""

from __future__ import annotations

from docrev.facts.call_values import call_values
from docrev.facts.fact_values import Sequence
from docrev.facts.kind import VALUE, Kind, Replay
from docrev.json_values.canonical import canonical
from docrev.records import Call, Fact


def _shows(fact: Fact, call: Call) -> bool:
    known = {canonical(value) for value in fact.value}
    values = call_values(call, fact.location)
    return bool(values) and all(canonical(value) in known for value in values if value is not None)


KIND = Kind(
    "observed-values",
    Sequence,
    about=VALUE,
    shows=_shows,
    replay=Replay(steady=True),
)
