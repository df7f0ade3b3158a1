"""`docrev diff` as it is run: what goes to stdout, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docrev.cli import run

DATA = Path(__file__).parents[1] / "spec" / "data" / "diff"
OLD, NEW = str(DATA / "before.yaml"), str(DATA / "after.yaml")


def test_differences_are_no_failure_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", OLD, NEW]) == 0
    assert "9 contract changes, 13 documentation changes in 4 operations" in capsys.readouterr().out


def test_the_exit_code_tells_of_differences(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(["diff", OLD, NEW, "--exit-code"])
    assert caught.value.code == 1
    assert run(["diff", OLD, OLD, "--exit-code"]) == 0
    capsys.readouterr()


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", OLD, NEW, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["contract"] == 9


@pytest.mark.parametrize("old", ["no-such.yaml", "no-such-ref-here:a.yaml", str(DATA / "diff.txt")])
def test_what_cannot_be_read_is_one_line(old: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", old, NEW]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("docrev: ")
    assert err.count("\n") == 1
