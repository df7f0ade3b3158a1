"""`unknown-parameters`: what becomes of query parameters that nobody declared: `ignored`, `rejected` or `filter`."""

from __future__ import annotations

from docrev.facts.fact_values import Text
from docrev.facts.kind import Kind, Replay

KIND = Kind("unknown-parameters", Text, about=frozenset(["operation"]), replay=Replay(trials=2))
