"""What a server's error message says about parameters, in the styles of the common frameworks.

FastAPI/pydantic (`detail[].loc/msg`), DRF and Rails (`{"field": ["message"]}`, also under `errors`), marshmallow (the
same under `json` or `query`), Spring (`errors[].field/defaultMessage`), ajv and zod (`instancePath`, `path`,
`message`), cornice (`details[].location/name/description`), problem+json (`errors[]`, `invalid-params[]`), and plain
sentences that name a parameter. A statement is a hint for the next attempt; it is no fact until calls show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

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
_NUMBER = r"(-?\d+(?:\.\d+)?)\b(?!-)"
_REQUIRED = re.compile(
    r"required|missing|not present|can't be blank|must be (?:given|provided|set)|mandatory|is needed"
    r"|must not be (?:blank|null|empty)|may not be (?:blank|null)",
    re.I,
)
_NOT_MISSING = re.compile(
    r"valid [\w-]+(?: [\w-]+)? is required|required (?:pattern|type|format)|should be a valid", re.I
)
_UNKNOWN = re.compile(
    r"unrecogni[sz]ed|unknown (?:key|field|parameter|property)|unexpected|not allowed here"
    r"|(?:inputs?|fields?|propert(?:y|ies)) (?:are |is )?not permitted|not have additional",
    re.I,
)
_ENUM = re.compile(
    r"(?:one of|valid choices?|allowed(?: values?)?|accepted for [\w ]+|choose from|should be|expected|permitted"
    r"|possible values?|use)\b[^'\"\[:\w]*:?\s*(.+)",
    re.I,
)
_RECEIVED = re.compile(r",? (?:received|but got|got|given) .*$|, not .*$", re.I)
_WANTED = re.compile(r"required type '(?:[\w.]+\.)?(\w+)'", re.I)
_QUOTED = re.compile(r"['\"“`]([\w.\-+ ]{1,40})['\"”`]")
_CHOICE = re.compile(r"[\w.\-+]{1,40}")
_TYPE = re.compile(
    r"\b(integer|int|number|float|double|decimal|boolean|bool|string|array|list|object|date(?:-?time)?|timestamp|uuid"
    r"|email|e-mail|url|uri)\b",
    re.I,
)
_TYPES = {
    "int": "integer",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "bool": "boolean",
    "list": "array",
    "datetime": "date-time",
    "timestamp": "date-time",
    "e-mail": "email",
    "uri": "url",
}
_PATTERN = re.compile(
    r"(?:pattern|match(?:es)?|regex|regular expression)(?! *format)[\w ]{0,20}:?\s*(['\"])(.+)\1", re.I
)
_LENGTH_WORDS = re.compile(r"\b(?:char(?:acter)?s?\b|character\(s\)|length|long\b|short\b|letters)|^size\b", re.I)
_LISTED = re.compile(r"\bitems?\b|\belements?\b|\bentries\b", re.I)
_BETWEEN = re.compile(rf"(?:between|range(?: of)?|from)\s*\[?{_NUMBER}\s*(?:and|to|,|-|\.\.)\s*{_NUMBER}", re.I)
_BOUNDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "minimum",
        re.compile(
            r"(?:greater than or equal(?: to)?|at least|>=|fewer than|(?:not|no)(?: be)? (?:less|smaller|lower) than"
            rf"|minimum(?: (?:value|length|size))?(?: is| of)?|shorter than)\s*:?\s*{_NUMBER}",
            re.I,
        ),
    ),
    (
        "maximum",
        re.compile(
            r"(?:less than or equal(?: to)?|at most|<=|(?:not|no)(?: \w+)? (?:more|greater|larger|longer|higher) than"
            r"|(?:not|n't) exceed|maximum(?: (?:value|length|size))?(?: is| of)?|longer than|up to)"
            rf"\s*:?\s*{_NUMBER}",
            re.I,
        ),
    ),
    (
        "exclusive-minimum",
        re.compile(rf"(?<!not )(?<!no )(?<!not be )(?:greater than|more than|larger than|above|>)\s*{_NUMBER}", re.I),
    ),
    ("exclusive-maximum", re.compile(rf"(?<!not )(?<!no )(?:less than|smaller than|below|<)\s*{_NUMBER}", re.I)),
)
_POSITIVE = re.compile(r"\bpositive\b", re.I)
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


def read(body: Json) -> list[Statement]:
    """The statements of an error response on names, at most 20, in the order in which they stand."""
    return [statement for statement in _read(body) if statement.name]


def about(body: Json, name: str, place: str = "") -> list[Statement]:
    """What an error response says on one name: also what it says on none, where nothing is said on another.

    For a call that differs in this one argument from a call that worked, a message without a name is on it.
    """
    found = _read(body)
    named = [s for s in found if s.name.rpartition(".")[2] == name and (not s.place or s.place == place)]
    others = {s.text for s in found if s.name} - {s.text for s in found if not s.name}
    return named or ([] if others else [s for s in found if not s.name])


def summary(body: Json) -> str:
    """The shortest honest rendering of an error response: its message, at most 160 characters."""
    if isinstance(body, str):
        return " ".join(body.split())[:160] if "<html" not in body.lower() else ""
    for _, name, text in _pairs(body, 0):
        if text:
            return " ".join((f"{name}: {text}" if name else text).split())[:160]
    return ""


def _read(body: Json) -> list[Statement]:
    found: dict[Statement, None] = {}
    for place, name, text in _pairs(body, 0):
        if len(found) >= MAX_STATEMENTS:
            break
        if text and len(text) < _MAX_TEXT:
            found.update(dict.fromkeys(_statements(place, name, text)))
    return list(found)


@lru_cache(maxsize=4096)
def _statements(place: str, name: str, text: str) -> Sequence[Statement]:
    """What one sentence says; never nothing."""

    def one(kind: str, *values: str) -> Statement:
        return Statement(name, place, kind, values, text)

    if _REQUIRED.search(text) and not _NOT_MISSING.search(text):
        return [one("required")]
    if _UNKNOWN.search(text):
        return [one("unknown")]
    if pattern := _PATTERN.search(text):
        return [one("pattern", pattern.group(2))]
    if bounds := _bounds(text):
        typed = [one("type", word) for word in _types(text)] if _POSITIVE.search(text) else []
        return [*typed, *(one(kind, value) for kind, value in bounds)]
    enum = _ENUM.search(text)
    values = _choices(enum.group(1)) if enum else ()
    if len(values) >= 2:
        return [one("allowed-values", *values)]
    return [one("type", word) for word in _types(text)] or [one("other")]


def _types(text: str) -> list[str]:
    """The type or format that a sentence wants, or none."""
    kind = _WANTED.search(text) or _TYPE.search(_RECEIVED.sub("", text))
    word = kind.group(1).lower() if kind else ""
    return [_TYPES.get(word, word)] if word else []


def _bounds(text: str) -> list[tuple[str, str]]:
    """The bounds that a sentence gives, of a number or of a length; a bound on a number of items is neither."""
    if _LISTED.search(text):
        return []
    between = _BETWEEN.search(text)
    if between:
        found = [("minimum", between.group(1)), ("maximum", between.group(2))]
    else:
        found = [(kind, match.group(1)) for kind, pattern in _BOUNDS if (match := pattern.search(text))]
        if len(found) > 1:
            # "0 is less than minimum value 1" says one thing.
            exact = [pair for pair in found if not pair[0].startswith("exclusive")]
            found = exact or found
    if _LENGTH_WORDS.search(text):
        names = {"minimum": "min-length", "maximum": "max-length"}
        return [(names[kind], value) for kind, value in found if kind in names]
    if not found and _POSITIVE.search(text):
        return [("exclusive-minimum", "0")]
    return found


def _choices(text: str) -> tuple[str, ...]:
    text = _RECEIVED.sub("", text)
    quoted = _QUOTED.findall(text)
    if len(quoted) >= 2:
        return tuple(dict.fromkeys([*([""] if re.search(r"(?<!\w)(''|\"\")(?!\w)", text) else []), *quoted]))
    parts = [part.strip(" .[]()") for part in re.split(r",|\bor\b|\band\b|\|", text.partition(". ")[0])]
    # An empty text is a choice where it is quoted.
    listed = ["" if part in ("''", '""') else part.strip("'\"") for part in parts]
    told = (part for place, part in zip(parts, listed, strict=True) if place and (not part or _CHOICE.fullmatch(part)))
    return tuple(told) if len(listed) >= 2 else ()


def _pairs(body: Json, depth: int, place: str = "") -> Iterator[tuple[str, str, str]]:
    """(place, name, text) for every message in an error body; name is empty where none is given."""
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
    named = next((body[key] for key in _NAMES if body.get(key)), None)
    text = _text_of(body)
    if named is not None and text is not None and _located(named)[1]:
        where, name = _located(named)
        yield _PLACES.get(str(body.get("location", "")), where or place), name, text + _listed(body)
        return
    nested = [pair for key in _NESTED if key in body for pair in _pairs(body[key], depth + 1, place)]
    yield from nested or (_pairs(text, depth + 1, place) if text is not None else ())
    for key, value in body.items():
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            yield from ((place, "" if key == "non_field_errors" else key, part) for part in value)
        elif key in _PLACES and isinstance(value, dict):
            yield from _pairs(value, depth + 1, _PLACES[key])


def _text_of(body: dict[str, Json]) -> str | None:
    """The text of an error object: under a common name, or under one that ends so (`status_message`, `errorDetail`)."""
    ending = (key for key in body if words(key)[-1:] and words(key)[-1] in _TEXTS)
    return next((text for key in (*_TEXTS, *ending) if isinstance(text := body.get(key), str)), None)


def _listed(body: dict[str, Json]) -> str:
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
    quoted = [name for name in _QUOTED.findall(text) if re.fullmatch(r"[A-Za-z_][\w.\-]*", name)]
    return quoted[:1] or _PLAIN_NAME.findall(text)[:1]
