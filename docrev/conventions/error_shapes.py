"""Errors whose members have any names: what was sent tells which of them lead to a value, and which are wrapping."""

from __future__ import annotations

import re

from docrev.conventions.error_locations import ErrorLocation, location_of
from docrev.conventions.error_locators import located_by
from docrev.conventions.error_members import CODES, is_container, is_error
from docrev.conventions.sent_values import Sent
from docrev.language.words import words
from docrev.records import Json

_MAX_DEPTH = 4
_SENTENCE = re.compile(r"\S+\s+\S+\s+\S")


def in_known_shape(body: Json, sent: Sent) -> Json:
    """A body in whose envelope and lists of errors the members are called as readers know them.

    A single error at the root under a name that was not sent is the response, and is on no value of that name.
    """
    body = _in_usual_lists(body, sent, _MAX_DEPTH)
    if not isinstance(body, dict) or not sent.is_known:
        return body
    objects = [key for key, value in body.items() if isinstance(value, dict)]
    if len(objects) != 1 or tuple(words(objects[0])) in sent.names or not _is_wrapped_error(objects[0], body):
        return body
    return {"response" if key == objects[0] else key: value for key, value in body.items()}


def _is_wrapped_error(key: str, body: dict[str, Json]) -> bool:
    value = body[key]
    wrapped = isinstance(value, dict) and is_error(value) and not is_container(key, value, named=False)
    return wrapped and "response" not in body


def _in_usual_lists(body: Json, sent: Sent, depth: int) -> Json:
    """A body whose lists of errors call `field` what leads to a sent name, and `message` what is a sentence."""
    if not depth or not sent.names:
        return body
    if isinstance(body, dict):
        return {key: _in_usual_lists(value, sent, depth - 1) for key, value in body.items()}
    parts = [part for part in body if isinstance(part, dict)] if isinstance(body, list) else []
    return _renamed(parts, sent) if parts and parts == body and not _tells_places(parts) else body


def _tells_places(parts: list[dict[str, Json]]) -> bool:
    """Whether errors tell their places in members that are called as usual."""
    return any(located_by(part, ErrorLocation(), 1) for part in parts)


def _renamed(parts: list[dict[str, Json]], sent: Sent) -> Json:
    """Errors with the one member that leads to a sent name, and the one that is a sentence, under their usual names."""
    shared = {key: [str(part.get(key)) for part in parts] for key in parts[0] if _is_text_in_all(key, parts)}
    text = [key for key, values in shared.items() if all(map(_SENTENCE.search, values))]
    field = [key for key, values in shared.items() if key not in CODES and _lead_to_sent(values, sent)]
    if len(text) != 1 or len(field) != 1:
        return [*parts]
    return [{**part, "field": part[field[0]], "message": part[text[0]]} for part in parts]


def _is_text_in_all(key: str, parts: list[dict[str, Json]]) -> bool:
    return all(isinstance(part.get(key), str) for part in parts)


def _lead_to_sent(values: list[str], sent: Sent) -> bool:
    return not any(" " in value for value in values) and any(_is_sent(value, sent) for value in values)


def _is_sent(text: str, sent: Sent) -> bool:
    name = location_of(text).name
    return bool(name) and tuple(words(name)) in sent.names and text not in sent.texts
