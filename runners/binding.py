"""From what a model wrote to the arguments of a call, or the reason why they cannot be sent, in kebab-case."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from docrev.prompts.agents import Sheet
from docrev.records import Json

MAX_EXACT = 2**53
"""Whole numbers below it are exact as floats."""


@dataclass(frozen=True, slots=True)
class Invalid:
    """An action that cannot be sent: `reason` is for tables, `text` for the model."""

    reason: str
    text: str


def bind(sheet: Sheet, arguments: Mapping[str, object]) -> dict[str, Json] | Invalid:
    """The arguments by location, or why they cannot be sent: unknown, missing, or of the wrong type.

    What is only written in another way is accepted ("7" for a number, 7 for a text, one value for a list); the
    location may be given in place of the name. Null counts as left out.
    """
    by_name = {name: parameter for parameter in sheet.parameters for name in (parameter.location, parameter.name)}
    by_location: dict[str, Json] = {}
    for name, value in arguments.items():
        parameter = by_name.get(name)
        if parameter is None:
            return Invalid("unknown-argument", f"{sheet.name} has no argument {name!r}. {_signature(sheet)}")
        fitted = convert(value, parameter.type)
        if fitted is not None:
            by_location[parameter.location] = fitted
        elif value is not None:
            kind = type(value).__name__
            return Invalid(
                "wrong-type", f"The argument {parameter.name} of {sheet.name} must be {parameter.type}, not {kind}."
            )
    missing = next(
        (parameter for parameter in sheet.parameters if parameter.required and _lacks(by_location, parameter.location)),
        None,
    )
    if missing is not None:
        return Invalid("missing-argument", f"{sheet.name} needs the argument {missing.name}. {_signature(sheet)}")
    return _with_body(by_location)


def _lacks(arguments: Mapping[str, object], location: str) -> bool:
    """Whether an argument is not given; an empty text is none in a path."""
    return location not in arguments or (location.startswith("path:") and arguments[location] == "")


def _with_body(arguments: dict[str, object]) -> dict[str, Json]:
    """The properties of the request body, put together."""
    fields = {name.removeprefix("body:/"): value for name, value in arguments.items() if name.startswith("body:/")}
    rest = {name: value for name, value in arguments.items() if not name.startswith("body:/")}
    return {**rest, "body:": fields} if fields else rest


def _signature(sheet: Sheet) -> str:
    if not sheet.parameters:
        return "It takes no arguments."
    return "Its arguments: " + ", ".join(
        f"{one.name} ({one.type}{', required' if one.required else ''})" for one in sheet.parameters
    )


def convert(value: object, kind: str) -> Json:
    """`value` as a `kind` (a JSON type name, or "any"); None if it is none and cannot be read as one."""
    conversion = _CONVERSIONS.get(kind)
    return value if conversion is None or value is None else conversion(value)


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else None


def _flag(value: object) -> bool | None:
    """True and False, also as 1 and 0 or as texts."""
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower())
    return bool(value) if value in (True, False) else None


def _array(value: object) -> list[Json] | None:
    if isinstance(value, list | dict):
        return value if isinstance(value, list) else None
    return _parsed(value, list) or [value]


def _object(value: object) -> dict[str, Json] | None:
    return value if isinstance(value, dict) else _parsed(value, dict)


def _integer(value: object) -> int | None:
    number = _number(value)
    return number if isinstance(number, int) else None


def _number(value: object) -> int | float | None:
    """A finite number, whole if it can be written as one exactly."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return int(value) if float(value).is_integer() and abs(value) < MAX_EXACT else value


def _parsed(value: object, kind: type) -> Json:
    """A list or an object that was written as its JSON text."""
    if not isinstance(value, str) or value[:1] not in "[{":
        return None
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, kind) else None


_CONVERSIONS: dict[str, Callable[[Json], Json]] = {
    "string": _text,
    "integer": _integer,
    "number": _number,
    "boolean": _flag,
    "array": _array,
    "object": _object,
}
