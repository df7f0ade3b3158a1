"""Training an embedding model: the loss by hand, what falls, what stays, what a batch holds, and where it stops."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tiny_embedder import make_embedder

from docrev.errors import DocrevError, UsageError
from docrev.retrieval.documents import OperationText, texts_of
from docrev.spec import load
from docrev.train.retriever.build import hard_negatives
from docrev.train.retriever.requests import RetrievalRequest, make_requests
from docrev.train.retriever.training import batches, ranking_loss, train, trained_weights
from docrev.train.settings import RetrieverTraining

torch = pytest.importorskip("torch")
pytest.importorskip("sentence_transformers")
pytest.importorskip("bm25s")
SPECS = Path(__file__).resolve().parents[2] / "specs"
training = partial(RetrieverTraining, out=Path())
QUICK = training(rate=3e-3, layers=0, precision="float32", batch=8)


@pytest.fixture(scope="module")
def texts() -> list[OperationText]:
    return texts_of(load(SPECS))


@pytest.fixture(scope="module")
def made(texts: list[OperationText]) -> list[RetrievalRequest]:
    return make_requests(texts, 120, seed=0)


@pytest.fixture(scope="module")
def folder(texts: list[OperationText], made: list[RetrievalRequest], tmp_path_factory: pytest.TempPathFactory) -> Path:
    known = [*(text.whole for text in texts), *(request.text for request in made)]
    return make_embedder(tmp_path_factory.mktemp("embedder") / "tiny", known)


def opened(folder: Path) -> Any:
    from docrev.retrieval.embedding import open_folder

    return open_folder(folder)


def no_hard(requests: list[RetrievalRequest]) -> list[list[int]]:
    return [[] for _ in requests]


def test_the_loss_by_hand() -> None:
    """ToolLLM §3.2: Sentence-BERT with the other requests' operations as negatives."""
    asked = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    told = torch.tensor([[3.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    # Scaled cosines: request 0 has 20, 0, 12; request 1 has 0, 20, 16. Request 0 has two relevant operations, which
    # do not compete with each other.
    first = [math.log1p(math.exp(0 - 20)), math.log1p(math.exp(0 - 12))]
    second = math.log(math.exp(20) + math.exp(0) + math.exp(16)) - 20
    found = ranking_loss(asked, told, [frozenset({0, 2}), frozenset({1})])
    assert found.item() == pytest.approx((sum(first) + second) / 3, rel=1e-4)


def test_with_one_relevant_each_the_loss_is_the_libraries() -> None:
    from sentence_transformers.sentence_transformer import losses

    torch.manual_seed(1)
    asked, told = torch.randn(5, 8), torch.randn(5, 8)
    theirs = losses.MultipleNegativesRankingLoss(model=None)  # type: ignore[arg-type]
    own = ranking_loss(asked, told, [frozenset({at}) for at in range(5)])
    assert own.item() == pytest.approx(theirs.compute_loss_from_embeddings([asked, told], None).item(), rel=1e-5)


def test_a_batch_holds_what_its_requests_need(texts: list[OperationText], made: list[RetrievalRequest]) -> None:
    from docrev.retrieval.views import Views

    requests = made[:20]
    asked = [request.text for request in requests]
    hard = hard_negatives(requests, texts, Views(texts).lexical(asked), count=2)
    settings = training(batch=8, negatives=2)
    found = list(batches(requests, texts, hard, settings, Random(0)))
    assert [len(batch.requests) for batch in found] == [8, 8, 4]
    assert sorted(text for batch in found for text in batch.requests) == sorted(asked)
    for batch in found:
        assert len(set(batch.operations)) == len(batch.operations)
        for text, columns in zip(batch.requests, batch.relevant, strict=True):
            at = asked.index(text)
            assert {texts[batch.operations[column]].key for column in columns} == set(requests[at].operations)
            assert set(hard[at]) <= set(batch.operations)
            assert not {batch.operations[column] for column in columns} & set(hard[at])


def test_the_loss_falls_and_what_was_asked_is_found(
    folder: Path, texts: list[OperationText], made: list[RetrievalRequest]
) -> None:
    model = opened(folder)
    before = found_first(model, texts, made)
    told: list[int] = []
    losses = train(
        model, made, texts, no_hard(made),
        training(epochs=6, rate=2e-3, layers=0, precision="float32", batch=8),
        told=lambda step: told.append(step.done),
    )  # fmt: skip
    assert len(losses) == 90
    assert told == list(range(10, 91, 10))
    assert sum(losses[-10:]) < 0.8 * sum(losses[:10])
    assert found_first(model, texts, made) > before + 0.2


def found_first(model: Any, texts: list[OperationText], requests: list[RetrievalRequest]) -> float:
    """The share of requests whose nearest operation is relevant."""
    asked = model.encode([request.text for request in requests], normalize_embeddings=True, show_progress_bar=False)
    told = model.encode([text.whole for text in texts], normalize_embeddings=True, show_progress_bar=False)
    best = (asked @ told.T).argmax(1)
    hits = [texts[at].key in request.operations for at, request in zip(best, requests, strict=True)]
    return sum(hits) / len(hits)


def test_the_same_seed_gives_the_same_weights(
    folder: Path, texts: list[OperationText], made: list[RetrievalRequest]
) -> None:
    models = [opened(folder) for _ in range(3)]
    losses = [
        train(
            model,
            made[:32],
            texts,
            no_hard(made[:32]),
            training(rate=1e-3, layers=0, precision="float32", seed=seed),
        )
        for model, seed in zip(models, (1, 1, 2), strict=True)
    ]
    assert losses[0] == losses[1] != losses[2]
    for one, other in zip(models[0].parameters(), models[1].parameters(), strict=True):
        assert torch.equal(one, other)


def test_early_layers_stay_as_they_are(folder: Path, texts: list[OperationText], made: list[RetrievalRequest]) -> None:
    model, plain = opened(folder), opened(folder)
    train(model, made[:16], texts, no_hard(made[:16]), training(rate=1e-2, layers=1, precision="float32"))
    moved = {
        name
        for (name, one), (_, other) in zip(model.named_parameters(), plain.named_parameters(), strict=True)
        if not torch.equal(one, other)
    }
    assert any("layer.1." in name for name in moved)
    assert not [name for name in moved if "layer.0." in name or "embeddings" in name]
    assert len(trained_weights(model, 0)) == len(list(model.parameters()))


def test_hard_negatives_are_pushed_away(folder: Path, texts: list[OperationText]) -> None:
    # One request, in a batch of its own: only the hard negative can be what its operation is told from.
    request = RetrievalRequest(texts[0].brief, (texts[0].key,))
    model = opened(folder)

    def gap() -> float:
        vectors = model.encode([request.text, texts[0].brief, texts[1].brief], normalize_embeddings=True,
                               show_progress_bar=False)  # fmt: skip
        return float(vectors[0] @ vectors[1] - vectors[0] @ vectors[2])

    before = gap()
    losses = train(
        model, [request] * 10, texts, [[1]] * 10, training(batch=2, rate=1e-3, layers=0, precision="float32")
    )
    assert all(loss > 0 for loss in losses)
    assert gap() > before
    alone = train(opened(folder), [request] * 2, texts, [[], []], training(batch=2, precision="float32"))
    assert alone == [0.0]


def test_a_loss_that_is_no_number_stops_it(
    folder: Path, texts: list[OperationText], made: list[RetrievalRequest]
) -> None:
    model = opened(folder)
    with torch.no_grad():
        next(iter(model.parameters())).fill_(math.nan)
    with pytest.raises(DocrevError, match=r"the loss is nan at step 1 of 15.*--rate"):
        train(model, made, texts, no_hard(made), QUICK)


def test_nothing_to_train_on_is_wrong_use(folder: Path, texts: list[OperationText]) -> None:
    with pytest.raises(UsageError, match="no request to train on"):
        train(opened(folder), [], texts, [], QUICK)
