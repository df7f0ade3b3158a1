"""Stems of English words: what is left of a word without its endings (Snowball's English stemmer, Porter 2)."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

from docrev.language.words import singular, words

_COARSE = ("ing", "ed", "er", "ly", "ment")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a word: `tracks`, `tracked` and `tracking` → `track`; `cities` → `citi`; `people` → `person`.

    A stem is no word, and the stem of a stem may differ from it: compare stems with stems.
    """
    # Loaded here: the library loads thirty languages, and most commands stem nothing. A stemmer keeps the word that
    # it works on in itself, so each call has its own.
    from snowballstemmer.english_stemmer import EnglishStemmer

    return str(EnglishStemmer().stemWord(singular(word.lower())))


@lru_cache(maxsize=8192)
def stems(text: str) -> tuple[str, ...]:
    """The stems of the words of a text or an identifier, in order: `cityNames` → ("citi", "name")."""
    return tuple(stem(word) for word in words(text))


def content_stems(text: str, empty: Container[str]) -> list[str]:
    """The stems of the words of a text that are not in `empty`, the words that say nothing of its topic."""
    return [stem(word) for word in words(text) if word not in empty]


@lru_cache(maxsize=65536)
def coarse_stem(word: str) -> str:
    """A word without its commonest ending, `-er` and `-ment` included, which Snowball keeps: `tracker` → `track`.

    What BM25 counts: on the 501 requests of StableToolBench it ranks better than `stem` does (NDCG@3 63.0, not 62.3).
    """
    base = singular(word)
    ending = next((ending for ending in _COARSE if base.endswith(ending) and len(base) - len(ending) >= 4), "")
    base = base[: len(base) - len(ending)]
    if ending and base[-1] == base[-2] and base[-1] not in "sl":
        base = base[:-1]
    return base[:-1] if base.endswith("e") and len(base) > 4 else base
