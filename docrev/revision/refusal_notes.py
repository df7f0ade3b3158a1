"""Requests that an operation refuses for some things and accepts for others, and how these things differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from http import HTTPStatus

from docrev.calls.routes import only_path, without_path
from docrev.conventions.error_absence import absent_thing
from docrev.conventions.error_hints import hints_of
from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import sent_properties
from docrev.facts.status_causes import message
from docrev.grouping import grouped
from docrev.json_values.leaves import objects
from docrev.language.path_subjects import subject
from docrev.language.path_templates import parameters_of
from docrev.language.phrases import joined_names
from docrev.language.words import plural, singular, words
from docrev.records import Call
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.quotations import is_quotable, quote_message
from docrev.spec.schema import properties_of

MAX_CALLS = 5
_MIN_WORDS = 5
"""Words of a message that says more than that something is not valid."""
_MIN_THINGS = 2
_MAX_DEPTH = 3
_MAX_WORD = 20
"""Characters of a value that names a kind of thing."""


def some_refused(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[Statement]:
    """What the API says of things on which a request is refused that it accepts on others."""
    for (status, text), calls in sorted(refused_on_some(observed).items()):
        if len({_thing(call) for call in calls}) >= _MIN_THINGS and _explains(observed, text):
            ids = tuple(call.id for call in calls[:MAX_CALLS])
            refused = [call for call in observed.bad if (call.status, message(call.body)) == (status, text)]
            which = _told_by(observed, observations, refused)
            yield Statement(f"{which} returns {status}: {quote_message(text)}.", calls=ids)


def needed_to_replace(observed: ObservedOperation) -> Iterator[Statement]:
    """What a PUT needs for what is there already, though it creates the same without: refusals name what they lack."""
    refused = _refused_if_there(observed) if observed.key.method == "PUT" and "{" in observed.key.path else []
    by_status = grouped(
        (call.status or 0, (name, call.id)) for call in refused for name in _said_lacking(observed, call)
    )
    for status, lacking in sorted(by_status.items()):
        calls = dict(sorted(lacking))
        thing = parameters_of(observed.key.path)[-1]
        text = f"If the `{thing}` exists already, requests without {joined_names(calls, 'or')} may return {status}."
        yield Statement(text, calls=tuple(calls.values()))


def _refused_if_there(observed: ObservedOperation) -> list[Call]:
    """The refused requests that created other things; one thing that the run is known to have made must be among those
    that were refused."""
    made = [call for call in observed.good if call.status == HTTPStatus.CREATED]
    bodies = [without_path(call.arguments) for call in made]
    refused = [call for call in observed.bad if call.status in INVALID and without_path(call.arguments) in bodies]
    return refused if {*map(_thing, made)} & {*map(_thing, refused)} else []


def _said_lacking(observed: ObservedOperation, call: Call) -> set[str]:
    """The declared properties that a request did not have and its refusal says to be missing."""
    schema = observed.operation.body_schema
    named = {hint.name for hint in hints_of(call) if hint.kind == "required"}
    return (named & {*properties_of(schema)}).difference(sent_properties(call))


def refused_on_some(observed: ObservedOperation) -> dict[tuple[int, str], list[Call]]:
    """By status and message: the refused requests that were accepted on another thing."""
    accepted = [without_path(call.arguments) for call in observed.good]
    bad = (call for call in observed.bad if call.status in INVALID and without_path(call.arguments) in accepted)
    return grouped(((call.status or 0, message(call.body)), call) for call in bad)


def _explains(observed: ObservedOperation, text: str) -> bool:
    """Whether a message is a sentence that others can use, and is about no form of an ID, see the parameter, nor about
    what is not there, as everybody expects."""
    causes = (fact.value for fact in observed.at("") if fact.kind == "status")
    blamed = {cause.get("message") for cause in causes if str(cause.get("parameter")).startswith("path:")}
    is_sentence = len(text.split()) >= _MIN_WORDS and not text.endswith("…")
    return is_sentence and text not in blamed and is_quotable(text) and absent_thing(text) is None


def _thing(call: Call) -> str:
    """The value that identifies the innermost thing of a path; "" without one."""
    return str(next(reversed(only_path(call.arguments).values()), ""))


def _told_by(observed: ObservedOperation, observations: CatalogObservations, calls: Sequence[Call]) -> str:
    """A condition: the value of a field that all the accepted things have, or all the refused ones and no accepted one;
    else that some are refused."""
    name = next(reversed(only_path(calls[0].arguments)), ":").partition(":")[2]
    noun = subject(observed.key.path.partition("{" + name + "}")[0]).noun
    known = _kinds_of_things(observations, observed.key.tool)
    refused = [known[thing] for thing in {*map(_thing, calls)} if thing in known]
    accepted = [known[thing] for thing in {*map(_thing, observed.good)} if thing in known]
    if len(refused) >= _MIN_THINGS and accepted:
        telling = set.intersection(*refused).difference(*accepted)
        said = {*map(singular, words(message(calls[0].body).lower()))}
        # What the message itself names is what it is about.
        for field, value in sorted(telling, key=lambda pair: (singular(pair[1]) not in said, pair)):
            return _condition(f"existing {noun or 'thing'} at `{name}`", field, value, accepted)
    # It is no mistake in the value: the thing that it names is as it is.
    return f"For some {plural(noun)}," if noun else f"For some values of `{name}`,"


def _condition(thing: str, field: str, refused: str, accepted: Sequence[set[tuple[str, str]]]) -> str:
    """What a thing must be, or must not be; a property of the request body may have the same name as the field."""
    taken = {other for known in accepted for at, other in known if at == field}
    if len(taken) == 1:
        return f"The {thing} must have `{field}` `{taken.pop()}`; otherwise"
    return f"If the {thing} has `{field}` `{refused}`,"


def _kinds_of_things(observations: CatalogObservations, tool: str) -> dict[str, set[tuple[str, str]]]:
    """What things are by their fields with one word, for each value that they may be identified by."""
    found: dict[str, set[tuple[str, str]]] = {}
    for observed in observations.operations:
        for call in observed.good if observed.key.tool == tool else ():
            for thing in objects(call.body, depth=_MAX_DEPTH):
                texts = {(name, value) for name, value in thing.items() if isinstance(value, str) and value}
                kinds = {(name, value) for name, value in texts if _is_kind(value)}
                for _, value in texts - kinds:
                    found.setdefault(value, set()).update(kinds)
    return found


def _is_kind(value: str) -> bool:
    return len(value) <= _MAX_WORD and value.isalpha() and value.islower()
