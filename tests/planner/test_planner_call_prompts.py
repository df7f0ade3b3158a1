"""The two steps around a call: request bodies put together, and responses in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plannerkit import (
    AUTHOR,
    AUTHORS,
    BOOKS,
    BOXES,
    EVIDENCE,
    SEEN_BOXES,
    TRAY_BOXES,
    TRAYS,
    box_call,
    box_key,
    catalog_of,
    knowledge_of,
    respond,
)

from docrev.planner.call_prompts import construct_call, summarise_response
from docrev.prompts.briefs import brief
from docrev.prompts.questions import ConstructCall, ParseResponse
from docrev.records import Call, Given, Goal, Json, Plan, Scenario


def constructed(path: str, planned: dict[str, Json], goal: Goal | None = None, seen: tuple[Call, ...] = ()) -> Json:
    key = box_key("POST", path)
    prompt = ConstructCall(
        scenario=Scenario("s001", "A text.", (), goal),
        operation=brief(catalog_of(BOXES, "boxes")[key]),
        plan=Plan("", key, planned),
        history=(),
    )
    return construct_call(knowledge_of(seen, BOXES, "boxes"), prompt).arguments


def test_parts_of_a_body_are_put_together() -> None:
    planned = {"path:tray_id": "a1", "body:/data/title": "new", "body:/data/size/cm": 4}
    body = {"data": {"title": "new", "size": {"cm": 4}}}
    assert constructed(TRAY_BOXES, planned) == {"path:tray_id": "a1", "body:": body}


def test_without_parts_the_body_has_the_shape_of_an_accepted_one() -> None:
    assert constructed(TRAY_BOXES, {"path:tray_id": "a1"}, seen=SEEN_BOXES)["body:"] == {"data": {}}
    assert constructed(TRAYS, {}) == {"body:": {}}


def test_a_body_that_is_given_whole_is_sent_whole() -> None:
    bodies = tuple(Given("", {"data": noun}, noun, "body:") for noun in ("box", "tray"))
    assert constructed(TRAYS, {}, Goal(bodies, "there", "tray")) == {"body:": {"data": "tray"}}
    assert constructed(TRAYS, {}, Goal(bodies[:1], "there", "tray")) == {"body:": {"data": "box"}}


SENTENCES = [
    (respond(AUTHORS), "GET /authors returned 4 authors."),
    (respond(AUTHORS, q="Zoe"), "GET /authors returned no author."),
    (respond(AUTHOR, id=101), "GET /authors/{id} returned the author: id, name, birth_year."),
    (respond(BOOKS, genre="poetry"), "GET /books returned the book: isbn, title, genre, page_count."),
    (respond(AUTHOR, id=999), "GET /authors/{id} returned 404."),
    (replace(respond(AUTHOR, id=1), status=None, error="timeout"), "GET /authors/{id} failed (timeout)."),
]


@pytest.mark.parametrize(("call", "text"), SENTENCES)
def test_a_response_in_a_sentence(call: Call, text: str) -> None:
    prompt = ParseResponse(scenario=Scenario("s001", "", ()), plan=Plan("", call.key), call=call)
    assert summarise_response(knowledge_of(EVIDENCE), prompt).text == text


def test_an_unknown_operation_returns_items() -> None:
    call = box_call("GET", TRAYS, [{"id": 1}, {"id": 2}])
    prompt = ParseResponse(scenario=Scenario("s001", "", ()), plan=Plan("", call.key), call=call)
    assert summarise_response(knowledge_of(EVIDENCE), prompt).text == "GET /trays returned 2 items."
