"""What is said of a property of a request body or of a response alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from docrev.calls.routes import only_path
from docrev.conventions.run_names import is_made_up
from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import sends_object, sent_properties
from docrev.facts.status_causes import message
from docrev.json_values.canonical import canonical
from docrev.json_values.scalars import is_number
from docrev.language.phrases import joined_names, sentence
from docrev.language.words import singular, words
from docrev.records import Call, Fact, Json
from docrev.revision.documented_values import DocumentedValue, is_declared_required, status_facts
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.places import Spot
from docrev.revision.quotations import is_quotable, quote, quote_message
from docrev.revision.state_notes import type_cases

_MIN_EQUAL = 3
"""Different numbers that must be equal in two responses."""
_COUNTS = frozenset("count counts number num n total size amount nb of".split())
MIN_WORDS = 5
"""Words of a message that says more than that something is missing."""


def same_number(value: DocumentedValue) -> str:
    """That a number in a response is what another GET of the same thing calls otherwise, beside other numbers."""
    use = value.spot.first
    status, _, pointer = use.location.partition(":")
    if value.is_parameter or not status.isdecimal() or pointer.count("/") != 1 or use.observed.key.method != "GET":
        return ""
    if "id" in words(value.spot.name):
        return ""
    for other in look_alikes(use.observed, value.observations):
        if name := equal_field(use.observed.good, value.spot.name, other.good):
            return f"The same as `{name}` of `{other.key.operation}`."
    return ""


def look_alikes(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[ObservedOperation]:
    """The other GETs of a tool that return something of one thing, as this one does."""
    for other in observations.operations:
        is_beside = other.key.tool == observed.key.tool and other is not observed and other.key.method == "GET"
        if is_beside and other.key.path.count("{") == observed.key.path.count("{") == 1:
            yield other


def equal_field(calls: Sequence[Call], name: str, others: Sequence[Call]) -> str:
    """The one number of other responses that is always the named one, of the same things; it has another name."""
    held = numbers_by_path(others)
    pairs = [
        (there[name], held[path]) for path, there in numbers_by_path(calls).items() if path in held and name in there
    ]
    if len({number for number, _ in pairs}) < _MIN_EQUAL:
        return ""
    fields = pairs[0][1]
    equal = [field for field in fields if all(there.get(field) == number for number, there in pairs)]
    is_sure = len(equal) == 1 and name not in fields and len(fields) > 1
    # Both count runs: `num_runs` and `run_count` say so.
    return equal[0] if is_sure and _counted(equal[0]) != _counted(name) else ""


def _counted(name: str) -> set[str]:
    """What a name says that is counted."""
    return {singular(word) for word in words(name)} - _COUNTS


def numbers_by_path(calls: Iterable[Call]) -> dict[str, dict[str, float]]:
    """The numbers in objects that were returned, by the path that was asked for."""
    objects = ((canonical(only_path(call.arguments)), call.body) for call in calls if isinstance(call.body, dict))
    return {path: {name: value for name, value in body.items() if is_number(value)} for path, body in objects}


def type_by(value: DocumentedValue) -> str:
    """The types of a field that its schema does not declare, with the value of the field that tells them."""
    facts = type_facts(value.spot)
    declared = value.spot.schema.type if value.spot.schema is not None else None
    if not facts or value.spot.kind != "property":
        return ""
    return sentence(type_cases(facts[0], declared, value.spot.text))


def type_facts(spot: Spot) -> list[Fact]:
    """The facts on types by another field: one user of a schema is enough, for others may return nothing there."""
    return [fact for use in spot.uses for fact in use.facts if fact.kind == "type-by"][:1]


def sometimes_required(value: DocumentedValue) -> str:
    """What requests without a property return in the API's words, if it is not known to be required of all of them."""
    is_inner = value.spot.first.location.count("/") != 1
    if value.is_parameter or is_inner or value.examples == "none" or _is_settled(value):
        return ""
    texts = {(status, text) for status, text in _refusals_without(value) if value.spot.name in words(text)}
    if len(texts) != 1:
        return ""
    [(status, text)] = texts
    kinds = _kinds_in_need(value, text)
    if not _is_usable(text):
        return _by_sort(value, kinds)
    if kinds:
        return f"Required if {kinds}; requests without it return {status}: {quote_message(text)}."
    return f"Requests without it may return {status}: {quote_message(text)}." if _is_blamed(value) else ""


def _by_sort(value: DocumentedValue, kinds: str) -> str:
    """That a property is required of some kinds, if a path names them: these are kinds, whatever an error says."""
    sorts = tuple(f"`{name}` " for name in _sorts_in_path(value))
    return f"Required if {kinds}." if kinds.startswith(sorts) else ""


def _is_usable(text: str) -> bool:
    return len(text.split()) >= MIN_WORDS and is_quotable(text) and not text.endswith("…")


def _is_settled(value: DocumentedValue) -> bool:
    """Whether a property is known to be required of all requests, or is one of several of which one is."""
    is_required = "required" in value.known or is_declared_required(value.spot)
    return is_required or bool(value.spot.first.observed.all("alternatives"))


def _kinds_in_need(value: DocumentedValue, text: str) -> str:
    """Of which things a property is required, as a condition: by the property that they and those without it differ in;
    "" if none tells them apart."""
    lacking = _lacking(value)
    named = _sorts_in_path(value)
    refused = [_told(call, named) for call in lacking if not call.ok and message(call.body) == text]
    accepted = [_told(call, named) for call in lacking if call.ok]
    conditions = (_condition(name, refused, accepted) for name in (refused[0] if refused and accepted else ()))
    found = next(filter(None, conditions), "")
    # What all those that were refused had besides, and none that was accepted, may be needed for the refusal.
    beside = sorted(set.intersection(*map(set, refused)).difference(*accepted)) if found else []
    return found + (f" and {joined_names(beside)} {_is_sent(beside)}" if beside else "")


def _sorts_in_path(value: DocumentedValue) -> list[str]:
    """The path parameters of an operation that take one of some documented values."""
    parameters = value.spot.first.observed.operation.parameters
    return [one.name for one in parameters if one.location == "path" and one.schema.enum]


def _told(call: Call, named: Iterable[str]) -> dict[str, Json]:
    """What a request says of its thing: the properties of its body, and the sorts in its path."""
    sorts = {name: call.arguments.get(f"path:{name}") for name in named}
    return {**sorts, **sent_properties(call)}


def _is_sent(names: Sequence[str]) -> str:
    return "is sent" if len(names) == 1 else "are sent"


def _condition(name: str, refused: Iterable[Mapping[str, Json]], accepted: Iterable[Mapping[str, Json]]) -> str:
    """Which texts the refused bodies have in a property, if each accepted one has another text there."""
    needing, free = (_texts_in(name, bodies) for bodies in (refused, accepted))
    kinds = sorted(quote(kind) for kind in needing if kind and not is_made_up(kind))
    return f"`{name}` is {' or '.join(kinds)}" if kinds and "" not in free and not needing & free else ""


def _texts_in(name: str, bodies: Iterable[Mapping[str, Json]]) -> set[str]:
    """The texts that bodies have in a property; "" for another value, or none."""
    values = (body.get(name) for body in bodies)
    return {value if isinstance(value, str) else "" for value in values}


def _refusals_without(value: DocumentedValue) -> Iterator[tuple[int, str]]:
    """(status, message) of the requests that were refused and lacked a property."""
    for call in _lacking(value):
        if call.status in INVALID:
            yield call.status or 0, message(call.body)


def _is_blamed(value: DocumentedValue) -> bool:
    """Whether all that shows it says that requests were refused for lacking a property."""
    return any(cause.cause == f"{value.spot.name} missing" for _, cause in status_facts(value.spot.first))


def _lacking(value: DocumentedValue) -> list[Call]:
    """The requests whose body lacked a property."""
    observed = value.spot.first.observed
    calls = (call for call in (*observed.good, *observed.bad) if sends_object(call))
    return [call for call in calls if value.spot.name not in sent_properties(call)]


def nullable(value: DocumentedValue) -> str:
    """That a property of a response may be null."""
    stated = "null" in value.purpose.split()
    return "May be null." if "nullable" in value.known and not value.is_parameter and not stated else ""
