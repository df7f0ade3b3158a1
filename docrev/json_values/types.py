"""The types of JSON values."""

from __future__ import annotations

from typing import TypeAlias

Scalar: TypeAlias = bool | int | float | str | None
"""A JSON value that is neither an object nor an array."""

JSON_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
"""The names of the types of JSON Schema."""

JsonValue: TypeAlias = "Scalar | list[JsonValue] | dict[str, JsonValue]"
"""A JSON value. New code uses it; `records.Json`, which is Any, stands for it in the code that is older."""
