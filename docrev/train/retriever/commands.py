"""From the options of `docrev train retriever` to what it prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from docrev.records import Json
from docrev.train.retriever.cache import CachedEmbedder
from docrev.train.retriever.embedding import FolderEmbedder
from docrev.train.retriever.instructions import read_corpus
from docrev.train.retriever.making import Plan, make_retriever, tested
from docrev.train.retriever.training import Settings, Step


def train_retriever(
    options: Mapping[str, Any], notice: Callable[[str], None]
) -> tuple[list[str], dict[str, Json], str]:
    """Warnings, the result for programs, and the result as text. Raises DocrevError and its kinds."""
    held = {Path(file).stem for file in options["test"]}
    corpus = read_corpus([*options["data"], *options["test"]])
    settings = Settings(
        epochs=options["epochs"],
        batch=options["batch"],
        rate=options["rate"],
        negatives=options["negatives"],
        layers=options["layers"],
        seed=options["seed"],
    )
    plan = Plan(options["base"], options["out"], options["generate"], options["mine"], settings)
    learned = [request for request in corpus.requests if request.group not in held]
    made = make_retriever(corpus.texts, learned, plan, told=lambda step: notice(_line(step)))
    kept = [request for request in corpus.requests if request.group in held]
    embedder = CachedEmbedder(FolderEmbedder(made.folder, half=settings.half), None)
    tests = tested(corpus.texts, kept, embedder, made.fusion) if kept else {}
    told: dict[str, Json] = {
        "folder": str(made.folder),
        "requests": made.requests,
        "generated": made.generated,
        "loss": [round(one, 4) for one in made.loss],
        "warnings": corpus.warnings,
        "tests": {name: [score.to_json() for score in scores] for name, scores in tests.items()},
    }
    lines = [
        f"{made.folder}: trained on {made.requests:,} requests and {made.generated:,} generated ones over "
        f"{len(corpus.texts):,} operations; loss {made.loss[0]:.3f} to {made.loss[1]:.3f}"
    ]
    for name, scores in tests.items():
        lines += ["", f"{name}: NDCG@1, 3, 5 with 95 % intervals", *(score.to_text() for score in scores)]
    return corpus.warnings, told, "\n".join(lines)


def _line(step: Step) -> str:
    return f"step {step.done} of {step.steps}, loss {step.loss:.3f}"
