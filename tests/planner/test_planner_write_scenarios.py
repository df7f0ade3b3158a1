"""Scenarios that write, over a small catalog: what is made of the evidence, said, and planned."""

from __future__ import annotations

import pytest
from plannerkit import BOXES, SEEN_BOXES, TRAY, TRAY_BOXES, TRAYS, box_key, catalog_of

from docrev.graph.tool_graph import ToolGraph
from docrev.offline import OfflineModel
from docrev.prompts.briefs import briefs
from docrev.prompts.questions import DesignScenario, NextPlan, ScenarioDraft
from docrev.records import THERE, Deed, Given, Goal, Plan, Scenario
from docrev.spec import Catalog


@pytest.fixture
def catalog() -> Catalog:
    return catalog_of(BOXES, "boxes")


@pytest.fixture
def model(catalog: Catalog) -> OfflineModel:
    graph = ToolGraph(catalog)
    found = OfflineModel(catalog, graph)
    for one in SEEN_BOXES:
        graph.observe(one)
    return found


def designed(model: OfflineModel, method: str, path: str) -> ScenarioDraft:
    return model.answer(DesignScenario(first=box_key(method, path), operations=(), calls=()))


def verbs(draft: ScenarioDraft) -> list[str]:
    assert draft.goal is not None
    return [f"{deed.verb} {deed.noun}" for deed in draft.goal.deeds]


CASES = {
    ("POST", TRAYS): (["create tray"], "Create a tray. What colour does the tray have?"),
    ("GET", TRAYS): (["create tray"], "Create a tray. Is the tray in the list of trays?"),
    ("DELETE", TRAY): (
        ["create tray", "delete tray"],
        "Create a tray. Then delete it. Is the tray still in the list of trays?",
    ),
    ("DELETE", TRAY_BOXES): (["create tray", "create box", "clear box"], "Then delete all boxes in the tray."),
    ("GET", TRAY_BOXES): (["create tray", "create box", "create box"], "What are the titles of the boxes in the tray?"),
}


@pytest.mark.parametrize(("method", "path"), CASES)
def test_an_operation_is_given_something_to_do(model: OfflineModel, method: str, path: str) -> None:
    draft = designed(model, method, path)
    deeds, text = CASES[method, path]
    assert verbs(draft) == deeds
    assert text in draft.text
    assert draft.operations[0] == box_key(method, path)


def test_a_put_that_creates_is_given_an_id_of_its_own(model: OfflineModel) -> None:
    draft = designed(model, "PUT", TRAY)
    assert draft.goal is not None
    named = draft.goal.givens[0]
    assert (named.location, named.noun) == ("path:id", "tray")
    assert str(named.value).startswith("docrev-")
    assert f'Create the tray "{named.value}".' in draft.text


def test_nothing_that_the_run_made_is_named(model: OfflineModel) -> None:
    texts = [designed(model, method, path).text for method, path in CASES]
    assert not any(old in text for text in texts for old in ('"a1"', '"b1"', "docrev-tray-1", '"old"'))


def test_writing_is_asked_for_twice_at_most(model: OfflineModel) -> None:
    drafts = [designed(model, "DELETE", TRAY_BOXES) for _ in range(4)]
    assert [bool(draft.text) for draft in drafts] == [True, True, False, False]
    assert drafts[0].text != drafts[1].text
    assert drafts[2].reason


def planned(model: OfflineModel, catalog: Catalog, goal: Goal) -> Plan:
    designed(model, "GET", TRAYS)
    scenario = Scenario("s009", f"Do {len(goal.givens)}.", (), goal)
    return model.answer(NextPlan(scenario=scenario, operations=briefs(catalog), history=()))


def test_a_deed_is_done_by_what_takes_its_givens(model: OfflineModel, catalog: Catalog) -> None:
    given = Given("id", "docrev-x-1", "tray", "path:id")
    plain = planned(model, catalog, Goal((), THERE, "tray", True, (Deed("create", "tray"),)))
    named = planned(model, catalog, Goal((given,), THERE, "tray", True, (Deed("create", "tray", (0,)),)))
    assert (plain.key, plain.arguments) == (box_key("POST", TRAYS), {})
    assert (named.key, named.arguments) == (box_key("PUT", TRAY), {"path:id": "docrev-x-1"})


def test_what_nothing_was_made_to_hold_is_not_created(model: OfflineModel, catalog: Catalog) -> None:
    plan = planned(model, catalog, Goal((), THERE, "box", True, (Deed("create", "box"),)))
    assert plan.final
    assert plan.answer is None
