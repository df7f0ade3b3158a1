"""Ways through documents: calls one after another, each with the sources of its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from docrev.records import Json

Parts = Mapping[tuple[str, ...], float]
"""What a way is weighed by, each thing once: its calls, the values it uses, the links between calls."""


@dataclass(frozen=True, slots=True)
class ArgumentSource:
    """Where an argument comes from: a constant, or a field of what another operation of the way returns."""

    value: Json = None
    provider: str = ""
    noun: str = ""
    attr: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class WayStep:
    """One call of a way. An item of its response must have the values `required` to be meant; if several have, one
    with those `preferred` is taken: what was searched for."""

    name: str
    sources: tuple[tuple[str, ArgumentSource], ...]
    required: tuple[Json, ...] = ()
    preferred: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """Calls in order, the last one serves the clause; `used` are the indexes of the clause's values that it uses."""

    steps: tuple[WayStep, ...]
    used: frozenset[int]
    parts: Parts
    score: float

    @property
    def last(self) -> str:
        return self.steps[-1].name

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(step.name for step in self.steps)


@dataclass(frozen=True, slots=True)
class Option:
    """One way to fill a parameter: its source, the values it uses, and the calls before; no source leaves it out."""

    source: ArgumentSource | None
    used: frozenset[int]
    score: float
    before: tuple[WayStep, ...] = ()
    parts: Parts = field(default_factory=dict)
