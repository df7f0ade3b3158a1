"""What can be done to a document. A sequence of edits is done one after the other, like a JSON Patch (RFC 6902)."""

from __future__ import annotations

from dataclasses import dataclass

from docrev.records import Json


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
