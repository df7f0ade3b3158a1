"""The facts that hold for a place and all its observed users, in the words of the first of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docrev.facts.registry import BY_FIELD
from docrev.json_values.canonical import canonical
from docrev.records import Fact, Json
from docrev.revision.places import Spot, Use

# What is learned of a parameter by trying it out: a user where none of these is known was not tried.
_TRIED = (
    "required format allowed-values default range clamps length pattern searches sorts limits pages selects ignored"
    " unknown-values"
)
TRIED = frozenset((*_TRIED.split(), *BY_FIELD))
# What one operation does with a shared parameter, all do; which values each takes is its own matter.
_ALIKE = ("limits", "pages", "selects", "searches")


def common_facts(spot: Spot) -> tuple[Fact, ...]:
    """The facts on a place that hold for each of its observed users, as the first user's that has any.

    Effects are compared by what they are on (`population`), not by where it stands in the answers of each user.
    """
    first = next((use for use in spot.uses if _tried(use)), spot.first)
    others = [{(fact.kind, _gist(fact)) for fact in use.facts} for use in spot.uses if use is not first]
    tried = [held for held in others if any(kind in TRIED for kind, _ in held)]
    return tuple(
        fact
        for fact in first.facts
        if all((fact.kind, _gist(fact)) in held for held in (tried if fact.kind in _ALIKE else others))
    )


def _tried(use: Use) -> bool:
    return any(fact.kind in TRIED for fact in use.facts)


def _gist(fact: Fact) -> str:
    value = fact.value
    if fact.kind in BY_FIELD and isinstance(value, str):
        return last(value.removesuffix("/0"))
    if fact.kind == "searches" and isinstance(value, list):
        return canonical(sorted(map(last, value)))
    if fact.kind in ("limits", "selects"):
        return ""
    if fact.kind == "pages" and isinstance(value, dict):
        return canonical([value.get("by"), last(str(value.get("next", "")))])
    if fact.kind == "sorts" and isinstance(value, dict):
        return canonical([value.get("value"), last(str(value.get("field"))), value.get("order")])
    return canonical(value)


def last(location: str) -> str:
    """The name that a location ends in."""
    return location.rpartition("/")[2]


@dataclass(frozen=True)
class Known:
    """Facts by kind: the value of the only one, or of all."""

    facts: tuple[Fact, ...]

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> Known:
        return cls(tuple(facts))

    @cached_property
    def _kinds(self) -> dict[str, list[Fact]]:
        kinds: dict[str, list[Fact]] = {}
        for fact in self.facts:
            kinds.setdefault(fact.kind, []).append(fact)
        return kinds

    def __contains__(self, kind: object) -> bool:
        return kind in self._kinds

    def all(self, kind: str) -> list[Fact]:
        return self._kinds.get(kind, [])

    def value(self, kind: str, default: Any = None) -> Json:
        """The value of the first fact of a kind."""
        found = self.all(kind)
        return found[0].value if found else default
