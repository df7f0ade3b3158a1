"""How well relevant operations are ranked: NDCG at 1, 3 and 5 (Järvelin and Kekäläinen 2002), with intervals."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.eval.intervals import Interval, bootstrap, mean
from docrev.records import Json, OperationKey
from docrev.retrieval.documents import OperationText
from docrev.train.retriever.requests import RetrievalRequest

if TYPE_CHECKING:
    import numpy as np

CUTS = (1, 3, 5)


@dataclass(frozen=True, slots=True)
class NdcgScore:
    """The mean NDCG of `requests` requests at each of CUTS, with 95 % bootstrap intervals."""

    group: str
    requests: int
    ndcg: tuple[float, ...]
    intervals: tuple[Interval, ...]

    def to_json(self) -> dict[str, Json]:
        at = {f"ndcg@{cut}": round(value, 4) for cut, value in zip(CUTS, self.ndcg, strict=True)}
        ends = {
            f"interval@{cut}": [round(one.low, 4), round(one.high, 4)]
            for cut, one in zip(CUTS, self.intervals, strict=True)
        }
        return {"group": self.group, "requests": self.requests} | at | ends

    def to_text(self) -> str:
        cells = [
            f"{100 * value:5.1f} [{100 * ends.low:.1f}, {100 * ends.high:.1f}]"
            for value, ends in zip(self.ndcg, self.intervals, strict=True)
        ]
        return f"{self.group:<20} {self.requests:>6}  " + "  ".join(cells)


def ndcg(ranked: Sequence[OperationKey], relevant: Collection[OperationKey], cut: int) -> float:
    """Relevance is 0 or 1; the ideal ranking has as many relevant ones at the top as there are, and `cut` at most.

    ValueError without anything relevant.
    """
    if not relevant:
        raise ValueError("nothing is relevant")
    gained = math.fsum(1 / math.log2(at + 2) for at, key in enumerate(ranked[:cut]) if key in relevant)
    return gained / math.fsum(1 / math.log2(at + 2) for at in range(min(cut, len(set(relevant)))))


def scored(requests: Sequence[RetrievalRequest], texts: Sequence[OperationText], scores: np.ndarray) -> list[NdcgScore]:
    """The scores of each group, in order of name, and of `all` if there are several.

    `scores` is of shape (requests, operations), columns as `texts`; of equal scores the first text is taken.
    """
    import numpy as np

    values: dict[str, list[tuple[float, ...]]] = {}
    for request, row in zip(requests, scores, strict=True):
        best = [texts[at].key for at in np.argsort(-row, kind="stable")[: CUTS[-1]].tolist()]
        gains = tuple(ndcg(best, request.operations, cut) for cut in CUTS)
        for group in dict.fromkeys((request.group, "all")):
            values.setdefault(group, []).append(gains)
    names = [*sorted(set(values) - {"all"}), "all"]
    return [_score(name, values[name]) for name in (names if len(names) > 2 else names[:1])]


def _score(group: str, values: Sequence[tuple[float, ...]]) -> NdcgScore:
    columns = list(zip(*values, strict=True))
    return NdcgScore(group, len(values), tuple(map(mean, columns)), tuple(bootstrap(column) for column in columns))
