"""`type`: the JSON type of a parameter, a request property or a part of a response."""

from __future__ import annotations

from itertools import chain, islice

from docrev.conventions.error_claims import TYPED
from docrev.evidence.queries import reader_at
from docrev.facts.call_values import MAX_NAMED, ids, is_response, present_values
from docrev.facts.evidence_view import EvidenceView
from docrev.facts.kind import VALUE, Facts, Kind, TextValue
from docrev.facts.origins import Origin
from docrev.facts.parameter_trials import ParameterTrials
from docrev.facts.samples import Accepted, Sample
from docrev.facts.shape import MAX_CALLS, one_type, type_name
from docrev.facts.trials import TrialCalls, list_in
from docrev.facts.wire_values import is_fraction, number
from docrev.records import Call, Fact
from docrev.spec import Operation
from docrev.spec.schema import places_in

_NUMBERS = ("integer", "number")
_TRUTHS = ("true", "false")
_HITS = 2
"""How many values must have been accepted, or refused, before they show a type that no message states."""


def _of_type(fact: Fact, value: object) -> bool:
    return type_name(value) == fact.value or (fact.value == "number" and type_name(value) == "integer")


def _reads_as(fact: Fact, value: object) -> bool:
    """Whether a value in a URL, where everything is text, may be meant as one of the type."""
    if fact.value in ("integer", "number"):
        return value == "" or number(value) is not None
    return fact.value != "boolean" or str(value).lower() in ("", "0", "1", "true", "false")


def _in_url(fact: Fact) -> bool:
    return not fact.location.startswith("body:") and not is_response(fact.location)


def _shows(fact: Fact, call: Call) -> bool:
    values = present_values(call, fact.location)
    return bool(values) and (_in_url(fact) or all(_of_type(fact, value) for value in values))


def _refutes(fact: Fact, call: Call) -> bool:
    holds = _reads_as if _in_url(fact) else _of_type
    return any(not holds(fact, value) for value in present_values(call, fact.location))


def _from_trials(trials: ParameterTrials) -> Facts:
    analyses = (_in_body,) if trials.in_body else (_of_rejected_texts, _of_allowed_values, _of_chosen_items)
    return islice(chain.from_iterable(analysis(trials) for analysis in analyses), 1)


def _fact(trials: ParameterTrials, name: str, *calls: str) -> Fact:
    return KIND.fact(trials.key, trials.location, TextValue(name), calls)


def _in_body(trials: ParameterTrials) -> Facts:
    """The one JSON type of all that was accepted, if something else was rejected: so the property is read."""
    types = {type_name(value): call for value, call in reversed(trials.accepted) if value is not None}
    name = one_type(types)
    rejected = [one for one in trials.sent if one.rejected]
    fraction_rejected = any(isinstance(one.value, float) and not one.is_bounded for one in rejected)
    if name is not None and rejected and (name != "integer" or fraction_rejected):
        yield _fact(trials, name, *dict.fromkeys((rejected[0].call.id, *types.values())))


def _of_rejected_texts(trials: ParameterTrials) -> Facts:
    """A number, an integer or a truth value, if what reads as none is rejected."""
    refused = [one for one in trials.sent if one.rejected and _is_word(one.value)]
    if not refused or _accepts_words(trials) or trials.states("allowed-values", "pattern"):
        return
    stated = {values[0] for kind in TYPED for values, _ in trials.statements(kind)}
    if stated == {"boolean"}:
        yield from _truth_value(trials, refused)
    elif not stated or not stated.isdisjoint(_NUMBERS):
        yield from _number(trials, refused, stated)


def _accepts_words(trials: ParameterTrials) -> bool:
    return any(_is_word(value) and value not in _TRUTHS for value, _ in trials.accepted)


def _truth_value(trials: ParameterTrials, refused: list[TrialCalls]) -> Facts:
    truths = (call for value, call in trials.accepted if value in (True, False, *_TRUTHS))
    yield from (_fact(trials, "boolean", refused[0].call.id, call) for call in islice(truths, 1))


def _number(trials: ParameterTrials, refused: list[TrialCalls], stated: set[str]) -> Facts:
    """A number if a fraction was accepted; an integer if one was refused, or messages state it."""
    numbers = _accepted_numbers(trials)
    whole = [call for n, call in numbers if n.is_integer()]
    accepted, rejected = _fractions(trials)
    refusals = len({one.value for one in refused}) + bool(rejected)
    if refusals < _HITS or len(numbers) < (1 if stated else _HITS):
        return
    if accepted:
        yield _fact(trials, "number", refused[0].call.id, accepted[0])
    elif whole and (rejected or "integer" in stated):
        yield _fact(trials, "integer", refused[0].call.id, whole[0], *rejected[:1])


def _accepted_numbers(trials: ParameterTrials) -> list[tuple[float, str]]:
    """The numbers that were accepted, by size, each with its call."""
    return sorted((float(n), call) for value, call in trials.accepted if (n := number(value)) is not None)


def _fractions(trials: ParameterTrials) -> tuple[list[str], list[str]]:
    """The calls that sent a fraction: those accepted, and those rejected for more than its size."""
    calls = [one for one in trials.sent if is_fraction(one.value)]
    return [one.call.id for one in calls if one.ok], [
        one.call.id for one in calls if one.rejected and not one.is_bounded
    ]


def _of_allowed_values(trials: ParameterTrials) -> Facts:
    for fact in trials.found.get("allowed-values", ()):
        if all(number(value) is None for value in fact.value):
            yield _fact(trials, "string", *fact.calls[:2])


def _of_chosen_items(trials: ParameterTrials) -> Facts:
    """A string, if a text that is neither a number nor a truth value chose items."""
    calls = {call for fact in trials.effects.get("choose", ()) for call in fact.calls}
    for one in trials.sent:
        if one.call.id in calls and _is_word(one.value) and one.value not in _TRUTHS and not trials.same(one):
            found = list_in(one.call)
            if found is not None and found.items:
                yield _fact(trials, "string", *reversed(one.calls))


def _is_word(value: object) -> bool:
    return isinstance(value, str) and number(value) is None


def _from_calls(view: EvidenceView) -> Facts:
    for sample in view.samples.values():
        typed = ((location, place.type, place.valued) for location, place in sample.places)
        yield from (KIND.fact(sample.key, location, TextValue(name), calls) for location, name, calls in typed if name)
        yield from _of_arguments(sample, view.origins.get(sample.key, {}), view)
    for refusal in view.refusals:
        yield KIND.fact(refusal.key, f"{refusal.status}:", TextValue("object"), ids(refusal.calls))
        for location, place in refusal.fields:
            if place.type is not None and not place.nulls:
                yield KIND.fact(refusal.key, location, TextValue(place.type), place.calls[:MAX_NAMED])


def _of_arguments(sample: Sample, origins: dict[str, list[Origin]], view: EvidenceView) -> Facts:
    operation = view.catalog[sample.key]
    for location, accepted in sorted(sample.accepted.items()):
        if _is_sent_back(operation, location, view):
            continue
        name = _sent_type(location, accepted, origins.get(location, []))
        may_be_more = name == "integer" and _may_be_more(operation, location, view)
        if name is not None and not may_be_more:
            calls = dict.fromkeys(call for _, call in accepted.values)
            yield KIND.fact(sample.key, location, TextValue(name), tuple(calls)[:MAX_CALLS])


def _may_be_more(operation: Operation, location: str, view: EvidenceView) -> bool:
    """Whether an argument may be something else than a whole number: in a URL, that digits were accepted does not show
    that nothing else would be, and probes may show that it is.
    """
    if location.startswith("body:"):
        return False
    parameter = operation.parameter(location)
    if parameter is not None and parameter.schema.type_of_one in ("string", "number"):
        return True
    calls = view.observations[operation.key].calls
    sent = (call.arguments[location] for call in calls if call.ok and location in call.arguments)
    return any(value != "" and (number(value) is None or is_fraction(value)) for value in sent)


def _is_sent_back(operation: Operation, location: str, view: EvidenceView) -> bool:
    """Whether a property that the body does not declare is one that a GET returns: that it was accepted with all the
    rest that was sent back does not show that it is read.
    """
    declared = {at for at, _ in places_in(operation.body_schema) if at}
    at = location.removeprefix("body:")
    reader = reader_at(view.samples, operation.tool, operation.path)
    if not location.startswith("body:/") or not declared or at in declared or reader is None:
        return False
    return any(place.endswith(at) for shape in reader.shapes.values() for place in shape)


def _sent_type(location: str, accepted: Accepted, origins: list[Origin]) -> str | None:
    """The type of what was accepted at a location, or None."""
    values = [value for value, _ in accepted.values]
    if not values or location == "body:":
        return None
    types = {type_name(value) for value in values}
    if location.startswith("body:"):
        return one_type(types - {"null"})
    # In a URL everything is text: what does not read as a number must be one; digits say nothing by themselves.
    if types & {"array", "object"}:
        return "array" if types == {"array"} else None
    if not all(map(_is_literal, accepted.texts)):
        return "string"
    return "integer" if {origin.type for origin in origins} == {"integer"} else None


def _is_literal(text: str) -> bool:
    """Whether a text could also be meant as a number, a truth value or null."""
    try:
        float(text)
    except ValueError:
        return text.lower() in ("true", "false", "null", "none", "")
    return True


KIND = Kind("type", TextValue, VALUE, shows=_shows, refutes=_refutes, from_trials=_from_trials, from_calls=_from_calls)
