"""`alternatives`: how many of some arguments a request must or may have: exactly one, one or more, all or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.conventions.error_hints import RELATIONS, hints_of
from docrev.conventions.statuses import INVALID
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.records import Call, Fact, Json


@dataclass(frozen=True)
class Alternatives(Record):
    """`rule` is exactly-one-of, at-least-one-of, at-most-one-of or all-or-none-of, `names` the arguments' names."""

    rule: str
    names: Sequence[Json]


def _shows(fact: Fact, call: Call) -> bool:
    hints = hints_of(call) if call.status in INVALID else []
    told = ((hint.kind, list(hint.values)) for hint in hints if hint.kind in RELATIONS)
    return (fact.value["rule"], list(fact.value["names"])) in told


def _from_calls(view: EvidenceView) -> Facts:
    for one in view.relations:
        yield KIND.fact(one.key, "", Alternatives(one.rule, list(one.names)), one.calls)


KIND = Kind("alternatives", Alternatives, OPERATION, shows=_shows, from_calls=_from_calls)
