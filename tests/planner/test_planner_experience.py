"""Experience: what a wrong branch lacked, and when two experiences are the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plannerkit import AUTHOR, AUTHORS, BOOK, BOOKS, WORKS, history, knowledge_of, respond

from docrev.planner.experience import ExperienceWriter
from docrev.planner.search_state import SearchStates
from docrev.prompts.questions import ExperienceDraft, SameExperience, SummariseExperience
from docrev.records import Call, Deed, Experience, Given, Goal, Scenario

NAME = Given("name", "Bo Finch", "author")
BIRTH = Goal((NAME,), "birth_year", "author")
SEARCHED = respond(AUTHORS, q="Bo Finch")


def summarise(right: Call, wrong: Call, *before: Call, goal: Goal | None = BIRTH) -> ExperienceDraft:
    knowledge = knowledge_of()
    writer = ExperienceWriter(knowledge, SearchStates(knowledge))
    nodes = history(*before)
    right_node, wrong_node = (history(*before, call)[-1] for call in (right, wrong))
    return writer.summarise(
        SummariseExperience(
            scenario=Scenario("s001", "A text.", (), goal),
            history=nodes,
            right=right_node,
            wrong=replace(wrong_node, id=f"{wrong_node.id}-wrong"),
        )
    )


def test_a_failed_call_is_experience() -> None:
    draft = summarise(respond(AUTHOR, id=102), respond(AUTHOR, id=999), SEARCHED)
    assert draft == ExperienceDraft(
        worth=True,
        known="The author, with its id and name.",
        right_plan="Thought 2. Use GET /authors/{id}.",
        wrong_plan="Thought 2. Use GET /authors/{id}.",
        why="GET /authors/{id} returned 404",
    )


def test_a_list_without_the_item_is_experience() -> None:
    draft = summarise(SEARCHED, respond(AUTHORS, q="Ada"))
    assert draft.known == 'The name of the author, "Bo Finch".'
    assert draft.why == "GET /authors did not return the author"


def test_an_empty_list_is_experience() -> None:
    assert summarise(SEARCHED, respond(AUTHORS, q="Zoe")).why == "GET /authors returned no author"


def test_an_operation_that_lacks_the_field_is_experience() -> None:
    goal = Goal((Given("title", "Hollow", "book"),), "author_id", "book")
    draft = summarise(respond(BOOK, isbn="9-03"), respond(BOOKS), respond(BOOKS), goal=goal)
    assert draft.why == "GET /books does not return the author id"


@pytest.mark.parametrize(
    ("goal", "right", "wrong"),
    [
        (None, respond(AUTHOR, id=102), respond(AUTHOR, id=999)),
        (BIRTH, respond(AUTHOR, id=999), respond(AUTHOR, id=998)),
        (BIRTH, respond(AUTHOR, id=102), replace(respond(AUTHOR, id=998), error="budget", status=None)),
        (BIRTH, respond(AUTHOR, id=102), respond(WORKS, author_id=102)),
        (replace(BIRTH, deeds=(Deed("delete", "author"),)), respond(AUTHOR, id=102), respond(AUTHOR, id=999)),
    ],
    ids=["no goal", "right failed", "not sent", "another kind", "deleted"],
)
def test_what_teaches_nothing(goal: Goal | None, right: Call, wrong: Call) -> None:
    assert summarise(right, wrong, SEARCHED, goal=goal) == ExperienceDraft(worth=False)


NEW = Experience(AUTHORS, "A text.", "", AUTHOR, "", WORKS, "", "it returned 404")


@pytest.mark.parametrize(
    ("known", "same"),
    [
        (NEW, True),
        (replace(NEW, why="another"), True),
        (replace(NEW, key=BOOKS), True),
        (replace(NEW, key=BOOKS, why="another"), False),
        (replace(NEW, wrong=BOOKS), False),
    ],
)
def test_the_same_choice_is_the_same_experience(known: Experience, same: bool) -> None:
    knowledge = knowledge_of([])
    writer = ExperienceWriter(knowledge, SearchStates(knowledge))
    assert writer.same(SameExperience(new=NEW, known=(known,))).same is same
