"""The items of one array in a large JSON text, one at a time: a record of 100 MB is never in memory as objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from docrev.records import Json

MAX_ITEM = 16 * 2**20
"""Characters of the largest item that is read."""
_FIRST_WINDOW = 2**15
_SPACE = re.compile(r"[ \t\r\n]*")
_SIGNIFICANT = re.compile(r"[ \t\r\n,]*")

_decoder = json.JSONDecoder(parse_constant=lambda name: None)


class BrokenJson(ValueError):
    """The text is no JSON from `position` on, or a value there is too large."""

    def __init__(self, what: str, position: int) -> None:
        super().__init__(what)
        self.position = position


def array_at(text: str, *names: str) -> int:
    """Where the array lies that the members `names` lead to: the position behind its bracket. Raises BrokenJson."""
    position = 0
    for name in names:
        position = _member(text, position, name)
    return _expect(text, position, "[")


def items(text: str, position: int) -> Iterator[Json]:
    """Each item of the array that begins at a position. Raises BrokenJson."""
    while True:
        position = _skip(_SIGNIFICANT, text, position)
        if text[position : position + 1] == "]":
            return
        value, position = value_at(text, position)
        yield value


def value_at(text: str, position: int) -> tuple[Json, int]:
    """The value at a position, and where it ends. Raises BrokenJson."""
    window = _FIRST_WINDOW
    while True:
        part = text[position : position + window]
        is_all = position + window >= len(text)
        try:
            value, length = _decoder.raw_decode(part)
            if is_all or length < len(part):
                return value, position + length
        except RecursionError:
            raise BrokenJson("nested too deep", position) from None
        except ValueError as error:
            if is_all:
                raise BrokenJson(getattr(error, "msg", str(error)), position) from None
        if window >= MAX_ITEM:
            raise BrokenJson(f"broken, or larger than {MAX_ITEM // 2**20} MB", position)
        window *= 8


def _member(text: str, position: int, name: str) -> int:
    """Where the value of a member of the object at a position begins."""
    position = _expect(text, position, "{")
    while True:
        position = _skip(_SIGNIFICANT, text, position)
        if text[position : position + 1] == "}":
            raise BrokenJson(f"no member {name!r}", position)
        key, position = value_at(text, position)
        position = _skip(_SPACE, text, _expect(text, position, ":"))
        if key == name:
            return position
        _, position = value_at(text, position)


def _expect(text: str, position: int, sign: str) -> int:
    position = _skip(_SPACE, text, position)
    if text[position : position + 1] != sign:
        raise BrokenJson(f"expected {sign}", position)
    return position + 1


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    assert match is not None
    return match.end()
