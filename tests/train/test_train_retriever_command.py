"""`docrev train retriever` and what `docrev retrieve` does with it, from the command line."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tiny_embedder import make_embedder

from docrev.cli import run
from docrev.retrieval.documents import texts_of
from docrev.spec import load
from docrev.train.data.tool_listing import ToolListing
from docrev.train.retriever.requests import make_requests

# Not imported here: a worker that runs none of these tests need not wait for it.
pytestmark = pytest.mark.skipif(not (find_spec("sentence_transformers") and find_spec("bm25s")), reason="not installed")
SPECS = Path(__file__).resolve().parents[2] / "specs"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = texts_of(load(SPECS))
    known = [*(text.whole for text in texts), *(one.text for one in make_requests(texts, 200))]
    return make_embedder(tmp_path_factory.mktemp("base") / "tiny", known)


def instructions(file: Path, start: int, count: int) -> Path:
    """Requests for the operations of the bundled specs from `start` on, one each."""
    listing = ToolListing(load(SPECS))
    rows: list[dict[str, Any]] = [
        {"query": f"I need {entry.api}, number {at}.", "query_id": at, "api_list": [dict(entry.record)],
         "relevant APIs": [[entry.tool, entry.api]]}
        for at, entry in list(enumerate(listing.entries.values()))[start : start + count]
    ]  # fmt: skip
    file.write_text(json.dumps(rows))
    return file


def training(base: Path, out: Path, *words: str | Path) -> list[str]:
    quick = ["--rate", "0.002", "--layers", "0", "--batch", "8", "--precision", "float32"]
    return ["train", "retriever", *map(str, words), "--base", str(base), "-o", str(out), *quick]


def test_a_retriever_made_of_specs_alone_is_used(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run([*training(base, out, SPECS), "--generate", "60", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["requests"], told["generated"], told["warnings"], told["tests"]) == (0, 60, [], {})
    assert told["operations"] == len(load(SPECS).operations)
    assert told["precision"] == json.loads((out / "training.json").read_text())["precision"] == "float32"
    weights = json.loads((out / "fusion.json").read_text())
    found = ["retrieve", "airports nearby", str(SPECS), "--model", str(out), "--no-cache", "--json"]
    assert run(found) == 0
    trained = json.loads(capsys.readouterr().out)
    assert trained["method"] == "hybrid"
    assert "airports" in trained["hits"][0]["operation"]
    # With other weights beside the model the order is another: the file is used.
    weights["weights"] = {name: -value for name, value in weights["weights"].items()}
    (out / "fusion.json").write_text(json.dumps(weights))
    assert run(found) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0] != trained["hits"][0]


def test_a_held_out_file_is_scored_and_not_learned(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, test = instructions(tmp_path / "data.json", 0, 20), instructions(tmp_path / "test.json", 20, 6)
    words = training(base, tmp_path / "out", SPECS, data)
    assert run([*words, "--generate", "0", "--test", str(test), "--mine", "model"]) == 0
    said = capsys.readouterr()
    assert "trained on 20 requests and 0 generated ones" in said.out
    for method in ("bm25", "embedding", "ranks fused", "hybrid"):
        assert f"\n{method}: NDCG@1, 3, 5" in said.out
    assert said.out.count("\ntest  ") == 4
    assert "step 3 of 3, loss" in said.err
    assert " left" not in said.err


def test_progress_tells_the_time_left_and_the_precision_can_be_chosen(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*training(base, tmp_path / "out", SPECS), "--generate", "100", "--precision", "bfloat16"]
    assert run(words) == 0
    said = capsys.readouterr()
    first, last = said.err.splitlines()
    assert re.fullmatch(r"step 10 of 13, loss \d\.\d+, about \d+ (s|min) left", first)
    assert re.fullmatch(r"step 13 of 13, loss \d\.\d+", last)
    assert "35 operations in bfloat16; loss" in said.out


def test_instructions_alone_are_enough(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = instructions(tmp_path / "data.json", 0, 8)
    assert run([*training(base, tmp_path / "out", data), "--generate", "0", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["requests"], told["operations"]) == (8, 8)


@pytest.mark.parametrize(
    ("extra", "code", "words"),
    [
        (["--generate", "0"], 2, "no request to train on"),
        (["--base", "no-such-folder"], 2, "no such folder"),
        (["--rate", "0"], 2, "--rate"),
        (["--test", "no-such-file.json"], 2, "no-such-file.json"),
    ],
)
def test_what_cannot_be_trained_ends_in_one_line(
    base: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], extra: list[str], code: int, words: str
) -> None:
    assert run([*training(base, tmp_path / "out", SPECS), *extra]) == code
    said = capfd.readouterr()
    assert said.out == ""
    assert words in said.err.splitlines()[-1]
    assert "Traceback" not in said.err
    assert not (tmp_path / "out").exists()


def test_an_empty_list_is_refused(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.json").write_text("[]")
    assert run(training(base, tmp_path / "out", SPECS, tmp_path / "none.json")) == 2
    assert "an empty list of instructions" in capsys.readouterr().err


def test_a_file_in_the_way_is_told(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "out").write_text("")
    assert run([*training(base, tmp_path / "out" / "deep", SPECS), "--generate", "8"]) == 2
    said = capsys.readouterr().err
    assert "this is not a folder" in said
    assert "step" not in said, "nothing is trained that cannot be kept"
