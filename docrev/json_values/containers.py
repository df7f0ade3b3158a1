"""A value read as the container that it should be: what is none of that kind has nothing in it."""

from __future__ import annotations

from typing import Any


def mapping(value: object) -> dict[str, Any]:
    """`value` if it is an object, otherwise an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[Any]:
    """`value` if it is a list, otherwise an empty one."""
    return value if isinstance(value, list) else []
