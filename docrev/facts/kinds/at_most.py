"""`at-most`: a list has only items whose field is at most the number, or the date, that was sent."""

from __future__ import annotations

from docrev.facts.bounds import bounds
from docrev.facts.items import refuted_by_bound
from docrev.facts.kind import PARAMETER, BoundField, Kind

KIND = Kind("at-most", BoundField, PARAMETER, "choose", from_trials=bounds, refutes=refuted_by_bound("le"))
