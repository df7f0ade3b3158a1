"""Schemas: what differs between two, as values have it: `/owner/0/name` is a property of the items of `owner`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import escape
from docrev.records import Json
from docrev.spec.diff.differences import same
from docrev.spec.diff.extension import docrev
from docrev.spec.diff.walk import DiffSpot, Handler, Walk, filled
from docrev.spec.meaning import MISSING


def schema(walk: Walk, spot: DiffSpot, old: object, new: object) -> None:
    """Two schemas that are both there, references followed."""
    walk.fields(spot, old, new, SCHEMA)


def rooted(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    """The schema of a parameter, a body, a response or a header: its texts are told from theirs."""
    _single(walk, spot.child(key, schema=True), old, new, key)


def _single(walk: Walk, spot: DiffSpot, old: object, new: object, key: str) -> None:
    if isinstance(old, dict) and isinstance(new, dict):
        walk.pair(spot, old, new, schema)
    else:
        walk.emit(spot, key, old, new)


def nested(spot: DiffSpot, step: str) -> Mapping[str, Any]:
    """What of a spot changes one level down in the value: `step` is a property, 0 for items, * for any other."""
    subject = spot.subject if spot.subject.endswith("-property") else f"{spot.subject}-property"
    return {"subject": subject, "location": f"{spot.location}/{escape(step)}", "schema": False}


def _below(step: str) -> Handler:
    def handler(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
        if isinstance(old, dict) and isinstance(new, dict):
            _single(walk, spot.child(key, **nested(spot, step)), old, new, key)
        else:
            walk.leaf(spot, key, old, new)

    return handler


def _aside(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    if isinstance(old, dict) and isinstance(new, dict):
        _single(walk, spot.child(key), old, new, key)
    else:
        walk.leaf(spot, key, old, new)


def _named(prefix: str = "") -> Handler:
    def handler(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
        if (values := filled(dict, old, new)) is None:
            walk.leaf(spot, key, old, new)
            return
        inner = spot.child(key)
        if prefix:
            inner = replace(inner, location=f"{spot.location}/{prefix}")
        walk.mapping(inner, *values, schema, child=lambda name: nested(inner, name))

    return handler


def _branches(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    """`allOf`, `oneOf`, `anyOf`, `prefixItems`: equal branches belong together, then those of the same name."""
    if (values := filled(list, old, new)) is None:
        walk.leaf(spot, key, old, new)
        return
    names = _match(*values)
    walk.listing(spot.child(key), *values, schema, keys=names, child=lambda branch: {}, aspect=key)


def _match(old: list[Json], new: list[Json]) -> tuple[list[str], list[str]]:
    texts = [canonical(branch) for branch in old], [canonical(branch) for branch in new]
    both = set(texts[0]) & set(texts[1])
    names: list[list[str]] = []
    for branches, written in zip((old, new), texts, strict=True):
        rest = iter(range(len(branches)))
        names.append(
            [
                text if text in both else _name(branch) or f"branch {next(rest)}"
                for branch, text in zip(branches, written, strict=True)
            ]
        )
    return names[0], names[1]


def _name(branch: object) -> str:
    if not isinstance(branch, dict):
        return ""
    found = branch.get("$ref") or branch.get("title") or ""
    return found if isinstance(found, str) else ""


def _enum(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    if not isinstance(old, list) or not isinstance(new, list):
        walk.leaf(spot, key, old, new)
        return
    before = {canonical(value): number for number, value in enumerate(old)}
    after = {canonical(value): number for number, value in enumerate(new)}
    inner = spot.child(key)
    for text, number in after.items():
        if text not in before:
            walk.emit(inner.child(number), "enum-value", MISSING, new[number], field=key)
    for text, number in before.items():
        if text not in after:
            walk.emit(inner.child(number), "enum-value", old[number], MISSING, field=key)


def _required(walk: Walk, spot: DiffSpot, key: str, old: Json, new: Json) -> None:
    """The names of an object's required properties, each told as a flag of its property."""
    before, after = old, new
    old, new = ([] if value is MISSING else value for value in (old, new))
    if not _strings(old) or not _strings(new):
        walk.leaf(spot, key, before, after)
        return
    for name in dict.fromkeys((*new, *old)):
        if (name in old) != (name in new):
            at = (old if name in old else new).index(name)
            both = spot.child(key).child(at, new.index(name) if name in new else at, **nested(spot, name))
            walk.emit(both, "required", name in old, name in new)


def unordered(walk: Walk, spot: DiffSpot, key: str, old: Json, new: Json) -> None:
    """A list of names whose order says nothing."""
    if _strings(old) and _strings(new) and set(old) == set(new):
        return
    walk.leaf(spot, key, old, new)


def _strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _either(walk: Walk, spot: DiffSpot, key: str, old: Json, new: Json) -> None:
    """`type`: a name, or from OpenAPI 3.1 on a list of names."""
    old, new = ([value] if isinstance(value, str) else value for value in (old, new))
    if _strings(old) and _strings(new) and set(old) == set(new):
        return
    old, new = (value[0] if isinstance(value, list) and len(value) == 1 else value for value in (old, new))
    if not same(old, new):
        walk.leaf(spot, key, old, new)


SCHEMA: dict[str, Handler] = {
    "properties": _named(),
    "patternProperties": _named("*"),
    "dependentSchemas": _named("dependentSchemas"),
    "$defs": _named("$defs"),
    "definitions": _named("definitions"),
    "items": _below("0"),
    "contains": _below("0"),
    "unevaluatedItems": _below("0"),
    "additionalProperties": _below("*"),
    "unevaluatedProperties": _below("*"),
    "propertyNames": _below("*"),
    "not": _aside,
    "if": _aside,
    "then": _aside,
    "else": _aside,
    "allOf": _branches,
    "oneOf": _branches,
    "anyOf": _branches,
    "prefixItems": _branches,
    "enum": _enum,
    "required": _required,
    "type": _either,
    "x-docrev": docrev,
}
