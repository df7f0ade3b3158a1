"""JSON pointers (RFC 6901): taking them apart, putting them together, and the values that they point to."""

from __future__ import annotations

import re

from docrev.errors import UsageError
from docrev.json_values.containers import mapping
from docrev.json_values.types import JsonValue

_INDEX = re.compile(r"0|[1-9][0-9]*")
_BAD_ESCAPE = re.compile(r"~(?![01])")


def escape(part: str) -> str:
    """A key as it is written in a pointer (RFC 6901 §3): `a/b` becomes `a~1b`."""
    return part.replace("~", "~0").replace("/", "~1") if "~" in part or "/" in part else part


def unescape(part: str) -> str:
    """The key that a part of a pointer stands for."""
    return part.replace("~1", "/").replace("~0", "~") if "~" in part else part


def split(pointer: str) -> list[str]:
    """The keys of a pointer; "" is the whole document. Raises UsageError if the text is not a pointer."""
    if not pointer:
        return []
    if pointer[0] != "/" or _BAD_ESCAPE.search(pointer):
        raise UsageError("this is not a JSON pointer", where=pointer, fix="begin it with / (RFC 6901)")
    return [unescape(part) for part in pointer[1:].split("/")]


def join(*parts: str | int) -> str:
    """The pointer to these keys and indices: `join("paths", "/a", 0)` is `/paths/~1a/0`."""
    return "".join("/" + escape(str(part)) for part in parts)


def parent(pointer: str) -> str:
    """The pointer without its last key; the parent of the whole document is the whole document."""
    return pointer.rpartition("/")[0]


def is_within(pointer: str, other: str) -> bool:
    """Whether a pointer is that of the same value as another, or of something in that."""
    return pointer == other or pointer.startswith(f"{other}/")


def last(pointer: str) -> str:
    """The last key of a pointer; "" for the whole document."""
    return unescape(pointer.rpartition("/")[2])


def index(part: str, length: int) -> int | None:
    """The place in an array of `length` items that a key names, or None if it names none."""
    if not _INDEX.fullmatch(part) or len(part) > 9:
        return None
    place = int(part)
    return place if place < length else None


def find(value: JsonValue, pointer: str) -> tuple[bool, JsonValue]:
    """Whether there is a value at a pointer, and the value (None if there is none). Raises UsageError."""
    for part in split(pointer):
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and (place := index(part, len(value))) is not None:
            value = value[place]
        else:
            return False, None
    return True, value


def replaced(value: JsonValue, pointer: str, new: JsonValue) -> JsonValue:
    """The value with `new` at the pointer; the original is not changed. Raises KeyError if it has no parent."""
    return _changed(value, split(pointer), [new]) if pointer else new


def placed(value: JsonValue, pointer: str, new: JsonValue) -> JsonValue:
    """The value with `new` at the pointer, what is above it created if it is missing; `/0` is an array's first item."""
    return _placed(value, split(pointer), new)


def _placed(value: JsonValue, parts: list[str], new: JsonValue) -> JsonValue:
    if not parts:
        return new
    name, *below = parts
    if name.isdecimal() and not isinstance(value, dict):
        items = list(value) if isinstance(value, list) else []
        at = min(int(name), len(items))
        items[at : at + 1] = [_placed(items[at] if at < len(items) else None, below, new)]
        return items
    members = mapping(value)
    return {**members, name: _placed(members.get(name), below, new)}


def removed(value: JsonValue, pointer: str) -> JsonValue:
    """The value without the member or item at the pointer; the original is not changed."""
    return _changed(value, split(pointer), [])


def _changed(value: JsonValue, parts: list[str], instead: list[JsonValue]) -> JsonValue:
    """The value with one or no value instead of what is at a place."""
    name, *below = parts
    if isinstance(value, list):
        place = int(name)
        items = [_changed(value[place], below, instead)] if below else instead
        return [*value[:place], *items, *value[place + 1 :]]
    if not isinstance(value, dict):
        raise KeyError(name)
    if below:
        return {**value, name: _changed(value[name], below, instead)}
    return {**value, name: instead[0]} if instead else {key: part for key, part in value.items() if key != name}
