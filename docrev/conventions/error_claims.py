"""What an error says must change: a claim of a sentence or a code, and a hint, which has its place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from docrev.conventions.error_locations import ErrorLocation
from docrev.json_values.pointer import split

VALUE_KINDS = frozenset(
    {
        *("type", "format", "pattern", "characters", "first-character", "last-character", "forbidden-characters"),
        *("prefix", "suffix", "min-length", "max-length", "minimum", "maximum", "exclusive-minimum"),
        *("exclusive-maximum", "multiple-of", "min-items", "max-items", "unique-items", "allowed-values"),
    }
)
"""The kinds that say what a value must be like."""
TYPED = ("type", "format")
"""The kinds that tell what form a value has."""
ON_CALLS = frozenset({"method", "media-type", "credentials", "unsupported", "state"})
"""Kinds that are on the call as a whole."""
RELATIONS = frozenset({"exactly-one-of", "at-least-one-of", "at-most-one-of", "all-or-none-of"})
"""Kinds whose values are names, any of which may be the one to change."""


class Claim(NamedTuple):
    """What a sentence or a code says: a `kind` as of `Hint`, and the values that belong to it.

    `inside` is the location of a part of what the message is on: the property that an object lacks.
    """

    kind: str
    values: tuple[str, ...] = ()
    inside: ErrorLocation = ErrorLocation()


JSON_VALUE = Claim("format", ("json",))


@dataclass(frozen=True, slots=True)
class Hint:
    """What must change in the next call: `kind`, where, and the `values` that belong to it.

    | kind | values |
    |---|---|
    | required, unknown (leave it out), invalid (no more is said) | |
    | type | JSON types, any of which will do |
    | format | date, date-time, zoned-date-time, time, duration, duration-in-units, uuid, email, url, ip, json … |
    | allowed-values | the values |
    | minimum, maximum, exclusive-minimum, exclusive-maximum, multiple-of | a number |
    | min-length, max-length, min-items, max-items; unique-items | a whole number |
    | pattern | a regular expression |
    | characters, forbidden-characters, first-character, last-character | a class: `[a-z0-9]` |
    | prefix, suffix | a text |
    | exactly-one-of, at-least-one-of, at-most-one-of, all-or-none-of | names |
    | needs, excluded-by | names that this one needs, or cannot be sent with |
    | method, media-type | those that are accepted, if any is told |
    | not-found (make it first) | what it is, if its place does not tell; its id, if that is told |
    | exists, credentials, unsupported (stop asking) | |
    | state | the state that is needed, if it is told: `stopped`, `not running` |

    `place` is query, path, header, cookie, body or "" if it is not told. `pointer` is a JSON pointer; if only a name
    is told it is the pointer to that, and "" if nothing is named.
    """

    kind: str
    place: str
    pointer: str
    values: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        """The last name of the pointer, without indices; "" if nothing is named."""
        return _name_in(self.pointer)

    def is_on(self, name: str, place: str) -> bool:
        """Whether the hint is on this name, at this place or at none."""
        return self.name == name and self.place in ("", place)


@lru_cache(maxsize=4096)
def _name_in(pointer: str) -> str:
    """The last key of a pointer that is no index; remembered, since hints are asked for their names again and again."""
    return next((key for key in reversed(split(pointer)) if not key.isdecimal()), "")
