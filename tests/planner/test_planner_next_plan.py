"""The next plan: exact operations, arguments and thoughts, and siblings that differ."""

from __future__ import annotations

import pytest
from plannerkit import AUTHOR, AUTHORS, BOOK, BOOKS, WORKS, catalog_of, history, knowledge_of, respond
from plannerkit import LIBRARY as SPEC

from docrev.planner.next_plan import Planner
from docrev.planner.search_state import SearchStates
from docrev.prompts.briefs import briefs
from docrev.prompts.questions import NextPlan
from docrev.records import Call, Given, Goal, Json, OperationKey, Plan, Scenario

NAME = Given("name", "Bo Finch", "author")
BIRTH = Goal((NAME,), "birth_year", "author")
TITLES = Goal((NAME,), "title", "book", many=True)
LONGEST = Goal((Given("sort", "-page_count", "book", "query:sort"),), "title", "book")
NOVEL = Goal((Given("genre", "novel", "book", "query:genre"), LONGEST.givens[0]), "title", "book")


def plans(goal: Goal | None, *calls: Call, count: int = 1) -> list[Plan]:
    knowledge = knowledge_of()
    planner = Planner(knowledge, SearchStates(knowledge))
    found: list[Plan] = []
    for _ in range(count):
        prompt = NextPlan(
            scenario=Scenario("s001", "A text.", (), goal),
            operations=briefs(catalog_of(SPEC)),
            history=history(*calls),
            siblings=tuple(found),
        )
        found.append(planner.next(prompt))
    return found


STEPS: list[tuple[Goal, tuple[Call, ...], OperationKey, dict[str, Json], str]] = [
    (BIRTH, (), AUTHORS, {"query:q": "Bo Finch"}, "Look for the author with name Bo Finch."),
    (BIRTH, (respond(AUTHORS),), AUTHOR, {"path:id": 102}, "Get the birth year of the author found."),
    (TITLES, (respond(AUTHORS),), WORKS, {"path:author_id": 102}, "Get the books of the author found."),
    (LONGEST, (), BOOKS, {"query:sort": "-page_count"}, "List the books sorted by number of pages."),
    (
        NOVEL,
        (),
        BOOKS,
        {"query:genre": "novel", "query:sort": "-page_count"},
        "Look for the book with genre novel, sorted by number of pages.",
    ),
    (
        Goal((Given("title", "Hollow", "book"),), "author_id", "book"),
        (respond(BOOKS),),
        BOOK,
        {"path:isbn": "9-03"},
        "Get the author id of the book found.",
    ),
]


@pytest.mark.parametrize("step", STEPS)
def test_the_next_call(step: tuple[Goal, tuple[Call, ...], OperationKey, dict[str, Json], str]) -> None:
    goal, calls, key, arguments, thought = step
    assert plans(goal, *calls) == [Plan(thought, key, arguments)]


def test_what_is_known_is_answered_once() -> None:
    found = plans(BIRTH, respond(AUTHORS), respond(AUTHOR, id=102), count=2)
    assert found[0] == Plan("The birth year is known now.", answer=1902)
    assert found[1].answer is None


def test_siblings_call_other_operations_until_nothing_is_left() -> None:
    found = plans(TITLES, respond(AUTHORS, q="Bo Finch"), count=4)
    assert [plan.key for plan in found[:2]] == [WORKS, AUTHOR]
    assert found[-1] == Plan("Nothing that is known leads further.")


def test_without_a_goal_there_is_no_plan() -> None:
    assert plans(None) == [Plan("The scenario does not say what is given and what is wanted.")]
