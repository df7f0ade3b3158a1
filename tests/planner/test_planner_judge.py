"""The judge's six rules (appendix A.4), each broken by itself, over a small catalog."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driving import called

from docrev.graph.tool_graph import ToolGraph
from docrev.offline import OfflineModel
from docrev.prompts.briefs import briefs
from docrev.prompts.questions import DesignScenario, JudgeAnswer, NextPlan, Verdict
from docrev.prompts.steps import Invoke
from docrev.records import Call, Given, Goal, Node, OperationKey, Plan, Scenario
from docrev.spec import Catalog, load

SPEC = """
openapi: 3.0.3
info: {title: Library, version: "1"}
paths:
  /authors:
    get:
      parameters: [{name: q, in: query, schema: {type: string}}]
      responses: {200: {description: ok}}
  /authors/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {200: {description: ok}}
  /shelves:
    get:
      responses: {200: {description: ok}}
"""
LIST, ONE, SHELVES = (OperationKey("library", f"GET {path}") for path in ("/authors", "/authors/{id}", "/shelves"))
AUTHORS = [
    {"id": 101 + n, "name": name, "born": 1900 + n} for n, name in enumerate(["Ada Lark", "Bo Finch", "Cy Wren"])
]
GOAL = Goal((Given("name", "Bo Finch", "author"),), "prize", "author")
SCENARIO = Scenario("s001", 'What is the prize of the author "Bo Finch"?', (ONE, LIST), GOAL)


def answered(key: OperationKey, **arguments: Any) -> Call:
    sent = {f"path:{name}" if name == "id" else f"query:{name}": value for name, value in arguments.items()}
    found = [a for a in AUTHORS if arguments.get("q", "").lower() in str(a["name"]).lower()]
    bodies: dict[OperationKey, Any] = {LIST: {"data": found}, SHELVES: {"data": [{"row": 7, "room": "north"}]}}
    if key == ONE:
        one = [a for a in AUTHORS if a["id"] == arguments["id"]]
        return called(
            Invoke(key, sent), one[0] | {"prize": f"Prize {one[0]['id']}"} if one else {}, 200 if one else 404
        )
    return called(Invoke(key, sent), bodies[key])


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    path = tmp_path / "library.yaml"
    path.write_text(SPEC, "utf-8")
    return load([path])


@pytest.fixture
def model(catalog: Catalog) -> OfflineModel:
    graph = ToolGraph(catalog)
    model = OfflineModel(catalog, graph)
    for call in (
        answered(LIST),
        answered(LIST, q="Ada Lark"),
        answered(ONE, id=101),
        answered(ONE, id=103),
        answered(SHELVES),
    ):
        graph.observe(call)
    model.answer(DesignScenario(first=LIST, operations=(), calls=()))
    return model


def history(*calls: Call, answer: Any = "Prize 102") -> tuple[Node, ...]:
    nodes, name = [], "s001/bfs/0"
    for depth, call in enumerate(calls, 1):
        plan = Plan("", call.key, dict(call.arguments))
        nodes.append(Node(f"{name}.1", name, "s001", "bfs", depth, plan, call))
        name = f"{name}.1"
    return (*nodes, Node(f"{name}.1", name, "s001", "bfs", len(calls) + 1, Plan("", answer=answer)))


def judged(model: OfflineModel, *calls: Call, answer: Any = "Prize 102", scenario: Scenario = SCENARIO) -> Verdict:
    way = history(*calls, answer=answer)
    return model.answer(JudgeAnswer(scenario=scenario, operations=(), history=way, answer=answer))


def test_a_looked_up_id_and_the_right_field_are_correct(model: OfflineModel) -> None:
    assert judged(model, answered(LIST, q="Bo Finch"), answered(ONE, id=102)).correct


BROKEN: dict[int, tuple[list[Call], Any]] = {
    1: ([answered(LIST, q="{name}"), answered(ONE, id=102)], "Prize 102"),
    2: ([answered(ONE, id=102)], "Prize 102"),
    4: ([answered(LIST, q="Bo Finch"), answered(ONE, id=102)], "Prize 101"),
    6: ([answered(SHELVES), answered(LIST, q="Bo Finch"), answered(ONE, id=102)], "Prize 102"),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_rule_is_named(model: OfflineModel, rule: int) -> None:
    calls, answer = BROKEN[rule]
    verdict = judged(model, *calls, answer=answer)
    assert (verdict.correct, verdict.rule) == (False, rule)
    assert verdict.reason


def test_the_specific_operation_comes_before_the_general(model: OfflineModel) -> None:
    goal = Goal((Given("name", "Bo Finch", "author"),), "born", "author")
    asked = Scenario("s001", 'When was the author "Bo Finch" born?', (ONE, LIST), goal)
    listed = answered(LIST, q="Bo Finch")
    assert judged(model, listed, answer=1901, scenario=asked).rule == 3
    assert judged(model, listed, answered(ONE, id=102), answer=1901, scenario=asked).correct
    general = Scenario("s001", asked.text, (LIST,), goal)
    assert judged(model, listed, answer=1901, scenario=general).correct


def test_the_wrong_item_is_no_answer(model: OfflineModel) -> None:
    verdict = judged(model, answered(LIST, q="Ada Lark"), answered(ONE, id=101), answer="Prize 101")
    assert not verdict.correct


def plans(model: OfflineModel, catalog: Catalog, *calls: Call) -> list[Plan]:
    found: list[Plan] = []
    for _ in range(4):
        way = history(*calls)[:-1]
        prompt = NextPlan(scenario=SCENARIO, operations=briefs(catalog), history=way, siblings=tuple(found))
        found.append(model.answer(prompt))
    return found


def test_siblings_are_different_and_the_likeliest_comes_first(model: OfflineModel, catalog: Catalog) -> None:
    found = plans(model, catalog)
    assert (found[0].key, found[0].arguments) == (LIST, {"query:q": "Bo Finch"})
    keys = [plan.key for plan in found if plan.key is not None]
    assert len(keys) == len(set(keys))
    assert found[-1].final


def test_only_what_text_or_responses_give_is_sent(model: OfflineModel, catalog: Catalog) -> None:
    found = plans(model, catalog, answered(LIST, q="Bo Finch"))
    assert (found[0].key, found[0].arguments) == (ONE, {"path:id": 102})
    sent = [value for plan in plans(model, catalog) for value in plan.arguments.values()]
    assert set(sent) <= {"Bo Finch"}


def test_the_planner_does_not_look_at_the_operations_the_scenario_was_made_for(
    model: OfflineModel, catalog: Catalog
) -> None:
    other = Scenario("s002", SCENARIO.text, (SHELVES,), GOAL)
    prompt = NextPlan(scenario=other, operations=briefs(catalog), history=())
    assert model.answer(prompt) == plans(model, catalog)[0]


def test_without_a_goal_nothing_is_planned_and_nothing_accepted(model: OfflineModel, catalog: Catalog) -> None:
    vague = Scenario("s003", "Do something.", (LIST,))
    plan = model.answer(NextPlan(scenario=vague, operations=briefs(catalog), history=()))
    assert plan.final
    assert plan.answer is None
    assert not judged(model, answered(LIST), scenario=vague).correct
