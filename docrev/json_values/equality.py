"""Whether two JSON scalars from different places mean the same value."""

from __future__ import annotations

from typing import Any


def same_scalar(one: Any, other: Any) -> bool:
    """Whether two scalars mean the same: 7 and "7", "Paris" and "paris"; True is not 1, but "true" is."""
    if isinstance(one, str) and isinstance(other, str):
        # Most texts differ in length, which is cheaper to compare than their case-folded forms.
        return one == other or (len(one) == len(other) and one.casefold() == other.casefold())
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other or str(one).lower() == str(other).lower()
    return bool(one == other) or str(one).casefold() == str(other).casefold()
