"""Texts as the words that BM25 counts: identifiers split, English endings taken off, words without a topic left out."""

from __future__ import annotations

from docrev.language.stems import coarse_stem
from docrev.language.words import words

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
    return [coarse_stem(word) for word in words(text) if word not in _EMPTY]
