"""Words: splitting identifiers, and the singular, the plural and the article of a noun (English, by rule)."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_IRREGULAR = {
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "indices": "index",
    "matrices": "matrix",
    "vertices": "vertex",
    "movies": "movie",
    "cookies": "cookie",
    "caches": "cache",
    "criteria": "criterion",
    "media": "medium",
    "data": "data",
    "lives": "life",
    "leaves": "leaf",
    "shelves": "shelf",
    "halves": "half",
    "wolves": "wolf",
    "knives": "knife",
    "wives": "wife",
    "axes": "axis",
    "analyses": "analysis",
    "quizzes": "quiz",
    "uses": "use",
    "canvases": "canvas",
    "atlases": "atlas",
    "lenses": "lens",
    **{f"{word}s": word for word in "id uri api kpi emoji menu wiki taxi cpu gpu sku".split()},
}
_UNCOUNTED = frozenset("series news species chassis weather information".split())
_IN_S = frozenset("status address access business canvas atlas lens kubernetes".split())
"""Singular nouns that look like plurals."""
_PLURAL = {singular: plural for plural, singular in _IRREGULAR.items() if plural != "data"}


def has_word(text: str, word: str) -> bool:
    """Whether a word, or several, occurs in a text as it is, and not as a part of another word."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


@lru_cache(maxsize=8192)
def words(name: str) -> tuple[str, ...]:
    """The lower-case words of an identifier: `cityName`, `city_name`, `city-name` → ("city", "name")."""
    return tuple(word.lower() for word in _WORD.findall(name))


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    """The singular of a noun: `countries` → `country`, `boxes` → `box`, `series` → `series`."""
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    if lower in _UNCOUNTED | _IN_S or lower.endswith(("ss", "us", "is", "ias")) or len(lower) < 4:
        return word
    if lower.endswith("ies"):
        return word[:-3] + "y"
    # A house, a clause; but a bus.
    if lower.endswith(("ches", "shes", "xes", "sses", "tzes", "uses", "iases")) and lower[-5:-3] not in ("ou", "au"):
        return word[:-2]
    return word[:-1] if lower.endswith("s") else word


@lru_cache(maxsize=8192)
def singular_words(name: str) -> tuple[str, ...]:
    """The words of an identifier, each in the singular: `genreIds` → ("genre", "id")."""
    return tuple(singular(word) for word in words(name))


@lru_cache(maxsize=8192)
def plural(word: str) -> str:
    """The plural of a noun: `country` → `countries`; a plural stays as it is."""
    lower = word.lower()
    if lower in _PLURAL:
        return _PLURAL[lower]
    if lower in _UNCOUNTED and lower.endswith("s"):
        return word
    if lower in _IRREGULAR or (lower.endswith("s") and singular(lower) != lower):
        return word
    if lower.endswith("y") and len(lower) > 1 and lower[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if lower.endswith(("s", "x", "ch", "sh", "z")) else "s")


def article(word: str) -> str:
    """`a` or `an`, by spelling: `an airport`, `a country`, `a user`, `an hour`, `an IATA code`."""
    lower = word.lower()
    if lower.startswith(("hour", "honest", "heir")):
        return "an"
    if lower.startswith(("uni", "use", "usa", "eu", "one", "url", "uri", "uuid", "utc")):
        return "a"
    if word.isupper() and len(word) > 1 and word[0] in "FHLMNRSX":
        return "an"
    return "an" if lower[:1] in set("aeiou") else "a"


def word_set(text: str) -> frozenset[str]:
    """The words of a text that lists them: how a table of words is written."""
    return frozenset(text.split())
