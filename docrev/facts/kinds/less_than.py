"""`less-than`: a list has only items whose field is less than the number, or the date, that was sent."""

from __future__ import annotations

from docrev.facts.bounds import bounds
from docrev.facts.fact_values import BoundField
from docrev.facts.items import compare, refuted_by_bound
from docrev.facts.kind import PARAMETER, Kind

KIND = Kind(
    "less-than",
    BoundField,
    about=PARAMETER,
    effect="choose",
    from_trials=bounds,
    refutes=refuted_by_bound(compare("lt")),
)
