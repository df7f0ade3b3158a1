"""The purpose of a parameter in ten words: what facts show of its effect, else what its name says, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from docrev.conventions.lists import list_of
from docrev.conventions.parameters import PAGING, Role, role_of
from docrev.facts.kinds import comes_from, pages
from docrev.language.documentation_phrases import CURSOR
from docrev.language.phrases import sentence
from docrev.language.words import words
from docrev.prompts.questions import DescribeParameter, Text
from docrev.records import Call, Fact, Json
from docrev.revision import labels, response_samples
from docrev.revision.effect_wording import EFFECTS, ROLES, effect_of, is_direction
from docrev.revision.profiles import fits_purpose
from docrev.revision.property_purposes import describe_property
from docrev.revision.value_sources import find_source

_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def describe_parameter(prompt: DescribeParameter) -> Text:
    """A parameter's purpose; empty if nothing is known but its name."""
    if prompt.location.startswith("body:"):
        return describe_property(prompt)
    facts = {fact.kind: fact for fact in prompt.facts if fact.location == prompt.location}
    if "ignored" in facts:
        return Text(text="")
    return Text(text=next(filter(fits_purpose, map(sentence, _candidates(prompt, facts))), ""))


def _candidates(prompt: DescribeParameter, facts: Mapping[str, Fact]) -> Iterator[str]:
    """What may be written of a parameter, the most useful first."""
    place, _, name = prompt.location.partition(":")
    used = [call for call in response_samples.good(prompt.calls) if prompt.location in call.arguments]
    values = [call.arguments[prompt.location] for call in used]
    yield from _query_candidates(prompt, facts, values) if place == "query" else ()
    source = find_source(prompt.operation.key, prompt.location, prompt.facts)
    if source is not None and (place != "query" or _found_something(used)):
        yield from source.phrases(prompt.noun if place == "path" else "")
    label = labels.parameter_label(name, place, prompt.noun)
    if _is_dated(facts, values):
        yield f"{label or 'Date'} in `YYYY-MM-DD` format"
    yield label


def _query_candidates(prompt: DescribeParameter, facts: Mapping[str, Fact], values: Sequence[Json]) -> Iterator[str]:
    """Where a cursor comes from; the effect that a fact shows; without one, what the name says."""
    yield _cursor(prompt)
    things = labels.many(prompt.noun)
    kind = next((kind for kind in EFFECTS if kind in facts), "")
    yield effect_of(facts[kind], things) if kind else _by_name(prompt, values).format(things=things)


def _by_name(prompt: DescribeParameter, values: Sequence[Json]) -> str:
    """What a query parameter does by its name alone, if its values do not speak against it."""
    if values and all(map(is_direction, values)):
        return "Sort direction"
    role = role_of(prompt.location.partition(":")[2])
    fits = role is Role.SEARCH or (bool(values) and all(_fits_role(value, role, prompt) for value in values))
    return ROLES.get(role, "") if fits else ""


def _fits_role(value: Json, role: Role, prompt: DescribeParameter) -> bool:
    if role in PAGING:
        return str(value).isdigit()
    fields = set(response_samples.fields(prompt.calls, always=False))
    return all(part.lstrip("-+") in fields for part in str(value).split(","))


def _cursor(prompt: DescribeParameter) -> str:
    """Where the previous page has the value of a pagination cursor: in a field, or in the URL of a header."""
    paging = (pages.KIND.value_of(fact) for fact in prompt.facts if fact.kind == "pages")
    place = next((value.next or "" for value in paging if value.by == "cursor"), None)
    if place is None:
        return _own_cursor(prompt)
    _, _, header = place.partition(":header:")
    if header:
        return f"Pagination cursor, from the previous page's `{labels.header_name(header)}` header"
    return CURSOR.write(field=labels.field_name(place))


def _own_cursor(prompt: DescribeParameter) -> str:
    """A cursor by its source: a field of the operation's own responses that is named after the next page."""
    sources = (comes_from.KIND.value_of(fact) for fact in prompt.facts if fact.kind == "comes-from")
    fields = (source.field for source in sources if source.operation == str(prompt.operation.key))
    names = (labels.field_name(field) for field in fields)
    return next((CURSOR.write(field=name) for name in names if "next" in words(name)), "")


def _found_something(calls: Sequence[Call]) -> bool:
    """Whether a call found something: a filter that accepts any text says nothing of where its values come from."""
    return any(found is None or found.items for found in map(list_of, calls))


def _is_dated(facts: Mapping[str, Fact], values: Sequence[Json]) -> bool:
    if "format" in facts:
        return bool(facts["format"].value == "date")
    return bool(values) and all(_DATE.fullmatch(str(value)) for value in values)
