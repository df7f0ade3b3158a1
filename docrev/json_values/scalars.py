"""Comparing scalars that come from different places: a parameter is text, where a response may have a number."""

from __future__ import annotations

from typing import TypeGuard

from docrev.json_values.types import JsonValue


def same_scalar(one: JsonValue, other: JsonValue) -> bool:
    """Whether two scalars say the same: 7 and "7", "Paris" and "paris"; true is not 1."""
    if isinstance(one, str) and isinstance(other, str):
        return one == other or (len(one) == len(other) and one.casefold() == other.casefold())
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other or str(one).lower() == str(other).lower()
    return one == other or str(one).casefold() == str(other).casefold()


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a JSON number; true and false are none, though Python counts them as integers."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a JSON number without a fraction, written as one."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_json_text(text: str) -> bool:
    """Whether a text begins as an array or an object in JSON does."""
    return text.startswith(("[", "{"))
