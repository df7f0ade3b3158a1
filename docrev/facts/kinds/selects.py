"""`selects`: the items of a list have only the fields that were named."""

from __future__ import annotations

from docrev.facts.fact_values import Location
from docrev.facts.kind import Kind

KIND = Kind("selects", Location, about=frozenset(["parameter"]), effect="project")
