"""Parameters of ToolBench's records and their schemas, there and back.

A record is {name, type, description, default}; other keys, and what the schema cannot say, stand under `x-toolbench`.
Types are kept as meant: NUMBER is a number, with decimals; a type nobody knows leaves the schema without one. A
default that is not of its type is no default: it stands under `x-toolbench` as it was.
"""

from __future__ import annotations

import json
import re

from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.formats.fitted_schemas import NOWHERE, fits, fitted, restored
from docrev.spec.meaning import MISSING, Absent, as_type, json_type
from docrev.spec.plain_data import same

EXTRA = "x-toolbench"
RESERVED = frozenset({"api_name", "tool_name", "set_aside", "response_form", "optional", "implied"})
"""What docrev itself writes under `x-toolbench`."""
_DATE = "DATE (YYYY-MM-DD)"
_TYPES: dict[str, dict[str, Json]] = {
    "STRING": {"type": "string"},
    "NUMBER": {"type": "number"},
    "BOOLEAN": {"type": "boolean"},
    "ARRAY": {"type": "array"},
    "OBJECT": {"type": "object"},
    "ENUM": {"type": "string"},
    _DATE: {"type": "string", "format": "date"},
    "DATE": {"type": "string", "format": "date"},
    "TIME (24-HOUR HH:MM)": {"type": "string"},
    "TIME": {"type": "string"},
    "BINARY": {"type": "string", "format": "binary"},
    "FILE": {"type": "string", "format": "binary"},
}
_SPELLED = {("string", None): "STRING", ("string", "date"): _DATE, ("string", "binary"): "BINARY"} | {
    (kind, None): kind.upper() for kind in ("number", "boolean", "array", "object")
}
_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
Parts = tuple[dict[str, Json], str, dict[str, Json]]
"""A parameter's schema, description, and what is kept of it under `x-toolbench`."""


def parts_of(record: dict[str, object]) -> Parts:
    """The parts of a record (its name and place aside)."""
    rest = {key: value for key, value in record.items() if key != "name"}
    description = rest.pop("description", "")
    if not isinstance(description, str):
        rest["description"], description = description, ""
    if isinstance(rest.get("schema"), dict):
        given = fitted(rest.pop("schema"), NOWHERE)
        schema = mapping(given)
        if not description and isinstance(schema.get("description"), str):
            description = str(schema.pop("description"))
        elif "description" in schema:
            rest["schema_description"] = schema.pop("description")
    else:
        schema = dict(_shape(rest.get("type")))
        schema |= _values(rest, schema)
    if "type" in rest and same(rest["type"], _spelled(schema)):
        del rest["type"]
    return schema | _default(rest, schema), description, rest


def record_of(name: str, parts: Parts) -> dict[str, Json]:
    """The record of a parameter: `parts_of` it gives the parts again. What was changed since is taken as it is."""
    schema, description, rest = parts
    rest = dict(rest)
    kind = rest.pop("type", MISSING)
    if isinstance(kind, Absent) or not _agrees(kind, schema):
        kind = _spelled(schema)
    raw = rest.pop("default", MISSING)
    if isinstance(raw, Absent) or not same(_converted(raw, schema), schema.get("default", MISSING)):
        raw = _text(schema["default"]) if "default" in schema else ""
    record: dict[str, Json] = {"name": name, "type": kind, "description": rest.pop("description", description)}
    record |= {"default": raw} | rest
    if not _is_same(parts_of(record), parts):
        # Beside a schema, which says what holds, the old words may stand as they were.
        said = {key: value for key, value in parts[2].items() if key in ("type", "default")}
        record |= {"schema": restored(schema, NOWHERE)} | said
    return record


def kept(rest: dict[str, object]) -> dict[str, Json]:
    """What is left of a record, its keys kept apart from those that docrev itself writes under `x-toolbench`."""
    return {f"_{key}" if key.lstrip("_") in RESERVED else key: value for key, value in sorted(rest.items())}


def given(extra: object) -> tuple[dict[str, Json], dict[str, Json]]:
    """What `kept` was given, and what docrev wrote beside it."""
    held = mapping(extra)
    own = {key: value for key, value in held.items() if key in RESERVED}
    rest = {key: value for key, value in held.items() if key not in RESERVED}
    return {key[1:] if key.lstrip("_") in RESERVED else key: value for key, value in rest.items()}, own


def _is_same(one: Parts, other: Parts) -> bool:
    return one[1] == other[1] and same(one[0], other[0]) and same(one[2], other[2])


def _shape(kind: object) -> dict[str, Json]:
    """The schema that a type stands for: ToolBench's, and what people wrote in its place."""
    if not isinstance(kind, str):
        return {}
    known = _TYPES.get(kind.strip().upper())
    meant = json_type(kind)
    return known if known is not None else {"type": meant} if meant and meant != "null" else {}


def _agrees(kind: object, schema: dict[str, object]) -> bool:
    shape = _shape(kind)
    return all(same(shape.get(key), schema.get(key)) for key in ("type", "format"))


def _spelled(schema: dict[str, object]) -> Json:
    """The type of a schema in ToolBench's words."""
    kind, form = schema.get("type"), schema.get("format")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), None)
    if "enum" in schema and kind == "string":
        return "ENUM"
    kind = "number" if kind == "integer" else kind
    if kind is None:
        return ""
    named = kind if isinstance(kind, str) else ""
    return _SPELLED.get((named, form if isinstance(form, str) else None)) or _SPELLED.get((named, None), "STRING")


def _values(rest: dict[str, object], schema: dict[str, object]) -> dict[str, Json]:
    """The value set of a record that gives one, as richer rows do."""
    for key in ("enum", "options"):
        values = rest.get(key)
        if isinstance(values, list) and values and all(isinstance(one, str) for one in values):
            return {"enum": list(values)} if schema.get("type") == "string" and len(set(values)) == len(values) else {}
    return {}


def _default(rest: dict[str, object], schema: dict[str, object]) -> dict[str, Json]:
    """The default of a record if it is of its type; the raw one stays in `rest` if it says more than that."""
    raw = rest.get("default", "")
    if "default" in schema:
        if raw == "" or raw == _text(schema["default"]):
            rest.pop("default", None)
        return {}
    if isinstance(raw, str) and raw == "":
        rest.pop("default", None)
        return {}
    value = _converted(raw, schema)
    if isinstance(value, Absent):
        return {}
    if same(_text(value), raw):
        del rest["default"]
    return {"default": value}


def _converted(raw: object, schema: dict[str, object]) -> Json | Absent:
    """A raw default as its schema has it; MISSING if it is not of the schema."""
    kind = schema.get("type")
    value = _parsed(raw, kind) if isinstance(kind, str) else MISSING
    if schema.get("format") == "date" and not (isinstance(value, str) and _DAY.fullmatch(value)):
        return MISSING
    plain = {key: item for key, item in schema.items() if key != "format"}
    return value if value is not MISSING and fits(value, plain) else MISSING


def _parsed(raw: object, kind: str) -> Json | Absent:
    if kind == "string" and isinstance(raw, int | float):
        return _text(raw)
    if not isinstance(raw, str) or kind not in ("array", "object"):
        return as_type(raw, kind)
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return MISSING


def _text(value: object) -> str:
    """A value as ToolBench writes defaults: all of them are texts."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
