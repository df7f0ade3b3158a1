"""Walks through JSON values, bounded in depth and count. In their pointers `/0` stands for every item of an array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from docrev.json_values.pointer import escape, unescape
from docrev.json_values.types import JsonValue, Scalar

MAX_LEAVES = 2000
MAX_ITEMS = 50
MAX_INNER_ITEMS = 10


def leaves(
    value: JsonValue, prefix: str = "", *, most: int = MAX_LEAVES, items: int = MAX_ITEMS
) -> Iterator[tuple[str, Scalar]]:
    """(pointer, scalar) for each scalar in a value: of `items` items of each array, `most` in all. No recursion.

    An empty object or array has no leaves. Pointers begin with `prefix`: "body:" gives `body:/name`.
    """
    stack: list[tuple[str, JsonValue]] = [(prefix, value)]
    while stack and most > 0:
        pointer, value = stack.pop()
        if isinstance(value, dict):
            stack += [(f"{pointer}/{escape(name)}", part) for name, part in reversed(value.items())]
        elif isinstance(value, list):
            stack += [(f"{pointer}/0", part) for part in reversed(value[:items])]
        else:
            most -= 1
            yield pointer, value


def scalars(value: JsonValue, *, most: int = MAX_LEAVES, items: int = MAX_ITEMS) -> Iterator[Scalar]:
    """The values of the `leaves`, where nobody asks for their pointers."""
    stack = [value]
    while stack and most > 0:
        value = stack.pop()
        if isinstance(value, dict):
            stack += reversed(value.values())
        elif isinstance(value, list):
            stack += reversed(value[:items])
        else:
            most -= 1
            yield value


def parts(value: object) -> Iterator[tuple[str, Any]]:
    """(name of its member, value) for a value and everything in it, at any depth; items of arrays have no name.

    No recursion; parents come first, and what is beside each other in its order.
    """
    stack: list[tuple[str, Any]] = [("", value)]
    while stack:
        name, part = stack.pop()
        yield name, part
        if isinstance(part, dict):
            stack.extend(reversed(part.items()))
        elif isinstance(part, list):
            stack.extend(("", item) for item in reversed(part))


def members(value: JsonValue, prefix: str = "", *, depth: int = 3) -> Iterator[tuple[str, JsonValue]]:
    """(pointer, value) for each member of an object, and of the objects in it, `depth` levels deep; parents first.

    Arrays are values like any other: what is in them is left out. Anything but an object has no members.
    """
    if isinstance(value, dict) and depth > 0:
        for name, part in value.items():
            pointer = f"{prefix}/{escape(name)}"
            yield pointer, part
            if isinstance(part, dict):
                yield from members(part, pointer, depth=depth - 1)


def objects(value: JsonValue, *, depth: int, items: int | None = None) -> Iterator[dict[str, JsonValue]]:
    """The objects in a value, itself included, down to `depth` levels of objects and arrays; parents first.

    Of each array the first `items` count, by default all.
    """
    if isinstance(value, dict):
        yield value
    if depth > 0 and isinstance(value, dict | list):
        for part in list(value.values()) if isinstance(value, dict) else value[:items]:
            yield from objects(part, depth=depth - 1, items=items)


def located_objects(value: JsonValue, pointer: str = "", *, depth: int = 4) -> Iterator[tuple[str, dict[str, Any]]]:
    """(pointer, object) for each object in a value, itself included, `depth` levels of objects deep; parents first.

    All items of an array have the pointer of the first.
    """
    if isinstance(value, dict) and depth:
        yield pointer, value
        for name, part in value.items():
            if isinstance(part, dict | list):
                yield from located_objects(part, f"{pointer}/{escape(name)}", depth=depth - 1)
    elif isinstance(value, list):
        for item in value:
            yield from located_objects(item, f"{pointer}/0", depth=depth)


def scalar_members(value: JsonValue, prefix: str = "", *, depth: int = 3) -> Iterator[tuple[str, Scalar]]:
    """The `members` that are neither objects nor arrays."""
    if isinstance(value, dict) and depth > 0:
        for name, part in value.items():
            if isinstance(part, dict):
                yield from scalar_members(part, f"{prefix}/{escape(name)}", depth=depth - 1)
            elif not isinstance(part, list):
                yield f"{prefix}/{escape(name)}", part


def values_at(value: JsonValue, pointer: str, *, items: int = MAX_ITEMS, inner: int = MAX_INNER_ITEMS) -> list[Any]:
    """All values at a pointer in which `/0` stands for every item of an array.

    Of an array that lies at most one level deep, the first `items` count; of one that lies deeper, the first `inner`.
    """
    found = [value]
    for depth, part in enumerate(pointer.split("/")[1:]):
        name, limit = unescape(part), items if depth <= 1 else inner
        found = [below for above in found for below in _step(above, name, limit)]
    return found


def _step(value: JsonValue, name: str, limit: int) -> list[JsonValue]:
    if isinstance(value, dict):
        return [value[name]] if name in value else []
    return value[:limit] if isinstance(value, list) and name == "0" else []


def names_of_members(values: Iterable[object]) -> set[str]:
    """The names of all members of those values that are objects."""
    return {name for value in values if isinstance(value, dict) for name in value}
