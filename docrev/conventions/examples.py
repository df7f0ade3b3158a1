"""Example values for a schema: by its example, default, enum, format, name and type, in this order.

What is sent must be harmless and look like what it is: a test by docrev.
"""

from __future__ import annotations

from collections.abc import Callable

from docrev.language.words import words
from docrev.records import Json
from docrev.spec import MISSING, Schema

_FORMATS: dict[str, Json] = {
    "date": "2024-06-01",
    "date-time": "2024-06-01T12:00:00Z",
    "zoned-date-time": "2024-06-01T12:00:00Z",
    "time": "12:00:00",
    "email": "docrev@example.org",
    "uri": "https://example.org/docrev",
    "url": "https://example.org/docrev",
    "uuid": "6f1d1a3e-0000-4000-8000-000000000001",
    "ipv4": "192.0.2.1",
    "ip": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "cidr": "192.0.2.0/24",
    "mac-address": "02:00:00:00:00:01",
    "hostname": "example.org",
    "duration": "PT1H",
    "cron": "0 0 * * *",
    "semver": "1.0.0",
    "phone": "+15555550100",
    "regex": ".*",
    "port": 8080,
}
BY_WORD: dict[str, Json] = {
    "email": "docrev@example.org",
    "url": "https://example.org/docrev",
    "uri": "https://example.org/docrev",
    "date": "2024-06-01",
    "day": "2024-06-01",
    "time": "2024-06-01T12:00:00Z",
    "year": 2024,
    "month": 6,
    "lat": 48.85,
    "latitude": 48.85,
    "lon": 2.35,
    "lng": 2.35,
    "longitude": 2.35,
    "language": "en",
    "lang": "en",
    "locale": "en",
    "country": "FR",
    "currency": "EUR",
    "limit": 2,
    "size": 2,
    "count": 2,
    "page": 1,
    "offset": 0,
    "radius": 100,
}

_DEEPEST = 6

Lookup = Callable[[str, Schema], list[Json]]
"""Pointer in the body and its schema → values known for it, best first."""


def documented_values(schema: Schema) -> list[Json]:
    """The values that the documentation itself gives: example, default, enum."""
    found: list[Json] = []
    for value in (schema.example, schema.default):
        if value is not MISSING and value is not None and not isinstance(value, (dict, list)):
            found.append(value)
    found.extend(schema.enum or ())
    return _unique(found)


def guess_values(name: str, schema: Schema) -> list[Json]:
    """Values that fit the type and the name, if nothing is stated or seen."""
    kind, known = schema.type, []
    if schema.format in _FORMATS and kind in (None, "string"):
        known.append(_FORMATS[schema.format])
    for word in reversed(words(name)):
        if word in BY_WORD:
            known.append(BY_WORD[word])
    fitting = [coerced for value in known if (coerced := fit_type(value, kind)) is not None]
    return _unique([*fitting, *_by_type(name, schema)])


def _by_type(name: str, schema: Schema) -> list[Json]:
    kind = schema.type
    low = schema.get("minimum")
    if kind == "integer":
        return [int(low)] if isinstance(low, (int, float)) else [1, 2]
    if kind == "number":
        return [low] if isinstance(low, (int, float)) else [1, 10]
    if kind == "boolean":
        return [True]
    if kind == "array":
        return []
    return ["a", "1"] if words(name)[-1:] in (("q",), ("query",), ("search",), ("term",)) else ["docrev", "1"]


def values_of_type(name: str) -> list[Json]:
    """Values of a JSON type or a format that an error message names: both truth values, one of anything else."""
    if name == "boolean":
        return [True, False]
    return [1] if name in ("integer", "number") else [_FORMATS[name]] if name in _FORMATS else []


def fit_type(value: Json, kind: str | None) -> Json:
    """`value` as the JSON type `kind`, or None if it cannot be one: any number is a text, not every text a number."""
    if kind in (None, "array", "object"):
        return value
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if isinstance(value, bool | dict | list):
        return None
    if kind == "string":
        return value if isinstance(value, str) else str(value)
    return _as_number(value, whole=kind == "integer") if kind in ("integer", "number") else None


def _as_number(value: Json, *, whole: bool) -> float | int | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if whole:
        return int(number) if number.is_integer() else None
    return number


def example_body(schema: Schema, lookup: Lookup, *, full: bool = False, depth: int = 0) -> Json:
    """A request body: the required properties, with `full` also the others; `lookup` knows better values."""
    return _value("", schema, lookup, full, depth)


def _value(pointer: str, schema: Schema, lookup: Lookup, full: bool, depth: int) -> Json:
    kind = schema.type
    if depth < _DEEPEST and kind in (None, "object") and schema.properties():
        return _object(pointer, schema, lookup, full, depth)
    if kind == "object":
        # What takes any properties is of little use empty: one shows that, and how, they come back.
        return {"title": "docrev"} if full and depth and _takes_any(schema) else {}
    if kind == "array":
        item = schema.items() if depth < _DEEPEST else None
        return [_value(f"{pointer}/0", item, lookup, full, depth + 1)] if item is not None else []
    name = pointer.rpartition("/")[2]
    candidates = (lookup(pointer, schema), documented_values(schema), guess_values(name, schema))
    return next((value for values in candidates for value in values), "docrev")


def _takes_any(schema: Schema) -> bool:
    return schema.get("additionalProperties") is not False


def _object(pointer: str, schema: Schema, lookup: Lookup, full: bool, depth: int) -> dict[str, Json]:
    return {
        name: _value(f"{pointer}/{name}", part, lookup, full and depth < 3, depth + 1)
        for name, part in schema.properties().items()
        if (name in schema.required or full) and not part.get("readOnly")
    }


def _unique(values: list[Json]) -> list[Json]:
    seen: dict[str, Json] = {}
    for value in values:
        seen.setdefault(repr(value), value)
    return list(seen.values())
