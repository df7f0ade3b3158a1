"""A cache that is emptied when it is full, or when something is learned."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Memo(Generic[Value]):
    """Values by key, each computed once; at most `limit` of them are kept."""

    def __init__(self, limit: int = 100_000) -> None:
        self._limit = limit
        self._values: dict[Hashable, Value] = {}

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The value for a key; `compute` is called if there is none."""
        if key in self._values:
            return self._values[key]
        if len(self._values) >= self._limit:
            self._values.clear()
        value = self._values[key] = compute()
        return value

    def clear(self) -> None:
        """Forget all values."""
        self._values.clear()
