"""`docrev train retriever`: what it prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from docrev.records import Json
from docrev.train.pace import time_left
from docrev.train.retriever.build import TrainedRetriever, make_retriever, tested
from docrev.train.retriever.corpus import Corpus, read_corpus
from docrev.train.retriever.ndcg import NdcgScore
from docrev.train.retriever.training import TrainingStep
from docrev.train.settings import RetrieverTraining


def train_retriever(
    data: Sequence[Path], settings: RetrieverTraining, notice: Callable[[str], None]
) -> tuple[list[str], dict[str, Json], str]:
    """Warnings, the result for programs, and the result as text. Raises DocrevError and its kinds."""
    corpus = read_corpus(data, settings.test)
    retriever = make_retriever(corpus.texts, corpus.requests, settings, told=lambda step: notice(_line(step)))
    tests = tested(retriever, corpus.tests) if corpus.tests else {}
    result: dict[str, Json] = {
        "folder": str(retriever.folder),
        "operations": len(corpus.texts),
        "requests": retriever.requests,
        "generated": retriever.generated,
        "precision": retriever.precision,
        "loss": [round(one, 4) for one in retriever.loss],
        "warnings": list(corpus.warnings),
        "tests": {name: [score.to_json() for score in scores] for name, scores in tests.items()},
    }
    return corpus.warnings, result, "\n".join(_lines(corpus, retriever, tests))


def _lines(corpus: Corpus, made: TrainedRetriever, tests: Mapping[str, list[NdcgScore]]) -> list[str]:
    lines = [
        f"{made.folder}: trained on {made.requests:,} requests and {made.generated:,} generated ones over "
        f"{len(corpus.texts):,} operations in {made.precision}; loss {made.loss[0]:.3f} to {made.loss[1]:.3f}"
    ]
    for name, scores in tests.items():
        lines += ["", f"{name}: NDCG@1, 3, 5 with 95 % intervals", *(score.to_text() for score in scores)]
    return lines


def _line(step: TrainingStep) -> str:
    return f"step {step.done} of {step.steps}, loss {step.loss:.3f}{time_left(step.done / step.steps, step.seconds)}"
