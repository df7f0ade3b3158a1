"""Schemas that stand by themselves: what they refer to elsewhere in a document comes along, under `$defs`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.files import numbered
from docrev.spec.formats.fitted_schemas import NOWHERE, restored
from docrev.spec.formats.toolbench.parameters import EXTRA
from docrev.spec.meaning import MISSING
from docrev.spec.refs import References, target
from docrev.spec.schema import Schema

_OURS = frozenset({EXTRA, "x-docrev"})
_DEEPEST = 6


@dataclass
class Standalone:
    """Copies schemas of one catalog; `definitions` gathers what they refer to, by name."""

    refs: References
    definitions: dict[str, Json] = field(default_factory=dict)
    _names: dict[tuple[str, str], str] = field(default_factory=dict)

    def copy(self, schema: Schema) -> Json:
        """A copy that refers to nothing but the definitions."""
        return _without_ours(restored(schema.node, NOWHERE, lambda ref: self._referred(schema.place.file, ref)))

    def whole(self, file: str, pointer: str) -> Json:
        """The schema at a place as a document of its own: references within it stay, the definitions come along."""
        node = raw(self.refs, file, pointer)
        schema = _without_ours(restored(node, pointer, lambda ref: self._referred(file, ref)))
        if self.definitions:
            schema["$defs"] = mapping(schema.get("$defs")) | self.definitions
        return schema

    def _referred(self, file: str, ref: str) -> str:
        goal = target(file, ref)
        if goal is None or isinstance(found := self.refs.value(*goal), type(MISSING)):
            return ref
        name = self._names.get(goal)
        if name is None:
            plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", pointers.last(goal[1])) or "schema"
            name = numbered(plain, self.definitions)
            self._names[goal] = name
            self.definitions[name] = {}  # holds the name while what it refers to is copied
            copied = restored(found, NOWHERE, lambda inner: self._referred(goal[0], inner))
            self.definitions[name] = _without_ours(copied)
        return f"#/$defs/{name}"


def inlined(schema: Schema) -> dict[str, Json]:
    """A copy with what it refers to in place of each reference, some references deep."""
    return mapping(_without_ours(_inlined(schema.refs, schema.place.file, schema.node, _DEEPEST)))


def _inlined(refs: References, file: str, node: object, depth: int) -> Json:
    if isinstance(node, list):
        return [_inlined(refs, file, item, depth) for item in node]
    if not isinstance(node, dict):
        return node
    ref = node.get("$ref")
    goal = target(file, ref) if isinstance(ref, str) else None
    if goal is None:
        return {key: _inlined(refs, file, value, depth) for key, value in node.items()}
    found = refs.value(*goal) if depth else None
    return _inlined(refs, goal[0], found, depth - 1) if isinstance(found, dict) else {}


def expanded(schema: Schema, depth: int = _DEEPEST) -> dict[str, Json]:
    """Types, properties and items of a schema without any reference, `depth` levels of it."""
    told: dict[str, Json] = {"type": schema.type} if schema.type else {}
    if isinstance(extra := schema.node.get(EXTRA), dict):
        told[EXTRA] = extra
    if depth and (fields := schema.properties()):
        told["properties"] = {name: expanded(child, depth - 1) for name, child in fields.items()}
    if depth and (items := schema.items()) is not None:
        told["items"] = expanded(items, depth - 1)
    return told


def _without_ours(schema: object) -> Json:
    """Without what docrev keeps in specs: it is no part of the schema."""
    if isinstance(schema, list):
        return [_without_ours(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _without_ours(value) for key, value in schema.items() if key not in _OURS}


def raw(refs: References, file: str, pointer: str) -> dict[str, Json]:
    """The mapping at a place of a document, as it is written."""
    return mapping(refs.value(file, pointer) or None)
