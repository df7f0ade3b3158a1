"""`limits`: a list has at most as many items as the number that was sent."""

from __future__ import annotations

from docrev.facts.fact_values import Location
from docrev.facts.kind import Kind

KIND = Kind("limits", Location, about=frozenset(["parameter"]), effect="window")
