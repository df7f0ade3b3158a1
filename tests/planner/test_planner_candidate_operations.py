"""What an operation can be called with, seen from a goal: at the start, after an item was found, and with filters."""

from __future__ import annotations

from plannerkit import AUTHOR, AUTHORS, BOOK, BOOKS, EVIDENCE, STATUS, WORKS, history, knowledge_of, respond

from docrev.planner.candidate_operations import candidate_operations
from docrev.planner.search_state import SearchStates, kinds_of
from docrev.records import Call, Given, Goal, Json, OperationKey

NAME = Given("name", "Bo Finch", "author")
BIRTH = Goal((NAME,), "birth_year", "author")
TITLES = Goal((NAME,), "title", "book", many=True)


def calls_of(goal: Goal, *before: Call) -> dict[OperationKey, dict[str, Json]]:
    """The arguments with which each operation can be called after some calls; those that cannot are left out."""
    knowledge = knowledge_of()
    state = SearchStates(knowledge).after(goal, history(*before))
    bound = {
        key: candidate.bind(state, kinds_of(state)) for key, candidate in candidate_operations(knowledge, goal).items()
    }
    return {
        key: {binding.location: binding.value for binding in bindings}
        for key, bindings in bound.items()
        if bindings is not None
    }


def test_at_the_start_a_name_is_searched_for() -> None:
    assert calls_of(BIRTH) == {AUTHORS: {"query:q": "Bo Finch"}}


def test_without_a_search_everything_is_listed() -> None:
    title = Goal((Given("title", "Hollow", "book"),), "page_count", "book")
    assert calls_of(title)[BOOKS] == {}


def test_an_item_leads_on_by_its_id() -> None:
    after = calls_of(TITLES, respond(AUTHORS, q="Bo Finch"))
    assert (after[AUTHOR], after[WORKS]) == ({"path:id": 102}, {"path:author_id": 102})
    assert BOOK not in after


def test_arguments_of_the_text_are_sent_together() -> None:
    chosen = (
        Given("genre", "novel", "book", "query:genre"),
        Given("sort", "page_count", "book", "query:sort"),
    )
    goal = Goal(chosen, "title", "book")
    assert calls_of(goal)[BOOKS] == {"query:genre": "novel", "query:sort": "page_count"}


def test_an_undocumented_parameter_that_was_accepted_can_be_given() -> None:
    knowledge = knowledge_of([*EVIDENCE, respond(AUTHORS, era="old")])
    goal = Goal((Given("era", "old", "author", "query:era"),), "name", "author")
    state = SearchStates(knowledge).after(goal, ())
    bindings = candidate_operations(knowledge, goal)[AUTHORS].bind(state, kinds_of(state))
    assert [(binding.location, binding.given) for binding in bindings or ()] == [("query:era", 0)]


def test_nothing_given_lists_what_is_wanted() -> None:
    assert calls_of(Goal((), "healthy", "status")) == {STATUS: {}}


def test_the_nearer_operation_has_the_higher_score() -> None:
    knowledge = knowledge_of()
    scores = {key: one.score([]) for key, one in candidate_operations(knowledge, BIRTH).items()}
    assert scores[AUTHOR] > scores[AUTHORS] > scores[STATUS]
