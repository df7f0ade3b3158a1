"""Whether an answer, a value or a sentence, says the truth; and what is there afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from driving import called, drive
from trajectories import did, task

from docrev.eval.metrics.accepted_answers import LONGEST, accepts, dates, numbers
from docrev.eval.metrics.execution import is_executed, read_state, reads


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        (42, 42),
        (42, "42"),
        (42, "There are 42."),
        (42, [42]),
        (42, {"count": 42}),
        (42, 42.0),
        (1234567, "1,234,567 people"),
        (1234567, "1 234 567"),
        (-5, "−5 metres"),
        ({"number": 343.6, "within": 0.5}, "about 344 km"),
        ({"number": 343.6, "within": 0.5}, {"distance": 343.9}),
        ("Paris", "the capital, PARIS."),
        ("Zürich", "Zurich"),
        ({"text": "Myanmar", "or": ["Burma"]}, "It is Burma"),
        ("351", 351),
        (True, "Yes, it is."),
        (False, "No."),
        (False, "It isn't."),
        (True, True),
        ({"date": "2026-03-11"}, "on March 11th, 2026"),
        ({"date": "2026-03-11"}, "11 March 2026"),
        ({"date": "2026-03-11"}, "2026-03-11T08:00:00Z"),
        (["a", "b"], ["a", "b"]),
        (["a", "b"], '["a", "b"]'),
        (["LCY", "BQH"], "First LCY, then BQH"),
        ({"set": ["a", "b"]}, ["b", "a", "b"]),
        ({"set": ["AR", "BO"]}, "BO, AR and nothing else"),
        ({"set": ["AEP"]}, "AEP"),
        ({"one_of": [1, "one"]}, "One"),
        ({"nothing": True}, None),
        ({"nothing": True}, []),
        ({"nothing": True}, "None."),
        ({"all": [2, {"state": []}]}, "revision 2"),
    ],
)
def test_says_the_truth(truth: Any, said: Any) -> None:
    assert accepts(truth, said)


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        (42, 43),
        (42, "142"),
        (42, "note_42"),
        (42, [42, 43]),
        (42, None),
        (1, True),
        (42, "x" * LONGEST + " 42"),
        ("Paris", "Parisian"),
        ("Paris", ["Paris", "Lyon"]),
        ("Paris", None),
        ("Paris", "Paris " * LONGEST),
        (True, "No, yes would be wrong"),
        (True, 1),
        (False, "Yes"),
        ({"number": 343.6, "within": 0.5}, "345"),
        ({"date": "2026-03-11"}, "2026-03-12"),
        ({"date": "2026-03-11"}, "2026-13-41"),
        (["a", "b"], ["b", "a"]),
        (["a", "b"], ["a", "b", "c"]),
        (["LCY", "BQH"], "BQH, LCY"),
        ({"set": ["a", "b"]}, ["a"]),
        ({"set": ["a", "b"]}, ["a", "b", "c"]),
        ({"set": ["AR", "BO"]}, "AR"),
        ({"set": ["AR"]}, ""),
        ({"nothing": True}, "There are three"),
        ({"nothing": True}, 0),
        ({"unheard-of": 1}, 1),
        ("Paris", "{" * 5000),
    ],
)
def test_does_not_say_the_truth(truth: Any, said: Any) -> None:
    assert not accepts(truth, said)


def test_numbers_and_dates_of_a_sentence() -> None:
    assert numbers("1, 2 and 3,000 or 4.5e2; v2, note_7") == [1, 2, 3000, 450]
    assert [str(day) for day in dates("From 2026-02-03 to the 4th of May 2027, not 31 February 2026.")] == [
        "2026-02-03",
        "2027-05-04",
    ]


STATE = {
    "state": [
        {"read": "shop GET /a/{id}", "arguments": {"path:id": 1}, "body": {"n": 1, "of": [{"x": 2}]}},
        {"read": "shop GET /b", "status": 404},
    ]
}


def executed(first: Any, second: int, answer: Any = None, truth: Any = STATE) -> bool | None:
    """Drive the looks at the state, answered with `first` and with the status `second`, and judge."""
    wanted = task(answer=truth)
    state = drive(
        read_state(wanted),
        answer=lambda prompt: None,
        call=lambda invoke: called(invoke, first) if "{id}" in invoke.key.path else called(invoke, None, second),
    )
    return is_executed(wanted, did(answer=answer), state)


def test_what_is_there_afterwards_is_compared() -> None:
    assert [(read.key.operation, read.status) for read in reads(STATE)] == [("GET /a/{id}", 200), ("GET /b", 404)]
    assert executed({"n": 1, "of": [{"x": 2, "y": 3}], "more": 1}, 404)
    assert not executed({"n": 2, "of": [{"x": 2}]}, 404)
    assert not executed({"n": 1, "of": [{"x": 2}, {"x": 2}]}, 404)
    assert not executed({"n": True, "of": [{"x": 2}]}, 404)
    assert not executed({"n": 1, "of": [{"x": 2}]}, 200)


def test_answer_and_state_both_count_where_both_are_asked_for() -> None:
    truth, good = {"all": [7, STATE]}, {"n": 1, "of": [{"x": 2}]}
    assert executed(good, 404, "It is 7", truth)
    assert not executed(good, 404, "It is 8", truth)
    assert not executed(good, 200, "It is 7", truth)


def test_no_truth_no_answer_and_no_looks() -> None:
    assert is_executed(task(), did(answer="x")) is None
    assert is_executed(task(answer=7), did(answer="7")) is True
    assert is_executed(task(answer=7), did(answer="7", finish="give-up")) is False
    assert is_executed(task(answer=STATE), did()) is False
