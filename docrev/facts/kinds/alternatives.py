"""`alternatives`: how many of some arguments a request must or may have: exactly one, one or more, all or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.conventions.error_claims import RELATIONS
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import OPERATION, Facts, Kind, Record
from docrev.facts.stated_facts import shows_rule
from docrev.records import Json


@dataclass(frozen=True)
class Alternatives(Record):
    """`rule` is exactly-one-of, at-least-one-of, at-most-one-of or all-or-none-of, `names` the arguments' names."""

    rule: str
    names: Sequence[Json]


def _from_calls(view: EvidenceView) -> Facts:
    for one in view.relations:
        yield KIND.fact(one.key, "", Alternatives(one.rule, list(one.names)), one.calls)


KIND = Kind("alternatives", Alternatives, OPERATION, shows=shows_rule(RELATIONS), from_calls=_from_calls)
