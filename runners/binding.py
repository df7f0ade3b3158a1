"""From what a model wrote to the arguments of a call; what cannot be sent is told, with a reason in kebab-case."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docrev.prompts.agents import Sheet
from docrev.records import Json


@dataclass(frozen=True, slots=True)
class Invalid:
    """An action that cannot be sent: `reason` is for tables, `text` for the model."""

    reason: str
    text: str


def bind(sheet: Sheet, arguments: Mapping[str, Any]) -> dict[str, Json] | Invalid:
    """The arguments by location, or why they cannot be sent: unknown, missing, or of the wrong type.

    What has only been written otherwise is taken ("7" for a number, 7 for a text, one value for a list); the location
    may be given in place of the name. Null counts as left out.
    """
    known = {name: one for one in sheet.parameters for name in (one.location, one.name)}
    found: dict[str, Json] = {}
    for name, value in arguments.items():
        one = known.get(name)
        if one is None:
            return Invalid("unknown-argument", f"{sheet.name} has no argument {name!r}. {_told(sheet)}")
        if value is None:
            continue
        fitting = fit(value, one.type)
        if fitting is None:
            kind = type(value).__name__
            return Invalid("wrong-type", f"The argument {one.name} of {sheet.name} must be {one.type}, not {kind}.")
        found[one.location] = fitting
    for one in sheet.parameters:
        if one.required and (
            one.location not in found or (one.location.startswith("path:") and found[one.location] == "")
        ):
            return Invalid("missing-argument", f"{sheet.name} needs the argument {one.name}. {_told(sheet)}")
    return _with_body(found)


def _with_body(found: dict[str, Json]) -> dict[str, Json]:
    """The properties of the request body, put together."""
    fields = {name.removeprefix("body:/"): value for name, value in found.items() if name.startswith("body:/")}
    rest = {name: value for name, value in found.items() if not name.startswith("body:/")}
    return {**rest, "body:": fields} if fields else rest


def _told(sheet: Sheet) -> str:
    if not sheet.parameters:
        return "It takes no arguments."
    return "Its arguments: " + ", ".join(
        f"{one.name} ({one.type}{', required' if one.required else ''})" for one in sheet.parameters
    )


def fit(value: Json, kind: str) -> Json:
    """`value` as a `kind` (a JSON type name, or "any"), or None where it is none and cannot be read as one."""
    if kind == "string":
        if isinstance(value, bool):
            return str(value).lower()
        return str(value) if isinstance(value, int | float) else value if isinstance(value, str) else None
    if kind in ("integer", "number"):
        return _number(value, kind)
    if kind == "boolean":
        said = value.lower() if isinstance(value, str) else value
        return (
            {"true": True, "false": False}.get(said)
            if isinstance(said, str)
            else said
            if said in (True, False)
            else None
        )
    if kind == "array":
        return value if isinstance(value, list) else None if isinstance(value, dict) else _read(value, list) or [value]
    if kind == "object":
        return value if isinstance(value, dict) else _read(value, dict)
    return value


def _number(value: Json, kind: str) -> Json:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) == float("inf"):
        return None
    if float(value).is_integer() and abs(value) < 2**53:
        return int(value)
    return None if kind == "integer" and isinstance(value, float) else value


def _read(value: Json, kind: type) -> Json:
    """A list or an object that was written as its JSON text."""
    if not isinstance(value, str) or value[:1] not in "[{":
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, kind) else None
