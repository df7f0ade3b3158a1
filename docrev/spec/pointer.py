"""JSON pointers (RFC 6901)."""

from __future__ import annotations

import re

from docrev.errors import UsageError

_INDEX = re.compile(r"0|[1-9][0-9]*")
_BAD_ESCAPE = re.compile(r"~(?![01])")


def escape(part: str) -> str:
    """One reference token, as it is written in a pointer (RFC 6901 §3)."""
    return part.replace("~", "~0").replace("/", "~1") if "~" in part or "/" in part else part


def unescape(part: str) -> str:
    """The key that a reference token stands for."""
    return part.replace("~1", "/").replace("~0", "~") if "~" in part else part


def split(pointer: str) -> list[str]:
    """The keys of a pointer; "" is the whole document. Raises UsageError where it is no pointer."""
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


def last(pointer: str) -> str:
    """The last key of a pointer; "" for the whole document."""
    return unescape(pointer.rpartition("/")[2])


def index(part: str, length: int) -> int | None:
    """The place in an array of `length` items that a key names, or None where it names none."""
    if not _INDEX.fullmatch(part) or len(part) > 9:
        return None
    place = int(part)
    return place if place < length else None
