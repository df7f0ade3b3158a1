"""Values read by what they mean: real specs write "true" for true, "20" for 20 and `int` for integer."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from docrev.json_values.containers import sequence
from docrev.json_values.types import JSON_TYPES
from docrev.records import Json


class Absent(Enum):
    """The value that stands for an absent one, where None would be a value."""

    MISSING = "missing"

    def __bool__(self) -> bool:
        return False


MISSING: Final = Absent.MISSING

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0", ""})
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_NUMBER = re.compile(r"[+-]?(\d{1,18}(\.\d{0,18})?|\.\d{1,18})([eE][+-]?\d{1,3})?")
_TYPES = {
    "int": "integer",
    "int32": "integer",
    "int64": "integer",
    "long": "integer",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "str": "string",
    "text": "string",
    "date": "string",
    "datetime": "string",
    "file": "string",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
    "map": "object",
}


def first_present(*values: Json | Absent) -> Json | Absent:
    """The first value that is not MISSING."""
    return next((value for value in values if value is not MISSING), MISSING)


def string(value: object) -> str:
    """`value` if it is a string, otherwise the empty one."""
    return value if isinstance(value, str) else ""


def names(value: object) -> list[str]:
    """The strings of a list; anything else in it is left out."""
    return [item for item in sequence(value) if isinstance(item, str)]


def truth(value: object, default: bool = False) -> bool:
    """The boolean that `value` means: "false" is False. `default` if it means neither."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        word = value.strip().lower()
        return True if word in _TRUE else False if word in _FALSE else default
    return bool(value) if isinstance(value, int) else default


def number(value: object) -> int | float | None:
    """The number that `value` is, or spells; None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        return float(value)
    return None


def json_type(value: object) -> str | None:
    """The JSON type name that a `type` keyword means; None if it means none."""
    if not isinstance(value, str):
        return None
    word = value.strip().lower()
    return word if word in JSON_TYPES else _TYPES.get(word)


def as_type(value: object, kind: str | None) -> Json:
    """`value` as `kind` means it: "20" is 20 for an integer. Unchanged if it cannot be read so."""
    if not isinstance(value, str):
        return value
    if kind in ("integer", "number"):
        found = number(value)
        whole = kind == "integer" and isinstance(found, float)
        return value if found is None or whole else found
    if kind == "boolean" and value.strip().lower() in ("true", "false"):
        return truth(value)
    return value
