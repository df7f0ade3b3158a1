"""The facts that hold for a place and all its observed users, in the words of the first of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from docrev.facts.registry import BY_FIELD, FROM_TRIALS, value_of, with_effect
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.records import Fact, Json
from docrev.revision.places import Spot, Use

TRIED = FROM_TRIALS - {"type", "unknown-parameters"}
"""Kinds that trials of a parameter show: a user of which none of these is known was not tried."""
_ALIKE = frozenset(with_effect("window", "project")) | {"searches"}
"""Kinds that hold for all users of a shared parameter if they hold for one; other effects may differ."""
_GISTS: dict[str, Callable[[Fact], Json]] = {
    **dict.fromkeys(BY_FIELD, lambda fact: value_of(fact).name),
    "limits": lambda fact: "",
    "selects": lambda fact: "",
    "searches": lambda fact: sorted(map(last, value_of(fact).values)),
    "pages": lambda fact: [value_of(fact).by, last(value_of(fact).next or "")],
    "sorts": lambda fact: [value_of(fact).value, last(value_of(fact).field), value_of(fact).order],
}
"""What two facts must have in common to be the same; without an entry, their whole value."""


def common_facts(spot: Spot) -> tuple[Fact, ...]:
    """The facts on a place that hold for each of its observed users, as the first user's that has any.

    Effects are compared by what they are on (`population`), not by its place in the responses of each user.
    """
    first = next(filter(_is_tried, spot.uses), spot.first)
    others = [(use, {comparable(fact) for fact in use.facts}) for use in spot.uses if use is not first]
    everyone = [facts for _, facts in others]
    tried = [facts for use, facts in others if _is_tried(use)]
    return tuple(
        fact
        for fact in first.facts
        if all(comparable(fact) in facts for facts in (tried if fact.kind in _ALIKE else everyone))
    )


def _is_tried(use: Use) -> bool:
    return any(fact.kind in TRIED for fact in use.facts)


def comparable(fact: Fact) -> tuple[str, str]:
    gist = _GISTS.get(fact.kind)
    return fact.kind, canonical(gist(fact) if gist else fact.value)


def last(location: str) -> str:
    """The name that a location ends in."""
    return location.rpartition("/")[2]


@dataclass(frozen=True)
class FactsByKind:
    """Facts by kind: the value of the only one, or of all."""

    facts: tuple[Fact, ...]

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> FactsByKind:
        return cls(tuple(facts))

    @cached_property
    def _kinds(self) -> dict[str, list[Fact]]:
        return grouped((fact.kind, fact) for fact in self.facts)

    def __contains__(self, kind: object) -> bool:
        return kind in self._kinds

    def all(self, kind: str) -> list[Fact]:
        return self._kinds.get(kind, [])

    def any_of(self, kinds: Iterable[str]) -> bool:
        return any(kind in self._kinds for kind in kinds)

    def value(self, kind: str, default: Any = None) -> Json:
        """The value of the first fact of a kind."""
        facts = self.all(kind)
        return facts[0].value if facts else default
