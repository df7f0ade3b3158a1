"""What a server's error message says about parameters, in the styles of the common frameworks.

FastAPI/pydantic (`detail[].loc/msg`), DRF and Rails (`{"field": ["message"]}`, also under `errors`), marshmallow (the
same under `json` or `query`), Spring (`errors[].field/defaultMessage`), ajv and zod (`instancePath`, `path`,
`message`), cornice (`details[].location/name/description`), problem+json (`errors[]`, `invalid-params[]`), and plain
sentences that name a parameter. A statement is a hint for the next attempt; it is no fact until calls show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docrev.conventions.error_sentences import claims, quoted_words
from docrev.language.words import words
from docrev.records import Json

MAX_STATEMENTS = 20
_MAX_TEXT = 1000
_NAMES = ("loc", "name", "field", "param", "parameter", "pointer", "property", "path", "source", "instancePath")
_TEXTS = ("msg", "message", "defaultMessage", "description", "detail", "reason", "error", "title")
_NESTED = (
    "errors",
    "details",
    "detail",
    "issues",
    "violations",
    "invalid-params",
    "invalid_params",
    "error",
    "message",
    "messages",
    "fields",
)
_PLACES = {
    "query": "query",
    "querystring": "query",
    "params": "query",
    "path": "path",
    "body": "body",
    "json": "body",
    "header": "header",
    "headers": "header",
}
_PLAIN_NAME = re.compile(r"(?:parameter|field|property|argument|key|header)s?:?\s+['\"`]?([A-Za-z_][\w.\-]*)", re.I)
_SUBJECT = re.compile(r"['\"`]?([A-Za-z_][\w.\-]*)['\"`]?\s+(?:must|should|is|has|cannot|can't|may)\b", re.I)
_SLASHED = re.compile(r"(?:querystring|query|params|headers|body)[/.]([\w.\-/]+)\s")
_NO_NAMES = re.compile(
    "this|that|it|there|value|input|string|number|text|date|list|data|length|size|field|parameter|property|argument"
    "|query|request|body",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A message on one name; `place` may be empty.

    `kind` is required, allowed-values, unknown, type, minimum, maximum, exclusive-minimum, exclusive-maximum,
    min-length, max-length, pattern or other; `values` are what it says: choices, a type or format, a bound.
    """

    name: str
    place: str
    kind: str
    values: tuple[str, ...]
    text: str

    def is_on(self, name: str, place: str) -> bool:
        """Whether the statement is on this name: on the last part of its own, at this place or at none."""
        return self.name.rpartition(".")[2] == name and self.place in ("", place)


def read_statements(body: Json) -> list[Statement]:
    """The statements of an error response on names, at most 20, in the order in which they stand."""
    return [statement for statement in _statements(body) if statement.name]


def statements_about(body: Json, name: str, place: str = "") -> list[Statement]:
    """What an error response says on one name, or without a name if it says nothing on another one.

    For a call that differs in this one argument from a call that worked, a message without a name is on it.
    """
    found = _statements(body)
    unnamed = [statement for statement in found if not statement.name]
    on_others = {statement.text for statement in found if statement.name} - {statement.text for statement in unnamed}
    return [statement for statement in found if statement.is_on(name, place)] or ([] if on_others else unnamed)


def summarise_error(body: Json) -> str:
    """The shortest honest rendering of an error response: its message, at most 160 characters."""
    if isinstance(body, str):
        return " ".join(body.split())[:160] if "<html" not in body.lower() else ""
    for _, name, text in _pairs(body, 0):
        if text:
            return " ".join((f"{name}: {text}" if name else text).split())[:160]
    return ""


def _statements(body: Json) -> list[Statement]:
    found: dict[Statement, None] = {}
    for place, name, text in _pairs(body, 0):
        if len(found) >= MAX_STATEMENTS:
            break
        if text and len(text) < _MAX_TEXT:
            found.update((Statement(name, place, claim.kind, claim.values, text), None) for claim in claims(text))
    return list(found)


def _pairs(body: Json, depth: int, place: str = "") -> Iterator[tuple[str, str, str]]:
    """(place, name, text) for every message in an error body; the name is empty if none is given."""
    if depth > 4:
        return
    if isinstance(body, list):
        for part in body[:MAX_STATEMENTS]:
            yield from _pairs(part, depth + 1, place)
    elif isinstance(body, str):
        for name in _names_in(body):
            yield place, name, body
        yield place, "", body
    elif isinstance(body, dict):
        yield from _pairs_of(body, depth, place)


def _pairs_of(body: dict[str, Json], depth: int, place: str) -> Iterator[tuple[str, str, str]]:
    """The messages of an object: its own on a name, or those in it."""
    text = _text_of(body)
    where, name = _located(next((body[key] for key in _NAMES if body.get(key)), ""))
    if name and text is not None:
        yield _PLACES.get(str(body.get("location", "")), where or place), name, text + _choices_beside(body)
        return
    nested = [pair for key in _NESTED if key in body for pair in _pairs(body[key], depth + 1, place)]
    yield from nested or (_pairs(text, depth + 1, place) if text is not None else ())
    for key, value in body.items():
        yield from _pairs_by_name(key, value, depth, place)


def _pairs_by_name(key: str, value: Json, depth: int, place: str) -> Iterator[tuple[str, str, str]]:
    """The messages that stand under the name they are on, or under the place that it is at."""
    if key in _PLACES and isinstance(value, dict):
        yield from _pairs(value, depth + 1, _PLACES[key])
    elif isinstance(value, list) and all(isinstance(part, str) for part in value):
        yield from ((place, "" if key == "non_field_errors" else key, part) for part in value)


def _text_of(body: dict[str, Json]) -> str | None:
    """The text of an error object: under a common name, or under one that ends so (`status_message`, `errorDetail`)."""
    ending = (key for key in body if words(key)[-1:] and words(key)[-1] in _TEXTS)
    return next((text for key in (*_TEXTS, *ending) if isinstance(text := body.get(key), str)), None)


def _choices_beside(body: dict[str, Json]) -> str:
    """The choices that stand beside the text (ajv: `params.allowedValues`, zod: `options`), put into words."""
    beside = body.get("params")
    values = beside.get("allowedValues") if isinstance(beside, dict) else body.get("options")
    if not isinstance(values, list) or not all(isinstance(value, str | int) for value in values):
        return ""
    return ": one of " + ", ".join(f"'{value}'" for value in values)


def _located(named: Json) -> tuple[str, str]:
    """(place, name) of `["query", "limit"]`, `body.title`, `/data/title`, `{"pointer": "/data/title"}`."""
    if isinstance(named, dict):
        named = next(iter(named.values()), "")
    parts = [str(part) for part in named] if isinstance(named, list) else re.split(r"[./]", str(named).strip("#/"))
    place = _PLACES.get(parts[0], "") if len(parts) > 1 else ""
    rest = [part for part in (parts[1:] if place else parts) if part and not part.isdigit()]
    return place, rest[-1] if rest else ""


def _names_in(text: str) -> list[str]:
    if slashed := _SLASHED.match(text):
        return [slashed.group(1).rpartition("/")[2]]
    subject = _SUBJECT.match(text)
    if subject and not _NO_NAMES.fullmatch(subject.group(1)):
        return [subject.group(1)]
    quoted = [name for name in quoted_words(text) if re.fullmatch(r"[A-Za-z_][\w.\-]*", name)]
    return quoted[:1] or _PLAIN_NAME.findall(text)[:1]
