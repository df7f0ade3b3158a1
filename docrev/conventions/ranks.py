"""Members that rank a thing among others, or make it the default one: a write to them may change the others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from docrev.json_values.containers import mapping
from docrev.language.words import words
from docrev.records import Json

_PLACES = frozenset({"order", "ordinal", "position", "priority", "rank", "sequence"})
"""Last words of members with a number that says where a thing stands: what stands there may have to move."""
_DISTINCTIONS = frozenset({"current", "default", "main", "primary"})
"""Words of flags that one thing among many has: it may be taken from another."""
_HELD_BY_ONE = _DISTINCTIONS | {"active", "favorite", "featured", "head", "latest", "live", "pinned", "selected"}
"""Words of flags and states that one thing often has alone."""
_WHOLE = frozenset({"system", "global", "main", "current"})
"""Words of what an action makes its thing to be for everything (`set_system_theme`)."""
_LONGEST_STATE = 20
_DECORATIONS = frozenset({"is", "as", "make", "set"})
_ACTS = _DECORATIONS | {"mark", "use"}
"""Words by which an action says that; `use_default: true` is a setting."""

_TAKEN = re.compile(
    r"\bothers?\b[^.]{0,60}\b(?:inactive|deactivated|disabled|unset|unmarked|unselected|cleared|demoted|no longer)\b"
    r"|\b(?:deactivat|disabl|unset|unmark|unselect|clear|demot|replac)(?:e|es|s|ts|ing|ting)?\b[^.]{0,30}"
    r"\b(?:others?|previous|current|existing)\b"
    r"|\bonly one\b[^.]{0,40}\b(?:active|default|primary|current|main|selected|at (?:a|any) time|at once)\b",
    re.IGNORECASE,
)
"""What the text of a flag says if a thing that gets it takes it from another one."""


def takes_from_others(text: str) -> bool:
    """Whether the text of a flag says that one thing has it at a time: "All other plans are then marked inactive"."""
    return _TAKEN.search(text) is not None


def ranks_among_others(name: str, value: object) -> bool:
    """Whether a member places a thing among others (`position: 1`), or sets it apart from them (`is_default: true`)."""
    parts = words(name)
    if isinstance(value, bool):
        return value and bool(_DISTINCTIONS.intersection(parts)) and {*parts} <= _DISTINCTIONS | _DECORATIONS
    return isinstance(value, int | float) and parts[-1:] != () and parts[-1] in _PLACES


def is_held_by_one(value: object) -> bool:
    """Whether a flag's name, or a state, is one that one thing often has alone: `pinned`, "current"."""
    return isinstance(value, str) and len(value) <= _LONGEST_STATE and _says_held_by_one(value)


@lru_cache(maxsize=4096)
def _says_held_by_one(text: str) -> bool:
    return not _HELD_BY_ONE.isdisjoint(words(text))


def distinguishes(path: str) -> bool:
    """Whether a path ends in an action that makes its thing the one among many: `/{id}/default`, `/{id}/set_global`."""
    before, _, last = path.rstrip("/").rpartition("/")
    parts = {*words(last)}
    if not before.endswith("}") or last.endswith("}"):
        return False
    if parts & _ACTS:
        return bool(parts & (_DISTINCTIONS | _WHOLE))
    return bool(parts) and parts <= _DISTINCTIONS


def ranking_members(body: object, required: Collection[str]) -> Iterator[str]:
    """The members at the top of a body, or of each part of a list, that rank it and are not required."""
    for part in body if isinstance(body, list) else [body]:
        for name, value in mapping(part).items():
            if name not in required and ranks_among_others(name, value):
                yield name


def unranked(body: object, required: Collection[str]) -> Json:
    """A body without its ranking members."""
    if not isinstance(body, dict):
        return body
    ranking = set(ranking_members(body, required))
    return {name: value for name, value in body.items() if name not in ranking}
