"""ToolBFS+ as published: an exploration and a revision by its method, on the bundled services."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_answers import answer
from chat_server import ChatServer, wanted
from services import running

from docrev import api
from docrev.evidence import Evidence
from docrev.prompts.baselines import LocatedText, PlaceTexts, ReviseDescription, ReviseParameters, ReviseResponses
from docrev.prompts.questions import Text
from docrev.records import OperationKey
from docrev.revision.toolbfs import solved_uses, toolbfs
from docrev.spec import Catalog, load

SPECS = Path(__file__).resolve().parents[2] / "specs"


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evidence]:
    folder = tmp_path_factory.mktemp("toolbfs")
    with running() as urls:
        bases = [f"{name}={url}" for name, url in urls.items()]
        api.explore(SPECS, base_urls=bases, out=str(folder), method="toolbfs", max_calls=400)
    with Evidence.open(folder, write=False) as found:
        yield found


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load(SPECS)


class Writer:
    """A model that writes too much for every place, and keeps what it was asked."""

    name = "writer"

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def ask(self, prompt: Any) -> Any:
        self.asked.append(prompt)
        if isinstance(prompt, ReviseDescription):
            return Text(text="word " * 60)
        texts = [LocatedText(location=at, text="word " * 40) for at in (*prompt.original, "query:nowhere")]
        return PlaceTexts(texts=tuple(texts))


def test_exploring_has_scenarios_searches_and_experience_and_no_more(evidence: Evidence) -> None:
    """ToolBFS+ §3.2 and §3.3: no probes, no facts; every experience has its four parts."""
    assert evidence.solutions()
    assert evidence.facts() == []
    assert {call.purpose for call in evidence.calls.select()} <= {"survey", "scenario"}
    experiences = evidence.experiences()
    assert experiences
    for one in experiences:
        assert one.scenario
        assert one.known
        assert one.right_plan
        assert one.wrong_plan
        assert not one.location
    assert len({(one.key, one.known, one.scenario) for one in experiences}) == len(experiences)


def test_three_questions_an_operation_with_solved_scenarios_alone(evidence: Evidence, catalog: Catalog) -> None:
    """ToolBFS+ §3.4, tables 10 to 12: 50 words a description, 10 a parameter; right nodes with their own scenarios."""
    writer = Writer()
    revision = asyncio.run(toolbfs(catalog, evidence, writer))
    uses = solved_uses(evidence)
    counts = Counter((type(prompt), prompt.operation.key) for prompt in writer.asked)
    assert set(counts.values()) == {1}
    assert {key for kind, key in counts if kind is ReviseDescription} == set(uses)
    assert {kind for kind, _ in counts} == {ReviseDescription, ReviseParameters, ReviseResponses}
    texts = {scenario.id: scenario.text for scenario in evidence.scenarios()}
    solved = {
        (node.call.key, texts[solution.scenario])
        for solution in evidence.solutions()
        for node in solution.nodes
        if node.call is not None
    }
    shown = [(prompt.operation.key, use) for prompt in writer.asked for use in prompt.examples]
    assert shown
    for key, use in shown:
        assert use.call.key == key
        assert use.call.ok
        assert (key, use.scenario) in solved
    lengths = Counter(len(str(change.after).split()) for change in revision.changes if "x-docrev" not in change.pointer)
    assert set(lengths) == {50, 10, 30}
    assert max(lengths) == 50


def test_experience_goes_to_the_operation_that_was_called_before(evidence: Evidence, catalog: Catalog) -> None:
    """ToolBFS+ §3.3: the experience is integrated into the documentation of the tool whose result was known."""
    revision = asyncio.run(toolbfs(catalog, evidence))
    written = {change.key: change.after for change in revision.changes if change.pointer.endswith("/x-docrev")}
    expected = {one.key for one in evidence.experiences()}
    assert set(written) == expected
    entries = written[next(iter(sorted(expected)))]["experience"]
    assert {"scenario", "known", "right", "wrong", "text", "use", "calls"} == set(entries[0])
    assert all(isinstance(key, OperationKey) for key in written)


def test_a_model_that_writes_the_scenarios_calls_nothing_before(tmp_path: Path) -> None:
    """ToolBFS+ §3.2: scenarios are written of the documents; the first call is one that a scenario asks for."""
    with running("atlas") as urls, ChatServer(answer) as server:
        api.explore(
            SPECS / "atlas.yaml", base_urls=[f"atlas={urls['atlas']}"], out=str(tmp_path), method="toolbfs",
            model="openai:scripted", model_url=server.url, max_calls=60,
        )  # fmt: skip
        names = {wanted(body) for body in server.asked}
    with Evidence.open(tmp_path, write=False) as found:
        calls, scenarios = list(found.calls.select()), found.scenarios()
    assert scenarios
    assert {call.purpose for call in calls} == {"scenario"}
    assert names >= {"DesignScenario", "NextPlan", "JudgeAnswer"}
