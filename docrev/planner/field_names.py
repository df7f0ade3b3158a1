"""Names of fields as scenario texts, thoughts and reasons write them."""

from __future__ import annotations

from docrev.language.phrases import humanise
from docrev.language.words import words

_CODES = (("iata",), ("icao",), ("iso",), ("numeric",))


def field_phrase(name: str) -> str:
    """A field's name in words: `elevation_ft` → elevation in feet, `iata` → IATA code."""
    phrase = humanise(name)
    return f"{phrase} code" if words(name)[:1] in _CODES and "code" not in phrase else phrase
