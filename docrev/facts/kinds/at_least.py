"""`at-least`: a list has only items whose field is at least the number, or the date, that was sent."""

from __future__ import annotations

from docrev.facts.bounds import bounds
from docrev.facts.items import refuted_by_bound
from docrev.facts.kind import PARAMETER, BoundField, Kind

KIND = Kind("at-least", BoundField, PARAMETER, "choose", from_trials=bounds, refutes=refuted_by_bound("ge"))
