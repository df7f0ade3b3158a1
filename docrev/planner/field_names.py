"""Names as scenario texts, thoughts and reasons write them."""

from __future__ import annotations

from docrev.language.phrases import humanise
from docrev.language.words import words

_CODES = (("iata",), ("icao",), ("iso",), ("numeric",))
BESIDE = {"nearby": "near", "nearest": "near", "similar": "similar to", "related": "related to"}
"""Nouns of paths that say how items are related to the item above, with the preposition to use."""


def field_phrase(name: str) -> str:
    """A field's name in words: `elevation_ft` → elevation in feet, `iata` → IATA code."""
    phrase = humanise(name)
    return f"{phrase} code" if words(name)[:1] in _CODES and "code" not in phrase else phrase
