"""What is appended to the purpose of a parameter or property: one sentence for each kind of fact.

`SENTENCES` is in the order of importance: without room for all, the last are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from docrev.conventions.parameters import PAGING, role_of
from docrev.conventions.statuses import INVALID
from docrev.grouping import only
from docrev.language import documentation_phrases as phrases
from docrev.records import ChangeClass, Fact
from docrev.revision import trap_notes
from docrev.revision.cut_lists import all_items
from docrev.revision.documented_values import DocumentedValue, correction, is_declared_required, status_facts
from docrev.revision.identifier_notes import comes_from, identifier, in_details, other_numbers, refused_field, source_of
from docrev.revision.notes import Statement
from docrev.revision.observations import CatalogObservations
from docrev.revision.order_notes import sorts
from docrev.revision.places import Spot, items_of
from docrev.revision.property_notes import nullable, same_number, sometimes_required, type_by, type_facts
from docrev.revision.quotations import quote
from docrev.revision.refutations import CODE
from docrev.revision.supported_values import supported
from docrev.revision.validity_notes import (
    accepted_words,
    allowed_values,
    characters,
    clamps,
    default,
    failure,
    length,
    number_range,
    partners,
    pattern,
    refusal,
    refusal_messages,
    stated_format,
    text_format,
    type_name,
)
from docrev.settings.choices import Examples

MAX_CALLS = 5
_MADE = re.compile(r"(?=.*\d[A-Z])[A-Z\d]{5,}")
"""A code that a program made, of capitals and digits in turn."""


def of_value(spot: Spot, observations: CatalogObservations, purpose: str, *, examples: Examples) -> list[Statement]:
    """The statements on a parameter or a property, beside its `purpose`, the most important first."""
    value = DocumentedValue(spot, observations, purpose, examples)
    rows = [IGNORED] if ignored(value) else SENTENCES
    if trap_notes.has_true_choices(spot):
        rows = [row for row in rows if row[0] != "unknown-values" and row[1] != "example"]
    statements = [
        Statement(text, kind, category, *_shown_by(value, kind), _about(value, kind), _quotes(value, sentence))
        for kind, category, sentence in rows
        if (text := sentence(value))
    ]
    return [one for one in statements if not _shows_again(one, statements)]


def _shows_again(statement: Statement, statements: Sequence[Statement]) -> bool:
    """Whether an example is a value that another sentence names: "Must be a supported value, such as `CN`." """
    shown = statement.quotes if statement.category == "example" and not statement.kind else ()
    return any(f"`{value}`" in other.text for other in statements if other is not statement for value in shown)


def _shown_by(value: DocumentedValue, kind: str) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
    """The facts and calls that show the sentence on a kind of fact; of an example, calls alone."""
    if not kind:
        return (), tuple(_calls(value))
    if kind == "type-by":
        return tuple(type_facts(value.spot)), ()
    facts = value.known.all(kind) or [fact for fact in value.spot.related if fact.kind == kind]
    if kind in ("required", "status"):
        facts = [*facts, *(fact for fact, _ in status_facts(value.spot.first))]
    return tuple(facts), ()


def _about(value: DocumentedValue, kind: str) -> str:
    """The field of which operation a sentence says that values come from; "" of any other sentence."""
    source = source_of(value) if kind == "comes-from" else None
    return f"{source.operation.operation} {source.name}" if source is not None else ""


def _quotes(value: DocumentedValue, sentence: Callable[[DocumentedValue], str]) -> tuple[str, ...]:
    """What a sentence quotes of the API: a message, or values."""
    quoted = _QUOTING[sentence](value) if sentence in _QUOTING else ()
    return tuple(text.strip("`") for text in quoted if text)


def _calls(value: DocumentedValue) -> list[str]:
    """The calls with the value that is the example; without one, any."""
    with_example = (call for seen, call in value.spot.values if not value.example or quote(seen) == value.example)
    return (list(dict.fromkeys(with_example)) or [call for _, call in value.spot.values])[:MAX_CALLS]


def ignored(value: DocumentedValue) -> str:
    """That it has no effect; there is then nothing else to say."""
    return "Has no effect." if "ignored" in value.known else ""


def required(value: DocumentedValue) -> str:
    """That it is required, if its document does not say so; with an unusual status of requests without it."""
    if not (value.is_parameter or value.spot.first.location.startswith("body:")) or is_declared_required(value.spot):
        return ""
    if "required" not in value.known:
        return ""
    status = _status_without(value.spot)
    return "Required." if status is None or status in INVALID else phrases.REQUIRED.write(status=status)


def _status_without(spot: Spot) -> int | None:
    """The status of requests without a parameter, if all users return the same."""
    found: set[int | None] = set()
    for use in spot.uses:
        causes = (cause for _, cause in status_facts(use) if cause.cause.endswith(" missing"))
        found.add(next((cause.status for cause in causes), None))
    return only(found)


def observed_values(value: DocumentedValue) -> str:
    """The values that were observed; others may exist."""
    return f"Observed values: {', '.join(value.observed)}." if value.observed else ""


def required_of_use(spot: Spot, observations: CatalogObservations, examples: Examples) -> list[Fact]:
    """The facts that a value is required at one place, if its document does not say so."""
    value = DocumentedValue(spot, observations, "", examples)
    return [] if is_declared_required(spot) else value.known.all("required")


def rules_of_use(
    spot: Spot, observations: CatalogObservations, examples: Examples
) -> Iterator[tuple[str, tuple[Fact, ...]]]:
    """What values must be like at one place: a predicate with its facts, each rule that refusals state."""
    value = DocumentedValue(spot, observations, "", examples)
    for kind, rule in (*_RULES, ("default", default)):
        is_natural = value.is_parameter or value.known.value("default") in (None, False, "")
        if not (kind == "default" and is_natural) and (text := rule(value)):
            yield text, tuple(value.known.all(kind))
    if not value.is_parameter and (text := supported(value)):
        yield text, tuple(fact for fact, cause in status_facts(spot.first) if cause.cause.endswith(" not valid"))


_RULES: tuple[tuple[str, Callable[[DocumentedValue], str]], ...] = (
    ("length", length),
    ("characters", characters),
    ("pattern", pattern),
    ("format", stated_format),
)
"""What refusals state of a text, by kind of fact."""


def of_each(value: DocumentedValue) -> str:
    """What each item of a list in a request body must be like."""
    items = items_of(value.spot) if len(value.spot.uses) == 1 else None
    if items is None:
        return ""
    found = (rule(DocumentedValue(items, value.observations, "", value.examples)) for _, rule in _RULES)
    text = next(filter(None, found), "")
    return f"Each {text[0].lower()}{text[1:]}" if text else ""


def unknown_values(value: DocumentedValue) -> str:
    """That unknown values are ignored, where one would expect an error."""
    declared = value.spot.schema.type if value.spot.schema is not None else None
    # Nobody sends a word as a number, or as one of two.
    is_number = declared in ("boolean", "integer", "number") or role_of(value.spot.name) in PAGING
    if value.known.value("unknown-values") != "ignored" or is_number:
        return ""
    return f"Unknown {'fields' if sorts(value) else 'values'} are ignored."


def example(value: DocumentedValue) -> str:
    """An example; of a code, with the list that has it in a field which the parameter is not named after."""
    shown, spot = value.example, value.spot
    if not shown or _MADE.fullmatch(shown.strip("`")) or shown in accepted_words(value):
        return ""
    listed = _listed(value) if value.is_parameter and CODE.fullmatch(shown.strip("`")) else ""
    if not listed and spot.schema is not None and spot.schema.pattern:
        # It may have been made from the pattern, which says more.
        return ""
    is_news = bool(listed) and listed not in comes_from(value)
    return phrases.EXAMPLE.write(value=f"{shown}, {listed}" if is_news else shown)


def code_source(value: DocumentedValue) -> str:
    """Where codes are that a program made: one of them is of this instance alone, and no example."""
    listed = _listed(value) if _MADE.fullmatch(value.example.strip("`")) else ""
    return f"A code, {listed}." if listed else ""


def _listed(value: DocumentedValue) -> str:
    """The list that has a code in a field which the parameter is not named after."""
    spot = value.spot
    listed = value.observations.listed_code(spot.first.observed.key.tool, value.example.strip("`"), spot.name)
    return f"as in `{listed[0]}` of `{listed[1]}`" if listed is not None else ""


def _of_spot(write: Callable[[Spot], str]) -> Callable[[DocumentedValue], str]:
    return lambda value: write(value.spot)


_QUOTING: Mapping[Callable[[DocumentedValue], str], Callable[[DocumentedValue], Iterable[str]]] = {
    refusal: refusal_messages,
    observed_values: lambda value: value.observed,
    example: lambda value: [value.example],
}
"""What sentences quote, with backticks."""
Sentence = tuple[str, ChangeClass, Callable[[DocumentedValue], str]]
IGNORED: Sentence = ("ignored", "trap", ignored)
SENTENCES: tuple[Sentence, ...] = (
    IGNORED,
    ("", "correction", correction),
    ("", "correction", identifier),
    ("type-by", "correction", type_by),
    ("at-least", "trap", in_details),
    ("", "trap", other_numbers),
    ("", "trap", same_number),
    ("", "trap", lambda value: all_items(value.spot, value.observations)),
    *((kind, category, _of_spot(write)) for kind, category, write in trap_notes.SENTENCES),
    ("", "trap", refused_field),
    ("required", "bound", required),
    ("required", "bound", sometimes_required),
    ("comes-from", "source", comes_from),
    ("", "source", code_source),
    ("allowed-values", "bound", allowed_values),
    ("sorts", "bound", sorts),
    ("", "bound", accepted_words),
    ("", "bound", supported),
    ("observed-values", "example", observed_values),
    ("default", "bound", default),
    ("clamps", "trap", clamps),
    ("type", "bound", type_name),
    ("range", "bound", number_range),
    ("length", "bound", length),
    ("pattern", "bound", pattern),
    ("characters", "bound", characters),
    ("partners", "trap", partners),
    ("format", "bound", text_format),
    ("", "bound", of_each),
    ("unknown-values", "trap", unknown_values),
    ("status", "undeclared", refusal),
    ("status", "undeclared", failure),
    ("nullable", "undeclared", nullable),
    ("", "example", example),
)
"""The kind of fact that each sentence rests on ("" for one that rests on calls alone) and its class."""
