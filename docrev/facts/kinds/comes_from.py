"""`comes-from`: values of a parameter are found in the responses of another operation."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.evidence.queries import arguments
from docrev.facts.call_values import response_values
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, Facts, Kind, Pair, Record, Replay
from docrev.records import Call, Fact


@dataclass(frozen=True)
class ValueOrigin(Record):
    """The operation, and the location of the field in its response."""

    operation: str
    field: str


def _source(fact: Fact) -> str:
    return ValueOrigin.from_json(fact.value).operation


def _shows(fact: Fact, source: Call, target: Call) -> bool:
    """Whether `source` returned a value, not sent with it, that `target` accepted at the fact's location."""
    origin = ValueOrigin.from_json(fact.value)
    if str(source.key) != origin.operation or target.key != fact.key or not (source.ok and target.ok):
        return False
    sent = {str(value) for location, value in arguments(target) if location == fact.location}
    sent -= {str(value) for _, value in arguments(source)}
    return any(str(value) in sent for value in response_values(source, origin.field))


def _from_calls(view: EvidenceView) -> Facts:
    for key, found in view.origins.items():
        for location, best in sorted(found.items()):
            for origin in best:
                yield KIND.fact(key, location, ValueOrigin(str(origin.source), origin.pointer), origin.calls)


KIND = Kind("comes-from", ValueOrigin, ARGUMENT, replay=Replay(pair=Pair(_source, _shows)), from_calls=_from_calls)
