"""How far a judge agrees with the truth, or with people's labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docrev.cli import run
from docrev.errors import InputError
from docrev.eval.tooleval.agreement import agreements


def row(docs: str, task: str, success: bool | None, passed: float | None, preferred: float | None = None) -> Any:
    return {
        "docs": docs, "runner": "react", "task": task, "success": success, "judged": passed, "passed": passed,
        "preferred": preferred,
    }  # fmt: skip


@pytest.fixture
def report(tmp_path: Path) -> Path:
    rows = [
        row("original", "1", True, 1.0),
        row("original", "2", False, 1.0),
        row("original", "3", True, 0.5),
        row("original", "4", None, 1.0),
        row("revised", "1", False, 0.0, 0.0),
        row("revised", "2", True, 1.0, 1.0),
        row("revised", "3", True, None, 0.5),
    ]
    (tmp_path / "report.json").write_text(json.dumps({"judge": "rules", "against": None, "outcomes": rows}))
    return tmp_path


def test_the_truth_is_execution_and_of_two_lines_the_one_that_solved_it(report: Path) -> None:
    """ToolLLM §4.1: how often the evaluator agrees on passing, and on what is preferred."""
    judge, found = agreements(report)
    by_column = {one.column: one for one in found}
    assert judge == "rules"
    assert by_column["passed"].pairs == ((1.0, 1.0), (1.0, 0.0), (0.5, 1.0), (0.0, 0.0), (1.0, 1.0))
    assert (by_column["passed"].agreement.hits, by_column["passed"].false_passes) == (3, (1, 3))
    assert by_column["passed"].missed == (1, 3)
    assert by_column["preferred"].pairs == ((0.0, 0.0), (1.0, 1.0))


def test_labels_of_people_take_the_place_of_the_truth(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("task,docs,passed,preferred\n1,original,yes,\n2,,no,\n1,revised,,lose\n9,,yes,\n")
    _, [passed, preferred] = agreements(report, labels)
    assert passed.pairs == ((1.0, 1.0), (1.0, 0.0), (1.0, 0.0))
    assert preferred.pairs == ((0.0, 0.0),)
    assert run(["bench", "agreement", str(report), "--labels", str(labels), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["column"] for one in data["columns"]] == ["passed", "preferred"]
    assert run(["bench", "agreement", str(report)]) == 0
    assert "1 of 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "what"),
    [("name\nx\n", "labels.csv:2"), ("task,passed\n1,perhaps\n", "labels.csv:2"), ("task,passed\n9,yes\n", "nothing")],
)
def test_labels_that_are_none_are_told(report: Path, tmp_path: Path, text: str, what: str) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(text)
    with pytest.raises(InputError, match=what):
        agreements(report, labels)
    with pytest.raises(InputError, match="no report"):
        agreements(tmp_path / "nowhere")
