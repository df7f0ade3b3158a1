"""When what is said of an API and what is true of it are the same: a rule for each form that values have."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from docrev.json_values.canonical import canonical
from docrev.records import Json


def same(one: object, true: object) -> bool:
    """The same JSON value."""
    return canonical(one) == canonical(true)


def same_text(one: object, true: object) -> bool:
    """Values that a URL writes alike."""
    return as_text(one) == as_text(true)


def same_texts(one: Json, true: Json) -> bool:
    """Lists of values that a URL writes alike, in any order."""
    return isinstance(one, list) and as_texts(one) == as_texts(true)


def same_members(one: Json, true: Json) -> bool:
    """Whether one object has what the truth has; the truth has only the part that matters, such as the status."""
    return isinstance(one, Mapping) and all(one.get(name) == value for name, value in true.items())


def is_shown(one: object, true: object) -> bool:
    """True, if that is the truth, or an object that says so; or an object with what the truth has."""
    if isinstance(true, Mapping):
        return same_members(one, true)
    return bool(one == true) or (true is True and isinstance(one, Mapping))


def same_creation(one: Json, true: Json) -> bool:
    """Values of `creates` that name the same operation."""
    return isinstance(one, Mapping) and one.get("operation") == true.get("operation")


def among_sources(one: Json, true: Json) -> bool:
    """A value of `comes-from` that names one of the true sources: an operation, and a field of its response."""
    names = ("operation", "field")
    return isinstance(one, Mapping) and any(all(one.get(name) == each.get(name) for name in names) for each in true)


def as_text(value: object) -> str:
    """A value as a URL writes it: 20, 20.0 and "20" are the same."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    if isinstance(value, str):
        return re.sub(r"^(-?\d+)\.0+$", r"\1", value)
    return str(value) if isinstance(value, int | float) else canonical(value)


def as_texts(values: Sequence[object]) -> set[str]:
    """The values as texts, by which they are compared, each once."""
    return {as_text(value) for value in values}
