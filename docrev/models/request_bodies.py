"""Request bodies from their parts."""

from __future__ import annotations

from docrev.json_values import pointer as pointers
from docrev.records import Json


def put(body: Json, pointer: str, value: Json) -> Json:
    """`body` with `value` at `pointer`, what is above it made where it is missing; `/0` is the first item of a list."""
    return _put(body, pointers.split(pointer), value)


def _put(body: Json, path: list[str], value: Json) -> Json:
    if not path:
        return value
    step, *rest = path
    if step.isdecimal() and not isinstance(body, dict):
        listed = list(body) if isinstance(body, list) else []
        at = min(int(step), len(listed))
        above = listed[at] if at < len(listed) else None
        return [*listed[:at], _put(above, rest, value), *listed[at + 1 :]]
    held = body if isinstance(body, dict) else {}
    return {**held, step: _put(held.get(step), rest, value)}
