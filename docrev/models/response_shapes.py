"""The fields of a response in one line, as prompts show them: `{items: [{code, name}], next}`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import Role, role_of
from docrev.json_values.pointer import split

_ITEM = "0"
"""The step of a pointer that stands for the items of an array."""


@dataclass(slots=True)
class _Part:
    """A field, or the items of an array, with what lies below it."""

    description: str = ""
    parts: dict[str, _Part] = field(default_factory=dict)


def response_shape(sheet: Mapping[str, Any]) -> str:
    """What an operation returns, given its sheet as plain data; "" if nothing is known of it.

    What comes back as it was sent is left out: of a change all of it, of a read what its path says, and where its page
    lies.
    """
    is_change = str(sheet["key"]).split(" ")[1] not in SAFE_METHODS
    sent = {f"/{one['name']}" for one in sheet["parameters"] if is_change or _is_echoed(one)}
    return _shape(found for found in sheet["fields"] if found["description"] or found["pointer"] not in sent)


def _is_echoed(parameter: Mapping[str, Any]) -> bool:
    is_path = str(parameter["location"]).startswith("path:")
    return is_path or role_of(parameter["name"]) in (Role.PAGE, Role.OFFSET, Role.PAGE_SIZE)


def _shape(fields: Iterable[Mapping[str, Any]]) -> str:
    root = _Part()
    for found in fields:
        part = root
        for step in split(found["pointer"]):
            part = part.parts.setdefault(step, _Part())
        part.description = found["description"]
    return _within(root)


def _within(part: _Part) -> str:
    """What lies below a part: its items, or its fields."""
    if [*part.parts] == [_ITEM]:
        item = part.parts[_ITEM]
        return f"[{_within(item)}{_described(item.description)}]"
    fields = (f"{name}{_described(below.description)}{_below(below)}" for name, below in part.parts.items())
    return f"{{{', '.join(fields)}}}" if part.parts else ""


def _described(text: str) -> str:
    return f" ({text.removesuffix('.')})" if text else ""


def _below(part: _Part) -> str:
    found = _within(part)
    return f": {found}" if found else ""
