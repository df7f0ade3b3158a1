"""`partners`: an argument is accepted only together with others, or only without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.conventions.error_hints import hints_of
from docrev.conventions.statuses import INVALID
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, Facts, Kind, Record
from docrev.facts.stated import PARTNERS
from docrev.records import Call, Fact, Json


@dataclass(frozen=True)
class Partners(Record):
    """`rule` is needs or excluded-by, `names` are those of the other arguments."""

    rule: str
    names: Sequence[Json]


def _shows(fact: Fact, call: Call) -> bool:
    hints = hints_of(call) if call.status in INVALID else []
    told = ((hint.kind, list(hint.values)) for hint in hints if hint.kind in PARTNERS)
    return (fact.value["rule"], list(fact.value["names"])) in told


def _from_calls(view: EvidenceView) -> Facts:
    for one in view.partners:
        yield KIND.fact(one.key, one.location, Partners(one.rule, list(one.names)), one.calls)


KIND = Kind("partners", Partners, ARGUMENT, shows=_shows, from_calls=_from_calls)
