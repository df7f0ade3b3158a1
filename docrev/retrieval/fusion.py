"""Joining several rankings of one request: by ranks, or by weights that were learned from requests.

With weights a request is a mixture: each of its sentences, and the whole of it, asks for an operation with some
probability, and so for its tool. How much a sentence counts and what its views weigh is learned together, so that
the sentence that only tells of an occasion counts little, and one that asks for a second thing is not outvoted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docrev.errors import InputError, UsageError
from docrev.records import OperationKey
from docrev.retrieval.extras import library
from docrev.retrieval.views import ABOUT, FEATURES, RequestFeatures, Views
from docrev.storage.atomic import write_json

if TYPE_CHECKING:
    import numpy as np

RANK_CONSTANT = 60
FILE = "fusion.json"
CANDIDATES = 80
_SMALL = 1e-4


def reciprocal_ranks(scores: Sequence[np.ndarray]) -> np.ndarray:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009) of tables of scores, (queries, operations) each."""
    import numpy as np

    total = np.zeros(scores[0].shape, dtype=np.float32)
    for table in scores:
        ranks = np.empty(table.shape, dtype=np.int64)
        order = np.argsort(-table, axis=1, kind="stable")
        np.put_along_axis(ranks, order, np.broadcast_to(np.arange(table.shape[1]), table.shape), axis=1)
        total += (1.0 / (RANK_CONSTANT + 1 + ranks)).astype(np.float32)
    return total


@dataclass(frozen=True)
class Fusion:
    """`weights` of FEATURES, `rows` of ABOUT (how much a sentence counts), `tool`: how much the tool's probability."""

    weights: tuple[float, ...]
    rows: tuple[float, ...]
    tool: float

    def scores(self, views: Views, queries: Sequence[str]) -> np.ndarray:
        """Logarithms of probabilities, up to a constant: float32 of shape (queries, operations)."""
        import numpy as np

        rows = [self._scores(views.tools, seen) for seen in views.evidence(queries)]
        return np.stack(rows) if rows else np.zeros((0, len(views.texts)), dtype=np.float32)

    def _scores(self, tools: np.ndarray, seen: RequestFeatures) -> np.ndarray:
        import numpy as np

        logits = seen.features @ np.array(self.weights, dtype=np.float32)
        share = _log_softmax(logits) + _log_softmax(seen.about @ np.array(self.rows, dtype=np.float32))[:, None]
        mixed: np.ndarray = np.logaddexp.reduce(share, axis=0)
        of_tool = np.bincount(tools, weights=np.exp(mixed))
        scores: np.ndarray = (mixed + self.tool * np.log(of_tool[tools] + _SMALL)).astype(np.float32)
        return scores

    def save(self, folder: Path) -> None:
        """Write it beside a model."""
        named = asdict(self) | {"weights": dict(zip(FEATURES, self.weights, strict=True))}
        write_json(folder / FILE, named)

    @classmethod
    def beside(cls, embedder: object) -> Fusion | None:
        """The one in a model's folder, if there is one. Raises InputError if it cannot be read."""
        folder = getattr(embedder, "folder", None)
        file = Path(folder) / FILE if folder is not None else None
        if file is None or not file.is_file():
            return None
        try:
            read = json.loads(file.read_text("utf-8"))
            weights = tuple(float(read["weights"][name]) for name in FEATURES)
            rows = tuple(float(one) for one in read["rows"])
            if len(rows) != len(ABOUT):
                raise ValueError(f"{len(rows)} rows")
            return cls(weights, rows, float(read["tool"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            fix = "remove it, or train the retriever again"
            raise InputError(f"no weights of this version ({error})", where=str(file), fix=fix) from error


def learn(
    views: Views,
    requests: Sequence[tuple[str, Sequence[OperationKey]]],
    *,
    steps: int = 80,
    rate: float = 0.1,
    decay: float = 1e-3,
    told: Callable[[int, float], None] = lambda step, loss: None,
) -> Fusion:
    """The weights under which the relevant operations of `requests` are most probable, among the likeliest 80 each.

    Raises UsageError if none of the requests has a relevant operation among those.
    """
    torch = library("torch")
    features, about, tools, right = _tensors(views, requests)
    weights = torch.tensor([1.0 if name.startswith(("bm25", "cosine")) else 0.0 for name in FEATURES])
    rows, tool = torch.zeros(len(ABOUT)), torch.zeros(1)
    for one in (weights, rows, tool):
        one.requires_grad_()
    optimizer = torch.optim.Adam([weights, rows, tool], lr=rate)
    goal = right / right.sum(1, keepdim=True)
    for step in range(steps):
        shares = torch.log_softmax(features @ weights, dim=2)
        # A row that is only there to fill the table has no length, and counts nothing.
        counts = (about @ rows).masked_fill(about[:, :, -1] == 0, -1e9).log_softmax(1)
        mixed = (shares + counts[:, :, None]).logsumexp(1)
        of_tool = torch.zeros_like(mixed).scatter_add_(1, tools, mixed.exp()).gather(1, tools)
        scores = mixed + tool * torch.log(of_tool + _SMALL)
        loss = -(goal * scores.log_softmax(1)).sum(1).mean() + decay * (weights**2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        told(step + 1, loss.item())
    return Fusion(tuple(_numbers(weights)), tuple(_numbers(rows)), _numbers(tool)[0])


def _tensors(views: Views, requests: Sequence[tuple[str, Sequence[OperationKey]]]) -> tuple[Any, Any, Any, Any]:
    """Features (requests, rows, candidates, FEATURES), about, the tools' numbers within each request, and what is
    relevant, of the requests that have something relevant among their candidates."""
    import numpy as np

    torch = library("torch")
    place = {text.key: at for at, text in enumerate(views.texts)}
    kept: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
    for (_, keys), seen in zip(requests, views.evidence([text for text, _ in requests]), strict=True):
        rough = seen.features[:, :, :6].sum(2)
        best = np.argsort(-(rough[:-1].max(0) + rough[-1]), kind="stable")[:CANDIDATES]
        right = np.isin(best, [place[key] for key in keys if key in place]).astype(np.float32)
        if right.any():
            tool_numbers = np.unique(views.tools[best], return_inverse=True)[1]
            kept.append((seen.features[:, best], seen.about, tool_numbers, right))
    if not kept:
        raise UsageError("no relevant operation is anywhere near its request", fix="give other instruction files")
    most = max(len(about) for _, about, _, _ in kept)
    features = np.zeros((len(kept), most, *kept[0][0].shape[1:]), dtype=np.float32)
    about = np.zeros((len(kept), most, len(ABOUT)), dtype=np.float32)
    for at, (seen_features, seen_about, _, _) in enumerate(kept):
        features[at, : len(seen_about)], about[at, : len(seen_about)] = seen_features, seen_about
    rest = [torch.from_numpy(np.stack([one[part] for one in kept])) for part in (2, 3)]
    return torch.from_numpy(features), torch.from_numpy(about), rest[0], rest[1]


def _numbers(tensor: Any) -> list[float]:
    return [round(float(one), 4) for one in tensor.detach()]


def _log_softmax(table: np.ndarray) -> np.ndarray:
    import numpy as np

    shifted: np.ndarray = table - np.logaddexp.reduce(table, axis=-1, keepdims=True)
    return shifted
