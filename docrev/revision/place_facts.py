"""The facts that hold for a place and all its observed users, in the words of the first of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from docrev.facts.kind import Ends
from docrev.facts.registry import BY_FIELD, FROM_TRIALS, value_of, with_effect
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.scalars import is_number
from docrev.records import Fact, Json
from docrev.revision.uses import Use

TRIED = FROM_TRIALS - {"type", "unknown-parameters"}
"""Kinds that trials of a parameter show: a user of which none of these is known was not tried."""
_ALIKE = frozenset(with_effect("window", "project")) | {"searches"}
"""Kinds that hold for all users of a shared parameter if they hold for one; other effects may differ."""
_IF_TWICE = ("clamps", "default")
"""Kinds that hold for all users of a shared parameter if several show the same and none another: a short list does not
show how much a page can have."""
_GISTS: dict[str, Callable[[Fact], Json]] = {
    **dict.fromkeys(BY_FIELD, lambda fact: value_of(fact).name),
    "limits": lambda fact: "",
    "selects": lambda fact: "",
    "searches": lambda fact: sorted(map(last, value_of(fact).values)),
    "pages": lambda fact: [value_of(fact).by, last(value_of(fact).next or "")],
    "sorts": lambda fact: [value_of(fact).value, last(value_of(fact).field), value_of(fact).order],
}
"""What two facts must have in common to be the same; without an entry, their whole value."""


_MEASURES: dict[str, Callable[[Json], float | None]] = {
    "length": lambda value: len(value) if isinstance(value, str) else None,
    "range": lambda value: value if is_number(value) else None,
}
"""What ends are of, of a value: the kinds whose ends are known one by one."""


def common_facts(uses: Sequence[Use]) -> tuple[Fact, ...]:
    """The facts on a place that hold for each of its observed users, as the first user's that has any.

    Effects are compared by what they are on (`population`), not by its place in the responses of each user.
    """
    first = next(filter(_is_tried, uses), uses[0])
    others = [(use, {comparable(fact) for fact in use.facts}) for use in uses if use is not first]
    tried = [(use, facts) for use, facts in others if _is_tried(use)]
    found = [_of_all(fact, first, tried if fact.kind in _ALIKE else others) for fact in first.facts]
    common = tuple(filter(None, found))
    missed = set(_IF_TWICE) - {fact.kind for fact in common}
    return *common, *filter(None, (_shown_twice(kind, uses) for kind in sorted(missed)))


def _shown_twice(kind: str, uses: Sequence[Use]) -> Fact | None:
    """The fact of a kind that several users show, if they show the same."""
    shown = [fact for use in uses for fact in use.facts if fact.kind == kind]
    return shown[0] if len(shown) > 1 and len({*map(comparable, shown)}) == 1 else None


def _of_all(fact: Fact, first: Use, others: Sequence[tuple[Use, set[tuple[str, str]]]]) -> Fact | None:
    """A fact of the first user as it holds for the others too, each with what it shows; None if it does not."""
    compared = comparable(fact)
    if all(compared in facts for _, facts in others):
        return fact
    if fact.kind not in _MEASURES:
        return None
    ends = _ends_of_all(fact.kind, [first, *(use for use, _ in others)])
    return replace(fact, value=ends.to_json()) if ends is not None else None


def _ends_of_all(kind: str, uses: Sequence[Use]) -> Ends | None:
    """The ends of values that users show together, if each shows some and accepted no value beyond those of others.

    That an end was looked for at one of them and not at the next does not make these two places.
    """
    shown: list[Ends] = [value_of(fact) for use in uses for fact in use.facts if fact.kind == kind]
    ends = _joined(shown) if len(shown) == len(uses) else None
    sizes = (_MEASURES[kind](value) for use in uses for value, _ in use.values)
    return ends if ends is not None and not any(size is not None and ends.excludes(size) for size in sizes) else None


def _joined(shown: Iterable[Ends]) -> Ends | None:
    """What several know of one pair of ends: they have one of them in common, and do not differ in the other."""
    lows, highs = zip(*((one.minimum, one.maximum) for one in shown), strict=True)
    known = [{*found} - {None} for found in (lows, highs)]
    agree = any(len({*found}) == 1 and None not in found for found in (lows, highs)) and max(map(len, known)) <= 1
    return Ends(*(next(iter(found), None) for found in known)) if agree else None


def own_facts(facts: Iterable[Fact], common: Sequence[Fact]) -> list[Fact]:
    """Those of the facts on one use of a place that say more than what holds for all its users, which is `common`."""
    return [fact for fact in facts if not any(_says(other, fact) for other in common)]


def _says(common: Fact, fact: Fact) -> bool:
    """Whether what holds for all users says what a fact does."""
    has_ends = common.kind == fact.kind and fact.kind in _MEASURES
    return {**fact.value}.items() <= {**common.value}.items() if has_ends else comparable(common) == comparable(fact)


def _is_tried(use: Use) -> bool:
    return any(fact.kind in TRIED for fact in use.facts)


def comparable(fact: Fact) -> tuple[str, str]:
    """What a fact is compared by with that of another user of the same place: its kind and the gist of its value."""
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
