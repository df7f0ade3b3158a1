"""The offline engine on the bundled services: its scenarios, checked against the services' own records."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from oracle import OracleAnswer, answer
from services import running, whole_exploration

from docrev import api, events
from docrev.evidence import Evidence
from docrev.spec import load

pytestmark = pytest.mark.long

SPECS = Path(__file__).resolve().parents[2] / "specs"
Finished = list[events.ScenarioFinished]


def explored(folder: Path, **options: object) -> tuple[api.Exploration, Finished]:
    finished: Finished = []

    def keep(event: events.Event) -> None:
        if isinstance(event, events.ScenarioFinished):
            finished.append(event)

    with running() as urls:
        bases = [f"{name}={url}" for name, url in urls.items()]
        done = api.explore(SPECS, base_urls=bases, out=str(folder), on_event=keep, **options)
    return done, finished


@pytest.fixture(scope="module")
def writing() -> Finished:
    _, _, heard = whole_exploration()
    return [event for event in heard if isinstance(event, events.ScenarioFinished)]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> tuple[api.Exploration, Finished]:
    return explored(tmp_path_factory.mktemp("compared"), compare=True)


def true(event: events.ScenarioFinished) -> bool:
    assert event.scenario.goal is not None
    known = answer(event.scenario.goal)
    return event.solution is not None and isinstance(known, OracleAnswer) and known.accepts(event.solution.answer)


def test_tool_bfs_solves_what_it_sets_itself(writing: Finished, compared: tuple[api.Exploration, Finished]) -> None:
    for finished in (writing, [event for event in compared[1] if event.strategy == "bfs"]):
        wrong = [event.scenario.text for event in finished if not true(event)]
        assert len(finished) >= 40
        assert len(wrong) <= 0.05 * len(finished), wrong


def test_solutions_are_short_and_their_calls_answered(compared: tuple[api.Exploration, Finished]) -> None:
    table = compared[0].comparison
    assert table is not None
    rows = {row.strategy: row for row in table.rows}
    assert rows["bfs"].success is not None
    assert rows["bfs"].success >= 0.95
    for other in ("dfsdt", "react"):
        assert rows["bfs"].correct >= rows[other].correct
        assert (rows["bfs"].common_length or 0) <= (rows[other].common_length or 0)


def test_texts_name_concrete_values_once(writing: Finished) -> None:
    texts = [event.scenario.text for event in writing]
    assert len(set(texts)) == len(texts)
    assert writing
    for event in writing:
        goal = event.scenario.goal
        assert goal is not None
        assert not re.search(r"\b(this|that|some) (city|country|airport|note|region)\b", event.scenario.text)
        assert all(str(given.value).lower() in event.scenario.text.lower() for given in goal.givens)
        if goal.deeds:
            continue
        assert (goal.want, goal.noun) not in [(given.label, given.noun) for given in goal.givens]


def test_every_working_operation_gets_its_turn(writing: Finished) -> None:
    had = {key for event in writing for key in event.scenario.operations}
    none = {operation.key.operation for operation in load([SPECS]).operations if operation.key not in had}
    assert none == {"GET /airports/{iata}/weather", "GET /reports/density"}  # broken; behind a key


def test_what_is_written_is_made_in_the_scenario_and_read_back(writing: Finished) -> None:
    errands = [event for event in writing if event.scenario.goal and event.scenario.goal.deeds]
    assert {deed.verb for event in errands for deed in event.scenario.goal.deeds} == {"create", "change", "delete"}
    for event in errands:
        assert event.solution is not None
        calls = event.solution.calls
        assert not re.search(r"\b(wl|wi)_\d", event.scenario.text)
        assert [call.key.method == "GET" for call in calls] == [False] * (len(calls) - 1) + [True]
        assert all(call.ok for call in calls[:-1])
    answers = [event.solution.answer for event in errands if event.solution]
    assert False in answers
    assert True in answers
    assert {1, 2} <= {len(answer) for answer in answers if isinstance(answer, list)}


def test_an_operation_has_few_experiences_and_no_two_alike(compared: tuple[api.Exploration, Finished]) -> None:
    with Evidence.open(compared[0].folder, write=False) as evidence:
        found = evidence.experiences()
    assert found
    assert max(Counter(experience.key for experience in found).values()) <= 3
    taught = [(experience.right, experience.wrong, experience.why) for experience in found]
    assert len(set(taught)) == len(taught)
    assert not any(" the nearby " in experience.right_plan + experience.wrong_plan for experience in found)


def test_scenarios_cross_tools_and_stay_small(writing: Finished) -> None:
    sizes = [len(event.scenario.operations) for event in writing]
    assert max(sizes) <= 4
    assert sum(size > 1 for size in sizes) >= len(sizes) // 2
    assert any(len({key.tool for key in event.scenario.operations}) > 1 for event in writing)
    reading = [event for event in writing if event.scenario.goal is not None and not event.scenario.goal.deeds]
    assert any(len(event.scenario.operations) == 3 for event in reading)


def test_scenarios_name_things_and_no_bare_ids(writing: Finished) -> None:
    """ToolBFS+ §3.2: what a person would say, where another operation returns the ID."""
    givens = [given for event in writing if event.scenario.goal for given in event.scenario.goal.givens]
    assert givens
    assert not [given for given in givens if given.label == "id" and not given.location]


def test_single_tool_scenarios_have_one_operation(tmp_path: Path) -> None:
    finished = explored(tmp_path, single_tool=True)[1]
    assert len(finished) >= 15
    assert {len(event.scenario.operations) for event in finished} == {1}
    assert sum(map(true, finished)) >= 0.95 * len(finished)
