"""`creates`: the operation creates something, which another operation then returns."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.facts.fact_values import Record
from docrev.facts.kind import OPERATION, Kind


@dataclass(frozen=True)
class Creation(Record):
    """The operation that returns what was created; the location of its id in the response, or whether a PUT also
    `replaces` what was there."""

    operation: str
    field: str | None = None
    replaces: bool | None = None


KIND = Kind("creates", Creation, about=OPERATION)
