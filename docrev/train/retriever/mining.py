"""Hard negatives: what ranks high for a request and is not relevant to it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from docrev.retrieval.documents import OperationText
from docrev.train.retriever.requests import RetrievalRequest

if TYPE_CHECKING:
    import numpy as np

DEPTH = 30
CLOSE = 0.95
"""A negative that scores above this part of the relevant ones' best is likely relevant too, and left out."""


def hard_negatives(
    requests: Sequence[RetrievalRequest],
    texts: Sequence[OperationText],
    scores: np.ndarray,
    *,
    count: int,
    seed: int = 0,
) -> list[list[int]]:
    """For each request the places in `texts` of up to `count` operations that rank high and are not relevant.

    `scores` is of shape (requests, operations). Left out as probably relevant: what scores nearly as high as the best
    relevant one, and what reads the same as one.
    """
    import numpy as np

    random = Random(seed)
    place = {text.key: index for index, text in enumerate(texts)}
    found: list[list[int]] = []
    for request, row in zip(requests, scores, strict=True):
        gold = {place[key] for key in request.operations}
        said = {_said(texts[index]) for index in gold}
        bound = CLOSE * max(float(row[index]) for index in gold)
        top = np.argsort(-row, kind="stable")[: DEPTH + len(gold)].tolist()
        near = [i for i in top if i not in gold and row[i] < bound and _said(texts[i]) not in said]
        found.append(random.sample(near, min(count, len(near))))
    return found


def _said(text: OperationText) -> tuple[str, str]:
    return text.name.lower(), text.text.lower()
