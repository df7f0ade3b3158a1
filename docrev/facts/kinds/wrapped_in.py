"""`wrapped-in`: the content of a request body must lie in this property."""

from __future__ import annotations

from itertools import chain

from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import ids, sends_object
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import PROPERTY, Facts, Kind, TextValue
from docrev.facts.observations import Observations
from docrev.records import Call

_LEAST = 2
"""Bodies that came back in the property, and bodies that were refused without it."""


def _from_calls(view: EvidenceView) -> Facts:
    """With the property alone the content came back, without it was refused."""
    for seen in view.observations.values():
        good = [call for call in seen.good if sends_object(call)]
        refused = [call for call in seen.with_status(*INVALID) if sends_object(call)]
        for name in sorted({name for call in good for name in call.arguments["body:"]}):
            yield from _by_name(seen, name, good, refused)


def _by_name(seen: Observations, name: str, good: list[Call], refused: list[Call]) -> Facts:
    inside = [call for call in good if _came_back(call, name)]
    names = set(chain.from_iterable(call.arguments["body:"][name] for call in inside))
    bare = [call for call in refused if set() < call.arguments["body:"].keys() <= names - {name}]
    accepted = any(names & call.arguments["body:"].keys() for call in good)
    if min(len(inside), len(bare)) >= _LEAST and not accepted and any(map(_is_wrapper_alone, inside)):
        calls = (call for pair in zip(inside, bare, strict=False) for call in pair)
        yield KIND.fact(seen.key, "body:", TextValue(name), ids(calls))


def _is_wrapper_alone(call: Call) -> bool:
    return len(call.arguments["body:"]) == 1


def _came_back(call: Call, name: str) -> bool:
    """Whether what was sent inside a property came back inside the same."""
    sent = call.arguments["body:"].get(name)
    got = call.body.get(name) if isinstance(call.body, dict) else None
    if not isinstance(sent, dict) or not isinstance(got, dict):
        return False
    return bool(sent) and all(got.get(inner) == value for inner, value in sent.items())


KIND = Kind("wrapped-in", TextValue, PROPERTY, from_calls=_from_calls)
