"""ToolEval on stored predictions: votes that are stored, and votes of a judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docrev.cli import run
from docrev.errors import InputError
from docrev.eval.tooleval.predictions import read_golden, read_predictions

EXAMPLE = Path(__file__).resolve().parents[3] / "shared/data/stabletoolbench/data_example/model_predictions_converted"


def scored(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert run(["bench", "tooleval", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.shared
@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="../shared/data is not there")
def test_the_shipped_example_has_its_published_numbers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """StableToolBench's data_example: 66.7 for CoT, 100.0 for DFS, and 8 to 1 votes for DFS."""
    cot, dfs, out = str(EXAMPLE / "virtual_chatgpt_cot"), str(EXAMPLE / "virtual_chatgpt_dfs"), str(tmp_path)
    [of_cot] = scored(capsys, cot, "--out", out)["sets"]
    assert (of_cot["requests"], of_cot["judged_before"], round(100 * of_cot["pass"], 1)) == (3, 3, 66.7)
    [of_dfs] = scored(capsys, dfs, "--reference", cot, "--out", out)["sets"]
    assert round(100 * of_dfs["pass"], 1) == 100.0
    assert of_dfs["votes"] == [8, 1]
    assert of_dfs["wins"] == {"win": 3, "tie": 0, "lose": 0}


def prediction(query: str, *calls: tuple[str, Any], answer: str | None) -> dict[str, Any]:
    """A stored prediction: a chain of messages, each within the one before."""
    names = [*(name for name, _ in calls), "Finish"]
    final = {"return_type": "give_answer", "final_answer": answer} if answer else {"return_type": "give_up_and_restart"}
    messages = [
        {"role": "system", "message": ""},
        {"role": "user", "message": ""},
        *(
            {"role": "tool", "message": {"name": name, "arguments": "{}", "response": json.dumps(response)}}
            for name, response in calls
        ),
        {"role": "tool", "message": {"name": "Finish", "arguments": json.dumps(final), "response": ""}},
    ]
    details: list[Any] = []
    for message in reversed(messages):
        details = [{**message, "next": details}]
    return {
        "query": query,
        "available_tools": [{"name": name, "description": ""} for name in names],
        "answer": {"method": "CoT@1", "total_steps": len(names), "final_answer": "", "answer_details": details},
    }


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    capital = ("capital_for_atlas", {"error": "", "response": {"country": "Peru", "capital": "Lima"}})
    broken = ("capital_for_atlas", {"error": "down", "response": ""})
    ask = "What is the capital of Peru?"
    models = {
        "good": {"1": prediction(ask, capital, answer="Lima"), "2": prediction(ask, broken, capital, answer="Lima")},
        "poor": {"1": prediction(ask, capital, answer="Cusco"), "2": prediction(ask, broken, answer=None)},
    }
    for name, rows in models.items():
        (tmp_path / "predictions" / name).mkdir(parents=True)
        (tmp_path / "predictions" / name / "G1.json").write_text(json.dumps(rows))
    return tmp_path


def test_what_has_no_votes_is_judged(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, poor = str(stored / "predictions/good"), str(stored / "predictions/poor")
    data = scored(capsys, good, "--reference", poor, "--out", str(stored / "out"))
    assert (data["model"], data["reference"], data["judge"]) == ("good", "poor", "rules")
    [of_set] = data["sets"]
    assert (of_set["pass"], of_set["judged_before"], of_set["wins"]) == (1.0, 0, {"win": 2, "tie": 0, "lose": 0})
    assert run(["bench", "tooleval", poor, "--out", str(stored / "out")]) == 0
    assert "pass (rules)" in capsys.readouterr().out


def test_predictions_are_read_as_trajectories(stored: Path) -> None:
    [good] = read_predictions(stored / "predictions/good")
    [poor] = read_predictions(stored / "predictions/poor/G1.json")
    second = good.of_request["2"].trajectory
    assert [(call.key.operation, call.ok) for call in second.calls] == [
        ("capital_for_atlas", False), ("capital_for_atlas", True),
    ]  # fmt: skip
    assert (second.finish, second.answer) == ("answer", "Lima")
    assert poor.of_request["2"].trajectory.finish == "give-up"
    assert [tool.key.operation for tool in good.of_request["1"].tools] == ["capital_for_atlas"]


def test_stored_votes_are_counted_as_they_are(stored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    votes = {"1": {"is_solved": {"0": "AnswerStatus.Solved", "1": "AnswerStatus.Unsure"}}}
    folder = stored / "pass_rate_results" / "good"
    folder.mkdir(parents=True)
    (folder / "G1_good.json").write_text(json.dumps(votes))
    [of_set] = scored(capsys, str(stored / "predictions/good"), "--out", str(stored / "out"))["sets"]
    assert (of_set["pass"], of_set["judged_before"]) == (0.875, 1)


def test_files_that_are_no_predictions_are_told(tmp_path: Path) -> None:
    (tmp_path / "G1.json").write_text('{"1": {"query": "x"}}')
    with pytest.raises(InputError, match="not predictions"):
        read_predictions(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no predictions"):
        read_predictions(tmp_path / "empty")


def test_golden_answers_are_the_yardstick_of_win_rates(tmp_path: Path) -> None:
    """ToolPlanner §5.1: win rate compares with the golden answers, ToolBench's answer files."""
    told = {"final_answer": json.dumps({"return_type": "give_answer", "final_answer": "Lima."})}
    (tmp_path / "10_ChatGPT_DFS_woFilter_w2.json").write_text(json.dumps({"answer_generation": told}))
    (tmp_path / "11_ChatGPT_DFS_woFilter_w2.json").write_text('{"answer_generation": {"final_answer": ""}}')
    golden = read_golden(tmp_path)
    assert {name: one.answer for name, one in golden.items()} == {"10": "Lima."}
    with pytest.raises(InputError, match="no answer files"):
        read_golden(tmp_path / "nowhere")
