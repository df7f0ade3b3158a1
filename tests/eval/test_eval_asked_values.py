"""What a task asks for, and when the rules take an answer for it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docrev.eval.tooleval.asked_values import fits_kind, read_task
from docrev.eval.tooleval.rules import judged
from docrev.prompts.agents import Past
from docrev.prompts.judging import JudgeStatus


def past(action: str, arguments: dict[str, Any], body: Any, outcome: Any = "answered") -> Past:
    return Past(thought="", action=action, arguments=arguments, observation=json.dumps(body), outcome=outcome)


def status(task: str, answer: Any, *history: Past) -> str:
    return judged(JudgeStatus(task=task, answer=answer, history=history)).status


def test_a_task_is_read_into_a_kind_and_conditions() -> None:
    asked = read_task('In Shop, how many "red hats" did Kemal buy in 2024 with GET /orders?', ("shop",))
    assert (asked.kind, asked.names, asked.compares) == ("number", ("red hats", "kemal", "2024"), False)
    assert read_task("Which shops have the ISO code of Peru?").qualifier == "ISO"
    assert read_task("Is Lima larger than Cusco?").kind == "yes-no"
    assert read_task("Which is the northernmost town?").compares
    assert not read_task("Which guest is from the west?").compares


PERU = past("shop GET /places", {"query:q": "Peru"}, {"items": [{"id": 7, "name": "Peru", "capital": "Lima"}]})
LIST = past("shop GET /places", {}, {"total": 249, "items": [{"name": "Peru", "region": "South"}, {"name": "Fiji"}]})


@pytest.mark.parametrize(
    ("task", "answer", "history", "expected"),
    [
        ("What is the capital of Peru?", "Lima", [PERU], "solved"),
        # The task's own words are no answer.
        ("Which towns are in Peru?", "Peru", [PERU], "unsolved"),
        # A number is asked for, and a name or an ID answers.
        ("How many towns has Peru?", "Lima", [PERU], "unsolved"),
        ("How many towns has Peru?", 7, [PERU], "unsolved"),
        # A part of the answer is in no response.
        ("Which towns are in Peru?", ["Lima", "Cusco"], [PERU], "unsolved"),
        # The call that gives the number has nothing to do with the condition.
        ("How many places are in the South?", 249, [LIST], "unsure"),
        # Each value of a list must have what is asked for, not one of them.
        ("Which places are in the South?", ["Peru", "Fiji"], [LIST], "unsure"),
        ("Which places are in the South?", ["Peru"], [LIST], "solved"),
        ("What is the IATA code of Peru?", "7", [PERU], "unsolved"),
        # Nothing was sorted.
        ("What is the largest town of Peru?", "Lima", [PERU], "unsure"),
    ],
)
def test_what_lacks_an_asked_value_does_not_pass(task: str, answer: Any, history: list[Past], expected: str) -> None:
    assert status(task, answer, *history) == expected


def test_rules_do_not_see_what_is_there_after_a_change() -> None:
    made = past("shop POST /lists", {"body:": {"name": "Old"}}, {"id": 1})
    failed = past("shop POST /lists", {"body:": {"name": "Old"}}, {}, "failed")
    assert status('Create the list "Old".', "Done.", made) == "unsure"
    assert status('Create the list "New".', "Done.", made) == "unsolved"
    assert status('Create the list "Old".', "Done.", failed) == "unsolved"
    assert status('Create "Old" and remove it with DELETE /lists/{id}.', "Done.", made) == "unsolved"


def test_what_asks_for_one_thing_is_not_answered_by_a_list() -> None:
    one, two = (read_task(f"What is the highest tower of Ghent{end}?") for end in ("", ", and how many steps has it"))
    assert (one.is_one, two.is_one) == (True, False)
    assert not fits_kind(one, ["Belfry", "Boekentoren"], [])
    assert fits_kind(one, ["Belfry"], [])


def test_degrees_south_and_west_are_negative_in_a_story_too() -> None:
    assert read_task("I am at 33.5 degrees south and 70° E. Which city is near?").names == ("-33.5", "70")
    assert read_task("What lies 10 kilometres south of Rome?").names == ("10", "rome")
