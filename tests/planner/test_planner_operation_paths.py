"""Paths through operations that calls have shown to work: their starts, their hops, and the calls that made a hop."""

from __future__ import annotations

import pytest
from driving import called
from plannerkit import AUTHOR, AUTHORS, BOOK, BOOKS, EVIDENCE, LIBRARY, WORKS, knowledge_of, respond

from docrev.planner.operation_paths import (
    Hop,
    OperationPaths,
    PathStart,
    argument_noun,
    carried_location,
    find_hop_call,
    find_hops,
    labels,
    path_starts,
)
from docrev.prompts.steps import Invoke
from docrev.records import Json, OperationKey

BY_NAME = PathStart(AUTHORS, "name", "name", "query:q")
BY_ID = PathStart(AUTHOR, "code", "id", "path:id")
TO_AUTHOR, TO_WORKS = Hop(AUTHOR, "id", "path:id"), Hop(WORKS, "id", "path:author_id")


def test_an_operation_starts_paths_by_name_by_code_and_by_selection() -> None:
    views = knowledge_of().views
    knowledge = knowledge_of()
    assert list(path_starts(knowledge, views[AUTHORS])) == [BY_NAME]
    assert list(path_starts(knowledge, views[AUTHOR])) == [BY_ID]
    starts = list(path_starts(knowledge, views[BOOKS]))
    assert [(start.kind, start.label, start.location) for start in starts] == [
        ("name", "title", ""),
        ("name", "isbn", ""),
        ("selection", "", ""),
    ]
    selection = starts[-1].selection
    assert selection is not None
    assert (selection.arguments, selection.order) == ((("query:sort", "page_count"),), "page_count")


def test_an_operation_that_returns_one_thing_starts_a_path_without_arguments() -> None:
    status = OperationKey("library", "GET /status")
    knowledge = knowledge_of([*EVIDENCE, respond(status)])
    assert list(path_starts(knowledge, knowledge.views[status])) == [PathStart(status, "arguments")]


def test_an_operation_that_only_failed_starts_no_path() -> None:
    knowledge = knowledge_of([respond(AUTHOR, id=9)])
    assert list(path_starts(knowledge, knowledge.views[AUTHOR])) == []


def test_items_are_called_by_name_first_then_by_code() -> None:
    views = knowledge_of().views
    assert {key: labels(views[key]) for key in (AUTHORS, BOOKS)} == {AUTHORS: ["name"], BOOKS: ["title", "isbn"]}


def test_hops_lead_where_a_field_was_accepted() -> None:
    knowledge = knowledge_of()
    assert find_hops(knowledge, knowledge.views[AUTHORS]) == [TO_AUTHOR, TO_WORKS]
    assert find_hops(knowledge, knowledge.views[BOOK]) == [Hop(AUTHOR, "author_id", "path:id")]
    assert find_hops(knowledge_of(EVIDENCE[:2]), knowledge.views[AUTHORS]) == []


def test_paths_through_an_operation_have_at_most_three_hops_and_no_operation_twice() -> None:
    """ToolBFS+ §3.2: scenarios have two to four operations."""
    paths = OperationPaths(knowledge_of()).through(WORKS)
    to_book = Hop(BOOK, "isbn", "path:isbn")
    assert [(path.start, path.hops) for path in paths[:4]] == [
        (BY_NAME, (TO_AUTHOR, TO_WORKS)),
        (BY_NAME, (TO_AUTHOR, TO_WORKS, to_book)),
        (BY_NAME, (TO_WORKS,)),
        (BY_NAME, (TO_WORKS, to_book)),
    ]
    assert len(paths) > 3
    assert all(len(path.hops) <= 3 and len(set(path.keys)) == len(path.hops) + 1 for path in paths)


@pytest.mark.parametrize(
    ("key", "location", "noun"), [(WORKS, "path:author_id", "author"), (BOOKS, "query:genre", "book")]
)
def test_what_an_argument_names(key: OperationKey, location: str, noun: str) -> None:
    knowledge = knowledge_of()
    assert argument_noun(knowledge, knowledge.views[key], location) == noun


CARRIED = {
    ("/a/{x}/b", "/a/{y}/b/{z}", "path:y"): "path:x",
    ("/a/{x}/b", "/a/{y}/b/{z}", "path:z"): None,
    ("/a/{x}", "/a/{x}/b", "path:x"): None,
    ("/a/{x}/b", "/c/{x}/b/{z}", "path:x"): None,
    ("/a/{x}/b", "/a/{x}/b/{z}", "query:x"): None,
}


@pytest.mark.parametrize("case", CARRIED)
def test_a_path_argument_of_one_call_is_carried_to_the_next(case: tuple[str, str, str]) -> None:
    assert carried_location(*case) == CARRIED[case]


def test_the_call_of_a_hop_is_found_by_its_value() -> None:
    works = knowledge_of().views[WORKS]
    call = find_hop_call(works, TO_WORKS, "102")
    assert call is not None
    assert call.arguments == {"path:author_id": 102}
    assert find_hop_call(works, TO_WORKS, 104) is None


@pytest.mark.parametrize(("number", "leads"), [(2, True), ("s-2", False), (836805, False)])
def test_a_part_of_a_thing_is_reached_by_its_number(number: Json, leads: bool) -> None:
    """ToolBFS+ §3.2: the thing is looked up by its name, and the text gives what is no ID."""
    volume = OperationKey("library", "GET /authors/{author_id}/volumes/{volume_number}")
    made = called(
        Invoke(volume, {"path:author_id": 101, "path:volume_number": number}), {"title": "Tides", "pages": 310}
    )
    paths = """  /authors/{author_id}/volumes/{volume_number}:
    get:
      parameters:
        - {name: author_id, in: path, required: true, schema: {type: integer}}
        - {name: volume_number, in: path, required: true, schema: {}}
      responses: {200: {description: ok}}
"""
    knowledge = knowledge_of([*EVIDENCE, made], text=LIBRARY + paths)
    hops = [hop for hop in find_hops(knowledge, knowledge.views[AUTHORS]) if hop.key == volume]
    assert hops == ([Hop(volume, "id", "path:author_id", ("path:volume_number",))] if leads else [])
    if leads:
        call = find_hop_call(knowledge.views[volume], hops[0], 101, ("/authors", {"query:q": "Ada"}))
        assert call is not None
        assert call.arguments["path:volume_number"] == 2
