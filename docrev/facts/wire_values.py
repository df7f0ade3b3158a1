"""Values as they are sent, where 20 and "20" are the same: how to compare and order them."""

from __future__ import annotations

import re

from docrev.facts.shape import format_of
from docrev.json_values.canonical import canonical
from docrev.spec.meaning import number as spelled_number

_DATE = len("2026-01-31")
_PLAIN = re.compile(r"-?\d{1,18}|-?\d{1,15}\.\d{1,15}")


def key_of(value: object) -> str:
    """Equal for values that go over the wire alike."""
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else canonical(value)


def number(value: object) -> float | int | None:
    """The number that a value is, or reads as: an ID such as "1e10" is none. None for anything else."""
    return None if isinstance(value, str) and not _PLAIN.fullmatch(value) else spelled_number(value)


def whole_number(value: object) -> int | None:
    """The whole number that a value is, or reads as; None for anything else."""
    n = number(value)
    return int(n) if n is not None and float(n).is_integer() else None


def is_fraction(value: object) -> bool:
    """Whether a value is a number with a fractional part."""
    return number(value) is not None and whole_number(value) is None


def measure(value: object) -> float | str | None:
    """What can be compared: a number, or a date; None for anything else."""
    if (n := number(value)) is not None:
        return float(n)
    return value if isinstance(value, str) and format_of([value]) in ("date", "date-time") else None


def measure_beside(value: object, bound: float | str) -> float | str | None:
    """What of a value is compared with a bound: of a time, beside a date, its day."""
    found = measure(value)
    is_day = isinstance(bound, str) and format_of([bound]) == "date"
    return found[:_DATE] if is_day and isinstance(found, str) else found
