"""Work in parts: what comes of it is what one process gives, with whatever workers, and if one of them is lost."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from callkit import document
from clusterkit import cluster_of
from patience import HANGS

from docrev.cli import run
from docrev.evidence import Evidence

SPECS = Path(__file__).resolve().parents[2] / "specs"


def contents(folder: Path) -> dict[str, bytes]:
    """What a command wrote for people and programs, without what it keeps for itself."""
    files = [file for file in folder.rglob("*") if file.suffix in (".json", ".yaml") and "units" not in file.parts]
    assert files
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(files)}


@pytest.fixture(scope="module")
def instructions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("instructions") / "instructions.json"
    assert run(["generate", "instructions", str(SPECS), "--simulate", "-n", "3", "-o", str(file)]) == 0
    return file


@pytest.mark.long
def test_annotations_of_parts_are_those_of_one_process(instructions: Path, tmp_path: Path) -> None:
    words = ["generate", "annotations", str(instructions), str(SPECS), "--simulate", "--runner", "react", "-o"]
    assert run([*words, str(tmp_path / "one")]) == 0
    assert run([*words, str(tmp_path / "parts"), "--cluster", "local:0"]) == 0
    assert contents(tmp_path / "parts") == contents(tmp_path / "one")


def test_a_bench_in_parts_reports_what_one_process_does(tmp_path: Path) -> None:
    words = ["bench", "bundled", "--docs", "original", "--limit", "2", "--out"]
    assert run([*words, str(tmp_path / "one")]) == 0
    assert run([*words, str(tmp_path / "parts"), "--cluster", "local:0"]) == 0
    assert contents(tmp_path / "parts") == contents(tmp_path / "one")


def test_an_import_in_parts_writes_the_same_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    functions = [{"name": f"f{number}", "description": f"Does {number}.", "parameters": {}} for number in range(3)]
    for number in range(7):
        (tmp_path / f"tools{number}.json").write_text(json.dumps([*functions, {"name": ""}]))
    printed = []
    for name, more in (("one", []), ("parts", ["--cluster", "local:0"])):
        files = [str(tmp_path / f"tools{number}.json") for number in range(7)]
        assert run(["import", "functions", *files, "-o", str(tmp_path / name), "--json", *more]) == 0
        printed.append(capsys.readouterr().out.replace(str(tmp_path / name), "OUT"))
    assert printed[0] == printed[1]
    assert contents(tmp_path / "parts") == contents(tmp_path / "one")


@pytest.mark.long
def test_a_collection_in_units_is_the_same_with_any_workers(tmp_path: Path) -> None:
    specs = tmp_path / "specs"
    specs.mkdir()
    for noun in ("parcels", "ferries", "glaciers"):
        (specs / f"{noun}.json").write_text(json.dumps(document([f"GET /{noun}", f"GET /{noun}/{{id}}"])))
    words = ["collect", str(specs), "--simulate", "--out"]
    assert run([*words, str(tmp_path / "apart"), "--cluster", "local:0"]) == 0
    told = json.loads((tmp_path / "apart" / "collection.json").read_text())
    assert (told["operations"], [row["tool"] for row in told["verdicts"]]) == (
        6,
        sorted(["parcels", "ferries", "glaciers"] * 2),
    )
    with Evidence.open(tmp_path / "apart", write=False) as evidence:
        assert {call.key.tool for call in evidence.calls.select()} == {"parcels", "ferries", "glaciers"}
    before = contents(tmp_path / "apart")
    assert run([*words, str(tmp_path / "apart"), "--cluster", "local:0"]) == 0
    assert contents(tmp_path / "apart") == before
    assert run([*words, str(tmp_path / "one")]) == 0
    one = json.loads((tmp_path / "one" / "collection.json").read_text())
    assert [(row["operation"], row["kept"]) for row in one["verdicts"]] == [
        (row["operation"], row["kept"]) for row in told["verdicts"]
    ]


def test_wrong_use_is_one_line(instructions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "annotations", str(instructions), str(SPECS), "--base-url", "airfield=http://127.0.0.1:1"]
    assert run([*words, "-H", "X-Token: literal", "-o", str(tmp_path / "out"), "--cluster", "local:0"]) == 2
    assert "a credential is not sent to workers" in capsys.readouterr().err
    assert run(["bench", "apibench", "--cluster", "local:0"]) == 2
    assert "apibench is for one process" in capsys.readouterr().err


@pytest.mark.long
def test_a_killed_worker_loses_no_part(instructions: Path, tmp_path: Path) -> None:
    words = ["generate", "annotations", str(instructions), str(SPECS), "--simulate", "--runner", "react", "-o"]
    assert run([*words, str(tmp_path / "one")]) == 0
    with cluster_of(2) as (address, workers):

        def kill() -> None:
            end = time.monotonic() + HANGS
            while not list((tmp_path / "parts").glob("units/*/*/*.db")) and time.monotonic() < end:
                time.sleep(0.01)
            os.kill(workers[0].pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        assert run([*words, str(tmp_path / "parts"), "--cluster", address]) == 0
        killer.join()
        assert workers[0].wait() == -signal.SIGKILL
    assert contents(tmp_path / "parts") == contents(tmp_path / "one")
