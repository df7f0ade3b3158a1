"""What can be created and seen again, and the values that are written."""

from __future__ import annotations

import pytest
from plannerkit import BOXES, SEEN_BOXES, TRAY, TRAY_BOXES, TRAYS, box_call, box_key, knowledge_of

from docrev.language.path_templates import shape_of
from docrev.planner.knowledge import Knowledge
from docrev.planner.resources import Resource, Resources
from docrev.planner.write_scenarios import WriteValues
from docrev.records import Call, Given


def boxes(*calls: Call) -> Knowledge:
    return knowledge_of(calls or SEEN_BOXES, BOXES, "boxes")


def resource(knowledge: Knowledge, method: str, path: str) -> Resource | None:
    return Resources(knowledge).of(knowledge.views[box_key(method, path)])


def test_the_operations_on_an_item_and_its_list_are_one_resource() -> None:
    knowledge = boxes()
    tray = resource(knowledge, "GET", TRAYS)
    assert tray is not None
    parts = {"poster": tray.poster, "putter": tray.putter, "changer": tray.changer, "deleter": tray.deleter}
    parts |= {"reader": tray.reader, "lister": tray.lister, "clearer": tray.clearer}
    assert {name: view and view.key.operation for name, view in parts.items()} == {
        "poster": "POST /trays",
        "putter": "PUT /trays/{id}",
        "changer": "PUT /trays/{id}",
        "deleter": "DELETE /trays/{id}",
        "reader": "GET /trays/{id}",
        "lister": "GET /trays",
        "clearer": None,
    }
    assert (tray.noun, tray.ancestors) == ("tray", [])


def test_what_lies_in_an_item_has_it_as_its_parent() -> None:
    box = resource(boxes(), "GET", TRAY_BOXES)
    assert box is not None
    assert (box.noun, [ancestor.noun for ancestor in box.ancestors]) == ("box", ["tray"])


@pytest.mark.parametrize(
    "calls",
    [
        [box_call("GET", TRAYS, [])],
        [box_call("POST", TRAYS, {"id": "a1"}, 201, body={})],
        [box_call("POST", TRAYS, None, 500, body={}), box_call("GET", TRAYS, [])],
    ],
)
def test_what_was_not_created_or_not_seen_again_is_no_resource(calls: list[Call]) -> None:
    assert resource(boxes(*calls), "GET", TRAYS) is None


@pytest.mark.parametrize(
    ("path", "expected"), [("/buckets/{id}", "/buckets/{}"), ("/buckets/{bucket_id}/", "/buckets/{}"), ("/", "")]
)
def test_the_shape_of_a_path_leaves_names_out(path: str, expected: str) -> None:
    assert shape_of(path) == expected


def test_what_an_item_is_called_is_a_new_name_of_the_runs_own_each_time() -> None:
    knowledge = boxes()
    values = WriteValues(knowledge, seed=0)
    post = knowledge.views[box_key("POST", TRAY_BOXES)]
    givens = [values.body_givens(post, rich=True) for _ in range(2)]
    texts = ["docrev-00000000-a1", "docrev-00000000-a2"]
    assert givens == [[Given("title", text, "box", "body:/data/title")] for text in texts]


def test_a_body_without_texts_has_nothing_to_give() -> None:
    knowledge = boxes()
    values = WriteValues(knowledge, seed=0)
    assert values.body_givens(knowledge.views[box_key("POST", TRAY_BOXES)], rich=False) == []
    assert values.body_givens(knowledge.views[box_key("POST", TRAYS)], rich=True) == []
    assert values.body_givens(boxes(box_call("GET", TRAYS, [])).views[box_key("POST", TRAYS)], rich=True) is None


def test_an_id_of_the_runs_own_says_so() -> None:
    knowledge = boxes()
    given = WriteValues(knowledge, seed=1).id_given(knowledge.views[box_key("PUT", TRAY)])
    assert given == Given("id", "docrev-00000000-a1", "tray", "path:id")


def test_numbers_stay_and_references_become_another_known_value() -> None:
    calls = [
        box_call("GET", TRAYS, [{"id": "a1", "colour": "red"}, {"id": "b2", "colour": "tan"}]),
        box_call("POST", TRAY_BOXES, {"id": "x"}, 201, tray_id="a1", body={"tray_id": "a1", "size": 4, "note": "hi"}),
    ]
    knowledge = boxes(*calls)
    values = WriteValues(knowledge, seed=0).body_givens(knowledge.views[box_key("POST", TRAY_BOXES)], rich=True)
    assert {given.label: given.value for given in values or ()} == {
        "tray_id": "b2",
        "note": "Paper lantern 2 docrev-00000000-a2",
    }


def test_a_name_that_was_accepted_in_another_form_keeps_it() -> None:
    body = {"title": "DOCREV_00000000_3", "note": "docrev", "tray_id": "docrev-00000000-1"}
    calls = [box_call("POST", TRAY_BOXES, {"id": "x"}, 201, tray_id="a1", body=body)]
    knowledge = boxes(*calls)
    values = WriteValues(knowledge, seed=0).body_givens(knowledge.views[box_key("POST", TRAY_BOXES)], rich=True)
    given = {given.label: given.value for given in values or ()}
    assert (given["title"], given["note"]) == ("DOCREV_00000000_a1", "Paper lantern 2")
