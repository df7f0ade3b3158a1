"""`on-request`: a field of the response is null or left out unless a list in the request names it."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.conventions.ids import created_object
from docrev.facts.call_values import argument, without
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import ARGUMENT, Facts, Kind, TextValue
from docrev.facts.observations import Observations
from docrev.json_values.containers import mapping
from docrev.json_values.pointer import escape
from docrev.language.words import words
from docrev.records import Call, Fact


def _from_calls(view: EvidenceView) -> Facts:
    """Fields that a request returned which named them, and that the same request without the list did not."""
    for seen in view.observations.values():
        found: dict[tuple[str, str], tuple[Call, Call]] = {}
        for call in seen.good:
            for location, names in _lists(call):
                for base in _calls_without(seen, call, location):
                    for field in _fields(call.body, names) - _fields(base.body, names):
                        found.setdefault((location, field), (base, call))
        for (location, field), calls in sorted(found.items(), key=lambda pair: pair[0]):
            yield KIND.fact(seen.key, location, TextValue(field), (call.id for call in calls))


def _lists(call: Call) -> Iterator[tuple[str, list[str]]]:
    """(location, texts) of the lists of texts in the query, or at the top of the body, of a call."""
    body = call.arguments.get("body:")
    inner = {f"body:/{escape(name)}": value for name, value in mapping(body).items()}
    for location, value in {**call.arguments, **inner}.items():
        if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            yield location, value


def _calls_without(seen: Observations, call: Call, location: str) -> Iterator[Call]:
    """The same request without the list."""
    rest = without(call.arguments, location)
    return (other for other in seen.good if other.status == call.status and other.arguments == rest)


def _fields(body: object, names: list[str]) -> set[str]:
    """The fields of a response that are called as one of some names, and have a value."""
    thing = created_object(body)
    called = {tuple(words(name)) for name in names}
    fields = mapping(thing).items()
    return {field for field, value in fields if value is not None and tuple(words(field)) in called}


def _shows(fact: Fact, call: Call) -> bool:
    named, value = argument(call.arguments, fact.location)
    return call.ok and named and isinstance(value, list) and fact.value in _fields(call.body, [str(v) for v in value])


def _refutes(fact: Fact, call: Call) -> bool:
    return call.ok and not argument(call.arguments, fact.location)[0] and fact.value in _fields(call.body, [fact.value])


KIND = Kind("on-request", TextValue, ARGUMENT, shows=_shows, refutes=_refutes, from_calls=_from_calls)
