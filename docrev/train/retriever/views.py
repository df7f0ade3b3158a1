"""How well texts and operations go together: whole, by sentence and by tool; by words and by vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from docrev.train.retriever.documents import OperationText, sentences, tool_texts
from docrev.train.retriever.embedding import Embedder, need
from docrev.train.retriever.lexical import Bm25

if TYPE_CHECKING:
    import numpy as np


class Views:
    """The operations of `texts`, ready to be compared with queries. Indexes and vectors are made when first needed."""

    def __init__(self, texts: Sequence[OperationText], embedder: Embedder | None = None) -> None:
        self.texts, self.embedder = tuple(texts), embedder

    @cached_property
    def whole(self) -> Bm25:
        return Bm25([text.whole for text in self.texts])

    @cached_property
    def vectors(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the whole texts and of the brief ones."""
        embedder = need(self.embedder, "embedding")
        return embedder.encode([text.whole for text in self.texts]), embedder.encode([t.brief for t in self.texts])

    @cached_property
    def tools(self) -> tuple[str, ...]:
        return tuple(tool_texts(self.texts).values())

    def lexical(self, queries: Sequence[str]) -> np.ndarray:
        """BM25 of the whole texts: float32 of shape (queries, operations)."""
        import numpy as np

        return np.stack([self.whole.scores(query) for query in queries])

    def dense(self, queries: Sequence[str]) -> np.ndarray:
        """Cosines, the mean of whole and brief texts with the whole query and with its closest sentence."""
        import numpy as np

        embedder = need(self.embedder, "embedding")
        parts = [sentences(query) or [query] for query in queries]
        whole, cut = embedder.encode(queries), embedder.encode([one for part in parts for one in part])
        ends = np.cumsum([0, *map(len, parts)])
        tables = []
        for vectors in self.vectors:
            near = cut @ vectors.T
            tables += [whole @ vectors.T, np.stack([near[a:b].max(0) for a, b in pairwise(ends)])]
        found: np.ndarray = np.stack(tables).mean(0)
        return found
