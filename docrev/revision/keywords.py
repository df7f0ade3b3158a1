"""Facts as the keywords of JSON Schema in the dialect of a document: Swagger 2.0, OpenAPI 3.0 or 3.1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from docrev.records import Json
from docrev.revision.place_facts import Known
from docrev.spec.grammar import version

Dialect = Literal["2.0", "3.0", "3.1"]

_TYPES = ("string", "integer", "number", "boolean", "array", "object")
_NUMBERS = ("integer", "number")
_COMPOSED = ("$ref", "allOf", "oneOf", "anyOf", "not", "const")
_EXCLUSIVE = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}


def dialect(tree: Json) -> Dialect:
    """The dialect of a document; that of OpenAPI 3.0 where it is a fragment."""
    told = version(tree) or "3.0"
    return "2.0" if told.startswith("2") else "3.1" if told >= "3.1" else "3.0"


def of_argument(known: Known, node: Mapping[str, Json], *, required: bool) -> dict[str, Json]:
    """The keywords that a parameter's (or body property's) schema lacks, or has otherwise than the facts show.

    A clamp is no keyword: what lies beyond it is accepted. `required` arguments have no default.
    """
    if any(name in node for name in _COMPOSED):
        return {}
    told = _type(known, node)
    kind = told or node.get("type")
    allowed = _allowed(known, kind)
    if ("enum" in node and not allowed) or kind in ("array", "object"):
        return {} if "type" in node else _plain_type(told)
    made = _plain_type(told)
    if allowed and not _same(allowed, node.get("enum")):
        made["enum"] = allowed
    if kind == "string":
        made |= _texts(known, node)
    if kind in _NUMBERS:
        made |= _bounds(known, node)
    default = _typed(known.value("default"), kind)
    if default is not None and not required and (not allowed or default in allowed):
        made["default"] = default
    return {name: value for name, value in made.items() if node.get(name) != value}


def of_response(known: Known, node: Mapping[str, Json], dialect: Dialect) -> dict[str, Json]:
    """The keywords that a response property's schema lacks or has otherwise: type, format, that it may be null."""
    if any(name in node for name in (*_COMPOSED, "enum")):
        return {}
    told = _type(known, node)
    kind = told or node.get("type")
    made = _plain_type(told)
    if kind == "string" and "format" in known and "format" not in node:
        made["format"] = known.value("format")
    if "nullable" in known and isinstance(kind, str) and kind != "null":
        made |= null(kind, dialect)
    return {name: value for name, value in made.items() if node.get(name) != value}


def null(kind: str, dialect: Dialect) -> dict[str, Json]:
    """That a value of this type may also be null."""
    if dialect == "3.1":
        return {"type": [kind, "null"]}
    return {"nullable": True} if dialect == "3.0" else {"x-nullable": True}


def _plain_type(told: str | None) -> dict[str, Json]:
    if told is None:
        return {}
    return {"type": told, "items": {}} if told == "array" else {"type": told}


def _type(known: Known, node: Mapping[str, Json]) -> str | None:
    """The type to write: where none is declared, or one that the values contradict."""
    told, declared = known.value("type"), node.get("type")
    if told not in _TYPES or (declared is not None and not isinstance(declared, str)) or declared == told:
        return None
    # A narrower declaration may be meant; a wider one is not wrong.
    if declared in _NUMBERS and told in _NUMBERS:
        return None
    return str(told) if declared is None or declared not in ("array", "object", "file") else None


def _allowed(known: Known, kind: Json) -> list[Json]:
    told = known.value("allowed-values")
    found = [_typed(value, kind) for value in told] if isinstance(told, list) else []
    return [] if None in found else found


def _same(one: list[Json], other: Json) -> bool:
    return isinstance(other, list) and sorted(map(repr, one)) == sorted(map(repr, other))


def _texts(known: Known, node: Mapping[str, Json]) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if "format" in known and "format" not in node:
        made["format"] = known.value("format")
    length = known.value("length")
    if isinstance(length, dict):
        made |= {
            name: length[end] for name, end in (("minLength", "minimum"), ("maxLength", "maximum")) if end in length
        }
    if "pattern" in known and "pattern" not in node:
        made["pattern"] = known.value("pattern")
    return made


def _bounds(known: Known, node: Mapping[str, Json]) -> dict[str, Json]:
    told = known.value("range")
    ends = told.items() if isinstance(told, dict) else ()
    return {end: bound for end, bound in ends if end in _EXCLUSIVE and _EXCLUSIVE[end] not in node}


def _typed(value: Json, kind: Json) -> Json:
    """A value as its type has it: what stands in a URL is text; None where it is not of the type."""
    if value is None or isinstance(value, dict | list):
        return None
    if kind == "string":
        return value if isinstance(value, str) else str(value)
    if kind in _NUMBERS:
        try:
            number = float(value)
        except (TypeError, ValueError):
            return None
        return int(number) if number.is_integer() else (number if kind == "number" else None)
    if kind == "boolean":
        return {"true": True, "false": False}.get(str(value).lower())
    return value if kind is None else None
