"""`in-year`: a list has only items whose date lies in the year that was sent."""

from __future__ import annotations

from docrev.facts.fact_values import ItemField
from docrev.facts.items import refuted_by_items
from docrev.facts.kind import Kind
from docrev.facts.wire_values import number
from docrev.records import Json


def year_of(value: Json) -> int | None:
    """The year that a value is, or None."""
    n = number(value)
    return int(n) if n is not None and float(n).is_integer() and 1000 <= n < 3000 else None


def _outside(sent: Json, values: list[Json]) -> bool:
    year = year_of(sent)
    return year is not None and any(not str(value).startswith(f"{year}-") for value in values)


KIND = Kind("in-year", ItemField, about=frozenset(["parameter"]), effect="choose", refutes=refuted_by_items(_outside))
