"""APIBench: the published answers score as published, and the fault of the published evaluator is seen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from chat_server import Body, ChatServer, Reply, said, wanted
from click.testing import CliRunner

from docrev.cli.bench import command
from docrev.errors import InputError, UsageError
from docrev.eval.apibench.calls import ARGUMENTS, called, parse
from docrev.eval.apibench.files import Api, call_of, judge, match, score, score_folder, to_text

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "apibench"
LOAD = "torch.hub.load"
APIS = (Api(LOAD, ("facebook/video", "slow"), "Video"), Api(LOAD, ("intel/midas", "deep"), "Depth"))


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the reference data is not here")
def test_the_published_answers_score_as_in_toolllm_table_5() -> None:
    rows = {row.model: row.to_json() for row in score_folder(SHARED)}
    found = {
        model: (row["published"]["hallucination"], row["published"]["accuracy"], row["answers"])
        for model, row in rows.items()
    }
    assert found == {
        "Gorilla_FT_bm25": (17.20, 44.62, 186),
        "Gorilla_RT_bm25": (5.91, 50.00, 186),
        "Gorilla_FT_oracle": (39.25, 59.14, 186),
        "Gorilla_RT_oracle": (6.99, 93.01, 186),
    }


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the reference data is not here")
def test_the_corrected_column_is_never_kinder() -> None:
    rows = score_folder(SHARED)
    corrected = {
        row.model: (row.scores.corrected.hallucination.hits, row.scores.corrected.accuracy.hits) for row in rows
    }
    assert corrected == {
        "Gorilla_FT_bm25": (44, 77),
        "Gorilla_RT_bm25": (12, 92),
        "Gorilla_FT_oracle": (75, 108),
        "Gorilla_RT_oracle": (13, 173),
    }
    text = to_text(rows)
    assert "17.20 [12.5, 23.3]" in text
    assert len(text.splitlines()) == 5


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the reference data is not here")
def test_the_command_prints_the_table_or_json() -> None:
    text = CliRunner().invoke(command, ["apibench", "--data", str(SHARED)])
    assert (text.exit_code, len(text.stdout.splitlines())) == (0, 5)
    told = json.loads(CliRunner().invoke(command, ["apibench", "--data", str(SHARED), "--json"]).stdout)
    assert [row["published"]["accuracy"] for row in told] == [44.62, 59.14, 50.0, 93.01]


def test_an_answer_is_the_api_that_it_calls() -> None:
    assert match("torch.hub.load('intel/midas', model='deep')", APIS, published=False) == APIS[1]
    assert match("model = torch.hub.load('facebook/video', 'slow', pretrained=True)", APIS, published=False) == APIS[0]
    assert match("torch.hub.load('facebook/video', 'fast')", APIS, published=False) is None
    assert match("torch.hub.load('facebook/video', ", APIS, published=False) is None


def test_code_without_such_a_call_falls_through_only_in_the_published_way() -> None:
    # The quote that opens is never closed, so that a parser sees no call.
    code = """'model = torch.hub.load(\\"intel/midas\\", \\"deep\\", pretrained=True)"""
    assert match(code, APIS, published=True) == APIS[1]
    assert match(code, APIS, published=False) is None


def test_what_an_answer_is() -> None:
    right = "{'api_call': torch.hub.load('intel/midas', 'deep'), 'api_provider': 'PyTorch'}"
    assert judge(right, "Depth", APIS, published=True) == "right"
    assert judge(right, "Video", APIS, published=True) == "wrong"
    assert judge("{'api_call': torch.hub.load('x', 'y')}", "Video", APIS, published=True) == "invented"
    assert judge("I do not know.", "Video", APIS, published=True) == "no-call"
    assert call_of("I do not know.") is None
    assert call_of("'api_call': f(1), 'api_provider'") == "f(1)"


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def test_files_that_are_wrong_say_where(tmp_path: Path) -> None:
    apis = lines(tmp_path / "torchhub_api.jsonl", {"api_call": "torch.hub.load('a', model='b')", "domain": "D"})
    gold = lines(tmp_path / "torchhub_eval.json", {"api_data": {"domain": "D"}})
    good = {"question_id": 1, "text": "'api_call': torch.hub.load('a', 'b')"}
    found = score(lines(tmp_path / "response_a.jsonl", good), gold, apis)
    assert found.outcomes == {1: "right"}
    for row, told in (
        ({"question_id": 2, "text": "x"}, "question_id 2 is unknown or comes twice"),
        ({"text": "x"}, "has no question_id"),
        ({"question_id": 1}, "has no text"),
        (5, "has no question_id"),
    ):
        with pytest.raises(InputError, match=told):
            score(lines(tmp_path / "response_a.jsonl", row), gold, apis)
    (tmp_path / "response_a.jsonl").write_text('{"question_id": 1, "text": "x"}\n{"question', "utf-8")
    with pytest.raises(InputError, match=r"response_a\.jsonl:2: is not JSON"):
        score_folder(tmp_path)


HUBS = {
    "torchhub": ("torch.hub.load('intel/midas', model='deep')", "torchhub_eval.json"),
    "huggingface": ("AutoModel.from_pretrained('bert', revision='r2')", "huggingface_eval.json"),
    "tensorflowhub": ("hub.KerasLayer('https://tfhub.dev/a', trainable=True)", "tensorflow_eval.json"),
}
"""An API of each part, and the name of its evaluation set."""


@pytest.fixture
def hubs(tmp_path: Path) -> Path:
    for name, (code, evaluation) in HUBS.items():
        api = {"api_call": code, "domain": "Depth", "description": f"Estimates depth, of {name}."}
        other = {"api_call": "other.load('x', 'y')", "domain": "Speech", "description": "Writes down what is said."}
        lines(tmp_path / f"{name}_api.jsonl", other, api)
        row = {"code": "###Instruction: How far is it? Estimate the depth.\n###Output: {...}", "api_data": api}
        lines(tmp_path / evaluation, row, row)
    return tmp_path


def test_a_model_is_asked_with_one_function_that_selects_an_api(hubs: Path, tmp_path: Path) -> None:
    """ToolLLM, "Details for Experiments on APIBench": APIs in the prompt, one function with the code and its result."""

    def answer(body: Body) -> Reply:
        if wanted(body) == "Ready":
            return said({"ready": True})
        name = next(name for name in HUBS if f"of {name}" in str(body["messages"][-1]["content"]))
        arguments = [{"location": "api_call", "value": HUBS[name][0]}]
        return said({"thought": "It fits.", "action": "select_api", "arguments": arguments})

    with ChatServer(answer) as server:
        given = ["apibench", "--data", str(hubs), "--model", "openai:m", "--model-url", server.url, "--json"]
        done = CliRunner().invoke(command, [*given, "--concurrency", "1", "--out", str(tmp_path / "out")])
        asked = [str(body["messages"][-1]["content"]) for body in server.asked if wanted(body) != "Ready"]
    rows = json.loads(done.stdout)
    assert [row["part"] for row in rows] == ["TorchHub", "HuggingFace", "TensorHub"]
    assert [row["corrected"]["accuracy"] for row in rows] == [100.0] * 3
    assert len(asked) == len(HUBS)  # a question that was answered is not asked again
    for question in asked:
        assert "select_api" in question
        assert "Estimates depth" in question
        assert "Writes down" not in question


def test_without_a_model_the_first_api_that_words_find_is_the_answer(hubs: Path, tmp_path: Path) -> None:
    given = ["apibench", "--data", str(hubs), "--retrieve", "2", "--out", str(tmp_path / "out"), "--json"]
    rows = json.loads(CliRunner().invoke(command, given).stdout)
    assert [(row["model"], row["published"]["accuracy"]) for row in rows] == [("first_bm25-2", 100.0)] * 3


@pytest.mark.parametrize(
    ("part", "call", "arguments"),
    [
        ("torchhub", "torch.hub.load(repo_or_dir='a/b', model='c', pretrained=True)", ["a/b", "c"]),
        ("huggingface", "AutoModel.from_pretrained('bert', revision='r2')", ["bert", "r2"]),
        ("tensorflowhub", "hub.load(model='m', trainable=True)", ["m", "trainable=True"]),
    ],
)
def test_each_part_has_arguments_of_its_own_that_identify_an_api(part: str, call: str, arguments: list[str]) -> None:
    """As the three published evaluators read a call."""
    node = called(parse(call))
    assert node is not None
    assert ARGUMENTS[part](node) == arguments


def test_an_answer_that_is_code_alone_counts_but_on_torchhub() -> None:
    code = "torch.hub.load('intel/midas', 'deep')"
    assert judge(code, "Depth", APIS, published=True) == "no-call"
    assert judge(code, "Depth", APIS, published=True, bare=True) == "right"


def test_no_folder_and_no_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(UsageError, match="apibench is not part of docrev"):
        score_folder(None)
    code = "import sys; sys.modules['tree_sitter'] = None\nfrom docrev.eval.apibench.calls import require\nrequire()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "run: pip install 'docrev[bench]'" in done.stderr
