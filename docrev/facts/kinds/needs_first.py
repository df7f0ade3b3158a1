"""`needs-first`: the operation is refused unless another one has created what it is about."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.facts.fact_values import Record
from docrev.facts.kind import OPERATION, Kind, Replay
from docrev.records import Call, Fact


@dataclass(frozen=True)
class Need(Record):
    """The operation that creates what is needed, and the status that is returned without it."""

    operation: str
    status: int


def _shows(fact: Fact, call: Call) -> bool:
    return call.status == KIND.value_of(fact).status


KIND = Kind("needs-first", Need, about=OPERATION, shows=_shows, replay=Replay(weight=4))
