"""Facts of any kind that refusals state: read of hints, and shown again by a refusal that has the same hints."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import TypeVar

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import hints_of
from docrev.conventions.statuses import INVALID
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, Facts, FactValue, Kind, Predicate, TrialAnalysis
from docrev.facts.stated import Stated
from docrev.grouping import grouped
from docrev.records import Call, Fact, OperationKey

V = TypeVar("V", bound=FactValue)
Read = Callable[[Sequence[Hint]], V | None]
"""Hints on one place → the value of a fact, or None if they state no fact of the kind."""


def shows_stated(read: Read[V]) -> Predicate:
    """The predicate of a fact that refusals state: a refusal states the same value again, of whatever place."""

    def shows(fact: Fact, call: Call) -> bool:
        hints = hints_of(call) if call.status in INVALID else ()
        places = grouped(((hint.place, hint.pointer), hint) for hint in hints)
        values = (read(hints) for hints in places.values())
        return any(value is not None and value.to_json() == fact.value for value in values)

    return shows


def shows_rule(kinds: Container[str]) -> Predicate:
    """The predicate of a fact with a `rule` on `names`: a refusal has a hint, of one of these kinds, of just that."""

    def shows(fact: Fact, call: Call) -> bool:
        hints = hints_of(call) if call.status in INVALID else ()
        stated = ((hint.kind, list(hint.values)) for hint in hints if hint.kind in kinds)
        return (fact.value["rule"], list(fact.value["names"])) in stated

    return shows


def facts_stated(kind: Kind[V], rules: Iterable[Stated], read: Read[V]) -> Facts:
    """The facts of a kind that are read of rules, one a location: that of the richest rules."""
    done = set[tuple[OperationKey, str]]()
    for rule in rules:
        value = read(rule.hints)
        if value is not None and (rule.key, rule.location) not in done:
            done.add((rule.key, rule.location))
            yield kind.fact(rule.key, rule.location, value, rule.calls)


def stated_kind(
    name: str, value: type[V], read: Read[V], *, refutes: Predicate, from_trials: TrialAnalysis | None = None
) -> Kind[V]:
    """A kind of fact on arguments that refusals state."""

    def from_calls(view: EvidenceView) -> Facts:
        return facts_stated(kind, view.stated, read)

    kind = Kind(
        name,
        value,
        ARGUMENT,
        shows=shows_stated(read),
        refutes=refutes,
        proves_read=True,
        from_trials=from_trials,
        from_calls=from_calls,
    )
    return kind
