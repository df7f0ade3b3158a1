"""From operations and requests to a trained retriever in a folder: the model, and the weights of `hybrid` beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from docrev.errors import UsageError
from docrev.models.precision import Precision, precision
from docrev.retrieval.cache import CachedEmbedder
from docrev.retrieval.documents import OperationText
from docrev.retrieval.embedding import FolderEmbedder, model_folder, open_folder
from docrev.retrieval.fusion import Fusion, learn, reciprocal_ranks
from docrev.retrieval.views import Views
from docrev.storage.atomic import write_json
from docrev.storage.os_errors import explained, make_folder
from docrev.train.retriever.ndcg import NdcgScore, scored
from docrev.train.retriever.requests import RetrievalRequest, make_requests
from docrev.train.retriever.training import TrainingStep, train
from docrev.train.settings import RetrieverTraining

if TYPE_CHECKING:
    import numpy as np

KEPT = 300
"""Generated requests, at most, that the model is not trained on: the weights of the fusion are learned from them."""
FILE = "training.json"
"""Beside the model: what it was trained on, and in which precision."""


@dataclass(frozen=True, slots=True)
class TrainedRetriever:
    """A retriever in a folder: what it was trained on, the first and last mean loss, its views of the texts.

    `precision` is what was computed in.
    """

    folder: Path
    requests: int
    generated: int
    loss: tuple[float, float]
    fusion: Fusion
    views: Views
    precision: Precision


def make_retriever(
    texts: Sequence[OperationText],
    requests: Sequence[RetrievalRequest],
    settings: RetrieverTraining,
    *,
    told: Callable[[TrainingStep], None] = lambda step: None,
) -> TrainedRetriever:
    """Train on `requests` and on generated ones, and write the model into `settings.out`.

    The weights of the fusion are learned from requests that the model has not seen, since it would look better on
    what it was trained on than it is: from generated ones, and a fifth of `requests` if that is 50 or more. The
    same for the same seed and precision on one machine. Raises UsageError, InputError, LockedError, StoreError, and
    DocrevError if the loss is no number.
    """
    model = open_folder(model_folder(settings.base))
    computed = precision(settings.precision, model.device.type)
    settings = settings.model_copy(update={"precision": computed})
    seed, out = settings.seed, settings.out
    back = list(requests[::5]) if len(requests) >= 250 else []
    real = [one for at, one in enumerate(requests) if not back or at % 5]
    generated = make_requests(texts, enough(texts) if settings.generate is None else settings.generate, seed=seed)
    learned = [*real, *generated]
    if not learned:
        raise UsageError("no request to train on", fix="give instruction files, or generate some (--generate N)")
    # Before anything is trained that could not be written.
    make_folder(out, fix="choose another -o")
    hard = hard_negatives(learned, texts, _mined(texts, learned, settings), count=settings.negatives, seed=seed)
    losses = train(model, learned, texts, hard, settings, told=told)
    try:
        model.save(str(out))
    except OSError as error:
        raise explained(error, out, fix="choose another -o") from error
    views = Views(texts, CachedEmbedder(FolderEmbedder(out, precision=computed), None))
    back += make_requests(texts, min(KEPT, enough(texts) // 4), seed=seed + 1)
    fusion = learn(views, [(one.text, one.operations) for one in back])
    fusion.save(out)
    some = max(1, min(10, len(losses) // 2))
    ends = (sum(losses[:some]) / some, sum(losses[-some:]) / some)
    noted = {"precision": computed, "seed": seed, "requests": len(real), "generated": len(generated), "loss": ends}
    write_json(out / FILE, noted)
    return TrainedRetriever(out, len(real), len(generated), ends, fusion, views, computed)


def enough(texts: Sequence[OperationText]) -> int:
    """How many requests to generate: four for each operation, 400 at least and 4,800 at most."""
    return max(400, min(4 * len(texts), 4800))


def tested(made: TrainedRetriever, requests: Sequence[RetrievalRequest]) -> dict[str, list[NdcgScore]]:
    """NDCG on requests that nothing was trained on: BM25, the model alone, both by rank, and by learned weights."""
    scores = tables(made.views, [request.text for request in requests], made.fusion)
    return {name: scored(requests, made.views.texts, table) for name, table in scores.items()}


def tables(views: Views, asked: Sequence[str], fusion: Fusion | None) -> dict[str, np.ndarray]:
    """The scores (requests, operations) of each method; `hybrid` only if there are weights for it."""
    counted, near = views.lexical(asked), views.dense(asked)
    scores = {"bm25": counted, "embedding": near, "ranks fused": reciprocal_ranks([counted, near])}
    return scores | ({"hybrid": fusion.scores(views, asked)} if fusion else {})


def _mined(
    texts: Sequence[OperationText], requests: Sequence[RetrievalRequest], settings: RetrieverTraining
) -> np.ndarray:
    """What ranks operations while hard negatives are looked for: (requests, operations)."""
    asked = [request.text for request in requests]
    if settings.mine == "bm25":
        return Views(texts).lexical(asked)
    views = Views(texts, CachedEmbedder(FolderEmbedder(model_folder(settings.base)), None))
    return reciprocal_ranks([views.lexical(asked), views.dense(asked)])


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
    negatives: list[list[int]] = []
    for request, row in zip(requests, scores, strict=True):
        gold = {place[key] for key in request.operations}
        relevant_texts = {_name_and_text(texts[index]) for index in gold}
        bound = CLOSE * max(float(row[index]) for index in gold)
        top = np.argsort(-row, kind="stable")[: DEPTH + len(gold)].tolist()
        near = [i for i in top if i not in gold and row[i] < bound and _name_and_text(texts[i]) not in relevant_texts]
        negatives.append(random.sample(near, min(count, len(near))))
    return negatives


def _name_and_text(text: OperationText) -> tuple[str, str]:
    return text.name.lower(), text.text.lower()
