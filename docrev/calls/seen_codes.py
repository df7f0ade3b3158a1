"""Codes that answers showed in the things of others: whoever sends one acts on its thing, though it is no ID.

An invoice is paid by its text, a voucher redeemed by its code, an invitation accepted by its token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeGuard

from docrev.calls.path_texts import item_path
from docrev.conventions.run_names import carries_made_up
from docrev.json_values.leaves import scalars
from docrev.records import Json

_LONG = 12
_LONGEST = 4000
_TURNS = re.compile(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])")
_LEAST_TURNS = 3
"""Places within a part where letters turn into digits, or digits into letters: names of kinds have few."""
_LEAST_DIGITS = 9
"""Digits of a serial number, or of an account: what is made of words and a year has fewer."""
_DATED = re.compile(r"\d{4}-?\d\d-?\d\d(?:[T_]?\d\d:?\d\d(?::?\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?")
_VERSION = re.compile(r"\d+(?:\.\d+)+")


class SeenCodes:
    """The codes in things that answers showed. `is_own` says whether the run created what a tool has at a path."""

    def __init__(self, is_own: Callable[[str, str], bool]) -> None:
        self._is_own = is_own
        # The path of the thing of others that a code was shown in, by tool and code.
        self._held: dict[tuple[str, str], str] = {}
        # Those that the run's own things have, and those that several things of a list have: these tell none of them.
        self._free: set[tuple[str, str]] = set()

    def see(self, tool: str, collection: str, things: Iterable[tuple[Json, Json, frozenset[str]]]) -> None:
        """An answer showed, with their IDs and their codes, things of the collection at a path."""
        seen: set[str] = set()
        for id, thing, codes in things:
            if not codes:
                continue
            path = item_path(collection, id if isinstance(id, str | int) else "?")
            is_own = self._is_own(tool, path) or carries_made_up(thing)
            self._free.update((tool, code) for code in codes if is_own or code in seen)
            self._held.update({(tool, code): path for code in codes - seen})
            seen |= codes

    def holder(self, tool: str, value: Json) -> str | None:
        """The path of the thing of others that a value is the code of; None if it is none, or not theirs alone."""
        code = (tool, str(value))
        return self._held.get(code) if is_code(value) and code not in self._free else None


def codes_of(thing: Json) -> frozenset[str]:
    """The codes in a thing."""
    return frozenset(filter(is_code, scalars(thing))) if isinstance(thing, dict) else frozenset()


def is_code(value: object) -> TypeGuard[str]:
    """Whether a text is drawn or numbered so that it stands for one thing: no word, date or version is."""
    return isinstance(value, str) and _LONG <= len(value) <= _LONGEST and _is_code(value)


@lru_cache(maxsize=16384)
def _is_code(text: str) -> bool:
    if any(map(str.isspace, text)) or text[0] in "<{[":
        return False
    rest = _VERSION.sub("", _DATED.sub("", text))
    return len(_TURNS.findall(rest)) >= _LEAST_TURNS or sum(map(str.isdigit, rest)) >= _LEAST_DIGITS
