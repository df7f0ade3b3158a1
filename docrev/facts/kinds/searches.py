"""`searches`: a list has only items with the text that was sent in one of these fields."""

from __future__ import annotations

from docrev.facts.fact_values import Sequence
from docrev.facts.kind import Kind

KIND = Kind("searches", Sequence, about=frozenset(["parameter"]), effect="choose")
