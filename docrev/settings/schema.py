"""The JSON Schema (draft 2020-12) of `docrev.toml`, for editors and validators."""

from __future__ import annotations

from docrev.json_values.canonical import canonical
from docrev.records import Json
from docrev.settings.base import Flag, Settings
from docrev.settings.file import TABLES, VALUES

SCHEMA_URL = "https://raw.githubusercontent.com/docrev/docrev/main/docs/docrev.schema.json"
"""Where the schema is published; `docs/docrev.schema.json` is the same."""
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "default")
_VALUE = {"type": ["string", "number", "boolean"]}


def settings_schema() -> dict[str, Json]:
    """The schema: a table for each command, with the help of each setting as its description."""
    tables = {name: _table(group) for name, group in TABLES.items()}
    tables[VALUES] = {
        "description": "Values to try before all others, by parameter or 'METHOD /path:parameter', as of --value.",
        "type": "object",
        "additionalProperties": {"anyOf": [_VALUE, {"type": "array", "items": _VALUE}]},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_URL,
        "title": "docrev.toml",
        "type": "object",
        "additionalProperties": False,
        "properties": tables,
    }


def _table(group: type[Settings]) -> dict[str, Json]:
    whole = group.model_json_schema()
    definitions = whole.get("$defs", {})
    properties = {
        flag.name: _setting(whole["properties"][name], flag, definitions)
        for name, flag in group.flags().items()
        if flag.in_file
    }
    return {"description": whole["description"], "type": "object", "additionalProperties": False} | {
        "properties": properties
    }


def _setting(node: Json, flag: Flag, definitions: Json) -> Json:
    """A setting as a file gives it: in its own unit, and one text where several may be given."""
    shown = {name: part for name, part in node.items() if name not in ("title", "flag", "$ref")}
    if "$ref" in node:
        shown |= definitions[node["$ref"].rpartition("/")[2]]
    if flag.unit != 1:
        shown = {name: part for name, part in shown.items() if name not in _BOUNDS}
    if "anyOf" in shown:
        choices = [_setting(choice, flag, definitions) for choice in shown["anyOf"] if choice != {"type": "null"}]
        shown |= {"anyOf": choices}
    if shown.get("type") == "array":
        several = {"type": "array", "items": shown.pop("items")}
        del shown["type"]
        shown |= {"anyOf": [several["items"], several]}
    if canonical(shown.get("default", 0)) in ("null", "[]", '""'):
        del shown["default"]
    return shown
