"""What a parameter takes of the things that it identifies: which field, from where, and which not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docrev.conventions.statuses import INVALID
from docrev.evidence.queries import reader_at
from docrev.facts.kinds.format import FORMATS
from docrev.facts.registry import BOUNDS
from docrev.facts.status_causes import Cause, message
from docrev.json_values.containers import mapping
from docrev.language.patterns import is_pattern
from docrev.language.phrases import joined_names
from docrev.language.verbs import READING
from docrev.language.words import word_set, words
from docrev.records import Call, Json
from docrev.revision.documented_values import MIN_ALIKE, DocumentedValue, correction, item_path, status_facts
from docrev.revision.observations import CatalogObservations
from docrev.revision.place_facts import last
from docrev.revision.quotations import quote
from docrev.revision.uses import Use
from docrev.revision.value_sources import ValueSource, best_source, collection_of, find_sources

_MIN_THINGS = 2
"""Things that must have been found by another field than their ID."""
_PLAIN_NAMES = ("name", "Name", "some-name", "some_name", "Some name")
_NUMBERS = frozenset(["number", "no", "nr", "ref", "reference", "code", "key", "sku", "serial"])
"""Words at the end of the names of fields by which people know things beside their IDs."""
_OF_OTHERS = word_set("calling country currency error language locale phone postal status tax zip")
"""Words before these of what many things have in common: nobody asks for a region by its currency."""


def identifier(value: DocumentedValue) -> str:
    """That the last parameter of a path takes another field of the thing than the ID that it is called after."""
    use, name = value.spot.first, value.spot.name
    if "not a UUID" in value.spot.text or ("UUID" in value.spot.text and correction(value)):
        return ""
    # What is said to take both may take the other as well, of things that were not tried.
    if "or" in {*words(name), *value.spot.text.lower().split()}:
        return ""
    if not use.observed.key.path.rstrip("/").endswith(f"{{{name}}}") or "id" not in {
        *words(name),
        *words(value.spot.text),
    }:
        return ""
    taken, said = _fields_taken(use), {*words(value.spot.text.lower())}
    if not taken or not taken.isdisjoint(("id", name)) or any({*words(field)} <= said for field in taken):
        return ""
    return f"Takes the `{min(taken)}`, not the `id`."


def _fields_taken(use: Use) -> set[str]:
    """The fields that had, in each of several things, the value by which the thing was asked for."""
    same: list[set[str]] = []
    for call in use.observed.good:
        thing, sent = _thing(call.body), str(call.arguments.get(use.location))
        if str(thing.get("id")) == sent:
            return set()
        if "id" in thing:
            same.append({field for field, held in thing.items() if isinstance(held, str) and held == sent})
    return set.intersection(*same) if len(same) >= _MIN_THINGS else set()


def in_details(value: DocumentedValue) -> str:
    """Where the field that a number is compared with is, if the list does not show it."""
    found = [fact for fact in value.known.facts if fact.kind in BOUNDS]
    if not value.is_parameter or not found or any(fact.kind == "scaled" for fact in value.spot.related):
        return ""
    name = last(str(found[0].value))
    detail = value.observations.detail_of(value.spot.first.observed.key, name)
    return f"Compared with `{name}` of `{detail[0].operation}`, such as {quote(detail[1])}." if detail else ""


def other_numbers(value: DocumentedValue) -> str:
    """That a parameter of a path takes the ID of a thing, and not another number or code by which it is known."""
    use = value.spot.first
    is_said = re.search(r"[`'\"“‘]id[`'\"”’]", value.spot.text) is not None or _is_form_said(value)
    others = other_identifiers(use.observed.good, use.location) if value.is_last_of_get and not is_said else []
    return f"Takes the `id`, not the {joined_names(others)}." if others else ""


def other_identifiers(calls: Sequence[Call], location: str) -> list[str]:
    """The fields of things that were asked for by their ID at a location which identify them as well as it does."""
    things = [(_thing(call.body), str(call.arguments.get(location))) for call in calls]
    pairs = [(thing, sent) for thing, sent in things if "id" in thing and str(thing["id"]) == sent]
    names = [name for name in (pairs[0][0] if pairs else ()) if words(name)[-1:] and words(name)[-1] in _NUMBERS]
    return [name for name in names if _OF_OTHERS.isdisjoint(words(name)[:-1]) and _identifies_too(name, pairs)]


def _identifies_too(name: str, things: Sequence[tuple[dict[str, Json], str]]) -> bool:
    """Whether a field is of the type of the ID, and another for each of the things, but not their ID."""
    is_alike = all(type(thing.get(name)) is type(thing["id"]) for thing, _ in things)
    values, ids = {str(thing.get(name)) for thing, _ in things}, {sent for _, sent in things}
    # Nobody takes another text for a UUID, nor one of several words or lines (`source_code`) for what identifies.
    is_plain = not any(map(FORMATS["uuid"].fullmatch, ids)) and not any(re.search(r"\s", value) for value in values)
    return is_alike and is_plain and len(values) == len(ids) >= _MIN_THINGS and values != ids


def refused_field(value: DocumentedValue) -> str:
    """That a parameter of a path refuses another field of the things that it identifies, while their IDs are taken.

    Where an operation was not tried, those beside it count if they agree: what lies below one thing finds it alike.
    """
    schema = value.spot.schema
    if not value.is_in_path or len(value.spot.uses) > 1 or _is_form_said(value):
        return ""
    field, status = _refused_at(value.spot.first, value.observations)
    # Nor where it wants a number, but where the text names it.
    is_number = schema is not None and schema.type in ("integer", "number")
    if is_number and not {*words(field)} & {*words(value.spot.text.lower())}:
        return ""
    is_below = value.path != item_path(value.spot.first) and bool(value.spot.first.observed.good)
    if not field and is_below:
        field, status = _refused_beside(value)
    return f"The `{field}` is not accepted: returns {status}." if field else ""


def _is_form_said(value: DocumentedValue) -> bool:
    """Whether the schema of a parameter wants a UUID, or a form that names do not have, be they written as IDs are."""
    schema = value.spot.schema
    if schema is not None and schema.format == "uuid":
        return True
    pattern = (schema.pattern if schema is not None else None) or ""
    return bool(pattern) and is_pattern(pattern) and not any(re.search(pattern, name) for name in _PLAIN_NAMES)


def _refused_beside(value: DocumentedValue) -> tuple[str, int]:
    """The field and the status that enough operations below the same thing agree on; "" if they do not."""
    refusals = [_refused_at(use, value.observations) for use in _below_the_same(value)]
    refusals = [refusal for refusal in refusals if refusal[0]]
    return refusals[0] if len(refusals) >= MIN_ALIKE and len(set(refusals)) == 1 else ("", 0)


def _below_the_same(value: DocumentedValue) -> list[Use]:
    """The other operations below the thing that a parameter of a path identifies, as its users."""
    use = value.spot.first
    return [
        Use(observed, use.location)
        for observed in value.observations.operations
        if observed.key.tool == use.observed.key.tool and observed.key.path.startswith(f"{item_path(use)}/")
    ]


def _refused_at(use: Use, observations: CatalogObservations) -> tuple[str, int]:
    """The field whose values an operation refuses at a place, and the status; "" if none is known."""
    causes = [cause for _, cause in status_facts(use) if cause.cause.endswith(" not valid") and cause.message]
    if not causes or causes[0].status not in INVALID:
        return "", 0
    field = observations.field_of(_refused(use, observations, causes[0]))
    taken = [call.arguments.get(use.location) for call in use.observed.good]
    is_other = field and taken and not observations.field_of(taken)
    return (field, causes[0].status) if is_other else ("", 0)


def _refused(use: Use, observations: CatalogObservations, cause: Cause) -> list[Json]:
    """The values for which operations on the same things returned the same refusal."""
    alike = (
        observed
        for observed in observations.operations
        if observed.key.tool == use.observed.key.tool and observed.key.path.startswith(item_path(use))
    )
    calls = (call for observed in alike for call in observed.bad if call.status == cause.status)
    return [call.arguments.get(use.location) for call in calls if message(call.body) == cause.message]


def _thing(body: Json) -> dict[str, Json]:
    """The object that a response is, or that it wraps alone."""
    while isinstance(body, dict) and len(body) == 1 and isinstance(next(iter(body.values())), dict):
        body = next(iter(body.values()))
    return mapping(body)


def comes_from(value: DocumentedValue) -> str:
    """Where a parameter's value comes from, unless all values are listed here."""
    source = source_of(value)
    if source is None:
        return ""
    held = _values_of(source, value.observations)
    place = (value.spot.first.observed.key.tool, value.spot.first.location)
    nested = [sent.strip("/") for *at, sent in value.observations.nested if (*at,) == place and sent not in held]
    if nested:
        are_parts = all(sent.rpartition("/")[2] in held for sent in nested)
        text = f"One `{source.name}` or several joined by `/`, outermost first, as in `{source.operation.operation}`."
        return text if are_parts else ""
    return next(source.phrases(text=f"{value.spot.text} {correction(value)}"))


def _values_of(source: ValueSource, observations: CatalogObservations) -> set[str]:
    status, _, pointer = source.field.partition(":")
    found = observations.by_key.get(source.operation)
    return {str(value) for value, _ in found.got(int(status), pointer)} if found is not None else set()


def source_of(value: DocumentedValue) -> ValueSource | None:
    """The response field that a parameter takes its values from; a filter's, of its own API."""
    if value.allowed or not value.is_parameter:
        return None
    tool = value.spot.first.observed.key.tool
    filters = "filters" in value.known and "required" not in value.known
    source = best_source(source for source in _sources(value) if source.operation.tool == tool or not filters)
    is_needed = value.is_in_path or value.known.any_of(("filters", "required"))
    return source if is_needed else None


def _sources(value: DocumentedValue) -> list[ValueSource]:
    """The sources of a value. Where the path itself has the list of what it identifies, others have a part of it."""
    use, by_key = value.spot.first, value.observations.by_key
    key = use.observed.key
    sources = find_sources(key, use.location, value.known.facts)
    path = collection_of(key, use.location)
    listed = reader_at(by_key, key.tool, path)
    if listed is not None:
        return [source for source in sources if source.operation == listed.key] if listed.good else sources
    around, _, last_part = path.rpartition("/")
    collection = around if last_part == value.spot.name else path
    if collection and _is_found_below(key.tool, collection, value.observations):
        return [source for source in sources if "{" not in source.operation.path]
    return sources


def _is_found_below(tool: str, collection: str, observations: CatalogObservations) -> bool:
    """Whether an operation below the path that identifies things is there to find them: `POST /flows/filter`."""
    below = (
        observed.key.path.removeprefix(f"{collection}/")
        for observed in observations.operations
        if observed.key.tool == tool and observed.key.path.startswith(f"{collection}/")
    )
    return any({*words(rest)} <= READING for rest in below if rest and "{" not in rest)
