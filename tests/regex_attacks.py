"""Texts that regular expressions may take long to read: each repetition of a pattern, repeated, and an end that fails.

A pattern's own syntax tree says what it repeats and what must stand before that.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

LENGTH = 2000
"""Characters of a text; error messages are read up to 4,000."""
_OFTEN = 20
"""Repetitions from which on one is attacked."""
_CHARACTERS = "a1 .-_,:/('\"\nb"
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


def patterns_of(package: str) -> dict[re.Pattern[str], str]:
    """The patterns that stand in a package's modules, tables and phrases of such included, with their places."""
    root = importlib.import_module(package)
    names = [package, *(module.name for module in pkgutil.walk_packages(root.__path__, f"{package}."))]
    found: dict[re.Pattern[str], str] = {}
    for name in names:
        for variable, value in vars(importlib.import_module(name)).items():
            for pattern in _patterns_in(value):
                found.setdefault(pattern, f"{name}.{variable}")
    return found


def _patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, tuple | list | dict | frozenset) and depth < 4:
        for item in value.items() if isinstance(value, dict) else value:
            yield from _patterns_in(item, depth + 1)
    elif hasattr(value, "patterns"):
        yield from _patterns_in(value.patterns, depth + 1)


def attacks_on(pattern: re.Pattern[str]) -> set[str]:
    """Texts for a pattern, each made of one of its repetitions."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    return {
        f"{(before + repeated * (LENGTH // len(repeated)))[:LENGTH]}\x01"
        for before, repeated in _pumps(tree)
        if repeated
    }


def _pumps(tree: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """What a pattern repeats, and what stands before it."""
    for place, (code, value) in enumerate(tree):
        first = before + _sample(tree[:place], 1)
        if code in _REPEATS and value[1] > _OFTEN:
            for choice in range(4):
                yield first, _sample(value[2], choice)
                yield "", _sample(tree[:place], choice) + _sample(value[2], choice)
        for inner in _inside(code, value):
            yield from _pumps(inner, first)


def _inside(code: Any, value: Any) -> list[Any]:
    if code is codes.BRANCH:
        return list(value[1])
    if code in _REPEATS:
        return [value[2]]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    return [value] if code is codes.ATOMIC_GROUP else []


def _sample(tree: Any, choice: int) -> str:
    """A text that a part of a pattern matches, as far as it is without assertions and references."""
    found = ""
    for code, value in tree:
        if code is codes.LITERAL:
            found += chr(value)
        elif code in (codes.IN, codes.ANY, codes.NOT_LITERAL):
            fitting = [char for char in _CHARACTERS if _fits(code, value, char)]
            fitting = fitting or [next(char for char in map(chr, range(0x3000)) if _fits(code, value, char))]
            found += fitting[choice % len(fitting)]
        elif code in _REPEATS:
            found += _sample(value[2], choice) * max(value[0], min(choice, 1))
        elif code is codes.BRANCH:
            found += _sample(value[1][choice % len(value[1])], choice)
        elif code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
            found += _sample(value[3] if code is codes.SUBPATTERN else value, choice)
    return found


def _fits(code: Any, value: Any, char: str) -> bool:
    if code is codes.ANY:
        return True
    if code is codes.NOT_LITERAL:
        return chr(value) != char
    negated = value[0][0] is codes.NEGATE
    return any(_is_in(one, char) for one in value[negated:]) != negated


def _is_in(one: Any, char: str) -> bool:
    code, value = one
    if code is codes.LITERAL:
        return chr(value) == char
    if code is codes.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    name = str(value).removeprefix("CATEGORY_")
    kinds = {"DIGIT": char.isdigit(), "SPACE": char.isspace(), "WORD": char.isalnum() or char == "_"}
    return kinds[name.removeprefix("NOT_")] != name.startswith("NOT_")
