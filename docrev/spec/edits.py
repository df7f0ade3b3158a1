"""What can be done to a document. A sequence of edits is done one after the other, like a JSON Patch (RFC 6902)."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.json_values import pointer as pointers
from docrev.records import Json

# Where a new description looks at home: behind the first of these that is there.
_BEFORE_TEXT = ("summary", "in", "operationId", "title", "type", "$ref")


@dataclass(frozen=True, slots=True)
class Put:
    """Makes `value` the value at `pointer`: replaces what is there, or adds a key, or an item at `/-` (the end).

    What holds a new key or item must be there; a null becomes what is needed.
    A mapping over a mapping, or a list over a list, changes only what differs. A new key stands behind the key
    `after`, if that is there, and else at the end of its mapping.
    """

    pointer: str
    value: Json
    after: str = ""


@dataclass(frozen=True, slots=True)
class Remove:
    """Removes the key or the item at `pointer`."""

    pointer: str


@dataclass(frozen=True, slots=True)
class RenameKey:
    """Gives the key at the end of `pointer` the name `key`, in its place."""

    pointer: str
    key: str


Edit = Put | Remove | RenameKey


def neighbour(holder: object, pointer: str) -> str:
    """The key of `holder` behind which a new member at `pointer` looks at home; "" for its end."""
    if pointers.last(pointer) != "description" or not isinstance(holder, dict):
        return ""
    return next((name for name in _BEFORE_TEXT if name in holder), "")
