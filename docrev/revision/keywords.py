"""Facts as the keywords of JSON Schema in the dialect of a document: Swagger 2.0, OpenAPI 3.0 or 3.1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from docrev.facts.kinds.format import FORMATS
from docrev.facts.registry import PROVES_READ, value_of
from docrev.json_values.containers import mapping, sequence
from docrev.records import Json
from docrev.revision.place_facts import FactsByKind
from docrev.spec.grammar import version

Dialect = Literal["2.0", "3.0", "3.1"]

_TYPES = ("string", "integer", "number", "boolean", "array", "object")
_NUMBERS = ("integer", "number")
_CONTAINERS = ("array", "object")
COMPOSED = ("$ref", "allOf", "oneOf", "anyOf")
"""Keywords by which a schema is put together of others, which may say what it lacks."""
_SETTLED = (*COMPOSED, "not", "const")
_EXCLUSIVE = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
_LENGTHS = {"minimum": "minLength", "maximum": "maxLength"}


def dialect(tree: Json) -> Dialect:
    """The dialect of a document; that of OpenAPI 3.0 for a fragment."""
    found = version(tree) or "3.0"
    return "2.0" if found.startswith("2") else "3.1" if found >= "3.1" else "3.0"


@dataclass(frozen=True)
class SchemaGap:
    """A schema as it is written (`node`) beside what the facts show of its values."""

    facts: FactsByKind
    node: Mapping[str, Json]
    required: bool = False

    @cached_property
    def missing_type(self) -> str | None:
        """The type to write: if none is declared, or one that the values contradict."""
        shown, declared = self.facts.value("type"), self.node.get("type")
        if shown not in _TYPES or (declared is not None and not isinstance(declared, str)) or declared == shown:
            return None
        # A narrower declaration may be meant; a wider one is not wrong.
        if declared in _NUMBERS and shown in _NUMBERS:
            return None
        if declared is None and self._is_open:
            return None
        return None if declared in (*_CONTAINERS, "file") else str(shown)

    @property
    def _is_open(self) -> bool:
        """Whether people described values and left their type open, and nothing shows that the API checks them."""
        return not {"title", "description"}.isdisjoint(self.node) and not self.facts.any_of(PROVES_READ - {"required"})

    @property
    def type(self) -> Json:
        return self.missing_type or self.node.get("type")

    @cached_property
    def allowed(self) -> list[Json]:
        """The allowed values as their type has them; [] if one is not of the type."""
        shown = self.facts.value("allowed-values")
        values = [_typed(value, self.type) for value in sequence(shown)]
        return [] if None in values else values


def of_argument(facts: FactsByKind, node: Mapping[str, Json], *, required: bool) -> dict[str, Json]:
    """The keywords that a parameter's (or body property's) schema lacks, or has otherwise than the facts show.

    A clamp is no keyword: what lies beyond it is accepted. `required` arguments have no default.
    """
    gap = SchemaGap(facts, node, required)
    if any(name in node for name in _SETTLED):
        return {}
    if ("enum" in node and not gap.allowed) or gap.type in _CONTAINERS:
        return {} if "type" in node else type_keywords(gap)
    return _lacking(node, *(keywords(gap) for keywords in KEYWORDS.values()))


def of_response(facts: FactsByKind, node: Mapping[str, Json], dialect: Dialect) -> dict[str, Json]:
    """The keywords that a response property's schema lacks or has otherwise: type, format, that it may be null."""
    gap = SchemaGap(facts, node)
    if any(name in node for name in (*_SETTLED, "enum")):
        return {}
    nullable = "nullable" in facts and isinstance(gap.type, str) and gap.type != "null"
    return _lacking(node, type_keywords(gap), _format(gap), null(str(gap.type), dialect) if nullable else {})


def _lacking(node: Mapping[str, Json], *keywords: dict[str, Json]) -> dict[str, Json]:
    return {name: value for part in keywords for name, value in part.items() if node.get(name) != value}


def null(kind: str, dialect: Dialect) -> dict[str, Json]:
    """That a value of this type may also be null."""
    if dialect == "3.1":
        return {"type": [kind, "null"]}
    return {"nullable": True} if dialect == "3.0" else {"x-nullable": True}


def type_keywords(gap: SchemaGap) -> dict[str, Json]:
    """The keywords that declare the type that a schema lacks."""
    if gap.missing_type is None:
        return {}
    return {"type": gap.missing_type} | ({"items": {}} if gap.missing_type == "array" else {})


def _enum(gap: SchemaGap) -> dict[str, Json]:
    declared = gap.node.get("enum")
    same = isinstance(declared, list) and sorted(map(repr, gap.allowed)) == sorted(map(repr, declared))
    return {"enum": gap.allowed} if gap.allowed and not same else {}


def _format(gap: SchemaGap) -> dict[str, Json]:
    """A format that JSON Schema has a name for."""
    found = _if_absent(gap, "format")
    return found if found.get("format") in FORMATS else {}


def _pattern(gap: SchemaGap) -> dict[str, Json]:
    return _if_absent(gap, "pattern")


def _characters(gap: SchemaGap) -> dict[str, Json]:
    """A pattern of the characters that a text may have, if both of its ends may have the same ones."""
    if gap.type != "string" or "pattern" in gap.node or not gap.facts.all("characters"):
        return {}
    value = value_of(gap.facts.all("characters")[0])
    inner, ends = value.allowed, {value.first, value.last}
    if inner is None or value.prefix or value.suffix or len(ends) > 1 or value.forbidden:
        return {}
    return {"pattern": f"^{value.first}({inner}*{value.last})?$" if value.first else f"^{inner}*$"}


def _if_absent(gap: SchemaGap, kind: str) -> dict[str, Json]:
    wanted = gap.type == "string" and kind in gap.facts and kind not in gap.node
    return {kind: gap.facts.value(kind)} if wanted else {}


def _length(gap: SchemaGap) -> dict[str, Json]:
    length = gap.facts.value("length") if gap.type == "string" else None
    return {name: length[end] for end, name in _LENGTHS.items() if end in length} if isinstance(length, dict) else {}


def _range(gap: SchemaGap) -> dict[str, Json]:
    bounds = gap.facts.value("range") if gap.type in _NUMBERS else None
    ends = mapping(bounds).items()
    return {end: bound for end, bound in ends if end in _EXCLUSIVE and _EXCLUSIVE[end] not in gap.node}


def _default(gap: SchemaGap) -> dict[str, Json]:
    value = _typed(gap.facts.value("default"), gap.type)
    fits = value is not None and not gap.required and (not gap.allowed or value in gap.allowed)
    return {"default": value} if fits else {}


KEYWORDS: dict[str, Callable[[SchemaGap], dict[str, Json]]] = {
    "type": type_keywords,
    "allowed-values": _enum,
    "format": _format,
    "length": _length,
    "pattern": _pattern,
    "characters": _characters,
    "range": _range,
    "default": _default,
}
"""The keywords of an argument's schema by the kind of fact, in the order in which they are written."""


def _typed(value: Json, kind: Json) -> Json:
    """A value as its type has it: what a URL contains is text; None if it is not of the type."""
    if value is None or isinstance(value, dict | list):
        return None
    if kind == "string":
        return value if isinstance(value, str) else str(value)
    if kind in _NUMBERS:
        return _number(value, whole=kind == "integer")
    if kind == "boolean":
        return {"true": True, "false": False}.get(str(value).lower())
    return value if kind is None else None


def _number(value: Json, *, whole: bool) -> Json:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return int(number) if number.is_integer() else None if whole else number
