"""Names and paths as English: `elevation_ft` → "elevation in feet", `/countries/{code}/cities` → its subject.

By rule and small tables: nothing is made up that a name does not say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from docrev.language.words import article, plural, singular, words

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
_ACTIONS = {
    "search": "Searches",
    "find": "Finds",
    "lookup": "Looks up",
    "discover": "Finds",
    "convert": "Converts",
    "compare": "Compares",
    "count": "Counts",
    "validate": "Validates",
    "estimate": "Estimates",
    "calculate": "Calculates",
    "resolve": "Resolves",
    "translate": "Translates",
    "parse": "Parses",
    "merge": "Merges",
    "export": "Exports",
    "import": "Imports",
    "archive": "Archives",
    "cancel": "Cancels",
    "activate": "Activates",
    "publish": "Publishes",
}
_KINDS = (
    "nearest, nearby, popular, latest, upcoming, random, recent, similar, top, trending, new, featured, top rated, "
    "now playing, airing today, recommended, related"
)
_WHICH = frozenset(_KINDS.split(", "))
_CONTAINERS = frozenset(
    ("reports", "report", "stats", "statistics", "feeds", "feed", "charts", "chart", "rankings", "ranking", "metrics")
)
_PREFIX = re.compile(r"v\d+(\.\d+)*|api|rest|public", re.I)


@lru_cache(maxsize=4096)
def humanise(name: str) -> str:
    """A name as lower-case words, with acronyms, units and abbreviations written out: `lat` → "latitude"."""
    parts = list(words(name))
    if not parts:
        return name
    tail = ""
    for length in (2, 1):
        unit = _UNITS.get("".join(parts[-length:]))
        if unit and len(parts) > length:
            parts, tail = parts[:-length], f" in {unit}"
            break
    if set(parts) & _CODES and all(part in _CODES or part.isdigit() for part in parts):
        return f"{_join(parts)} code"
    if len(parts) > 1 and parts[-1] == "count":
        return f"number of {plural(_join(parts[:-1]))}{tail}"
    if len(parts) > 1 and parts[0] in ("num", "n", "total", "count"):
        return f"{'total' if parts[0] == 'total' else 'number of'} {_join(parts[1:])}{tail}"
    return _join(parts) + tail


def _join(parts: list[str]) -> str:
    return " ".join(part.upper() if part in ACRONYMS else _LONG.get(part, part) for part in parts)


def sentence(text: str) -> str:
    """`text` with a capital at the start and a full stop at the end."""
    text = text.strip()
    if not text:
        return ""
    start = text if text[0] in "`'\"" else text[0].upper() + text[1:]
    return start if start[-1] in ".!?…" else f"{start}."


def listed(names: list[str], *, most: int = 4, what: str = "field", known: int | None = None) -> str:
    """Names in backticks: "`a`, `b` and `c`"; of more than `most` + 1, the rest is counted: "and 5 more fields"."""
    total = known if known is not None else len(names)
    shown = [f"`{name}`" for name in (names if total <= most + 1 else names[:most])]
    if total > len(shown):
        shown.append(f"{total - len(shown)} more {plural(what)}")
    return joined(shown)


def joined(shown: list[str]) -> str:
    """`a`, `b` and `c`: with commas, the last with "and"."""
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


@dataclass(frozen=True, slots=True)
class PathSubject:
    """What a path is about: `/countries/{code}/cities/{id}` is a city (`noun`) of a country (`parent`), `by` id.

    `action` is a verb in the third person ("Converts") if the path ends in one, `which` an adjective ("nearest").
    `single`: there is one of it, as of a report, also if it is a list. `spoken` is the noun as the path has it.
    """

    noun: str
    parent: str = ""
    by: str = ""
    action: str = ""
    which: str = ""
    single: bool = False
    spoken: str = ""

    @property
    def many(self) -> str:
        return _many(self.noun)

    @property
    def of(self) -> str:
        """ " of a country", or ""."""
        return f" of {article(self.parent)} {self.parent}" if self.parent else ""

    @property
    def one(self) -> str:
        """`a city`, `an airport`."""
        return f"{article(self.noun)} {self.noun}" if self.noun else ""


@lru_cache(maxsize=4096)
def subject(path: str) -> PathSubject:
    """The subject of a path; its noun is "" if the path names nothing (`/`)."""
    parts = [part for part in path.split("/") if part and not _PREFIX.fullmatch(part)]
    # `/cities/by-country/{code}` is about cities.
    parts = [part for part in parts if not part.lower().startswith(("by-", "by_"))]
    while len(parts) > 1 and parts[-1].lower() in ("list", "all", "index"):
        parts.pop()
    statics = [index for index, part in enumerate(parts) if "{" not in part]
    if not statics:
        return PathSubject("")
    last = statics[-1]
    by = _by(parts[last + 1 :])
    word = _words(parts[last])
    above = parts[last - 1] if last else ""
    if word in _ACTIONS and last:
        return PathSubject(_noun(_static(parts[:last])), by=by, action=_ACTIONS[word])
    if word in _ACTIONS:
        return PathSubject("", by=by)
    if word in _WHICH and last:
        # `/airports/{iata}/nearby` are the nearby airports of an airport.
        of = _noun(_static(parts[:last]))
        return PathSubject(of, parent=of if "{" in above else "", by=by, which=word)
    noun = _noun(parts[last])
    if above and _words(above) in _WHICH:
        return PathSubject(noun, by=_strip(by, noun), which=_words(above))
    if above and _words(above) in _ACTIONS:
        return PathSubject(noun, by=_strip(by, noun), action=_ACTIONS[_words(above)])
    if above.lower() in _CONTAINERS:
        return PathSubject(f"{noun} {singular(above.lower())}", by=_strip(by, noun), single=True)
    parent = _noun(_static(parts[:last])) if last else ""
    if "{" in above:
        return PathSubject(noun, parent, _strip(by, noun), spoken=_words(parts[last]))
    # `/countries/summary` is the summary of countries; of `/browse/categories` only the categories are sure.
    whole = parent and above.lower() == _many(parent) != parent and _many(noun) != _words(parts[last])
    if whole and not by:
        return PathSubject(f"{noun} of {_many(parent)}", single=True)
    return PathSubject(noun, by=_strip(by, noun), spoken=_words(parts[last]))


def owner(path: str, name: str) -> str:
    """What a path parameter identifies: `code` in `/countries/{code}/cities` is of a country."""
    parts = [part for part in path.split("/") if part]
    at = next((index for index, part in enumerate(parts) if f"{{{name}}}" in part), len(parts))
    before = [part for part in parts[:at] if "{" not in part and not part.lower().startswith(("by-", "by_"))]
    return _noun(before[-1]) if before and not _PREFIX.fullmatch(before[-1]) else ""


def _static(parts: list[str]) -> str:
    return next((part for part in reversed(parts) if "{" not in part), "")


def _words(segment: str) -> str:
    """A path segment as words; "" for the name of a file, which is no noun."""
    return "" if re.search(r"\.(json|xml|html|csv|php|txt)$", segment) else humanise(segment.strip("_"))


def _noun(segment: str) -> str:
    head, _, tail = _words(segment).rpartition(" ")
    return f"{head} {singular(tail)}".strip()


def _many(noun: str) -> str:
    if " of " in noun:
        head, _, rest = noun.partition(" of ")
        return f"{_many(head)} of {rest}"
    head, _, tail = noun.rpartition(" ")
    return f"{head} {plural(tail)}".strip() if tail else ""


def _by(parts: list[str]) -> str:
    """The last path parameter's name as words, "" if the path does not end in one."""
    names = re.findall(r"{([^}]+)}", "/".join(parts))
    return humanise(names[-1]) if names else ""


def _strip(by: str, noun: str) -> str:
    """`movie id` of a movie is its `id`."""
    return by[len(noun) + 1 :] if noun and by.startswith(f"{noun} ") else by


def indefinite(noun: str) -> str:
    return f"{article(noun)} {noun}"
