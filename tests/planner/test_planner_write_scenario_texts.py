"""The texts of scenarios that write, word for word, by recipe."""

from __future__ import annotations

import pytest
from plannerkit import BOXES, SEEN_BOXES, TRAY, TRAY_BOXES, TRAYS, box_call, box_key, knowledge_of

from docrev.planner.write_scenario_texts import write_scenario_text
from docrev.planner.write_scenarios import WriteScenarios
from docrev.records import Call


def texts(method: str, path: str, *more: Call) -> list[str]:
    knowledge = knowledge_of([*SEEN_BOXES, *more], BOXES, "boxes")
    scenarios = WriteScenarios(knowledge, seed=0).around(knowledge.views[box_key(method, path)], turn=0)
    return [write_scenario_text(scenario) for scenario in scenarios]


TEXTS = {
    ("GET", TRAYS): ["Create a tray. Is the tray in the list of trays?"],
    ("POST", TRAYS): [
        "Create a tray. What colour does the tray have?",
        "Create a tray. Is the tray in the list of trays?",
    ],
    ("DELETE", TRAY): [
        "Create a tray. Then delete it. Is the tray still in the list of trays?",
        "Create a tray. Then delete it. Is it still there?",
    ],
    ("GET", TRAY_BOXES): [
        'Create a tray, in it a box with the title "docrev-00000000-a1",'
        ' and another box with the title "docrev-00000000-a2".'
        " What are the titles of the boxes in the tray?",
        'Create a tray, and in it a box with the title "docrev-00000000-a3". Is the box in the tray\'s list of boxes?',
    ],
    ("DELETE", TRAY_BOXES): [
        'Create a tray, and in it a box with the title "docrev-00000000-a1". Then delete all boxes in the tray.'
        " Is the box still in the tray's list of boxes?",
    ],
}


@pytest.mark.parametrize("operation", TEXTS)
def test_the_texts_around_an_operation(operation: tuple[str, str]) -> None:
    assert texts(*operation) == TEXTS[operation]


def test_a_put_gives_an_id_and_a_new_text_of_the_runs_own() -> None:
    body = {"data": {"title": "old", "weight": 3}}
    response = {"data": {"id": "docrev-t", "title": "old", "weight": 3}}
    changed = box_call("PUT", TRAY, response, 200, id="docrev-t", body=body)
    assert texts("PUT", TRAY, changed)[0] == (
        'Create the tray "docrev-00000000-a1" with the title "docrev-00000000-a2". What colour does the tray have?'
    )


def test_the_goal_has_the_deeds_in_order_with_their_givens() -> None:
    knowledge = knowledge_of(SEEN_BOXES, BOXES, "boxes")
    view = knowledge.views[box_key("GET", TRAY_BOXES)]
    scenario = next(WriteScenarios(knowledge, seed=0).around(view, turn=0))
    assert [(deed.verb, deed.noun, deed.givens) for deed in scenario.goal.deeds] == [
        ("create", "tray", ()),
        ("create", "box", (0,)),
        ("create", "box", (1,)),
    ]
    assert (scenario.goal.want, scenario.goal.noun, scenario.goal.many) == ("title", "box", True)
    assert scenario.operations == tuple(
        box_key(*name) for name in (("POST", TRAYS), ("POST", TRAY_BOXES), ("GET", TRAY_BOXES))
    )
