"""Paths with values: exact goals, which items a path starts with, and what is asked for."""

from __future__ import annotations

from dataclasses import replace

from driving import called
from plannerkit import AUTHOR, AUTHORS, BOOK, BOOKS, EVIDENCE, WORKS, knowledge_of, respond

from docrev.planner.filled_paths import FilledPath, PathFiller
from docrev.planner.knowledge import Knowledge
from docrev.planner.operation_paths import Hop, OperationPath, PathStart, path_starts
from docrev.planner.starting_items import rotate
from docrev.prompts.steps import Invoke
from docrev.records import Call, Given, Goal, OperationKey

BY_NAME = PathStart(AUTHORS, "name", "name", "query:q")
TO_AUTHOR, TO_WORKS = Hop(AUTHOR, "id", "path:id"), Hop(WORKS, "id", "path:author_id")
STATUS = OperationKey("library", "GET /status")


def filled(path: OperationPath, turn: int = 0, *more: Call, knowledge: Knowledge | None = None) -> list[FilledPath]:
    return PathFiller(knowledge or knowledge_of([*EVIDENCE, *more]), seed=0).fill(path, turn)


def test_a_name_and_a_hop_ask_for_what_only_the_item_shows() -> None:
    (one,) = filled(OperationPath(BY_NAME, (TO_AUTHOR,)))
    assert one.goal == Goal((Given("name", "Ada Lark", "author"),), "birth_year", "author")
    assert one.is_known


def test_a_list_below_an_item_is_asked_for_as_a_whole() -> None:
    (one,) = filled(OperationPath(BY_NAME, (TO_WORKS,)))
    assert one.goal == Goal((Given("name", "Ada Lark", "author"),), "isbn", "book", many=True)


def test_a_path_goes_on_from_the_first_item_of_a_list() -> None:
    """ToolBFS+ §3.2: three operations, the second of which returns several things."""
    book = called(Invoke(BOOK, {"path:isbn": "9-01"}), {"isbn": "9-01", "title": "Tides", "language": "Danish"})
    known = knowledge_of([*(call for call in EVIDENCE if call.key != BOOK), book])
    (one,) = filled(OperationPath(BY_NAME, (TO_WORKS, Hop(BOOK, "isbn", "path:isbn"))), knowledge=known)
    assert one.firsts == {WORKS}
    assert one.goal == Goal((Given("name", "Ada Lark", "author"),), "language", "book")


def test_a_sorted_list_is_asked_for_its_first_item() -> None:
    start = next(s for s in path_starts(knowledge_of(), knowledge_of().views[BOOKS]) if s.kind == "selection")
    (one,) = filled(OperationPath(start))
    given = Given("sort", "page_count", "book", "query:sort")
    assert one.goal == Goal((given,), "isbn", "book")
    assert one.givens_of(BOOKS) == (given,)


def test_turns_start_with_other_items() -> None:
    names = [filled(OperationPath(BY_NAME), turn)[0].goal.givens[0].value for turn in (0, 1, 2, 3)]
    assert names == ["Ada Lark", "Di Crane", "Cy Wren", "Bo Finch"]


def test_a_call_that_was_not_made_yet_has_no_known_answer() -> None:
    others = [respond(AUTHOR, id=number) for number in (101, 102)]
    evidence = [respond(AUTHORS), *(replace(call, id=f"{call.id}{n}") for n in range(3) for call in others)]
    path = OperationPath(PathStart(AUTHORS, "name", "name"), (TO_AUTHOR,))
    (one,) = filled(path, 1, knowledge=knowledge_of(evidence))
    assert (one.goal.givens[0].value, one.goal.want, one.is_known) == ("Di Crane", "birth_year", False)


def test_a_name_that_two_items_share_is_not_given() -> None:
    people = [{"id": 1, "name": "Jo"}, {"id": 2, "name": "Jo"}, {"id": 3, "name": "Al"}]
    twins = called(Invoke(AUTHORS, {}), {"data": people})
    knowledge = knowledge_of([twins])
    found = [one for turn in range(4) for one in filled(OperationPath(BY_NAME), turn, knowledge=knowledge)]
    assert {one.goal.givens[0].value for one in found} == {"Al"}


def test_what_the_run_created_is_not_given() -> None:
    knowledge = knowledge_of()
    knowledge.created_ids.add("101")
    found = [one for turn in range(6) for one in filled(OperationPath(BY_NAME), turn, knowledge=knowledge)]
    assert len(found) >= 4
    assert "Ada Lark" not in {one.goal.givens[0].value for one in found}


def test_what_was_asked_for_is_asked_for_last() -> None:
    filler = PathFiller(knowledge_of(), seed=0)
    path = OperationPath(PathStart(BOOK, "code", "isbn", "path:isbn"))
    wants = []
    for _ in range(4):
        (one,) = filler.fill(path, 0)
        wants.append(one.goal.want)
        filler.count(one)
    assert wants == ["title", "genre", "page_count", "title"]


def test_what_changes_by_itself_is_not_asked_for() -> None:
    (one,) = filled(OperationPath(PathStart(STATUS, "arguments")), 0, respond(STATUS))
    assert one.goal == Goal((), "healthy", "status")


def test_rotation_begins_anywhere() -> None:
    assert [rotate("abc", start) for start in (0, 1, 5)] == [list("abc"), list("bca"), list("cab")]
    assert rotate((), 3) == []
