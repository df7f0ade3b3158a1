"""The benchmark engine, with models that are scripted here, on the bundled services."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

from docrev.calls.policy import Policy
from docrev.errors import UnreachableError, UsageError
from docrev.eval.agents.bench import run
from docrev.eval.agents.docs import Docs
from docrev.eval.agents.engine import Cell, attempt, do
from docrev.eval.agents.page import page
from docrev.eval.agents.stages import Stage, staged
from docrev.eval.agents.tables import text
from docrev.eval.settings import BenchSettings
from docrev.eval.suites.registry import suite
from docrev.eval.suites.suite import Loaded
from docrev.evidence import Evidence
from docrev.prompts.agents import Action, NextAction, finish, give_up
from docrev.prompts.questions import Prompt
from docrev.prompts.steps import Invoke, Steps
from docrev.records import OperationKey, Task, Trajectory
from docrev.runners import Toolbox, TrackLimits, runner


class Scripted:
    """A model that takes the same actions for every task, the last one again and again."""

    name = "scripted"

    def __init__(self, *actions: Action) -> None:
        self.actions, self.asked = actions, 0

    async def ask(self, prompt: Prompt[Any]) -> Any:
        assert isinstance(prompt, NextAction)
        self.asked += 1
        return self.actions[min(len(prompt.history), len(self.actions) - 1)]


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    return suite("bundled").load()


@pytest.fixture(scope="module")
def stage(loaded: Loaded) -> Iterator[Stage]:
    with staged(loaded) as found:
        yield found


def cell(loaded: Loaded, run: Any = None, **limits: int) -> Cell:
    docs = Docs("original", loaded.catalog(), lambda _: None)
    return Cell("original", "react", "scripted", docs.tools, run or runner("react"), TrackLimits(**limits))


def one(loaded: Loaded, stage: Stage, model: Any, run: Any = None, task: Task | None = None) -> Trajectory:
    return asyncio.run(attempt(task or loaded.tasks[0], cell(loaded, run), stage, model))


def test_an_answer_without_a_call(loaded: Loaded, stage: Stage) -> None:
    found = one(loaded, stage, Scripted(finish("42")))
    assert (found.finish, found.answer, found.asks) == ("answer", "42", 1)


def test_what_does_not_exist_is_a_step_and_no_call(loaded: Loaded, stage: Stage) -> None:
    found = one(loaded, stage, Scripted(Action(action="teleport"), finish("x")))
    assert [node.reason for node in found.steps] == ["no-such-operation", ""]
    assert found.calls == ()


def test_the_same_call_for_ever_ends_by_the_limit(loaded: Loaded, stage: Stage) -> None:
    name = Toolbox(loaded.catalog()).sheets[0].name
    found = one(loaded, stage, Scripted(Action(action=name)))
    assert found.finish == "steps"


def test_what_one_task_writes_another_never_sees(loaded: Loaded, stage: Stage) -> None:
    tools = Toolbox(loaded.catalog())
    make = next(sheet for sheet in tools.sheets if sheet.key == OperationKey("airfield", "POST /watchlists"))
    see = next(sheet for sheet in tools.sheets if sheet.key == OperationKey("airfield", "GET /watchlists"))
    model = Scripted(Action(action=make.name, arguments={"name": "Isles"}), Action(action=see.name), finish("done"))
    lists = [one(loaded, stage, model, task=task).calls[-1].body for task in loaded.tasks[:2]]
    assert [found["count"] for found in lists] == [1, 1]


@pytest.mark.parametrize("breaks", [False, True])
def test_what_a_task_creates_on_an_api_of_others_is_removed(loaded: Loaded, stage: Stage, breaks: bool) -> None:
    tools = Toolbox(loaded.catalog())
    make, see = (
        next(sheet for sheet in tools.sheets if sheet.key == OperationKey("airfield", f"{method} /watchlists"))
        for method in ("POST", "GET")
    )

    def broken(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
        assert (yield Invoke(make.key, {"body:": {"name": "Isles"}})).ok
        raise KeyError("lost")

    live = replace(
        stage, urls=lambda _: stage.bases(f"live-{breaks}"), policy=Policy.parse(["POST", "DELETE"]), thrown_away=False
    )
    creates = Scripted(Action(action=make.name, arguments={"name": "Isles"}), Action(action=see.name), finish("done"))
    first = one(loaded, live, creates, broken if breaks else None)
    assert breaks or first.calls[-1].body["count"] == 1
    assert one(loaded, live, Scripted(Action(action=see.name), finish("done"))).calls[-1].body["count"] == 0


def test_a_runner_that_never_finishes_is_a_row(loaded: Loaded, stage: Stage) -> None:
    def endless(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
        while True:
            yield Invoke(tools.sheets[0].key, {})

    found = one(loaded, stage, Scripted(finish("x")), endless)
    assert (found.finish, found.reason) == ("failed", "the runner never finishes")


def test_arguments_of_the_wrong_type_are_a_step_and_no_call(loaded: Loaded, stage: Stage) -> None:
    sheet, number = next(
        (sheet, one.name)
        for sheet in Toolbox(loaded.catalog()).sheets
        for one in sheet.parameters
        if one.type == "integer"
    )
    found = one(loaded, stage, Scripted(Action(action=sheet.name, arguments={number: "many"}), finish("x")))
    assert [node.reason for node in found.steps] == ["wrong-type", ""]
    assert found.calls == ()


def test_a_runner_that_breaks_is_a_row(loaded: Loaded, stage: Stage) -> None:
    def broken(task: Task, tools: Toolbox, limits: TrackLimits) -> Steps[Trajectory]:
        yield Invoke(tools.sheets[0].key, {})
        raise KeyError("lost")

    assert one(loaded, stage, Scripted(finish("x")), broken).reason == "KeyError: 'lost'"


def test_an_api_that_is_gone_is_a_row(loaded: Loaded, stage: Stage) -> None:
    name = Toolbox(loaded.catalog()).sheets[0].name
    gone = replace(stage, urls=lambda room: dict.fromkeys(("atlas", "airfield"), "http://127.0.0.1:9"))
    found = one(loaded, gone, Scripted(Action(action=name), finish("x")))
    assert found.steps[0].reason == "refused" or found.finish == "failed"


def test_an_api_that_dies_half_way_is_a_row_like_the_others(loaded: Loaded, stage: Stage, tmp_path: Path) -> None:
    free = [sheet for sheet in Toolbox(loaded.catalog()).sheets if sheet.key.method == "GET" and not sheet.parameters]
    first, second = free[:2]
    left = [1]

    def once(_: Received) -> Answer:
        left[0] -= 1
        return reply({"data": []}) if left[0] >= 0 else Answer(raw=b"")

    model = Scripted(Action(action=first.name), Action(action=second.name), finish("what was seen"))
    with Server({"GET /*": once}) as server, Evidence.open(tmp_path, write=True) as evidence:
        dying = replace(stage, urls=lambda room: dict.fromkeys(("atlas", "airfield"), server.url))
        evidence.begin({})
        asyncio.run(do(loaded.tasks[:2], cell(loaded), dying, model, evidence, concurrency=1))
        rows = list(evidence.trajectories)
    assert [row.finish for row in rows] == ["answer", "answer"]
    assert [[call.status for call in row.calls] for row in rows] == [[200, None], [None, None]]
    assert all(row.steps[1].reason and row.steps[1].observation.startswith("No response") for row in rows)


def test_a_model_that_cannot_be_reached_ends_the_run(loaded: Loaded, stage: Stage, tmp_path: Path) -> None:
    class Gone:
        name = "gone"

        async def ask(self, prompt: Prompt[Any]) -> Any:
            raise UnreachableError("no model at http://127.0.0.1:9")

    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        with pytest.raises(UnreachableError, match="no model"):
            asyncio.run(do(loaded.tasks[:3], cell(loaded), stage, Gone(), evidence))


def test_what_was_done_is_not_done_again(loaded: Loaded, stage: Stage, tmp_path: Path) -> None:
    model = Scripted(finish("42"))
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        asyncio.run(do(loaded.tasks[:3], cell(loaded), stage, model, evidence))
        asyncio.run(do(loaded.tasks[:5], cell(loaded), stage, model, evidence))
        assert model.asked == 5
        assert evidence.trajectories.attempted() == sorted(task.id for task in loaded.tasks[:5])


def test_a_report_compares_documents(tmp_path: Path) -> None:
    settings = BenchSettings(docs=("original", "easytool"), limit=6, out=tmp_path / "out", concurrency=3)
    report = run("bundled", settings, agent=Scripted(finish("Nairobi")))
    assert [line.docs for line in report.lines] == ["original", "easytool"]
    assert len(report.differences) == 1
    shown = text(report)
    assert "easytool against original" in shown
    assert json.loads(json.dumps(report.to_json()))["tasks"] == 6
    html = page(report)
    assert html.count("<details>") == 6
    assert "<script" not in html
    again = run("bundled", settings, agent=Scripted(finish("never asked")))
    assert again.to_json() == report.to_json()


def test_react_n_asks_what_dfsdt_asked_for_the_same_task(loaded: Loaded, tmp_path: Path) -> None:
    """ToolLLM §3.3: ReACT@N starts over until it has spent what DFSDT spent, which is run first."""
    name = Toolbox(loaded.catalog()).sheets[0].name
    settings = BenchSettings(docs=("original",), runners="react@N", limit=2, out=tmp_path)
    report = run("bundled", settings, agent=Scripted(Action(action=name), give_up()))
    assert [line.runner for line in report.lines] == ["dfsdt", "react@N"]
    spent = [[row.asks for row in line.outcomes] for line in report.lines]
    assert spent == [[3, 3], [3, 3]]
    assert [row.reason for row in report.lines[1].outcomes] == ["asks-spent"] * 2


def test_any_suite_can_be_done_on_an_api_that_runs_already(tmp_path: Path) -> None:
    """RestGPT §4 measures RestBench on the real APIs: base URLs, credentials and consent are the user's."""
    name = Toolbox(suite("bundled").load().catalog()).sheets[0].name

    def answer(received: Received) -> Answer:
        return reply({"status": "ok"})

    with Server({"GET /*": answer}) as server:
        urls = (f"airfield={server.url}/a", f"atlas={server.url}/b")
        settings = BenchSettings(docs=("original",), limit=2, out=tmp_path, base_urls=urls, headers=("X-Key: k",))
        report = run("bundled", settings, agent=Scripted(Action(action=name), finish("ok")))
        received = list(server.requests)
    assert report.stage.startswith("airfield=")
    assert [one.path for one in received] == ["/a/status"] * 2
    assert {one.headers["x-key"] for one in received} == {"k"}
    with pytest.raises(UsageError, match="no --base-url"):
        run("bundled", BenchSettings(headers=("X-Key: k",), out=tmp_path), agent=Scripted(finish("x")))


def test_wrong_settings_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no documentation setting revisd"):
        run("bundled", BenchSettings(docs=("revisd",), out=tmp_path), agent=Scripted(finish("x")))
    with pytest.raises(UsageError, match="no such file"):
        run("bundled", BenchSettings(docs=("mine=nowhere",), out=tmp_path), agent=Scripted(finish("x")))
    with pytest.raises(UsageError, match="no runner"):
        run("bundled", BenchSettings(runners="reakt", out=tmp_path), agent=Scripted(finish("x")))
