"""Experiments that are worth most on the first operations of a service: what these do, most of the others do."""

from __future__ import annotations

from collections import Counter


class FirstTries:
    """Counts, for each service, the operations on which a subject was tried."""

    def __init__(self) -> None:
        self._tried: Counter[tuple[str, str]] = Counter()

    def is_among(self, first: int, tool: str, subject: str) -> bool:
        """Whether one more operation of a service is among the `first` on which a subject is tried. It counts."""
        self._tried[tool, subject] += 1
        return self._tried[tool, subject] <= first
