"""Things put together by what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of each key, in the order in which they come; the keys in that of their first value."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def only(values: Collection[V]) -> V | None:
    """The one value that there is; None if there is none, or more than one."""
    return next(iter(values)) if len(values) == 1 else None


def parted(values: Iterable[V], belongs: Callable[[V], bool]) -> tuple[list[V], list[V]]:
    """The values that belong, and the others, each in their order."""
    groups = grouped((belongs(value), value) for value in values)
    return groups.get(True, []), groups.get(False, [])


def connected(values: Iterable[V], pairs: Iterable[tuple[V, V]]) -> list[list[V]]:
    """The values that pairs connect, each group in the order of its values, the groups in that of their first."""
    of: dict[V, list[V]] = {value: [value] for value in values}
    for one, other in pairs:
        small, large = sorted((of[one], of[other]), key=len)
        if small is not large:
            large += small
            of.update(dict.fromkeys(small, large))
    places = {value: place for place, value in enumerate(of)}
    groups = {id(group): sorted(group, key=places.__getitem__) for group in of.values()}
    return list(groups.values())
