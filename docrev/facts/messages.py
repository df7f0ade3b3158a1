"""What a server's error message says about parameters, in the styles of the common frameworks.

FastAPI/pydantic (`detail[].loc/msg`), DRF and Rails (`{"field": ["message"]}`, also under `errors`), cornice
(`details[].location/name/description`), problem+json (`errors[]`, `invalid-params[]`), and plain sentences that quote
a name. A statement is a hint for the next attempt; it is no fact until calls show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docrev.records import Json

MAX_STATEMENTS = 20
_NAMES = ("loc", "name", "field", "param", "parameter", "pointer", "property", "path", "source", "instancePath")
_TEXTS = ("msg", "message", "description", "detail", "reason", "error", "title")
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
_REQUIRED = re.compile(
    r"required|missing|not present|can't be blank|must be (?:given|provided|set)|mandatory|is needed", re.I
)
_UNKNOWN = re.compile(
    r"unrecogni[sz]ed|unknown (?:key|field|parameter|property)|unexpected|not permitted|not allowed here", re.I
)
_ENUM = re.compile(
    r"(?:one of|valid choices?|allowed(?: values?)?|choose from|should be|expected|possible values?|use)\b"
    r"[^'\"\[:a-z]*:?\s*(.+)",
    re.I,
)
_QUOTED = re.compile(r"['\"“`]([\w.\-+ ]{1,40})['\"”`]")
_TYPE = re.compile(r"\b(integer|number|boolean|string|array|object|date(?:-?time)?|uuid|email|url)\b", re.I)
_PLAIN_NAME = re.compile(r"(?:parameter|field|property|argument|key|header)s?:?\s+['\"`]?([A-Za-z_][\w.\-]*)", re.I)


@dataclass(frozen=True, slots=True)
class Statement:
    """A message on one name: `kind` is required, allowed-values, unknown, type or other; `place` may be empty."""

    name: str
    place: str
    kind: str
    values: tuple[str, ...]
    text: str


def read(body: Json) -> list[Statement]:
    """The statements of an error response, at most 20, in the order in which they stand."""
    found: list[Statement] = []
    for place, name, text in _pairs(body, 0):
        if len(found) < MAX_STATEMENTS and name and len(text) < 1000:
            found.append(_statement(place, name, text))
    return list(dict.fromkeys(found))


def summary(body: Json) -> str:
    """The shortest honest rendering of an error response: its message, at most 160 characters."""
    if isinstance(body, str):
        return " ".join(body.split())[:160] if "<html" not in body.lower() else ""
    for _, name, text in _pairs(body, 0):
        if text:
            return " ".join((f"{name}: {text}" if name else text).split())[:160]
    return ""


def _statement(place: str, name: str, text: str) -> Statement:
    enum = _ENUM.search(text)
    values = _choices(enum.group(1)) if enum else ()
    if _REQUIRED.search(text):
        return Statement(name, place, "required", (), text)
    if _UNKNOWN.search(text):
        return Statement(name, place, "unknown", (), text)
    if len(values) >= 2:
        return Statement(name, place, "allowed-values", values, text)
    kind = _TYPE.search(text)
    if kind:
        return Statement(name, place, "type", (kind.group(1).lower(),), text)
    return Statement(name, place, "other", (), text)


def _choices(text: str) -> tuple[str, ...]:
    quoted = _QUOTED.findall(text)
    if len(quoted) >= 2:
        return tuple(dict.fromkeys(quoted))
    listed = [part.strip(" .'\"[]()") for part in re.split(r",|\bor\b|\band\b|\|", text.partition(". ")[0])]
    return tuple(part for part in listed if re.fullmatch(r"[\w.\-+]{1,40}", part)) if len(listed) >= 2 else ()


def _pairs(body: Json, depth: int) -> Iterator[tuple[str, str, str]]:
    """(place, name, text) for every message in an error body; name is empty where none is given."""
    if depth > 4:
        return
    if isinstance(body, list):
        for part in body[:MAX_STATEMENTS]:
            yield from _pairs(part, depth + 1)
    elif isinstance(body, str):
        for name in _names_in(body):
            yield "", name, body
        yield "", "", body
    elif isinstance(body, dict):
        named = next((body[key] for key in _NAMES if body.get(key)), None)
        text = next((body[key] for key in _TEXTS if isinstance(body.get(key), str)), None)
        if named is not None and text is not None:
            place, name = _located(named)
            yield _PLACES.get(str(body.get("location", "")), place), name, text
            return
        for key in ("errors", "details", "detail", "invalid-params", "invalid_params", "error", "message", "fields"):
            if key in body:
                yield from _pairs(body[key], depth + 1)
        for key, value in body.items():
            if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
                yield from (("", "" if key == "non_field_errors" else key, part) for part in value)


def _located(named: Json) -> tuple[str, str]:
    """(place, name) of `["query", "limit"]`, `body.title`, `/data/title`, `{"pointer": "/data/title"}`."""
    if isinstance(named, dict):
        named = next(iter(named.values()), "")
    parts = [str(part) for part in named] if isinstance(named, list) else re.split(r"[./]", str(named).strip("/"))
    place = _PLACES.get(parts[0], "") if parts else ""
    rest = [part for part in (parts[1:] if place else parts) if part and not part.isdigit()]
    return place, rest[-1] if rest else ""


def _names_in(text: str) -> list[str]:
    quoted = [name for name in _QUOTED.findall(text) if re.fullmatch(r"[A-Za-z_][\w.\-]*", name)]
    return quoted[:1] or _PLAIN_NAME.findall(text)[:1]
