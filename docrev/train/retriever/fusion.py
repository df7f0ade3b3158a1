"""Joining several rankings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

RANK_CONSTANT = 60


def reciprocal_ranks(scores: Sequence[np.ndarray], constant: int = RANK_CONSTANT) -> np.ndarray:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) of tables of scores, (queries, operations) each."""
    import numpy as np

    total = np.zeros(scores[0].shape, dtype=np.float32)
    for table in scores:
        ranks = np.empty(table.shape, dtype=np.int64)
        order = np.argsort(-table, axis=1, kind="stable")
        np.put_along_axis(ranks, order, np.broadcast_to(np.arange(table.shape[1]), table.shape), axis=1)
        total += (1.0 / (constant + 1 + ranks)).astype(np.float32)
    return total
