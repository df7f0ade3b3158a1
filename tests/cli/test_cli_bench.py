"""`docrev bench` on somebody's own tasks: what it prints and writes, and what it says of files that are not whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from docrev.cli import run

SPEC = """openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /orders:
    get:
      summary: List orders
      responses:
        "200":
          description: The orders
          content:
            application/json:
              schema: {type: array, items: {type: object, properties: {id: {type: integer}, price: {type: number}}}}
"""
TASKS = """specs: [shop.yaml]
tasks:
  - {id: orders, text: Which orders are there?, gold: [GET /orders]}
  - {id: pies, text: Which pies are there?, gold: [GET /pies]}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "shop.yaml").write_text(SPEC)
    (folder / "tasks.yaml").write_text(TASKS)
    return folder


Bench = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bench(folder: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    """Run `docrev bench` in this process: its code, and what it wrote to standard output and error."""

    def done(*words: str, tasks: str = "tasks.yaml") -> tuple[int, str, str]:
        code = run(["bench", str(folder / tasks), "--docs", "original", "--out", str(folder / "out"), *words])
        return code, *capsys.readouterr()

    return done


def test_tasks_end_in_rows_and_a_gold_path_that_is_not_there_is_told(folder: Path, bench: Bench) -> None:
    code, out, _ = bench()
    assert code == 0
    assert "the gold path names 'GET /pies', which is not in shop" in out
    data = json.loads((folder / "out" / "report.json").read_text())
    assert [(row["task"], row["correct_path"]) for row in data["outcomes"]] == [("orders", True), ("pies", False)]


def test_what_was_half_written_is_written_again(folder: Path, bench: Bench) -> None:
    _, before, _ = bench("--json")
    out = folder / "out"
    whole = {name: (out / name).read_text() for name in ("report.json", "report.html")}
    for name, text in whole.items():
        (out / name).write_text(text[: len(text) // 2])
    assert bench("--json")[1] == before
    assert {name: (out / name).read_text() for name in whole} == whole


def test_a_half_written_store_is_one_line(folder: Path, bench: Bench) -> None:
    bench()
    store = folder / "out" / "evidence.db"
    whole = store.read_bytes()
    try:
        store.write_bytes(whole[: len(whole) // 2])
        code, out, err = bench()
    finally:
        store.write_bytes(whole)
    assert (code, out) == (4, "")
    assert err.splitlines()[-1].startswith("docrev: ")
    assert "evidence.db" in err.splitlines()[-1]


def test_two_tasks_with_one_id_are_one_line(folder: Path, bench: Bench) -> None:
    (folder / "twice.yaml").write_text(TASKS.replace("id: pies", "id: orders"))
    code, out, err = bench(tasks="twice.yaml")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "twice.yaml:4: a second task has the id 'orders'" in err
