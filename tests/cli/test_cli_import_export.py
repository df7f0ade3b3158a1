"""`docrev import` and `docrev export` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from importkit import PACKAGES, TOOL, WEATHER, put

from docrev.cli import run

Told = tuple[int, str, str]


@pytest.fixture
def docrev(capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def call(*words: object) -> Told:
        code = run(list(map(str, words)))
        told = capsys.readouterr()
        return code, told.out, told.err

    return call


def test_there_and_back_through_files(docrev, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    source = put(tmp_path / "tools" / "Post" / "p.json", PACKAGES)
    code, out, err = docrev("import", "toolbench", tmp_path / "tools", "-o", tmp_path / "a")
    assert (code, err) == (0, "")
    assert out == f"2 operations of 1 tool written to {tmp_path / 'a'}; 0 met again, 0 left out.\n"
    assert docrev("lint", tmp_path / "a", "--json")[0] in (0, 1)
    code, out, err = docrev("export", "toolbench", tmp_path / "a", "-o", tmp_path / "b")
    assert (code, err) == (0, "")
    written = tmp_path / "b" / "Post" / "parcel_post.json"
    assert json.loads(written.read_text()) == PACKAGES | {"category_name": "Post"}
    assert docrev("import", "toolbench", tmp_path / "b", "-o", tmp_path / "c")[0] == 0
    assert (tmp_path / "c" / "parcel_post.yaml").read_bytes() == (tmp_path / "a" / "parcel_post.yaml").read_bytes()
    assert source.exists()


def test_table_of_names_brings_the_original_back(docrev, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    odd = dict(WEATHER, function=dict(WEATHER["function"], name="weather.of the city"))  # type: ignore[call-overload]
    docrev("import", "functions", put(tmp_path / "f.json", [odd]), "-o", tmp_path / "a")
    code, out, _ = docrev("export", "functions", tmp_path / "a", "-o", tmp_path / "b" / "f.json", "--json")
    assert code == 0
    assert json.loads(out)["renamed"] == 1
    [function] = json.loads((tmp_path / "b" / "f.json").read_text())
    assert function["function"]["name"] == "weather_of_the_city"
    table = json.loads((tmp_path / "b" / "f.names.json").read_text())["x-docrev-names"]
    assert table["weather_of_the_city"]["name"] == "weather.of the city"
    docrev("import", "functions", tmp_path / "b", "-o", tmp_path / "c")
    assert (tmp_path / "c" / "f.yaml").read_bytes() == (tmp_path / "a" / "f.yaml").read_bytes()


def test_bad_entries_are_said_and_counted(docrev, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = put(tmp_path / "m.json", {"tools": [TOOL, *[{"name": 5}] * 30]})
    code, out, err = docrev("import", "mcp", path, "-o", tmp_path / "a", "--json")
    assert code == 0
    told = json.loads(out)
    assert (told["operations"], told["left_out"], len(told["warnings"])) == (1, 30, 30)
    assert err.splitlines()[0] == f"{path}: /tools/1: no name: left out"
    assert err.splitlines()[-1] == "10 more warnings (--json lists all)"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["import", "toolbench", "{}/none.json", "-o", "{}/o"], "no such file or folder"),
        (["import", "nonsense", "{}/a.json", "-o", "{}/o"], "'nonsense' is not one of"),
        (["import", "mcp", "{}/a.json"], "missing option '-o'"),
        (["import", "mcp", "{}/a.json", "-o", "{}/o"], "no tool in any of the sources"),
        (["import", "functions", "{}/broken.json", "-o", "{}/o"], "broken.json:2: this is not JSON"),
        (["import", "functions", "{}/f.json", "-o", "{}/broken.json/o"], "this is not a folder"),
        (["export", "functions", "{}/f.json", "-o", "{}/o"], "not an OpenAPI document"),
    ],
)
def test_wrong_use_is_one_line(docrev, tmp_path: Path, words: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    put(tmp_path / "a.json", [])
    put(tmp_path / "f.json", WEATHER)
    (tmp_path / "broken.json").write_text("[\n1 2]")
    code, out, err = docrev(*(word.format(tmp_path) for word in words))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err
