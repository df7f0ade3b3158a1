"""Names of fields as they are said in scenario texts, thoughts and reasons."""

from __future__ import annotations

from docrev.language.phrases import humanise
from docrev.language.words import words

_CODES = (("iata",), ("icao",), ("iso",), ("numeric",))


def spoken(name: str) -> str:
    """A field's name in words: `elevation_ft` → elevation in feet, `iata` → IATA code."""
    said = humanise(name)
    return f"{said} code" if words(name)[:1] in _CODES and "code" not in said else said
