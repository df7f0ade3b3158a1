"""JSON Schemas in responses: what describes somebody's data, member by member, and is no thing of the API itself."""

from __future__ import annotations

from collections.abc import Mapping

_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def is_json_schema(value: Mapping[str, object]) -> bool:
    """Whether an object is a schema with parts: the form of these is the standard's, their names are data."""
    if isinstance(value.get("$schema"), str):
        return True
    kind = value.get("type")
    named = frozenset(map(str, kind if isinstance(kind, list) else [kind]))
    if not named or not named <= _TYPES:
        return False
    return ("object" in named and _has_properties(value)) or ("array" in named and _has_items(value))


def _has_properties(value: Mapping[str, object]) -> bool:
    properties = value.get("properties")
    return isinstance(properties, dict) and all(isinstance(part, dict | bool) for part in properties.values())


def _has_items(value: Mapping[str, object]) -> bool:
    items = value.get("items")
    return isinstance(items, dict) and (not items or "type" in items or "$ref" in items)
