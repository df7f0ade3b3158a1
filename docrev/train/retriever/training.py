"""Training a sentence embedding model to find operations (ToolLLM §3.2; Sentence-BERT, Reimers and Gurevych 2019).

The loss is MultipleNegativesRankingLoss (Henderson et al. 2017), over all that a batch holds: for each relevant
operation of a request, the cross-entropy of its scaled cosine against every operation of the batch that is not
relevant to the request: those of other requests (sampled negatives) and the hard ones.
"""

from __future__ import annotations

import itertools
import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from docrev.errors import DocrevError, UsageError
from docrev.models.precision import precision
from docrev.retrieval.documents import OperationText
from docrev.retrieval.extras import library
from docrev.train.retriever.requests import RetrievalRequest
from docrev.train.settings import RetrieverTraining

if TYPE_CHECKING:
    import torch

SCALE = 20.0
WARMUP = 0.1
"""The part of all steps in which the learning rate rises."""
WORDS = 64
"""Tokens of a request and of an operation that are read while training."""
AT_ONCE = 8
"""Texts that a processor embeds together while training, of like length: what pads the shorter ones costs as much."""
_LAYER = re.compile(r"\blayers?\.(\d+)\.")


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """One step of training: `done` of `steps` in `seconds`, and the mean loss since the last step reported."""

    done: int
    steps: int
    loss: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Requests and the places of the operations that they are compared with; `relevant[i]` are columns of row i."""

    requests: tuple[str, ...]
    operations: tuple[int, ...]
    relevant: tuple[frozenset[int], ...]


def train(
    model: Any,
    requests: Sequence[RetrievalRequest],
    texts: Sequence[OperationText],
    hard: Sequence[Sequence[int]],
    settings: RetrieverTraining,
    *,
    told: Callable[[TrainingStep], None] = lambda step: None,
) -> list[float]:
    """Train a sentence-transformers `model` in place; the losses of all steps.

    `hard` are the hard negatives of each request, as places in `texts`. With the last three of MiniLM's six layers a
    step costs half, and the words' vectors stay what a large corpus made them. Weights stay in float32, whatever the
    precision is that the settings compute in. The same for the same seed on one machine.
    Raises UsageError without requests, DocrevError if the loss is no number: the model is then as it was before
    that step.
    """
    if not requests:
        raise UsageError("no request to train on", fix="give instruction files or specs")
    torch = library("torch")
    torch.manual_seed(settings.seed)
    random = Random(settings.seed)
    epochs = [batches(requests, texts, hard, settings, random) for _ in range(settings.epochs)]
    plan = [batch for epoch in epochs for batch in epoch]
    weights = trained_weights(model, settings.layers)
    optimizer = torch.optim.AdamW(weights, lr=settings.rate, weight_decay=0.01)
    slope = _slope(round(WARMUP * len(plan)), len(plan))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, slope)
    losses: list[float] = []
    half = precision(settings.precision, model.device.type) == "bfloat16"
    started = time.monotonic()
    model.train()
    for done, batch in enumerate(plan, 1):
        views = [texts[place].whole if random.random() < 0.5 else texts[place].brief for place in batch.operations]
        with torch.autocast(model.device.type, torch.bfloat16, enabled=half):
            vectors = _embed(model, [*batch.requests, *views], WORDS).float()
        asked, operations = vectors[: len(batch.requests)], vectors[len(batch.requests) :]
        loss = ranking_loss(asked, operations, batch.relevant)
        if not math.isfinite(loss.item()):
            fix = "lower --rate; nothing was written"
            raise DocrevError(f"the loss is {loss.item()} at step {done} of {len(plan)}", fix=fix)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if done % 10 == 0 or done == len(plan):
            told(TrainingStep(done, len(plan), sum(losses[-10:]) / len(losses[-10:]), time.monotonic() - started))
    model.eval()
    return losses


def trained_weights(model: Any, layers: int) -> list[Any]:
    """The weights of the last `layers` layers and of what comes after them, all of them for 0; others are frozen."""
    named = list(model.named_parameters())
    last = max((int(layer[1]) for name, _ in named if (layer := _LAYER.search(name))), default=-1)
    for name, weight in named:
        layer = _LAYER.search(name)
        early = int(layer[1]) <= last - layers if layer else "embeddings" in name
        weight.requires_grad_(layers == 0 or not early)
    return [weight for _, weight in named if weight.requires_grad]


def ranking_loss(asked: torch.Tensor, told: torch.Tensor, relevant: Sequence[frozenset[int]]) -> torch.Tensor:
    """The mean over all relevant pairs of −log softmax of the scaled cosine, other relevant ones left out of the sum.

    `asked` is of shape (requests, dimensions), `told` of (operations, dimensions), both of any length of vector.
    """
    tensors = library("torch")
    functional = tensors.nn.functional
    scores = SCALE * functional.normalize(asked, dim=1) @ functional.normalize(told, dim=1).T
    right = tensors.zeros(scores.shape, dtype=tensors.bool, device=scores.device)
    for row, columns in enumerate(relevant):
        right[row, sorted(columns)] = True
    others = scores.masked_fill(right, -math.inf).logsumexp(dim=1, keepdim=True)
    losses: torch.Tensor = (tensors.logaddexp(scores, others) - scores)[right]
    whole: torch.Tensor = losses.mean()
    return whole


def batches(
    requests: Sequence[RetrievalRequest],
    texts: Sequence[OperationText],
    hard: Sequence[Sequence[int]],
    settings: RetrieverTraining,
    random: Random,
) -> Iterator[Batch]:
    """The batches of one epoch, each request once, in an order of `random`'s."""
    place = {text.key: index for index, text in enumerate(texts)}
    order = random.sample(range(len(requests)), len(requests))
    for start in range(0, len(order), settings.batch):
        part = order[start : start + settings.batch]
        gold = [[place[key] for key in requests[index].operations] for index in part]
        negatives = [negative for index in part for negative in hard[index][: settings.negatives]]
        yield _batch([requests[index].text for index in part], gold, negatives)


def _batch(asked: Sequence[str], gold: Sequence[Sequence[int]], negatives: Sequence[int]) -> Batch:
    columns = tuple(dict.fromkeys([*itertools.chain(*gold), *negatives]))
    column = {operation: index for index, operation in enumerate(columns)}
    return Batch(tuple(asked), columns, tuple(frozenset(column[operation] for operation in row) for row in gold))


def _embed(model: Any, texts: Sequence[str], words: int) -> torch.Tensor:
    """Vectors with gradients: shape (texts, dimensions)."""
    tensors = library("torch")
    together = AT_ONCE if model.device.type == "cpu" else len(texts)
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    before, model.max_seq_length = model.max_seq_length, min(words, model.max_seq_length or words)
    parts = []
    for start in range(0, len(order), together):
        features = model.preprocess([texts[at] for at in order[start : start + together]])
        moved = {key: _moved(value, model.device) for key, value in features.items()}
        parts.append(model(moved)["sentence_embedding"])
    model.max_seq_length = before
    places = sorted(range(len(order)), key=order.__getitem__)
    vectors: torch.Tensor = tensors.cat(parts)[places]
    return vectors


def _moved(value: Any, device: Any) -> Any:
    return value.to(device) if hasattr(value, "to") else value


def _slope(warm: int, steps: int) -> Callable[[int], float]:
    """Up for `warm` steps, then down to 0 in a line."""

    def slope(step: int) -> float:
        return (step + 1) / warm if step < warm else (steps - step) / max(1, steps - warm)

    return slope
