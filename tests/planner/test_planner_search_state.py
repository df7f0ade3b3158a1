"""States of a search: which items the givens point to, what is answered, and how deeds are counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from driving import called
from plannerkit import AUTHOR, AUTHORS, BOOKS, BOXES, STATUS, WORKS, history, knowledge_of, respond

from docrev.planner.knowledge import Knowledge
from docrev.planner.search_state import SearchState, SearchStates, advance, answer_of, belongs_to
from docrev.prompts.steps import Invoke
from docrev.records import THERE, Call, Deed, Given, Goal, Json, OperationKey

NAME = Given("name", "Bo Finch", "author")
BIRTH = Goal((NAME,), "birth_year", "author")
WORKS_OF = Goal((NAME,), "title", "book", many=True)


def state_after(goal: Goal, *calls: Call, knowledge: Knowledge | None = None) -> SearchState:
    return SearchStates(knowledge or knowledge_of()).after(goal, history(*calls))


def names(state: SearchState) -> list[Json]:
    return [item.fields.get("name", item.fields.get("title")) for item in state.focus]


def test_a_name_narrows_a_list_to_its_item() -> None:
    state = state_after(BIRTH, respond(AUTHORS))
    assert (names(state), state.used_givens) == (["Bo Finch"], {0})
    assert answer_of(BIRTH, state) is None


def test_a_list_without_the_name_leads_nowhere() -> None:
    state = state_after(BIRTH, respond(AUTHORS, q="Ada"))
    assert (names(state), state.used_givens, state.items) == ([], frozenset(), ())


def test_the_wanted_field_of_the_item_is_the_answer() -> None:
    state = state_after(BIRTH, respond(AUTHORS, q="Bo Finch"), respond(AUTHOR, id=102))
    assert [item.fields["id"] for item in state.items] == [102, 102]
    assert answer_of(BIRTH, state) == 1902


def test_another_item_is_no_answer() -> None:
    state = state_after(BIRTH, respond(AUTHORS, q="Bo Finch"), respond(AUTHOR, id=101))
    assert answer_of(BIRTH, state) is None


def test_all_items_of_a_whole_list_are_an_answer() -> None:
    lists = {102: ["Hollow"], 101: []}
    for author, titles in lists.items():
        state = state_after(WORKS_OF, respond(AUTHORS), respond(WORKS, author_id=author))
        assert names(state) == titles
        assert answer_of(WORKS_OF, state) == (titles or None)


def test_a_page_of_a_list_is_no_answer() -> None:
    page = called(Invoke(WORKS, {"path:author_id": 102}), {"data": [{"title": "Hollow"}], "total": 2})
    assert answer_of(WORKS_OF, state_after(WORKS_OF, respond(AUTHORS), replace(page, id="page"))) is None


def test_a_failed_call_keeps_what_was_found_before() -> None:
    state = state_after(BIRTH, respond(AUTHORS), respond(AUTHOR, id=999))
    assert (state.focus, len(state.items), len(state.signatures)) == ((), 1, 2)


def test_a_sort_counts_at_its_own_location_only() -> None:
    goal = Goal((Given("sort", "page_count", "book", "query:sort"),), "title", "book")
    assert answer_of(goal, state_after(goal, respond(BOOKS, sort="page_count"))) == "Sparks"
    assert answer_of(goal, state_after(goal, respond(BOOKS))) is None


def test_without_givens_the_wanted_kind_is_enough() -> None:
    goal = Goal((), "healthy", "status")
    assert answer_of(goal, state_after(goal, respond(STATUS))) is True


@pytest.mark.parametrize(("noun", "expected"), [("author", True), ("book", True), ("", True), ("shelf", False)])
def test_a_given_belongs_to_an_operation_by_its_noun(noun: str, expected: bool) -> None:
    assert belongs_to(Given("sort", "x", noun, "query:sort"), "book", WORKS) is expected


LIST, POST = OperationKey("boxes", "GET /trays"), OperationKey("boxes", "POST /trays")
GET, DELETE = OperationKey("boxes", "GET /trays/{id}"), OperationKey("boxes", "DELETE /trays/{id}")
CREATED = called(Invoke(POST, {"body:": {}}), {"id": "a1"}, 201)
SEEN: list[tuple[bool, OperationKey, dict[str, Json], Json, int, bool | None]] = [
    (True, LIST, {}, [{"id": "a1"}], 200, True),
    (True, LIST, {}, [{"id": "b2"}], 200, False),
    (True, LIST, {}, {"data": [{"id": "b2"}], "total": 5}, 200, None),
    (True, LIST, {}, None, 500, None),
    (True, GET, {"path:id": "a1"}, {"id": "a1"}, 200, None),
    (False, GET, {"path:id": "a1"}, {"id": "a1"}, 200, True),
    (False, GET, {"path:id": "a1"}, None, 404, False),
    (False, GET, {"path:id": "a1"}, None, 500, None),
    (False, GET, {"path:id": "zz"}, None, 404, None),
]


@pytest.mark.parametrize(("many", "key", "arguments", "body", "status", "expected"), SEEN)
def test_whether_what_was_created_is_there(
    many: bool, key: OperationKey, arguments: dict[str, Json], body: Json, status: int, expected: bool | None
) -> None:
    goal = Goal((), THERE, "tray", many, (Deed("create", "tray"),))
    knowledge = knowledge_of([], BOXES, "boxes")
    state = state_after(goal, CREATED, called(Invoke(key, arguments), body, status), knowledge=knowledge)
    assert state.deeds_done == 1
    assert answer_of(goal, state) is expected


def test_a_deed_without_a_response_leaves_the_path_arguments() -> None:
    goal = Goal((Given("id", "x1", "tray", "path:id"),), THERE, "tray", deeds=(Deed("change", "tray", (0,)),))
    call = called(Invoke(OperationKey("boxes", "DELETE /trays/{id}"), {"path:id": "x1"}), None, 204)
    state = advance(knowledge_of([], BOXES, "boxes"), goal, SearchState(), call)
    assert (state.deeds_done, state.used_givens, state.items[0].fields) == (1, {0}, {"id": "x1"})
