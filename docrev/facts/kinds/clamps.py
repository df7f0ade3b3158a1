"""`clamps`: a number above the maximum is not refused but taken as the maximum."""

from __future__ import annotations

from docrev.facts.fact_values import Ends
from docrev.facts.kind import Kind

KIND = Kind("clamps", Ends, about=frozenset(["parameter"]), effect="cut")
