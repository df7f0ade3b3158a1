"""What several functions of a prompt have in common, so that it stands there once: parameters, and what is returned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from docrev.models.response_shapes import response_shape

_LINE = "\n  parameter "
"""What stands before a parameter at its own function."""
_NAMED = "  with , "
"""What a function takes to name one that stands above, about."""
MIN_SAVED = 40
"""Characters that it must save to look a parameter up elsewhere: a reader pays for the way, too."""
MIN_SHAPE = 40
"""Characters of a response that is worth naming the function that returns the same."""


def repeated_parameters(
    sheets: Sequence[Mapping[str, Any]], line: Callable[[Mapping[str, Any]], str]
) -> dict[str, str]:
    """By name the lines of parameters that several sheets, as plain data, have word by word; for a name with several
    such lines the one that saves most. `line` writes a parameter."""
    counts: dict[tuple[str, str], int] = {}
    for sheet in sheets:
        for one in sheet["parameters"]:
            found = (one["name"], str(line(one)).strip())
            counts[found] = counts.get(found, 0) + 1
    most: dict[str, int] = {}
    repeated: dict[str, str] = {}
    for (name, text), count in counts.items():
        saved = (count - 1) * len(text) + count * (len(_LINE) - len(_NAMED) - len(name))
        if count > 1 and saved >= MIN_SAVED and saved > most.get(name, 0):
            most[name], repeated[name] = saved, text
    return repeated


def repeated_shapes(sheets: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """By name of a function the one before it that returns the same, if that is long."""
    first: dict[str, str] = {}
    repeated: dict[str, str] = {}
    for sheet in sheets:
        shape = response_shape(sheet)
        if len(shape) < MIN_SHAPE:
            continue
        if shape in first:
            repeated[sheet["name"]] = first[shape]
        else:
            first[shape] = sheet["name"]
    return repeated


def repeated_lines(
    sheets: Sequence[Mapping[str, Any]], line: Callable[[Mapping[str, Any]], str], shared: Mapping[str, str]
) -> dict[tuple[str, str], str]:
    """By names of function and parameter the function before it that has the same line, if that is long; but for the
    lines that are `shared` by all."""
    first: dict[tuple[str, str], str] = {}
    repeated: dict[tuple[str, str], str] = {}
    for sheet in sheets:
        for one in sheet["parameters"]:
            name, text = one["name"], str(line(one)).strip()
            before = first.setdefault((name, text), sheet["name"])
            saved = len(text) - len(f"{name} as in {before}")
            if before != sheet["name"] and shared.get(name) != text and saved >= MIN_SAVED:
                repeated[sheet["name"], name] = before
    return repeated
