"""Regular expressions of others (ECMA 262, as far as Python reads it): which texts are some, and what matches them."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

_MOST = 3
_LOWER, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"
Draw = Callable[[int], int]
"""A number below the one given; each call draws anew."""


def is_pattern(text: str) -> bool:
    """Whether a text is a regular expression."""
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def matching(pattern: str, draw: Draw) -> str | None:
    """A text that matches `pattern`, or None if none was found."""
    try:
        text = "".join(_any(item, draw) for item in parser.parse(pattern))
        return text if re.search(pattern, text) else None
    except (re.error, ValueError, RecursionError, OverflowError):
        return None


def _any(item: Any, draw: Draw) -> str:
    code, value = item
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.IN:
        choices = _choices(value)
        return choices[draw(len(choices))] if choices else "a"
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        low, high, inner = value
        high = min(int(high), low + _MOST)
        return "".join(_any(part, draw) for _ in range(low + draw(high - low + 1)) for part in inner)
    if code is codes.SUBPATTERN:
        return "".join(_any(part, draw) for part in value[3])
    if code is codes.BRANCH:
        return "".join(_any(part, draw) for part in value[1][draw(len(value[1]))])
    return "a" if code in (codes.ANY, codes.NOT_LITERAL) else ""


def _choices(parts: Any) -> str:
    found = ""
    for code, value in parts:
        if code is codes.NEGATE:
            return _LOWER
        if code is codes.LITERAL:
            found += chr(value)
        elif code is codes.RANGE:
            found += "".join(map(chr, range(value[0], min(value[1], value[0] + 200) + 1)))
        elif code is codes.CATEGORY:
            found += _DIGITS if "DIGIT" in str(value) else " " if "SPACE" in str(value) else _LOWER + _DIGITS
    return found
