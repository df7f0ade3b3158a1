"""`filters`: a list has only items whose field has the value that was sent."""

from __future__ import annotations

from docrev.facts.fact_values import ItemField
from docrev.facts.items import refuted_by_items
from docrev.facts.kind import Kind
from docrev.facts.wire_values import key_of
from docrev.records import Json


def _lacks(sent: Json, values: list[Json]) -> bool:
    """Whether some items have the value that was sent, so that it is a real one, and others do not."""
    return len({key_of(value) == key_of(sent) for value in values}) == 2


KIND = Kind("filters", ItemField, about=frozenset(["parameter"]), effect="choose", refutes=refuted_by_items(_lacks))
