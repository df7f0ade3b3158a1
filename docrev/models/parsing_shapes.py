"""The shapes that a model may have given to a value, each brought near to the schema that was asked for.

Names of properties that differ in case, dashes or spaces are taken for those of the schema, answers that were wrapped
(`{"answer": {…}}`, a list of one) are unwrapped, and scalars written as text become what the schema wants.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from docrev.models.parsing_blocks import read_values
from docrev.records import Json

_DEPTH = 3
_MAX_LINES = 10_000
_MAX_NAME = 60
_NOT_A_NAME = re.compile(r"[^a-z0-9]")
_LOCATION = re.compile(r"(path|query|header|cookie|body):.*", re.DOTALL)
_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}
_NOTHING = {"nan", "undefined", "n/a", ""}


def fit_shapes(data: object, schema: Mapping[str, object], depth: int = 0) -> Iterator[Json]:
    """`data` near to `schema`, as it stands and unwrapped; the likeliest first."""
    if isinstance(data, dict):
        yield from _object_shapes(data, schema, depth)
    elif isinstance(data, str) and depth:
        for value in read_values(data):
            yield from fit_shapes(value, schema, depth + 1)
    elif isinstance(data, list) and data and depth < _DEPTH:
        for part in (data[-1], *data[:-1]):
            yield from fit_shapes(part, schema, depth + 1)


def _object_shapes(data: dict[str, object], schema: Mapping[str, object], depth: int) -> Iterator[Json]:
    fitted = _object(data, schema)
    if fitted or not schema.get("properties"):
        yield fitted
    bare = _bare(data, schema)
    if bare is not None:
        yield bare
    if depth < _DEPTH:
        names = _names(schema)
        wrapped = [value for name, value in data.items() if _name(name) not in names]
        for value in wrapped:
            if isinstance(value, dict | list | str):
                yield from fit_shapes(value, schema, depth + 1)


def _bare(data: Mapping[str, Json], schema: Mapping[str, Any]) -> Json:
    """Arguments that stand by themselves, if the schema wants them under its only property."""
    properties = schema.get("properties", {})
    if len(properties) == 1 and data and all(_LOCATION.fullmatch(name) for name in data):
        return {next(iter(properties)): dict(data)}
    return None


def read_lines(text: str, schema: Mapping[str, object]) -> Json:
    """An answer written as `name: value` lines without braces, or None if no property has a line."""
    found: dict[str, Json] = {}
    names = _names(schema)
    for line in text[:_MAX_LINES].splitlines():
        said, colon, value = line.partition(":")
        name = names.get(_name(said), "") if colon and len(said) < _MAX_NAME else ""
        if name and name not in found and value.strip(" *\t,"):
            found[name] = value.strip(" *\t,").strip("\"'")
    return _object(found, schema) if found else None


def _names(schema: Mapping[str, Any]) -> dict[str, str]:
    return {_name(name): name for name in schema.get("properties", {})}


def _name(name: str) -> str:
    return _NOT_A_NAME.sub("", str(name).lower())


def _object(data: Mapping[str, Json], schema: Mapping[str, Any]) -> dict[str, Json]:
    """The properties that the schema has, under its names, an exact name before one that only resembles it."""
    properties: Mapping[str, Any] = schema.get("properties", {})
    names = _names(schema)
    made: dict[str, Json] = {}
    for given, value in data.items():
        name = given if given in properties else names.get(_name(given), "")
        if name and (given == name or name not in made):
            made[name] = _fit(value, properties[name])
    return made


def _fit(value: object, schema: Mapping[str, Any]) -> Json:
    """A value as the schema wants it, if that says the same; otherwise as it is."""
    if isinstance(value, dict):
        inner = next((part for part in (schema, *schema.get("anyOf", ())) if part.get("properties")), None)
        return (_object(value, inner) if inner is not None else None) or value
    if isinstance(value, list):
        return [_fit(part, schema.get("items", {})) for part in value]
    if isinstance(value, str):
        return _fit_text(value, schema)
    if isinstance(value, float):
        return _fit_number(value, _kinds(schema))
    return value


def _fit_number(value: float, kinds: set[str]) -> Json:
    if not math.isfinite(value):
        return None
    return int(value) if "integer" in kinds and value.is_integer() else value


def _fit_text(value: str, schema: Mapping[str, object]) -> Json:
    kinds = _kinds(schema)
    if kinds == {"array"} and value:
        return _listed(value, schema)
    if "null" in kinds and value.strip().lower() in ("null", "none"):
        return None
    return value if "string" in kinds else _scalar(value.strip(), kinds)


def _listed(value: str, schema: Mapping[str, Any]) -> Json:
    """A list that was written as text, or one text where a list of texts is wanted."""
    if value.lstrip().startswith("["):
        for found in read_values(value):
            return found
        try:
            return json.loads(value.replace("'", '"'))
        except (ValueError, RecursionError):
            return value
    return [value] if "string" in _kinds(schema.get("items", {})) else value


def _scalar(text: str, kinds: set[str]) -> Json:
    if "boolean" in kinds and text.lower() in _BOOLEANS:
        return _BOOLEANS[text.lower()]
    if "null" in kinds and text.lower() in _NOTHING:
        return None
    if kinds & {"integer", "number"}:
        match = re.match(r"[+-]?\d+(\.\d+)?(?!\S*\d)", text)
        if match is not None:
            number = float(match.group())
            return int(number) if number.is_integer() else number
    return text


def _kinds(schema: Mapping[str, Any]) -> set[str]:
    """The JSON types that a schema allows; empty if it allows any."""
    kind = schema.get("type", [])
    own = {kind} if isinstance(kind, str) else set(kind)
    for part in schema.get("anyOf", ()):
        own |= _kinds(part)
    return own if own else {"string"}
