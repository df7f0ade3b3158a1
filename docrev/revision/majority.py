"""How many operations must show the same before it is told of a whole API."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.records import Call

MIN_OPERATIONS = 3
MOST = 2 / 3
"""The share of the operations with a kind of statement that must agree, for the others to be exceptions."""
MAX_CALLS = 5
"""Calls that are named to show what many operations do."""


def is_common(count: int, total: int, least: int = MIN_OPERATIONS) -> bool:
    """Whether enough operations agree, and most of those of which something of this kind is known."""
    return count >= least and count >= MOST * total


def have_most(some: Iterable[Call], calls: Iterable[Call]) -> bool:
    """Whether some of the calls are of most of their operations."""
    return is_common(len({call.key for call in some}), len({call.key for call in calls}))
