"""What is true of a world, stated in the grammar of facts: the key against which recovered documentation is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docrev.records import Json, OperationKey
from docrev.simulator import prose
from docrev.simulator.drawn_values import NAMES
from docrev.simulator.effects import ListEffect
from docrev.simulator.lists import Lens
from docrev.spec import Operation, Parameter, Schema

_COMPARED = {"eq": "filters", "gte": "at-least", "lte": "at-most", "year": "in-year"}
List = tuple[str, Lens, Schema]


class TrueStatement(NamedTuple):
    """One true statement: kind and location as in the grammar of facts."""

    key: OperationKey
    kind: str
    location: str
    value: Json


def truth(operation: Operation, lists: Sequence[List]) -> list[TrueStatement]:
    """The values that a world accepts, and what it does with each parameter; `lists` are those in its responses."""
    found = [(kind, one.key, value) for one in operation.parameters for kind, value in _parameter_values(one)]
    if operation.body_schema is not None:
        properties = operation.body_schema.properties().items()
        found += [(kind, f"body:/{name}", value) for name, below in properties for kind, value in _values(below)]
    return [TrueStatement(operation.key, *each) for each in (*found, *_done(operation, lists))]


def _parameter_values(parameter: Parameter) -> Iterator[tuple[str, Json]]:
    words = prose.read_prose(parameter)
    yield from _values(parameter.schema)
    yield from _bounds({"minimum": words.low, "maximum": words.high})
    if words.choices:
        yield "allowed-values", list(words.choices)


def _values(schema: Schema) -> Iterator[tuple[str, Json]]:
    items = schema.items()
    enum = schema.enum or (items.enum if items is not None else None)
    if enum is not None:
        yield "allowed-values", enum
    yield from _bounds({end: schema.get(end) for end in ("minimum", "maximum")})


def _bounds(ends: dict[str, object]) -> Iterator[tuple[str, Json]]:
    bounds = {end: value for end, value in ends.items() if value is not None}
    if bounds:
        yield "range", bounds


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
        yield from _related(one, effect)


def _related(one: List, effect: ListEffect) -> Iterator[tuple[str, Json]]:
    place, lens, shape = one
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


def _filter(place: str, lens: Lens, effect: ListEffect) -> Iterator[tuple[str, Json]]:
    field = f"{place}/0/{effect.field}"
    if effect.role == "include":
        yield "includes", field
    elif effect.compare == "contains":
        yield "searches", [field]
    elif kind := _COMPARED.get(effect.compare):
        chooses_members = kind == "filters" and lens.fields[effect.field].type == "array"
        yield kind, f"{field}/0" if chooses_members else field
