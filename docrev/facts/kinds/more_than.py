"""`more-than`: a list has only items whose field is more than the number, or the date, that was sent."""

from __future__ import annotations

from docrev.facts.bounds import bounds
from docrev.facts.items import refuted_by_bound
from docrev.facts.kind import PARAMETER, BoundField, Kind

KIND = Kind("more-than", BoundField, PARAMETER, "choose", from_trials=bounds, refutes=refuted_by_bound("gt"))
