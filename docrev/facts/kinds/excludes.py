"""`excludes`: a list leaves out the items whose list of values has the value that was sent."""

from __future__ import annotations

from docrev.facts.fact_values import ItemField
from docrev.facts.items import refuted_by_items
from docrev.facts.kind import Kind
from docrev.facts.wire_values import key_of
from docrev.records import Json


def _among(sent: Json, values: list[Json]) -> bool:
    return any(key_of(value) == key_of(sent) for value in values)


KIND = Kind("excludes", ItemField, about=frozenset(["parameter"]), effect="choose", refutes=refuted_by_items(_among))
