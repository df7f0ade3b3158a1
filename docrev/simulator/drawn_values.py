"""Plausible values of fields: by enum, format, pattern, name and example; drawn, not random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from hashlib import blake2b

from docrev.language.patterns import matching
from docrev.language.words import words
from docrev.records import Json
from docrev.simulator import names, patterns
from docrev.simulator.names import each
from docrev.spec import Schema
from docrev.spec.meaning import MISSING

NAMES = frozenset({"name", "title", "display_name", "displayname", "full_name", "fullname", "username", "login"})
LONG_TEXT = frozenset(each("description overview biography content text body summary note comment about bio message"))
COUNTRIES = ("US", "GB", "DE", "FR", "ES", "IT", "JP", "BR", "SE", "IN")
LANGUAGES = ("en", "de", "fr", "es", "it", "ja", "pt", "sv", "hi", "ko")
CURRENCIES = ("USD", "EUR", "GBP", "JPY", "SEK", "BRL")
_PYTHON_TYPES: dict[str, tuple[type, ...]] = {"integer": (int,), "number": (int, float), "string": (str,)}
DAY_ZERO = date(1960, 1, 1)
DAYS = 23_000


class Draws:
    """Numbers drawn for a key: the same key and seed give the same numbers, in any order of asking."""

    __slots__ = ("_count", "_key")

    def __init__(self, *key: Json) -> None:
        self._key, self._count = "\x1f".join(map(str, key)), 0

    def __call__(self, below: int) -> int:
        self._count += 1
        return number(self._key, self._count) % max(1, below)


def number(*key: Json) -> int:
    """A number of 64 bits for a key."""
    return int.from_bytes(blake2b("\x1f".join(map(str, key)).encode(), digest_size=8).digest(), "big")


def type_of(schema: Schema) -> str | None:
    """The type of a scalar's schema; of several that may be, the first."""
    if schema.type is not None:
        return schema.type
    options = [part.type for part, holds in schema.parts() if not holds and part.type not in (None, "null")]
    return "number" if "number" in options else next(iter(options), None)


def fits(value: object, schema: Schema) -> bool:
    """Whether a scalar has the type and the enum that a schema tells."""
    kind, enum = type_of(schema), schema.enum
    if enum is not None and value not in enum:
        return False
    if kind is None or isinstance(value, bool):
        return kind in (None, "boolean")
    if kind == "number" and schema.type is None:
        return isinstance(value, float) and value % 1 != 0
    return isinstance(value, _PYTHON_TYPES.get(kind, ()))


def scalar(draw: Draws, name: str, schema: Schema, shown: Sequence[object] = ()) -> Json:
    """A value of a field of this name and schema; `shown` are values of it in examples."""
    enum = [value for value in schema.enum or () if value not in (None, "")]
    if enum:
        return enum[draw(len(enum))]
    kind = type_of(schema)
    if kind == "boolean":
        return draw(100) < _likelihood(name)
    if kind in ("integer", "number"):
        return _number(draw, name, schema)
    if kind is None and schema.example is not MISSING and not isinstance(schema.example, str):
        return schema.example
    return _fitted(_text(draw, name, schema, shown), schema)


def _likelihood(name: str) -> int:
    parts = words(name)
    if {"adult", "deleted", "archived", "restricted", "video", "local"} & set(parts):
        return 12
    return 90 if {"active", "playable", "enabled", "public"} & set(parts) else 50


RANGES: tuple[tuple[frozenset[str], float, float], ...] = tuple(
    (frozenset(parts.split()), low, high)
    for parts, low, high in (
        ("id", 1000, 9_000_000),
        ("year", 1960, 2024),
        ("latitude lat", -60, 60),
        ("longitude lng lon", -170, 170),
        ("average rating score stars", 1, 10),
        ("popularity percent percentage", 1, 100),
        ("ms milliseconds", 120_000, 400_000),
        ("timestamp", 1_500_000_000, 1_700_000_000),
        ("runtime minutes duration", 20, 180),
        ("width height", 100, 2000),
        ("revenue budget amount", 10_000, 90_000_000),
        ("price cost fee", 1, 500),
        ("age", 18, 90),
        ("gender order position", 0, 2),
        ("disc number index", 1, 12),
        ("status", 1, 5),
        ("count votes followers total", 1, 5000),
    )
)


def _number(draw: Draws, name: str, schema: Schema) -> int | float:
    parts = set(words(name))
    usual = next(((low, high) for known, low, high in RANGES if parts & known), (1, 1000))
    low, high = _within_bounds(usual, schema.get("minimum"), schema.get("maximum"))
    whole = type_of(schema) == "integer"
    if step := schema.get("multipleOf"):
        first = -(-low // step)
        multiple = (first + draw(int(max(1, high // step - first)))) * step
        return int(multiple) if whole else multiple
    if whole:
        return int(low) + draw(int(high) - int(low) + 1)
    value = round(low + draw(10_001) / 10_000 * (high - low), 1 if high - low >= 1 else 4)
    return value + 0.5 if schema.type is None and value % 1 == 0 else value


def _within_bounds(usual: tuple[float, float], floor: float | None, ceiling: float | None) -> tuple[float, float]:
    """The usual range of a field's values, moved to where the schema's bounds leave room."""
    low, high = usual
    above = ceiling is not None and low > ceiling
    if floor is not None and (low < floor or above):
        low, high = floor, max(high, floor + 100)
    if ceiling is not None and high > ceiling:
        if low > ceiling:
            low = ceiling if floor is None else floor
        high = ceiling
    return low, high


def _text(draw: Draws, name: str, schema: Schema, shown: Sequence[object]) -> str:
    if schema.format in FORMATS:
        return FORMATS[schema.format](draw)
    if schema.pattern and (found := matching(schema.pattern, draw)) is not None:
        return found
    return _text_like([text for text in (*shown, schema.example) if isinstance(text, str) and text], draw, name)


def _text_like(seen: Sequence[str], draw: Draws, name: str) -> str:
    """A text by what its field is called, and by the texts that the field was seen with."""
    parts = set(words(name))
    if seen and patterns.is_code(seen[0]):
        return patterns.like(seen[draw(len(seen))], draw)
    if parts & LONG_TEXT:
        return _sentence(draw)
    by_name = _by_name(draw, parts, seen[0] if seen else "")
    if by_name is not None:
        return by_name
    if seen:
        return seen[draw(len(seen))]
    return names.name_of(name, number("text", draw(1 << 30)))


def _by_name(draw: Draws, parts: set[str], example: str) -> str | None:
    for wanted, make in BY_NAME:
        if parts & wanted:
            return make(draw)
    if parts & {"country", "region", "market", "markets"} and len(example) in (0, 2):
        return COUNTRIES[draw(len(COUNTRIES))]
    if parts & {"language", "languages"} and len(example) in (0, 2):
        return LANGUAGES[draw(len(LANGUAGES))]
    if parts & {"at", "timestamp"}:
        return _moment(draw)
    return _day(draw) if parts & {"date", "birthday", "day"} else None


def _day(draw: Draws) -> str:
    return (DAY_ZERO + timedelta(days=draw(DAYS))).isoformat()


def _moment(draw: Draws) -> str:
    return f"{_day(draw)}T{draw(24):02}:{draw(60):02}:{draw(60):02}Z"


def _sentence(draw: Draws) -> str:
    start, end = (names.name_of("", number("sentence", draw(1 << 30))) for _ in range(2))
    return f"{start[:1].upper()}{start[1:].lower()} and {end.lower()}."


def _hex(draw: Draws, length: int) -> str:
    return "".join("0123456789abcdef"[draw(16)] for _ in range(length))


def _uuid(draw: Draws) -> str:
    text = _hex(draw, 32)
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def _address(draw: Draws) -> str:
    return f"{names.FIRST[draw(len(names.FIRST))]}.{names.LAST[draw(len(names.LAST))]}@example.com".lower()


def _url(draw: Draws) -> str:
    return f"https://www.example.com/{_hex(draw, 10)}"


FORMATS: dict[str, Callable[[Draws], str]] = {
    "date": _day,
    "date-time": _moment,
    "time": lambda draw: f"{draw(24):02}:{draw(60):02}:00Z",
    "uuid": _uuid,
    "email": _address,
    "uri": _url,
    "url": _url,
    "hostname": lambda draw: f"{_hex(draw, 8)}.example.com",
    "ipv4": lambda draw: f"192.0.2.{draw(256)}",
    "ipv6": lambda draw: f"2001:db8::{_hex(draw, 4)}",
    "byte": lambda draw: _hex(draw, 16),
    "duration": lambda draw: f"PT{1 + draw(120)}M",
}
BY_NAME: tuple[tuple[frozenset[str], Callable[[Draws], str]], ...] = (
    (frozenset({"email"}), _address),
    (frozenset({"url", "uri", "href", "homepage", "link", "website"}), _url),
    (frozenset({"uuid", "guid"}), _uuid),
    (frozenset({"phone", "fax"}), lambda draw: f"+1-555-01{draw(100):02}"),
    (frozenset({"currency"}), lambda draw: CURRENCIES[draw(len(CURRENCIES))]),
    (frozenset({"3166"}), lambda draw: COUNTRIES[draw(len(COUNTRIES))]),
    (frozenset({"639"}), lambda draw: LANGUAGES[draw(len(LANGUAGES))]),
    (frozenset({"path"}), lambda draw: f"/{_hex(draw, 16)}.jpg"),
    (frozenset({"id", "token", "etag", "hash", "sha"}), lambda draw: _hex(draw, 24)),
    (frozenset({"city", "place", "headquarters"}), lambda draw: names.name_of("city", number("c", draw(1 << 30)))),
    (frozenset({"author", "artist", "owner", "narrator"}), lambda draw: names.name_of("person", number(draw(1 << 30)))),
)


def _fitted(text: str, schema: Schema) -> str:
    """The text within the schema's bounds of length."""
    low, high = schema.get("minLength"), schema.get("maxLength")
    if low is not None and len(text) < low:
        text = (text * (int(low) // max(1, len(text)) + 1))[: int(low)] if text else "a" * int(low)
    return text[: int(high)] if high is not None else text
