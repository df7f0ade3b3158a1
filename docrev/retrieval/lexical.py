"""BM25 (Robertson and Zaragoza 2009; Lucene's variant, by bm25s) over texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from docrev.language.stems import coarse_stem
from docrev.language.words import words
from docrev.retrieval.extras import library

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


if TYPE_CHECKING:
    import numpy as np

K1, B = 1.5, 0.75


class Bm25:
    """An index over `texts`; building one of 16,464 operations takes about a second, so it is not kept on disk."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.size = len(texts)
        # An index of no word at all is refused by the library, and so is what it does with empty texts.
        corpus = [tokens(text) or [""] for text in texts]
        self._index: Any = library("bm25s").BM25(k1=K1, b=B, method="lucene")
        self._index.index(corpus, show_progress=False)

    def scores(self, query: str) -> np.ndarray:
        """The score of every text, float32 of shape (texts,); 0 if no word is shared."""
        import numpy as np

        in_vocabulary = [token for token in tokens(query) if token and token in self._index.vocab_dict]
        if not in_vocabulary:
            return np.zeros(self.size, dtype=np.float32)
        counted: np.ndarray = self._index.get_scores(in_vocabulary)
        return counted.astype(np.float32)
