"""The purpose of a parameter in ten words: what facts show of its effect, else what its name says, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from docrev.conventions.parameters import Role, role_of
from docrev.language.documentation_phrases import CURSOR
from docrev.language.phrases import sentence
from docrev.language.words import words
from docrev.prompts.questions import DescribeParameter, Text
from docrev.records import Call, Fact, Json
from docrev.revision import effect_wording, labels, response_samples
from docrev.revision.effect_wording import EFFECTS, is_direction
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
    if place == "query":
        yield _cursor(prompt)
    by_name = _by_name(name, values, prompt) if place == "query" else []
    yield from _effects(facts, labels.many(prompt.noun)) or by_name
    source = find_source(prompt.operation.key, prompt.location, prompt.facts)
    if source is not None and (place != "query" or _found_something(used)):
        yield from source.phrases(prompt.noun if place == "path" else "")
    label = labels.parameter_label(name, place, prompt.noun)
    if _is_dated(facts, values):
        yield f"{label or 'Date'} in `YYYY-MM-DD` format"
    yield label


def _effects(facts: Mapping[str, Fact], things: str) -> list[str]:
    """The effect that a fact shows; of several, the first in the table."""
    kind = next((kind for kind in EFFECTS if kind in facts), "")
    return [EFFECTS[kind](facts[kind], things)] if kind else []


def _by_name(name: str, values: Sequence[Json], prompt: DescribeParameter) -> list[str]:
    """What a query parameter does by its name alone, if its values do not speak against it."""
    things = labels.many(prompt.noun)
    if values and all(map(is_direction, values)):
        return ["Sort direction"]
    role = role_of(name)
    if role is Role.SEARCH:
        return ["Text to search for"]
    if role in _NUMBERED and values and all(str(value).isdigit() for value in values):
        return [_NUMBERED[role](things)]
    fields = set(response_samples.fields(prompt.calls, always=False)) if role in _NAMING else set()
    if values and all(part.lstrip("-+") in fields for value in values for part in str(value).split(",")):
        return [_NAMING[role](things)]
    return []


_NUMBERED = {
    Role.PAGE: effect_wording.page_number,
    Role.OFFSET: effect_wording.offset,
    Role.PAGE_SIZE: effect_wording.page_size,
}
_NAMING = {Role.SORT: effect_wording.sort_field, Role.FIELDS: effect_wording.field_names}


def _cursor(prompt: DescribeParameter) -> str:
    """Where the previous page has the value of a pagination cursor: in a field, or in the URL of a header."""
    for fact in prompt.facts:
        if fact.kind == "pages" and fact.value.get("by") == "cursor":
            place = str(fact.value.get("next", ""))
            _, _, header = place.partition(":header:")
            if header:
                return f"Pagination cursor, from the previous page's `{labels.header_name(header)}` header"
            return CURSOR.write(field=labels.field_name(place))
        if fact.kind == "comes-from" and isinstance(fact.value, dict):
            name = labels.field_name(str(fact.value.get("field", "")))
            if fact.value.get("operation") == str(prompt.operation.key) and "next" in words(name):
                return CURSOR.write(field=name)
    return ""


def _found_something(calls: Sequence[Call]) -> bool:
    """Whether a call found something: a filter that accepts any text says nothing of where its values come from."""
    return any(found is None or found.items for found in map(response_samples.list_in, calls))


def _is_dated(facts: Mapping[str, Fact], values: Sequence[Json]) -> bool:
    if "format" in facts:
        return bool(facts["format"].value == "date")
    return bool(values) and all(_DATE.fullmatch(str(value)) for value in values)
