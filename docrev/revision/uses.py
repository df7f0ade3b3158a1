"""A place as one operation uses it."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.records import Fact, Json
from docrev.revision.observations import ObservedOperation


@dataclass(frozen=True)
class Use:
    """A place as one operation uses it: its location there, and the values seen with their calls."""

    observed: ObservedOperation
    location: str
    values: tuple[tuple[Json, str], ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.observed.at(self.location)
