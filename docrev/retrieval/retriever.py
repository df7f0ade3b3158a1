"""Finding operations by what a text asks for: BM25, vectors, or both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from docrev.errors import InputError, UsageError
from docrev.records import Json, OperationKey
from docrev.retrieval.cache import CachedEmbedder, Notice, silent
from docrev.retrieval.documents import OperationText, sentences, texts_of
from docrev.retrieval.embedding import Embedder, need, open_embedder
from docrev.retrieval.fusion import Fusion, reciprocal_ranks
from docrev.retrieval.views import Views
from docrev.spec import Catalog

if TYPE_CHECKING:
    import numpy as np

Method = Literal["bm25", "embedding", "hybrid"]
METHODS: tuple[Method, ...] = ("bm25", "embedding", "hybrid")


@dataclass(frozen=True, slots=True)
class Hit:
    """An operation that was found. Scores of one search compare with each other only."""

    key: OperationKey
    score: float
    text: OperationText

    @property
    def sentence(self) -> str:
        """What the operation does, at a glance."""
        return next(iter(sentences(self.text.text)), self.text.name)

    def to_json(self) -> dict[str, Json]:
        return {
            "tool": self.key.tool,
            "operation": self.key.operation,
            "score": round(self.score, 6),
            "text": self.sentence,
        }


class Retriever:
    """Ranks the operations of `texts`; `hybrid` joins the ranks of BM25 and vectors, or weighs all by `fusion`."""

    def __init__(
        self,
        texts: Sequence[OperationText],
        *,
        method: Method = "bm25",
        embedder: Embedder | None = None,
        fusion: Fusion | None = None,
    ) -> None:
        if not texts:
            raise InputError("no operation to retrieve", fix="give specs that have some")
        self.texts, self.method, self.fusion = tuple(texts), method, fusion
        self.views = Views(self.texts, None if method == "bm25" else need(embedder, method))
        self._place = {text.key: place for place, text in enumerate(self.texts)}

    def scores(self, queries: Sequence[str]) -> np.ndarray:
        """Float32 of shape (queries, operations); the higher the better."""
        if self.method == "bm25":
            return self.views.lexical(queries)
        if self.method == "embedding":
            return self.views.dense(queries)
        if self.fusion is not None:
            return self.fusion.scores(self.views, queries)
        return reciprocal_ranks([self.views.lexical(queries), self.views.dense(queries)])

    def search(self, text: str, k: int = 5, keys: Iterable[OperationKey] | None = None) -> list[Hit]:
        """The `k` best operations for `text`, the best first, among `keys` if given; of equals the first."""
        import numpy as np

        if k < 1:
            raise UsageError("nothing is asked for", where=f"k = {k}", fix="ask for 1 or more")
        scores = self.scores([text])[0]
        places = np.arange(len(self.texts))
        if keys is not None:
            places = np.array(sorted({self._place[key] for key in keys if key in self._place}), dtype=np.int64)
        best = places[np.argsort(-scores[places], kind="stable")[:k]]
        return [Hit(self.texts[place].key, float(scores[place]), self.texts[place]) for place in best.tolist()]

    def top(self, text: str, k: int = 5, keys: Iterable[OperationKey] | None = None) -> list[OperationKey]:
        """As `search`, the operations alone."""
        return [hit.key for hit in self.search(text, k, keys)]


def open_retriever(
    catalog: Catalog,
    *,
    method: Method | None = None,
    model: str | None = None,
    url: str | None = None,
    cache: Path | None = None,
    notice: Notice = silent,
) -> Retriever:
    """The retriever of a catalog's operations; `method` defaults to `hybrid` if a model is named, else `bm25`.

    `cache` is the folder in which vectors are kept. A model that `docrev train retriever` made brings its own weights
    for `hybrid`. Raises UsageError, InputError; ModelError and UnreachableError
    if a server is asked.
    """
    chosen: Method = method or ("bm25" if model is None else "hybrid")
    if chosen not in METHODS:
        raise UsageError(f"no method {chosen}", where="--method", fix=f"one of {', '.join(METHODS)}")
    embedder = None if model is None or chosen == "bm25" else open_embedder(model, url)
    fusion = Fusion.beside(embedder) if chosen == "hybrid" else None
    kept = CachedEmbedder(embedder, cache, notice) if embedder is not None else None
    return Retriever(texts_of(catalog), method=chosen, embedder=kept, fusion=fusion)
