"""From specs to solutions that are kept: collected, asked, solved; the same at any concurrency, and after a kill."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_answers import answer
from chat_server import Body, ChatServer, Reply, said, wanted
from clikit import DOCREV
from services import bundled_services  # noqa: F401

from docrev.cli import run
from docrev.errors import UsageError
from docrev.evidence import Evidence
from docrev.prompts.conversation import read_action
from docrev.records import THERE, Call, Node, OperationKey, Plan, Trajectory
from docrev.train.data.annotating import annotate
from docrev.train.data.collecting import collect
from docrev.train.data.compressing import fields
from docrev.train.data.conversations import read_conversations, write_conversations
from docrev.train.data.instructions import Instruction
from docrev.train.data.solution_checks import lacking
from docrev.train.settings import AnnotationSettings, CollectSettings

SPECS = Path(__file__).resolve().parents[2] / "specs"
COUNT = 8


@pytest.fixture(scope="module")
def instructions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Instructions that the worlds of the bundled specs can carry out."""
    file = tmp_path_factory.mktemp("instructions") / "instructions.json"
    assert run(["generate", "instructions", str(SPECS), "--simulate", "-n", str(COUNT), "-o", str(file)]) == 0
    return file


@pytest.fixture(scope="module")
def solved(instructions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Their solutions, made one at a time."""
    out = tmp_path_factory.mktemp("solved") / "out"
    words = ["--simulate", "--concurrency", "1", "-o", str(out)]
    assert run(["generate", "annotations", str(instructions), str(SPECS), *words]) == 0
    return out


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*.json"))}


def steps_of(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node["children"]:
        yield from steps_of(child)


def test_good_solutions_are_kept_in_both_formats(solved: Path) -> None:
    summary = json.loads((solved / "annotations.json").read_text())
    assert (summary["instructions"], summary["runner"], summary["judge"]) == (COUNT, "dfsdt", "rules")
    assert summary["kept"] >= COUNT // 2
    kept = [row for row in summary["rows"] if row["kept"]]
    records = read_conversations(solved / "conversations.json")
    assert len(records) == len(kept) == summary["kept"] == len(list((solved / "answers").rglob("*.json")))
    for row, record in zip(kept, records, strict=True):
        kept_file = json.loads((solved / row["file"]).read_text("utf-8"))
        assert kept_file["answer_generation"]["valid_data"] is True
        last = [turn.text for turn in record.turns if turn.speaker == "assistant"][-1]
        assert read_action(last).action == "Finish"
        told = json.loads(kept_file["answer_generation"]["final_answer"])
        assert read_action(last).arguments["final_answer"] == told["final_answer"]
        ends = [step for step in steps_of(kept_file["tree"]["tree"]) if step["is_terminal"] and step["finished"]]
        assert len(ends) == 1
        messages = kept_file["answer_generation"]["train_messages"][-1]
        assert [one["role"] for one in messages] == [turn.speaker for turn in record.turns]


def test_what_was_written_loads_back_without_loss(solved: Path, tmp_path: Path) -> None:
    write_conversations(tmp_path / "again.json", read_conversations(solved / "conversations.json"))
    assert (tmp_path / "again.json").read_bytes() == (solved / "conversations.json").read_bytes()


@pytest.mark.long
def test_what_was_killed_goes_on_and_comes_to_the_same(solved: Path, instructions: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["generate", "annotations", str(instructions), str(SPECS), "--simulate", "-o", str(out)]
    process = subprocess.Popen([*DOCREV, *words, "--concurrency", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and not _done(out):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = _done(out)
    assert before
    assert run([*words, "--concurrency", "8"]) == 0
    assert contents(out) == contents(solved)


def _done(folder: Path) -> int:
    """How many tasks an annotation has kept so far."""
    try:
        with Evidence.open(folder, write=False) as evidence:
            return len(evidence.trajectories.attempted())
    except UsageError:
        return 0


def _trajectory(told: Any, *bodies: tuple[str, Any]) -> Trajectory:
    nodes = [
        Node(str(at), None, "1", "dfsdt", at, Plan("", OperationKey("atlas", name)), _call(name, body))
        for at, (name, body) in enumerate(bodies, 1)
    ]
    return Trajectory("1", "dfsdt", tuple(nodes), tuple(node.id for node in nodes), told, "answer")


def _call(name: str, body: Any) -> Call:
    return Call("c", OperationKey("atlas", name), {}, "", 200, {}, body, "application/json", "scenario")


def test_a_solution_must_do_and_tell_what_is_known_to_be_wanted() -> None:
    search, read = OperationKey("atlas", "GET /countries"), OperationKey("atlas", "GET /countries/{code}")
    one = Instruction("1", "What is the capital of France?", (), (search, read), wanted=("capital",))
    right = _trajectory("Paris", ("GET /other", {"data": [{"capital": "Paris"}]}))
    assert lacking(one, right) == []
    assert lacking(one, replace(right, answer="France")) == ["capital is not in the answer"]
    assert len(lacking(one, _trajectory("Paris", ("GET /countries", [{"code": "FR"}])))) == 1
    two = replace(one, wanted=("capital", "capital"))
    assert len(lacking(two, right)) == 2
    plain = replace(one, wanted=())
    assert lacking(plain, right) == [f"{key} was not called" for key in (search, read)]
    made, gone = OperationKey("atlas", "POST /notes"), OperationKey("atlas", "DELETE /notes/{id}")
    there = Instruction("2", "Is it still there?", (), (made, gone), wanted=(THERE,))
    both = (("POST /notes", {"id": 1}), ("DELETE /notes/{id}", None))
    assert lacking(there, _trajectory(False, *both)) == []
    assert lacking(there, _trajectory(True, *both)) == ["there is not in the answer"]
    assert lacking(there, _trajectory(False, both[0])) == [f"{gone} was not called"]


def test_what_is_told_must_be_of_what_the_instruction_speaks_of() -> None:
    rows = [{"iata": "BRU", "name": "Brussels"}, {"iata": "OST", "name": "Ostend"}]
    listing, read = OperationKey("air", "GET /airports"), OperationKey("air", "GET /airports/{iata}/weather")
    one = Instruction("1", 'What is the name of the airport with the code "OST"?', (), (listing,), wanted=("name",))
    assert lacking(one, _trajectory("Ostend", ("GET /airports", {"items": rows}))) == []
    assert lacking(one, _trajectory("Brussels", ("GET /airports", {"items": rows}))) == ["name is not in the answer"]
    # What was looked up by name leads on by its id, and what nothing leads to is not meant.
    text = 'What is the weather at the airport "Ostend"?'
    two = Instruction("2", text, (), (read,), wanted=("weather",))
    calls = [_call("GET /airports", rows), _weather("BRU", "rain"), _weather("OST", "sun")]
    nodes = tuple(
        Node(str(at), None, "1", "dfsdt", at, Plan("", call.key), replace(call, key=read) if at else call)
        for at, call in enumerate(calls)
    )
    way = Trajectory("2", "dfsdt", nodes, tuple(node.id for node in nodes), "sun", "answer")
    assert lacking(two, way) == []
    assert lacking(two, replace(way, answer="rain")) == ["weather is not in the answer"]


def _weather(iata: str, told: str) -> Call:
    return replace(_call("GET /airports/{iata}/weather", {"weather": told}), arguments={"path:iata": iata})


def test_a_collection_tells_why_it_drops_and_what_to_leave_out(
    bundled_services: dict[str, str],  # noqa: F811
    tmp_path: Path,
) -> None:
    bases = tuple(f"{tool}={url}" for tool, url in bundled_services.items())
    request = CollectSettings(base_urls=bases, out=str(tmp_path / "one"))
    found = asyncio.run(collect([SPECS], request))
    reasons = {one.key.operation: one.reason for one in found.verdicts}
    assert reasons["GET /airports/{iata}/weather"] == "html"
    assert reasons["GET /reports/density"] == "fails"
    assert reasons["POST /notes"] == "not-tested"
    assert reasons["GET /countries"] == ""
    again = asyncio.run(collect([SPECS], request.model_copy(update={"concurrency": 1, "out": str(tmp_path / "two")})))
    assert again == found
    assert asyncio.run(collect([SPECS], request)) == found
    for name in ("collection.json", "compression.yaml"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def _chosen(body: Body) -> Reply:
    """Of every operation its second field alone; of one, a field that is not there."""
    if wanted(body) == "Ready":
        return answer(body)
    question = str(body["messages"][-1]["content"])
    pointers = re.findall(r'"pointer": "([^"]+)"', question)
    return said({"keep": ["/nowhere"] if "The operation: atlas GET /cities/{id}" in question else pointers[1:2]})


def test_a_model_chooses_fields_among_those_that_were_seen(tmp_path: Path) -> None:
    with ChatServer(_chosen) as server:
        request = CollectSettings(simulate=True, out=str(tmp_path), model="openai:scripted", model_url=server.url)
        found = asyncio.run(collect([SPECS / "atlas.yaml"], request))
    country = found.rules.by_key[OperationKey("atlas", "GET /countries/{code}")]
    assert "left out by the model" in country.drop.values()
    # What other operations take as a parameter stays, whatever the model says.
    assert "/currency_code" in country.keep
    city = found.rules.by_key[OperationKey("atlas", "GET /cities/{id}")]
    assert "left out by the model" not in city.drop.values()


def test_rules_of_a_collection_show_in_a_benchmark(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = {"compression": {"atlas GET /countries": {"keep": ["/data/0/code"], "drop": {}}}}
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    words = ["bench", "bundled", "--docs", "original", "--limit", "1", "--out", str(tmp_path / "out"), "--json"]
    assert run([*words, "--compression", str(tmp_path / "rules.json")]) == 0
    with Evidence.open(tmp_path / "out", write=False) as evidence:
        assert evidence.runs()[-1].settings["compression"] == rules
    capsys.readouterr()
    assert run([*words, "--compression", str(SPECS / "airfield.json")]) == 2
    assert "contains no compression rules" in capsys.readouterr().err


def test_a_list_that_was_empty_once_is_no_field_of_its_own() -> None:
    seen = fields([{"items": []}, {"items": [{"id": 1}], "next": None}])
    assert set(seen) == {"/items/0/id", "/next"}


def test_bad_input_is_one_line(instructions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command, out = ["generate", "annotations"], ["-o", str(tmp_path / "out")]
    (tmp_path / "empty.json").write_text("[]")
    for words, expected in [
        ([str(instructions), str(SPECS)], "calls have no target, or two"),
        ([str(instructions), str(SPECS), "--simulate", "--runner", "nobody"], "no runner nobody"),
        ([str(instructions), str(SPECS), "--simulate", "--model", "nobody"], "no model nobody"),
        ([str(instructions), str(SPECS), "--simulate", "--compression", str(instructions)], "no compression rules"),
        ([str(tmp_path / "empty.json"), str(SPECS), "--simulate"], "an empty list"),
        ([str(tmp_path / "none.json"), str(SPECS), "--simulate"], "no such file or folder"),
    ]:
        capsys.readouterr()
        assert run([*command, *words, *out]) == 2
        told = capsys.readouterr()
        assert expected in told.err
        assert told.err.count("\n") == 1
        assert told.out == ""


def test_without_specs_the_instructions_own_lists_are_simulated(instructions: Path, tmp_path: Path) -> None:
    settings = AnnotationSettings(out=tmp_path / "out", simulate=True, limit=2)
    done = asyncio.run(annotate([instructions], (), settings))
    assert [row.trajectory.finish for row in done.rows] != ["failed", "failed"]
    assert all(row.trajectory.nodes for row in done.rows)
