"""Request bodies that the description of an operation spells out: "specify `out: false`, `amount` and `memo`"."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator

from docrev.conventions.examples import documented_values, fitting_values
from docrev.conventions.run_names import is_made_up
from docrev.json_values.scalars import is_number
from docrev.records import Json
from docrev.spec import Schema

_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_CODE = re.compile(r"`{1,2}([^`]{1,80})`{1,2}")
_ASSIGNED = re.compile(r"[\"']?([A-Za-z_][\w.-]*)[\"']?\s*(?:[:=]\s*(.+))?")
_MOST = 3


def described_bodies(text: str, schema: Schema, minimal: Json, full: Json) -> Iterator[dict[str, Json]]:
    """For each sentence that gives a member a value in code: the members that it names, with this value.

    The others are as in `full`, as far as nothing in it may be somebody's. What is off unless somebody asks for it
    stays off.
    """
    if not isinstance(minimal, dict) or not isinstance(full, dict):
        return
    found = (_of_sentence(sentence, schema, full) for sentence in _SENTENCE.split(text))
    for body in [body for body in found if body][:_MOST]:
        yield {**minimal, **body}


def _of_sentence(sentence: str, schema: Schema, full: dict[str, Json]) -> dict[str, Json]:
    properties = schema.properties()
    named = _named(sentence, properties)
    values = {name: _stated(text, properties[name]) for name, text in named.items() if text}
    given = {name: value for name, value in values.items() if value is not None}
    if not given or any(_switches_on(value, properties[name]) for name, value in given.items()):
        return {}
    others = {name: _more_than_nothing(full.get(name)) for name in named if name not in given}
    is_ours = all(_is_nobodys(value, properties[name]) for name, value in others.items())
    return {**others, **given} if is_ours else {}


def _named(sentence: str, properties: Container[str]) -> dict[str, str | None]:
    """The members that a sentence names in code, each with the text that it gives as its value."""
    spans = filter(None, map(_ASSIGNED.fullmatch, _CODE.findall(" ".join(sentence.split()))))
    return {span[1]: span[2] for span in spans if span[1] in properties}


def _switches_on(value: Json, schema: Schema) -> bool:
    return value is True and schema.default is not True


def _stated(text: str, schema: Schema) -> Json:
    """The value that a text stands for, if it fits the schema; None if it does not."""
    try:
        value: Json = json.loads(text)
    except ValueError:
        value = text.strip("\"' ")
    return next(iter(fitting_values([value], schema)), None)


def _more_than_nothing(value: Json) -> Json:
    """A number of nothing is hardly what a description speaks of."""
    return 1 if is_number(value) and value == 0 else value


def _is_nobodys(value: Json, schema: Schema) -> bool:
    return not isinstance(value, str | dict | list) or is_made_up(value) or value in documented_values(schema)
