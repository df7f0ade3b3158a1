"""`less-than`: a list has only items whose field is less than the number, or the date, that was sent."""

from __future__ import annotations

from docrev.facts.fact_values import BoundField
from docrev.facts.items import compare, refuted_by_bound
from docrev.facts.kind import Kind

KIND = Kind(
    "less-than",
    BoundField,
    about=frozenset(["parameter"]),
    effect="choose",
    refutes=refuted_by_bound(compare("lt")),
)
