"""Texts as the words that BM25 counts: identifiers split, English endings taken off, words without a topic left out."""

from __future__ import annotations

from functools import lru_cache

from docrev.language.words import singular, words

_ENDINGS = ("ing", "ed", "er", "ly", "ment")
# Beside articles and the like: how requests are phrased, whatever they are about.
_EMPTY = frozenset(
    words("""
    a about able additionally also am an and any api are as at be been but by can could d did do does each find
    for from furthermore get give had has have he help her his how i if in interested into is it its know let like
    ll looking m make may me might more my need of on or our please planning provide re s she should so some t
    tell than that the their them then there these they this those to tool us use using ve want was we were what
    which who will with would you your
    """)
)


def tokens(text: str) -> list[str]:
    """The words of a text or an identifier that say something, lower-case and without endings, in order."""
    return [stem(word) for word in words(text) if word not in _EMPTY]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its commonest ending: `tracking`, `tracked`, `tracks` → `track`. By rule, not always a word."""
    found = singular(word)
    ending = next((one for one in _ENDINGS if found.endswith(one) and len(found) - len(one) >= 4), "")
    found = found[: len(found) - len(ending)]
    if ending and found[-1] == found[-2] and found[-1] not in "sl":
        found = found[:-1]
    return found[:-1] if found.endswith("e") and len(found) > 4 else found
