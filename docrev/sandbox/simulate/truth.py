"""What is true of a world, stated in the grammar of facts: the key against which recovered documentation is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docrev.records import Json, OperationKey
from docrev.sandbox.simulate.lists import Lens
from docrev.spec import Operation, Parameter, Schema
from docrev.spec.meaning import MISSING


class Statement(NamedTuple):
    """One true statement: kind and location as in the grammar of facts."""

    key: OperationKey
    kind: str
    location: str
    value: Json


def truth(operation: Operation, lenses: Sequence[Lens]) -> list[Statement]:
    """What a world does with each parameter of an operation; `lenses` are what it does to the lists in its answer."""
    found = [Statement(operation.key, *each) for parameter in operation.parameters for each in _checked(parameter)]
    if operation.body is not None and operation.body.schema is not None:
        found += [Statement(operation.key, *each) for each in _sent(operation.body.schema)]
    found += [Statement(operation.key, *each) for each in _done(operation, lenses)]
    return found


def _checked(parameter: Parameter) -> Iterator[tuple[str, str, Json]]:
    if parameter.required:
        yield "required", parameter.key, True
    yield from _told(parameter.schema, parameter.key)
    default = parameter.schema.default
    if default is not MISSING and not parameter.required:
        yield "default", parameter.key, default


def _told(schema: Schema, location: str) -> Iterator[tuple[str, str, Json]]:
    if schema.type is not None:
        yield "type", location, schema.type
    if schema.format is not None:
        yield "format", location, schema.format
    if schema.enum is not None:
        yield "allowed-values", location, schema.enum
    for kind, low, high in (("range", "minimum", "maximum"), ("length", "minLength", "maxLength")):
        bounds = {name: value for name in (low, high) if (value := schema.get(name)) is not None}
        if bounds:
            yield kind, location, bounds
    if schema.pattern is not None:
        yield "pattern", location, schema.pattern


def _sent(schema: Schema) -> Iterator[tuple[str, str, Json]]:
    required = schema.required
    for name, child in schema.properties().items():
        if name in required:
            yield "required", f"body:/{name}", True
        yield from _told(child, f"body:/{name}")


def _done(operation: Operation, lenses: Sequence[Lens]) -> Iterator[tuple[str, str, Json]]:
    done: dict[str, tuple[str, Json]] = {}
    for lens in lenses:
        for name, effect in lens.effects.items():
            if effect.role != "ignored":
                done.setdefault(name, _effect(lens, name))
    for parameter in operation.parameters:
        if parameter.location == "query" and operation.method == "GET":
            kind, value = done.get(parameter.name, ("ignored", True))
            yield kind, parameter.key, value


def _effect(lens: Lens, name: str) -> tuple[str, Json]:
    effect = lens.effects[name]
    if effect.role in ("page", "offset", "cursor"):
        return "pages", effect.role
    if effect.role == "limit":
        return "limits", True
    if effect.role in ("sort", "order"):
        return "sorts", sorted(lens.fields)
    if effect.role == "search":
        return "searches", ["name"]
    if effect.role == "relation":
        return "filters", {"kind": effect.kind, "compare": effect.compare}
    if effect.role == "select-kind":
        return "selects", True
    return "filters", {"field": effect.field, "compare": effect.compare}
