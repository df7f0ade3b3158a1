"""`unknown-values`: a parameter with an effect is ignored if its value is unknown."""

from __future__ import annotations

from docrev.facts.fact_values import Text
from docrev.facts.kind import Kind

KIND = Kind("unknown-values", Text, about=frozenset(["parameter"]))
