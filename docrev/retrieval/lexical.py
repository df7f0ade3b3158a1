"""BM25 (Robertson and Zaragoza 2009; Lucene's variant, by bm25s) over texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from docrev.language.function_words import OF_REQUESTS
from docrev.language.stems import coarse_stem
from docrev.language.words import word_set, words
from docrev.retrieval.extras import library

_EMPTY = OF_REQUESTS | word_set(
    "able additionally furthermore help interested looking m may might planning provide re tool using"
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
