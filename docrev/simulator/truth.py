"""What is true of a world, stated in the grammar of facts: the key against which recovered documentation is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docrev.records import Json, OperationKey
from docrev.simulator import prose
from docrev.simulator.effects import Effect
from docrev.simulator.lists import Lens
from docrev.simulator.values import NAMES
from docrev.spec import Operation, Parameter, Schema
from docrev.spec.meaning import MISSING

_COMPARED = {"eq": "filters", "gte": "at-least", "lte": "at-most", "year": "in-year"}
List = tuple[str, Lens, Schema]


class TrueStatement(NamedTuple):
    """One true statement: kind and location as in the grammar of facts."""

    key: OperationKey
    kind: str
    location: str
    value: Json


def truth(operation: Operation, lists: Sequence[List]) -> list[TrueStatement]:
    """What a world does with each parameter of an operation; `lists` are those in its answer, as the renderer tells."""
    found = [TrueStatement(operation.key, *each) for parameter in operation.parameters for each in _checked(parameter)]
    if operation.body is not None and operation.body.schema is not None:
        found += [TrueStatement(operation.key, *each) for each in _sent(operation.body.schema)]
    found += [TrueStatement(operation.key, *each) for each in _done(operation, lists)]
    return found


def _checked(parameter: Parameter) -> Iterator[tuple[str, str, Json]]:
    if parameter.required:
        yield "required", parameter.key, True
    yield from _told(parameter.schema, parameter.key)
    words = prose.read_prose(parameter)
    bounds = {name: end for name, end in (("minimum", words.low), ("maximum", words.high)) if end is not None}
    if bounds:
        yield "range", parameter.key, bounds
    if words.choices:
        yield "allowed-values", parameter.key, list(words.choices)
    default = parameter.schema.default
    if default is not MISSING and not parameter.required:
        yield "default", parameter.key, default


def _told(schema: Schema, location: str) -> Iterator[tuple[str, str, Json]]:
    if schema.type is not None:
        yield "type", location, schema.type
    if schema.format is not None:
        yield "format", location, schema.format
    items = schema.items()
    enum = schema.enum or (items.enum if items is not None else None)
    if enum is not None:
        yield "allowed-values", location, enum
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


def _done(operation: Operation, lists: Sequence[List]) -> Iterator[tuple[str, str, Json]]:
    done: dict[str, list[tuple[str, Json]]] = {}
    for one in lists:
        for name, effect in one[1].effects.items():
            if effect.role != "ignored":
                done.setdefault(name, list(_effects(one, name)))
    for parameter in operation.parameters:
        if parameter.location == "query" and operation.method == "GET":
            for kind, value in done.get(parameter.name, [("ignored", True)]):
                yield kind, parameter.key, value


def _effects(one: List, name: str) -> Iterator[tuple[str, Json]]:
    """The kinds and values of what a parameter does. What the items do not show, no call can: it is left out."""
    place, lens, shape = one
    effect = lens.effects[name]
    if effect.role in ("page", "offset", "cursor"):
        yield "pages", {"by": effect.role, "list": place}
    elif effect.role == "limit":
        yield "limits", place
    elif effect.role == "sort":
        yield from _orders(one, name)
    elif effect.role == "search":
        fields = [field for field in sorted(NAMES) if field in shape.properties()]
        yield "searches", [f"{place}/0/{field}" for field in fields]
    elif effect.role == "select-kind":
        yield "selects", place
    elif effect.role in ("filter", "include") and effect.field in shape.properties():
        yield from _filter(place, lens, effect)
    elif effect.role == "relation":
        field = lens.holding(effect)
        kind = {"eq": "filters", "without": "excludes"}.get(effect.compare)
        if kind is not None and field in shape.properties():
            yield kind, f"{place}/0/{field}/0"


def _orders(one: List, name: str) -> Iterator[tuple[str, Json]]:
    place, lens, shape = one
    for value, field, descending in lens.orders(name):
        if field in shape.properties():
            order = "descending" if descending else "ascending"
            yield "sorts", {"value": value, "field": f"{place}/0/{field}", "order": order}


def _filter(place: str, lens: Lens, effect: Effect) -> Iterator[tuple[str, Json]]:
    field = f"{place}/0/{effect.field}"
    if effect.role == "include":
        yield "includes", field
    elif effect.compare == "contains":
        yield "searches", [field]
    elif kind := _COMPARED.get(effect.compare):
        chooses_members = kind == "filters" and lens.fields[effect.field].type == "array"
        yield kind, f"{field}/0" if chooses_members else field
