"""Scenarios that another model wrote come without a goal: the offline engine reads it in their text, and plans."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from driving import called, drive
from services import SPECS, whole_exploration

from docrev.errors import ModelError
from docrev.evidence import Evidence
from docrev.graph.tool_graph import ToolGraph
from docrev.offline import OfflineModel
from docrev.prompts.briefs import briefs
from docrev.prompts.questions import JudgeAnswer, Prompt, Same
from docrev.prompts.steps import Invoke
from docrev.records import Call, Given, Goal, OperationKey, Scenario, Solution
from docrev.search import SearchResult, search
from docrev.spec import load


class Studied:
    """The bundled services as an exploration left them: a model that studied it, and calls answered from it."""

    def __init__(self, evidence: Evidence) -> None:
        self.catalog = load([SPECS])
        graph = ToolGraph(self.catalog)
        self.model = OfflineModel(self.catalog, graph)
        self.known: dict[tuple[OperationKey, str], Call] = {}
        for call in evidence.calls.select():
            graph.observe(call)
            self.known.setdefault((call.key, repr(sorted(call.arguments.items()))), call)
        self.model.learn()
        self.scenarios = [s for s in evidence.scenarios() if s.goal is not None and not s.goal.deeds]
        self.solutions = {solution.scenario: solution for solution in evidence.solutions()}

    def call(self, step: Invoke) -> Call:
        found = self.known.get((step.key, repr(sorted(step.arguments.items()))))
        return found or called(step, {"detail": "not found"}, 404)

    def solve(self, scenario: Scenario) -> SearchResult:
        operations = tuple(briefs(self.catalog))
        found: SearchResult = drive(search("bfs", scenario, operations), self.model.answer, self.call)
        return found

    def reads(self, text: str, *operations: OperationKey) -> Goal | None:
        return self.model._goal_reader.read(Scenario("x", text, operations))


@pytest.fixture(scope="module")
def studied() -> Iterator[Studied]:
    with Evidence.open(whole_exploration()[0], write=False) as evidence:
        yield Studied(evidence)


COUNTRY, CITY = OperationKey("atlas", "GET /countries/{code}"), OperationKey("atlas", "GET /cities/{id}")
AIRPORT, DISTANCE = OperationKey("airfield", "GET /airports/{iata}"), OperationKey("airfield", "GET /distance")
DAYLIGHT = OperationKey("atlas", "GET /cities/{id}/daylight")


@pytest.mark.parametrize(
    ("text", "operation", "goal"),
    [
        ("What is the capital of Brazil?", COUNTRY, Goal((Given("name", "Brazil", "country"),), "capital", "country")),
        (
            "I'm flying to CDG tomorrow. How high does it lie, i.e. what is its elevation in feet?",
            AIRPORT,
            Goal((Given("iata", "CDG", "airport"),), "elevation_ft", "airport"),
        ),
        (
            'Find out the daylight in hours of the city "Kinshasa" for the date "2024-06-01".',
            DAYLIGHT,
            Goal(
                (Given("name", "Kinshasa", "city"), Given("date", "2024-06-01", "daylight", "query:date")),
                "daylight_hours",
                "daylight",
            ),
        ),
        (
            'What is the distance from "ABJ" to "ABJ"?',
            DISTANCE,
            Goal(
                tuple(Given(name, "ABJ", "distance", f"query:{name}") for name in ("from", "to")),
                "distance",
                "distance",
            ),
        ),
        (
            'List the populations of all cities of "China".',
            CITY,
            Goal((Given("name", "China", "country"),), "population", "city", True),
        ),
    ],
)
def test_what_a_text_names_is_given_and_what_it_asks_for_is_wanted(
    studied: Studied, text: str, operation: OperationKey, goal: Goal
) -> None:
    assert studied.reads(text, operation) == goal


def test_a_text_that_asks_for_nothing_known_has_no_goal(studied: Studied) -> None:
    assert studied.reads("Sing me a song.", COUNTRY) is None
    assert studied.solve(Scenario("x", "Sing me a song.", (COUNTRY,))).solution is None


def test_most_scenarios_are_solved_from_their_text_alone(studied: Studied) -> None:
    solved: list[Solution] = []
    right = 0
    for scenario in studied.scenarios:
        result = studied.solve(replace(scenario, id=f"{scenario.id}-text", goal=None))
        if result.solution is not None:
            solved.append(result.solution)
            known = studied.solutions.get(scenario.id)
            right += known is not None and known.answer == result.solution.answer
    assert len(studied.scenarios) >= 40
    assert len(solved) >= 0.8 * len(studied.scenarios)
    assert right >= 0.9 * len(solved)


def test_an_answer_to_a_text_alone_must_stand_in_the_last_response(studied: Studied) -> None:
    scenario = next(one for one in studied.scenarios if one.id in studied.solutions)
    solution = studied.solutions[scenario.id]
    asked = JudgeAnswer(
        scenario=replace(scenario, goal=None),
        operations=tuple(briefs(studied.catalog)),
        history=solution.nodes,
        answer=solution.answer,
    )
    assert studied.model.answer(asked).correct
    verdict = studied.model.answer(asked.model_copy(update={"answer": "made up"}))
    assert (verdict.correct, verdict.rule) == (False, 4)


def test_a_question_that_it_does_not_know_is_a_named_error(studied: Studied) -> None:
    class Riddle(Prompt[Same]):
        pass

    with pytest.raises(ModelError, match="does not answer Riddle"):
        studied.model.answer(Riddle())


def test_solving_from_text_is_the_same_twice(studied: Studied) -> None:
    scenario = replace(studied.scenarios[0], id="twice", goal=None)
    made: list[Any] = [[node.plan for node in studied.solve(scenario).nodes] for _ in range(2)]
    assert made[0] == made[1]
