"""Values for arguments: which slot takes which given, which field of an item, and what a deed sends."""

from __future__ import annotations

import pytest
from driving import called
from plannerkit import AUTHOR, AUTHORS, BOOK, BOOKS, BOXES, WORKS, knowledge_of, respond

from docrev.planner.bindings import bind_deed, bind_givens, bind_item_field, fit, is_search
from docrev.planner.knowledge import Knowledge
from docrev.planner.search_state import SearchState
from docrev.prompts.steps import Invoke
from docrev.records import Deed, Given, Goal, OperationKey

AUTHOR_NAME = Given("name", "Bo Finch", "author")
FITS = [
    (AUTHOR_NAME, AUTHORS, "query:q", 1.0),
    (Given("title", "Tides", "book"), AUTHORS, "query:q", 0.45),
    (Given("isbn", "9-01", "book"), BOOK, "path:isbn", 1.0),
    (AUTHOR_NAME, AUTHOR, "path:id", 0.0),
    (Given("genre", "novel", "book"), BOOKS, "query:genre", 1.0),
    (Given("genre", "novel", "shelf"), BOOKS, "query:genre", 0.4),
    (AUTHOR_NAME, BOOKS, "query:genre", 0.0),
]


@pytest.mark.parametrize(("given", "key", "location", "score"), FITS)
def test_how_well_a_given_fits_a_slot(given: Given, key: OperationKey, location: str, score: float) -> None:
    knowledge = knowledge_of()
    view = knowledge.views[key]
    assert fit(knowledge, given, view, view.slots[location]) == score


@pytest.mark.parametrize(
    ("location", "expected"),
    [("query:q", True), ("query:author_name", True), ("query:filter", True), ("query:title", False), ("path:q", False)],
)
def test_what_searches(location: str, expected: bool) -> None:
    assert is_search(location) is expected


def test_a_located_given_is_for_its_own_operation_alone() -> None:
    knowledge = knowledge_of()
    books, slot = knowledge.views[BOOKS], knowledge.views[BOOKS].slots["query:sort"]
    own, other = (Given("sort", "page_count", noun, "query:sort") for noun in ("book", "author"))
    bindings = bind_givens(knowledge, Goal((own, other), "title", "book"), books, slot)
    assert [(binding.value, binding.score, binding.given) for binding in bindings] == [("page_count", 1.0, 0)]


def test_a_word_is_not_sent_where_a_number_is_documented() -> None:
    knowledge = knowledge_of()
    view = knowledge.views[AUTHOR]
    goals = [Goal((Given("id", value, "author"),), "name", "author") for value in ("Bo", "102")]
    assert [len(bind_givens(knowledge, goal, view, view.slots["path:id"])) for goal in goals] == [0, 1]


def found(knowledge: Knowledge, *names: str) -> SearchState:
    items = [item for name in names for item in knowledge.response(respond(AUTHORS, q=name)).items]
    return SearchState(items=tuple(item._replace(noun="author") for item in items))


def test_the_field_of_an_item_that_an_edge_names_is_sent() -> None:
    knowledge = knowledge_of()
    works = knowledge.views[WORKS]
    state = found(knowledge, "Bo Finch", "Ada Lark")
    binding = bind_item_field(knowledge, state, works, works.slots["path:author_id"])
    assert binding is not None
    assert (binding.value, binding.item) == (102, state.items[0])
    assert bind_item_field(knowledge, state, works, works.slots["path:author_id"], except_noun="author") is None
    assert bind_item_field(knowledge, SearchState(), works, works.slots["path:author_id"]) is None


POST, PUT, DELETE = (OperationKey("boxes", name) for name in ("POST /trays", "PUT /trays/{id}", "DELETE /trays/{id}"))


def sent(key: OperationKey, goal: Goal, state: SearchState | None = None) -> dict[str, object] | None:
    knowledge = knowledge_of([called(Invoke(POST, {"body:": {}}), {"id": "a1"}, 201)], BOXES, "boxes")
    bindings = bind_deed(knowledge, goal, state or SearchState(), knowledge.views[key])
    return None if bindings is None else {binding.location: binding.value for binding in bindings}


def test_an_item_is_created_by_post_or_under_an_id_from_the_text() -> None:
    plain = Goal((), "there", "tray", deeds=(Deed("create", "tray"),))
    named = Goal((Given("id", "x1", "tray", "path:id"),), "there", "tray", deeds=(Deed("create", "tray", (0,)),))
    assert [sent(key, plain) for key in (POST, PUT, DELETE)] == [{}, None, None]
    assert [sent(key, named) for key in (POST, PUT, DELETE)] == [None, {"path:id": "x1"}, None]


def test_what_was_created_is_deleted_by_its_id() -> None:
    goal = Goal((), "there", "tray", deeds=(Deed("delete", "tray"),))
    knowledge = knowledge_of([], BOXES, "boxes")
    (item,) = knowledge.response(called(Invoke(POST, {}), {"id": "a7"}, 201)).items
    state = SearchState(items=(item._replace(noun="tray"),))
    assert sent(DELETE, goal, state) == {"path:id": "a7"}
    assert sent(DELETE, goal) is None
