"""`sorts`: a value of a parameter puts the items of a list in the order of a field."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.facts.fact_values import Record
from docrev.facts.kind import Kind


@dataclass(frozen=True)
class Order(Record):
    """The value that is sent, the location of the field, and `ascending` or `descending`."""

    value: str
    field: str
    order: str


KIND = Kind("sorts", Order, about=frozenset(["parameter"]), effect="sort")
