"""Names as English: `elevation_ft` → "elevation in feet"; lists of names, and sentences.

By rule and small tables: nothing is made up that a name does not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from docrev.language.words import plural, words

_CLAIM_END = re.compile(r"(?<=[.;!?])\s+|\n+")
_ACRONYMS = (
    "api csv dst eur faa gdp gps html http https iata icao iban imdb ip isbn iso json jwt nasa pdf sku sms sql ssn tld"
    " tmdb tv uri url usd utc uuid vat wmo xml zip"
)
ACRONYMS = frozenset(_ACRONYMS.split())
_CODES = frozenset({"iata", "icao", "iso", "faa", "unlocode"})
_UNITS = {
    "ft": "feet",
    "feet": "feet",
    "m": "metres",
    "metres": "metres",
    "meters": "metres",
    "km": "kilometres",
    "km2": "square kilometres",
    "m2": "square metres",
    "sqkm": "square kilometres",
    "mi": "miles",
    "miles": "miles",
    "nm": "nautical miles",
    "cm": "centimetres",
    "mm": "millimetres",
    "kg": "kilograms",
    "lb": "pounds",
    "lbs": "pounds",
    "ms": "milliseconds",
    "sec": "seconds",
    "secs": "seconds",
    "seconds": "seconds",
    "mins": "minutes",
    "minutes": "minutes",
    "hours": "hours",
    "days": "days",
    "pct": "percent",
    "percent": "percent",
    "usd": "US dollars",
    "eur": "euros",
    "kb": "kilobytes",
    "mb": "megabytes",
    "bytes": "bytes",
    "celsius": "degrees Celsius",
    "deg": "degrees",
}
_LONG = {
    "lat": "latitude",
    "lon": "longitude",
    "lng": "longitude",
    "qty": "quantity",
    "desc": "description",
    "addr": "address",
    "tz": "timezone",
    "dob": "date of birth",
    "avg": "average",
    "max": "maximum",
    "min": "minimum",
    "dist": "distance",
    "dest": "destination",
    "src": "source",
    "lang": "language",
    "ccy": "currency",
    "msg": "message",
    "img": "image",
    "tel": "telephone",
    "info": "information",
    "geo": "geographic",
    "num": "number",
}


@lru_cache(maxsize=4096)
def humanise(name: str) -> str:
    """A name as lower-case words, with acronyms, units and abbreviations written out: `lat` → "latitude"."""
    parts, unit = _without_unit(list(words(name)))
    if not parts:
        return name
    if set(parts) & _CODES and all(part in _CODES or part.isdigit() for part in parts):
        return f"{_join(parts)} code"
    if len(parts) > 1 and parts[-1] == "count":
        return f"number of {plural(_join(parts[:-1]))}{unit}"
    if len(parts) > 1 and parts[0] in ("num", "n", "total", "count"):
        return f"{'total' if parts[0] == 'total' else 'number of'} {_join(parts[1:])}{unit}"
    return _join(parts) + unit


def _without_unit(parts: list[str]) -> tuple[list[str], str]:
    """The words of a name without those of a unit at its end, and the unit: " in feet"."""
    for length in (2, 1):
        unit = _UNITS.get("".join(parts[-length:]))
        if unit and len(parts) > length:
            return parts[:-length], f" in {unit}"
    return parts, ""


def _join(parts: list[str]) -> str:
    return " ".join(part.upper() if part in ACRONYMS else _LONG.get(part, part) for part in parts)


def sentence(text: str) -> str:
    """`text` with a capital at the start and a full stop at the end."""
    text = text.strip()
    if not text:
        return ""
    start = text if text[0] in "`'\"" else text[0].upper() + text[1:]
    return start if start[-1] in ".!?…" else f"{start}."


def spliced(text: str, found: re.Match[str], instead: str) -> str:
    """A text with something else in the place of what was found in it."""
    return f"{text[: found.start()]}{instead}{text[found.end() :]}"


def joined(shown: list[str], last: str = "and") -> str:
    """`a`, `b` and `c`: with commas, the last with "and"."""
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}" if shown else ""


def claims(text: str) -> list[str]:
    """The parts of a text that may each say something of its own: up to a full stop, a semicolon, or a line end."""
    return _CLAIM_END.split(text)


def joined_names(names: Iterable[str], last: str = "and") -> str:
    """Names in backticks, `joined`."""
    return joined([f"`{name}`" for name in names], last)
