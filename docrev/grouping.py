"""Things put together by what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of each key, in the order in which they come; the keys in that of their first value."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def parted(values: Iterable[V], belongs: Callable[[V], bool]) -> tuple[list[V], list[V]]:
    """The values that belong, and the others, each in their order."""
    groups = grouped((belongs(value), value) for value in values)
    return groups.get(True, []), groups.get(False, [])
