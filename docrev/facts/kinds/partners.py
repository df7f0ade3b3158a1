"""`partners`: an argument is accepted only together with others, or only without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, Facts, Kind, Record
from docrev.facts.stated import PARTNERS
from docrev.facts.stated_facts import shows_rule
from docrev.records import Json


@dataclass(frozen=True)
class Partners(Record):
    """`rule` is needs or excluded-by, `names` are those of the other arguments."""

    rule: str
    names: Sequence[Json]


def _from_calls(view: EvidenceView) -> Facts:
    for one in view.partners:
        yield KIND.fact(one.key, one.location, Partners(one.rule, list(one.names)), one.calls)


KIND = Kind("partners", Partners, ARGUMENT, shows=shows_rule(PARTNERS), from_calls=_from_calls)
