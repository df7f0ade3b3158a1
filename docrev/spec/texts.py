"""Whether a text of a document tells a reader anything: shared by lint, the census and the revision."""

from __future__ import annotations

import re
import unicodedata

from docrev.language.words import singular, words

_ENOUGH = 6
_MARKUP = re.compile(r"<[^<>]{0,200}>|\]\([^()]{0,500}\)|[`*_#>|\[\]]+")
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_FILLER_WORDS = """
a an the of for to in on by with and or is are be this that these it its which will can allows used use using
given specified specify value field parameter property object item data get gets set sets return returns
returned list lists fetch fetches retrieve retrieves create creates update updates delete deletes endpoint
operation api you identifier name string integer number boolean array optional required todo tbd fixme description
"""
_FILLER = frozenset(_FILLER_WORDS.split())
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")


_SECTION = re.compile(
    r"\n[ \t]*\n[ \t]*(?:Args|Arguments|Parameters|Params|Returns?|Yields?|Raises|Throws|Examples?|Attributes):?[ \t]*"
    r"\n[ \t]+\S"
)
"""Where the sections of a docstring begin: a word of its own, and indented lines."""


def prose_end(text: str) -> int:
    """Where the prose of a text ends: before the sections of a docstring, if it has any behind prose."""
    found = _SECTION.search(text)
    return found.start() if found is not None else len(text)


def count_words(text: str) -> int:
    """The words of a text, markup aside. In scripts that set no spaces two characters count as a word."""
    plain = _MARKUP.sub(" ", text)
    spaced = len(_WORD.findall(plain))
    if plain.isascii():
        return spaced
    unspaced = sum(unicodedata.name(char, "").startswith(_UNSPACED) for char in plain if ord(char) > 0x0DFF)
    return max(spaced, unspaced // 2)


def is_restated(text: str, *names: str) -> bool:
    """Whether a text says no more than the names of the thing and of its owner: "The movie id." of `movie_id`."""
    if not text.strip():
        return False
    known = _FILLER.union(singular(word) for name in names for word in words(name))
    return all(_is_among(word, known) for word in _WORD.findall(_MARKUP.sub(" ", text)))


def _is_among(word: str, known: frozenset[str]) -> bool:
    """Whether a word is known, or every part of a name that is written as one: `externalId`."""
    parts = {*map(singular, words(word))}
    return singular(word.lower()) in known or (bool(parts) and parts <= known)


def is_good_text(text: str, *names: str) -> bool:
    """Whether a text is left alone by the revision: six words or more, and not the names restated."""
    return count_words(text) >= _ENOUGH and not is_restated(text, *names)


def first_paragraph(text: str) -> str:
    """What stands before the first blank line, on one line."""
    return " ".join(re.split(r"\n[ \t]*\n", text.strip(), maxsplit=1)[0].split())
