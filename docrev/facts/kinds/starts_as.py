"""`starts-as`: the state that every new thing is in, if nobody chooses one: its `status` is `draft`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docrev.facts.call_values import ids
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import RESPONSE, Facts, Kind, TextValue
from docrev.facts.kinds.becomes import states
from docrev.facts.state_changes import passes
from docrev.grouping import grouped
from docrev.json_values.leaves import members
from docrev.json_values.pointer import find, last
from docrev.records import Call, Fact

_LEAST = 2
"""Things that must have been in the state."""
_OUTCOMES = frozenset("ok success successful succeeded error".split())
"""What says how a request went, and not in which state a thing is."""


def _from_calls(view: EvidenceView) -> Facts:
    for key, made in sorted(grouped((one.call.key, one.call) for one in view.created).items()):
        for at, value, calls in _shared(made):
            yield KIND.fact(key, f"{calls[0].status}:{at}", TextValue(value), ids(calls))


def _shared(made: Sequence[Call]) -> Iterator[tuple[str, str, Sequence[Call]]]:
    """(pointer, value, calls) of the states that all new things are in for which none was sent."""
    for at in sorted({at for call in made for at, _ in states(call.body)}):
        unsent = [call for call in made if not _is_sent(call, at)]
        values = {str(find(call.body, at)[1]) for call in unsent}
        if len(unsent) >= _LEAST and len(values) == 1 and not values & {*_OUTCOMES, "None"}:
            value = values.pop()
            if not passes(value):
                yield at, value, unsent[:_LEAST]


def _is_sent(call: Call, at: str) -> bool:
    """Whether a request had a member that is called like a field of the response."""
    return any(last(name) == last(at) for name, _ in members(call.arguments.get("body:"), depth=2))


def _at(fact: Fact, call: Call) -> object:
    """What a creation to which no state was sent has in a field; None if one was sent."""
    status, _, at = fact.location.partition(":")
    is_told = call.ok and call.status == int(status) and not _is_sent(call, at)
    return find(call.body, at)[1] if is_told else None


def _shows(fact: Fact, call: Call) -> bool:
    return bool(_at(fact, call) == fact.value)


def _refutes(fact: Fact, call: Call) -> bool:
    return isinstance(found := _at(fact, call), str) and found != fact.value


KIND = Kind("starts-as", TextValue, RESPONSE, shows=_shows, refutes=_refutes, from_calls=_from_calls)
