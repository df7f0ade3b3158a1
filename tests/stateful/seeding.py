"""Fills a generated service with things that belong to somebody."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from random import Random

from stateful.description import Field, Json, Kind, Service
from stateful.state import Thing, World
from stateful.vocabulary import VALUES

KEY = "locale"
"""A field in which each item of a kind has another value."""


def populated(service: Service) -> World:
    """A world with the items of every kind, in the order of the kinds, parents first."""
    world, rng = World(), Random(f"things of {service.seed}")
    for kind in service.kinds:
        for collection in _collections(kind, service, world):
            for _ in range(kind.there):
                number = world.counts[kind.plural] = world.counts.get(kind.plural, 0) + 1
                fields = [field for field in kind.fields if field.name != "id"]
                values = {field.name: _value(field, number, rng, service, world) for field in fields}
                values |= {"owner": rng.choice(("ruth", "omar", "lena")), "size": rng.randint(1, 9)}
                id_ = _id(kind, number, service.seed, values)
                world.add(collection, kind.plural, id_, {n: v for n, v in values.items() if v is not None})
    for name in service.singletons:
        world.add("", "", name, {"theme": "dark", "notify": True, "limit": rng.randint(1, 9)})
    return world


def first_field(kind: Kind) -> str:
    return kind.fields[0].name


def first_label(kind: Kind) -> str:
    """What the first item of a kind is called."""
    return _label(kind.fields[0], 1)


def _collections(kind: Kind, service: Service, world: World) -> Iterator[str]:
    if not kind.parent:
        yield f"/{kind.plural}"
        return
    for parent in list(world.of_kind(service.kind(kind.parent))):
        yield f"{parent.path}/{kind.plural}"


def _id(kind: Kind, number: int, seed: int, values: dict[str, Json]) -> Json:
    if kind.ids == "int":
        return number
    if kind.ids == "uuid":
        return str(uuid.UUID(bytes=hashlib.md5(f"{seed} {kind.plural} {number}".encode()).digest()))
    return values[kind.fields[0].name] + (kind.suffix if kind.ids == "slug" else "")


def _label(field: Field, number: int) -> str:
    return f"{VALUES[number % len(VALUES)]}-{number}"


def _value(field: Field, number: int, rng: Random, service: Service, world: World) -> Json:
    if field.name in ("name", "title", "label"):
        return _label(field, number)
    if field.type == "reference":
        things: list[Thing] = world.of_kind(service.kind(field.refers))
        thing = rng.choice(things) if things else None
        return thing and (thing.values.get(first_field(service.kind(field.refers))) if field.by_name else thing.id)
    if field.name == KEY:
        return field.choices[number % len(field.choices)]
    values = {
        "string": f"{rng.choice(VALUES)} {rng.choice(VALUES)}",
        "integer": rng.randint(1, 99),
        "boolean": rng.random() < 0.5,
        "enum": rng.choice(field.choices or ("x",)),
        "list": rng.sample(VALUES, 2),
    }
    return values[field.type]
