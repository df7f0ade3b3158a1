"""`wrapped-in`: the content of a request body must lie in this property."""

from __future__ import annotations

from docrev.facts.fact_values import Text
from docrev.facts.kind import PROPERTY, Kind

KIND = Kind("wrapped-in", Text, about=PROPERTY)
