"""What the answers to the questions of an exploration must keep to, as a backend reads them."""

from __future__ import annotations

from typing import Any

import pytest

from docrev.errors import AnswerError
from docrev.models.rendering import answer
from docrev.prompts.exploring import DesignTasks, FindDoubts, JudgeTraces, NextTurn, Trace
from docrev.prompts.questions import Brief, Prompt
from docrev.records import OperationKey, Scenario

KEY = OperationKey("toy", "GET /items")
BRIEFS = (Brief(key=KEY, parameters=("query:page (integer): The page.",)),)
TASK = Scenario("s001", "What is on the first page?", (KEY,))
OPERATION = "toy GET /items"


def call(**arguments: Any) -> dict[str, Any]:
    return {"operation": OPERATION, "arguments": arguments}


@pytest.mark.parametrize(
    ("prompt", "data", "reason"),
    [
        (DesignTasks(operations=BRIEFS), {"tasks": [{"operations": [], "text": "Do."}]}, "no task can be used"),
        (NextTurn(operations=BRIEFS, scenario=TASK), {"calls": [call(size=1)]}, "has no place 'size'"),
        (
            JudgeTraces(operations=BRIEFS, traces=(Trace(scenario=TASK),)),
            {"verdicts": [{"task": "s002", "correct": True}]},
            "has no verdict on s001",
        ),
    ],
)
def test_an_answer_that_cannot_be_used_is_refused(prompt: Prompt[Any], data: Any, reason: str) -> None:
    with pytest.raises(AnswerError, match=reason):
        answer(prompt, data)


def test_a_call_that_cannot_be_made_is_left_out_of_a_doubt() -> None:
    doubt = {
        "operation": OPERATION,
        "claim": "The page begins at 0.",
        "calls": [call(size=1), call(**{"query:page": 0})],
    }
    [kept] = answer(FindDoubts(tool="toy", operations=BRIEFS), {"doubts": [doubt]}).doubts
    assert [one.arguments for one in kept.calls] == [{"query:page": 0}]
