"""Whether a schema declares what a fact says: nobody needs to read it twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from docrev.facts.wire_values import key_of
from docrev.json_values.scalars import is_number
from docrev.records import Fact, Json
from docrev.spec import MISSING, Schema

_VERSION = re.compile(r"(?<=^uuid)\d$")
"""What a declared format says beyond what is seen of values: `uuid4` is a UUID."""
_FIELDS_OF = {"range": ("minimum", "maximum"), "clamps": ("minimum", "maximum"), "length": ("minLength", "maxLength")}


def is_declared(schema: Schema | None, facts: Iterable[Fact]) -> bool:
    """Whether a schema says what each of some facts says."""
    if schema is None:
        return False
    # What is sent as a list is tried by single items.
    items = schema.items()
    parts = [schema] if items is None else [schema, items]
    return all(fact.kind in DECLARED and any(DECLARED[fact.kind](part, fact) for part in parts) for fact in facts)


def _has_ends(schema: Schema, fact: Fact) -> bool:
    names = dict(zip(("minimum", "maximum"), _FIELDS_OF[fact.kind], strict=True))
    return all(schema.get(names[end]) == value for end, value in fact.value.items() if end in names)


def _has_values(schema: Schema, fact: Fact) -> bool:
    # One of several schemas for a body may declare the one value that chooses it.
    declared = schema.enum or ([schema.get("const")] if schema.get("const") is not None else [])
    return len(declared) == 1 or (declared != [] and {*map(str, fact.value)} <= {*map(str, declared)})


def _form(schema: Schema) -> Json:
    """The declared format by the name that facts have for it: base64 is `byte` in OpenAPI 2 and 3.0, and a content
    encoding in JSON Schema.
    """
    declared = schema.format or schema.get("contentEncoding") or ""
    return "base64" if declared == "byte" else _VERSION.sub("", declared) if isinstance(declared, str) else ""


def _is_same(declared: Json, value: Json) -> bool:
    """Whether two values are sent alike; a number may be written with a point or without."""
    both = (declared, value)
    are_numbers = all(is_number(each) for each in both)
    return declared == value if are_numbers else key_of(declared) == key_of(value)


DECLARED: dict[str, Callable[[Schema, Fact], bool]] = {
    "default": lambda schema, fact: schema.default is not MISSING and _is_same(schema.default, fact.value),
    "allowed-values": _has_values,
    "observed-values": lambda schema, fact: schema.enum is not None,
    "type": lambda schema, fact: schema.type == fact.value,
    "range": _has_ends,
    "clamps": _has_ends,
    "length": _has_ends,
    "pattern": lambda schema, fact: schema.pattern == fact.value,
    "format": lambda schema, fact: _form(schema) == fact.value,
    "nullable": lambda schema, fact: schema.nullable,
}
"""Whether a schema declares what a fact says, by its kind."""
