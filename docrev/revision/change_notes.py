"""What happens to a change whose condition is false, and to a property that is sent as null, as statements."""

from __future__ import annotations

from collections.abc import Iterator

from docrev.conventions.preconditions import IF_MATCH
from docrev.facts.kinds import nulls as nulls_kind
from docrev.language.path_subjects import subject
from docrev.revision import labels
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation

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
