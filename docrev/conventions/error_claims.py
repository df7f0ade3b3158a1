"""What a sentence of an error says must change: the shared type of the modules that read sentences and codes."""

from __future__ import annotations

from typing import NamedTuple

from docrev.conventions.error_locations import ErrorLocation

VALUE_KINDS = frozenset(
    {
        *("type", "format", "pattern", "characters", "first-character", "last-character", "forbidden-characters"),
        *("prefix", "suffix", "min-length", "max-length", "minimum", "maximum", "exclusive-minimum"),
        *("exclusive-maximum", "multiple-of", "min-items", "max-items", "unique-items", "allowed-values"),
    }
)
"""The kinds that say what a value must be like."""


class Claim(NamedTuple):
    """What a sentence or a code says: a `kind` as of `error_hints.Hint`, and the values that belong to it.

    `inside` is the location of a part of what the message is on: the property that an object lacks.
    """

    kind: str
    values: tuple[str, ...] = ()
    inside: ErrorLocation = ErrorLocation()
