"""Kinds of facts that are used together."""

from __future__ import annotations

BOUNDS = ("at-least", "more-than", "at-most", "less-than")
"""What bounds a field: the value itself is within, beyond, within, beyond."""
BY_FIELD = ("filters", *BOUNDS, "in-year", "excludes", "includes")
"""What chooses items by one field, which is the fact's value."""
