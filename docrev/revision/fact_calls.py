"""What the calls behind facts sent: values beside a default, members that were left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from docrev.evidence import Evidence
from docrev.facts.call_values import argument
from docrev.records import Call, Fact, Json

_MAX_CALLS = 20


def beside_defaults(evidence: Evidence, facts: Mapping[str, Iterable[Fact]]) -> dict[str, tuple[Json, ...]]:
    """By location: the values, other than the default, of the calls that show it."""
    stated = ((at, fact) for at, group in facts.items() for fact in group if fact.kind == "default")
    return {at: tuple(_others_accepted(evidence, fact)) for at, fact in stated}


def _others_accepted(evidence: Evidence, fact: Fact) -> Iterator[Json]:
    for call in _accepted(evidence, fact.calls[:_MAX_CALLS]):
        value = call.arguments.get(fact.location)
        if value is not None and value != fact.value:
            yield value


def left_out(evidence: Evidence, facts: Mapping[str, Iterable[Fact]]) -> dict[str, frozenset[str]]:
    """By location of an object: its members that were sent by one of the calls behind a fact, and not by another."""
    stated = ((at, fact) for at, group in facts.items() for fact in group if fact.kind == "left-out")
    return {at: frozenset(_members_left_out(evidence, fact)) for at, fact in stated}


def _members_left_out(evidence: Evidence, fact: Fact) -> set[str]:
    objects = (argument(call.arguments, fact.location)[1] for call in _accepted(evidence, (*fact.calls, *fact.replays)))
    sent = [{*members} for members in objects if isinstance(members, dict)]
    return set.union(*sent) - set.intersection(*sent) if sent else set()


def _accepted(evidence: Evidence, ids: Iterable[str]) -> Iterator[Call]:
    """The calls with these IDs that were answered with success."""
    return (call for call in map(evidence.calls.get, ids) if call is not None and call.ok)
