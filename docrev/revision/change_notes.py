"""What happens to a change whose condition is false, to a property that is sent as null, and to what a GET returned and
is sent back; and what a response has not yet, as statements."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from docrev.conventions.error_hints import hints_of
from docrev.conventions.preconditions import IF_MATCH
from docrev.conventions.run_names import is_invented
from docrev.facts.kinds import nulls as nulls_kind
from docrev.grouping import grouped
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined_names
from docrev.records import Fact
from docrev.revision import labels
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.quotations import is_quotable, quote, quote_message
from docrev.revision.thing_deletions import own_noun
from docrev.revision.value_sources import operation_key
from docrev.spec.schema import properties_of

_FATES = {
    nulls_kind.REMOVED: "A property{} that is sent as null is removed.",
    nulls_kind.STORED: "A property{} that is sent as null is not removed: null is stored.",
    nulls_kind.KEPT: "A property{} that is sent as null keeps its value.",
    nulls_kind.RESET: "A property{} that is sent as null gets its default value.",
}


def conditions(observed: ObservedOperation) -> Iterator[Statement]:
    """What a false condition comes to; that one is ignored is news only where the document declares the header."""
    declared = {each.name.lower(): each for each in observed.operation.parameters if each.location == "header"}
    for fact in observed.all("conditions"):
        header, status = fact.value["header"], fact.value.get("status")
        parameter = declared.get(header.lower())
        if status is None and parameter is not None:
            yield Statement(f"`{header}` is ignored.", facts=(fact,))
        elif status is not None and not (parameter is not None and parameter.description.strip()):
            yield Statement(_refusal(header, status, observed), facts=(fact,))


def _refusal(header: str, status: int, observed: ObservedOperation) -> str:
    if header == IF_MATCH:
        return f"If `{header}` is not the current `ETag`, returns {status}."
    return f"With `{header}: *`, returns {status} if the {subject(observed.key.path).noun or 'ID'} exists."


def common_condition(statement: Statement) -> str:
    """A statement on a condition as most writes share it."""
    header, status = (statement.facts[0].value.get(name) for name in ("header", "status"))
    if status is None:
        return f"`{header}` is ignored."
    if header == IF_MATCH:
        return f"A write with an `{header}` that is not the current `ETag` returns {status}."
    return f"A `PUT` with `{header}: *` returns {status} if there is something already."


def nulls(observed: ObservedOperation) -> Iterator[Statement]:
    """What becomes of a value for which null is sent, and in which media type where others may say otherwise (RFC 7396
    removes it)."""
    body = observed.operation.body
    for fact in observed.all("nulls"):
        around = ".".join(labels.steps(fact.location.removeprefix("body")))
        text = _FATES[fact.value].format(f" of `{around}`" if around else "")
        if body is not None and body.others:
            text = f"With `{body.media_type}`, {text[0].lower()}{text[1:]}"
        yield Statement(text, facts=(fact,))


def in_method(statement: Statement) -> str:
    """A statement on changes as most operations with their method share it."""
    return f"In a `{statement.facts[0].key.method}`, {statement.text[0].lower()}{statement.text[1:]}"


def sent_back(observed: ObservedOperation) -> Iterator[Statement]:
    """That one cannot read a thing, change it and send it back."""
    for fact in observed.all("sent-back"):
        message, reader = fact.value.get("message", ""), operation_key(fact.value["operation"]).operation
        named, not_accepted = _blamed(message, observed), _not_accepted(observed, fact)
        # What the run itself added made the difference: its own rules for a thing, its own members of it.
        is_said = (named and _is_null_against_schema(observed, fact, named)) or _are_excluded(observed, not_accepted)
        if not is_invented(message) and not is_said:
            why = _why_refused(message, not_accepted, named)
            text = f"Returns {fact.value['status']} for the unchanged response of `{reader}`{why}."
            yield Statement(text, facts=(fact,))


def _why_refused(message: str, not_accepted: list[str], named: str) -> str:
    """Why it is refused: for properties that are not accepted, or as the message says, of which half is of no use."""
    if not_accepted:
        return f": {joined_names(not_accepted)} {'is' if len(not_accepted) == 1 else 'are'} not accepted"
    if _is_cut(message):
        return f", because of `{named}`" if named else ""
    return f": {quote_message(message)}" if is_quotable(message) else ""


def _is_cut(message: str) -> bool:
    return message.endswith("…")


def _not_accepted(observed: ObservedOperation, fact: Fact) -> list[str]:
    """The properties that are not accepted in a request, if a refusal says nothing but which these are."""
    refused = next((call for call in observed.bad if call.id in fact.calls), None)
    hints = hints_of(refused) if refused is not None else []
    names = [hint.name for hint in hints if hint.kind == "unknown" and hint.name]
    return names if len(names) == len(hints) else []


def _blamed(message: str, observed: ObservedOperation) -> str:
    """The one property of the request body that the half of a message names; "" if it is whole, or names several."""
    said = {*re.findall(r"[\w-]+", message)}
    named = [name for name in properties_of(observed.operation.body_schema) if name in said]
    return named[0] if _is_cut(message) and len(named) == 1 else ""


def _are_excluded(observed: ObservedOperation, names: Collection[str]) -> bool:
    """Whether the schema of a body says that it takes no properties but its own, and these are none of them."""
    schema = observed.operation.body_schema
    is_closed = schema is not None and schema.get("additionalProperties") is False
    return is_closed and bool(names) and properties_of(schema).keys().isdisjoint(names)


def _is_null_against_schema(observed: ObservedOperation, fact: Fact, name: str) -> bool:
    """Whether what was refused is a null that the schema of a property does not allow either."""
    declared = properties_of(observed.operation.body_schema)[name]
    sent = [call.arguments.get("body:") for call in observed.bad if call.id in fact.calls]
    is_null = bool(sent) and all(isinstance(body, dict) and body.get(name, "") is None for body in sent)
    return is_null and declared.type is not None and not declared.nullable


def withheld(observed: ObservedOperation) -> Iterator[Statement]:
    """The fields that are null in the response to a change, although the thing has them."""
    news = (fact for fact in observed.all("withheld") if not _says_null(observed, fact))
    for reader, facts in grouped((fact.value, fact) for fact in news).items():
        names = joined_names(labels.field_name(fact.location) for fact in facts)
        them = "it" if len(facts) == 1 else "them"
        # The things of the run are much alike: of others there may be more.
        text = f"In the response, {names} may be null; `{operation_key(reader).operation}` returns {them}."
        yield Statement(text, facts=tuple(facts))


def _says_null(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether the text of a field of a response says that it may be null."""
    place = observed.declared(fact.location)
    return place is not None and re.search(r"\bnull\b", place.description, re.IGNORECASE) is not None


def starts_as(observed: ObservedOperation) -> Iterator[Statement]:
    """In which state new things are, unless it passes by itself, or stands as the default of what may be sent."""
    for fact in observed.all("starts-as"):
        at = fact.location.partition(":")[2]
        told = [one for kind in ("becomes", "default") for one in observed.all(kind) if one.location.endswith(f":{at}")]
        declared = observed.declared(fact.location)
        is_only = declared is not None and declared.enum is not None and len(declared.enum) == 1
        if not told and not is_only:
            text = f"A new {own_noun(observed)} has {quote(fact.value)} as its `{labels.field_name(fact.location)}`."
            yield Statement(text, facts=(fact,))


def becomes(observed: ObservedOperation) -> Iterator[Statement]:
    """That what was created is not ready at once."""
    for fact in observed.all("becomes"):
        first, later = (quote(fact.value[name]) for name in ("first", "later"))
        reader = operation_key(fact.value["operation"]).operation
        text = f"At first `{labels.field_name(fact.location)}` is {first}; later `{reader}` returns {later}."
        yield Statement(text, facts=(fact,))
