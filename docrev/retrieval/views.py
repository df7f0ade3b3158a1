"""How well requests match operations: whole, by sentence and by tool; by words, by vectors and by names."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from docrev.language.words import words
from docrev.retrieval.documents import OperationText, sentences, tool_texts
from docrev.retrieval.embedding import Embedder, need
from docrev.retrieval.lexical import Bm25, tokens

if TYPE_CHECKING:
    import numpy as np

if TYPE_CHECKING:
    import numpy as np

LEXICAL = ("bm25 whole", "bm25 brief", "bm25 tool")
DENSE = ("cosine whole", "cosine brief", "cosine tool")
MENTIONED = ("tool share", "tool full", "name share", "name full", "tool whole", "name whole")
# Of a sentence, and of the request that it is of: what is asked often leaves out of which tool.
FEATURES = tuple(f"{what} of {of}" for of in ("sentence", "request") for what in (*LEXICAL, *DENSE, *MENTIONED))
ABOUT = ("the whole request", "the first sentence", "asks", "length")
MOST_SENTENCES = 6
# Few enough that the evidence of many operations fits into memory.
_AT_ONCE = 16
_ASKS = re.compile(
    r"\b(can|could|please|provide|give|fetch|find|would like|want|need|show|tell|help|get|retrieve|suggest|what|how)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RequestFeatures:
    """One request against all operations. Its rows are its first sentences and, last, the whole of it.

    `features` is of shape (rows, operations, FEATURES), `about` of (rows, ABOUT); cosines and BM25 are scaled so that
    all are of the same order.
    """

    features: np.ndarray
    about: np.ndarray


class Views:
    """The operations of `texts`, ready to be compared with queries. Indexes and vectors are made when first needed."""

    def __init__(self, texts: Sequence[OperationText], embedder: Embedder | None = None) -> None:
        self.texts, self.embedder = tuple(texts), embedder

    @cached_property
    def tools(self) -> np.ndarray:
        """The number of each operation's tool."""
        import numpy as np

        numbers = {tool: number for number, tool in enumerate(tool_texts(self.texts))}
        return np.array([numbers[text.key.tool] for text in self.texts])

    @cached_property
    def whole(self) -> Bm25:
        return Bm25([text.whole for text in self.texts])

    @cached_property
    def _indexes(self) -> tuple[Bm25, Bm25, Bm25]:
        with_examples = [f"{text.brief} {' '.join(value for _, value in text.examples)}" for text in self.texts]
        return self.whole, Bm25(with_examples), Bm25(list(tool_texts(self.texts).values()))

    @cached_property
    def _mentions(self) -> tuple[Mentions, Mentions]:
        rare = rarity(text.whole for text in self.texts)
        return Mentions([text.tool for text in self.texts], rare), Mentions([text.name for text in self.texts], rare)

    @cached_property
    def vectors(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the whole texts, of the brief ones, and of each operation's tool."""
        embedder = need(self.embedder, "embedding")
        brief = embedder.encode([text.brief for text in self.texts])
        return self._whole_vectors, brief, embedder.encode(list(tool_texts(self.texts).values()))[self.tools]

    @cached_property
    def _whole_vectors(self) -> np.ndarray:
        return need(self.embedder, "embedding").encode([text.whole for text in self.texts])

    def lexical(self, queries: Sequence[str]) -> np.ndarray:
        """BM25 of the whole texts: float32 of shape (queries, operations)."""
        import numpy as np

        rows = [self.whole.scores(query) for query in queries]
        return np.stack(rows) if rows else np.zeros((0, len(self.texts)), dtype=np.float32)

    def dense(self, queries: Sequence[str]) -> np.ndarray:
        """Cosines with the whole texts: float32 of shape (queries, operations)."""
        similarities: np.ndarray = need(self.embedder, "embedding").encode(queries) @ self._whole_vectors.T
        return similarities

    def evidence(self, queries: Sequence[str]) -> Iterator[RequestFeatures]:
        """All views of each query; without an embedder the cosines are 0."""
        rows_of = {query: _rows(query) for query in queries}
        vectors = self._vectors_of([row for rows in rows_of.values() for row in rows])
        for start in range(0, len(queries), _AT_ONCE):
            part = queries[start : start + _AT_ONCE]
            parts = [rows_of[query] for query in part]
            flat = list(dict.fromkeys(row for rows in parts for row in rows))
            seen = dict(zip(flat, self._seen(flat, vectors), strict=True))
            yield from (_evidence(rows, [seen[row] for row in rows]) for rows in parts)

    def _vectors_of(self, rows: Sequence[str]) -> dict[str, np.ndarray]:
        """The vector of each row, made together: the model pads texts of like length least. Empty without embedder."""
        different = list(dict.fromkeys(rows))
        if self.embedder is None or not different:
            return {}
        return dict(zip(different, self.embedder.encode(different), strict=True))

    def _seen(self, rows: Sequence[str], vectors_of: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """Each row's views of all operations: (operations, 12)."""
        import numpy as np

        counted = [[index.scores(row) / 10 for index in self._indexes] for row in rows]
        cosines = np.zeros((3, len(rows), len(self.texts)), dtype=np.float32)
        if vectors_of:
            asked = np.stack([vectors_of[row] for row in rows])
            cosines = np.stack([4 * (asked @ vectors.T) for vectors in self.vectors])
        found = []
        for at, (row, (whole, brief, tool)) in enumerate(zip(rows, counted, strict=True)):
            shares = [mentions.share(row) for mentions in self._mentions]
            full = [(share > 0.99).astype(np.float32) for share in shares]
            named = [shares[0], full[0], shares[1], full[1], *(mentions.whole(row) for mentions in self._mentions)]
            found.append(np.stack([whole, brief, tool[self.tools], *cosines[:, at], *named], axis=1))
        return found


def _rows(query: str) -> list[str]:
    """The first sentences of a request, and the whole of it."""
    return [*(sentences(query) or [query])[:MOST_SENTENCES], query]


def _evidence(rows: Sequence[str], seen: Sequence[np.ndarray]) -> RequestFeatures:
    import numpy as np

    request = np.broadcast_to(seen[-1], (len(rows), *seen[-1].shape))
    about = [
        [float(at == len(rows) - 1), float(at == 0 and len(rows) > 2), float(bool(_ASKS.search(row))), _length(row)]
        for at, row in enumerate(rows)
    ]
    return RequestFeatures(np.concatenate([np.stack(seen), request], axis=2), np.array(about, dtype=np.float32))


def _length(row: str) -> float:
    return min(len(row.split()), 40) / 40


_SHORTEST = 5


def rarity(texts: Iterable[str]) -> dict[str, float]:
    """How rare each token of `texts` is: the logarithm of its inverse share of the texts."""
    counts: Counter[str] = Counter()
    size = 0
    for text in texts:
        counts.update(set(tokens(text)))
        size += 1
    return {token: math.log1p(size / (count + 0.5)) for token, count in counts.items()}


class Mentions:
    """Names (not all distinct), ready to be looked for; `rare` says how much a token weighs, as `rarity` gives it."""

    def __init__(self, names: Sequence[str], rare: dict[str, float]) -> None:
        import numpy as np

        distinct = {name: place for place, name in enumerate(dict.fromkeys(names))}
        self._place = np.array([distinct[name] for name in names])
        self._plain = [" ".join(words(name)) for name in distinct]
        self._size = len(distinct)
        most = max(rare.values(), default=1.0)
        found: dict[str, list[tuple[int, float]]] = {}
        for place, name in enumerate(distinct):
            own = list(dict.fromkeys(tokens(name) or words(name)))
            total = math.fsum(rare.get(token, most) for token in own)
            for token in own:
                found.setdefault(token, []).append((place, rare.get(token, most) / total))
        self._having = {t: (np.array([p for p, _ in row]), np.array([w for _, w in row])) for t, row in found.items()}

    def share(self, text: str) -> np.ndarray:
        """For each name the weighted share of its tokens that occur in `text`, from 0 to 1."""
        import numpy as np

        total = np.zeros(self._size)
        for token in sorted({*tokens(text), *words(text)}):
            if token in self._having:
                places, weights = self._having[token]
                total[places] += weights
        shares: np.ndarray = total[self._place].astype(np.float32)
        return shares

    def whole(self, text: str) -> np.ndarray:
        """1 for each name that stands in `text` as it is, word by word; names under five letters never do."""
        import numpy as np

        padded = f" {' '.join(words(text))} "
        hits = [1.0 if len(name) >= _SHORTEST and f" {name} " in padded else 0.0 for name in self._plain]
        said_of: np.ndarray = np.array(hits, dtype=np.float32)[self._place]
        return said_of
