"""Tasks solved in conversations, over canned turns: what is asked, where siblings are opened, what is labelled."""

from __future__ import annotations

from typing import Any

from driving import called, drive

from docrev.exploration.traces import LIMITS, solve_tasks
from docrev.prompts.exploring import JudgeTraces, ModelCall, NextTurn, TraceVerdict, TraceVerdicts, Turn
from docrev.prompts.questions import Brief, Prompt
from docrev.prompts.steps import Invoke
from docrev.records import Call, OperationKey, Scenario
from docrev.search import SearchResult

A, B, C, POST = (OperationKey("toy", name) for name in ("GET /a", "GET /b", "GET /c", "POST /d"))
BRIEFS = tuple(Brief(key=key) for key in (A, B, C, POST))
TASK = Scenario("s001", "What is it?", (A, B))


def turn(*keys: OperationKey, answer: Any = None) -> Turn:
    return Turn(thought="So.", calls=tuple(ModelCall(operation=key) for key in keys), answer=answer)


class Canned:
    """Gives its turns one after another, accepts the answer `right`, and says which step of others was wrong."""

    def __init__(self, *turns: Turn, failing: tuple[OperationKey, ...] = (), wrong_step: int = 1) -> None:
        self.turns, self.failing, self.wrong_step = list(turns), failing, wrong_step
        self.asked: list[NextTurn] = []
        self.judged = 0

    def answer(self, prompt: Prompt[Any]) -> Any:
        if isinstance(prompt, NextTurn):
            self.asked.append(prompt)
            return self.turns.pop(0) if self.turns else Turn()
        assert isinstance(prompt, JudgeTraces)
        self.judged += 1
        return TraceVerdicts(verdicts=tuple(self._verdict(trace) for trace in prompt.traces))

    def _verdict(self, trace: Any) -> TraceVerdict:
        right = trace.answer == "right"
        wrong_step = 0 if right else self.wrong_step
        return TraceVerdict(task=trace.scenario.id, reason="No.", wrong_step=wrong_step, correct=right)

    def call(self, invoke: Invoke) -> Call:
        return called(invoke, {}, status=404 if invoke.key in self.failing else 200)


def solved(model: Canned, scenario: Scenario = TASK) -> SearchResult:
    [result] = drive(solve_tasks([scenario], BRIEFS, (), "bfs"), model.answer, model.call)
    return result


def labels(result: SearchResult) -> dict[OperationKey, Any]:
    return {node.plan.key: node.label for node in result.nodes if node.plan is not None and node.plan.key is not None}


def test_a_task_that_goes_well_is_one_conversation_and_one_judgement() -> None:
    model = Canned(turn(A, B), turn(answer="right"))
    result = solved(model)
    assert result.solution is not None
    assert [call.key for call in result.solution.calls] == [A, B]
    assert (len(model.asked), model.judged, result.calls) == (2, 1, 2)
    assert [node.call.key for node in model.asked[1].history if node.call is not None] == [A, B]


def test_a_failed_call_is_a_wrong_sibling_of_what_was_done_next() -> None:
    model = Canned(turn(A), turn(B), turn(C), turn(answer="right"), failing=(B,))
    result = solved(model)
    assert labels(result) == {A: "right", B: "wrong", C: "right"}
    # The conversation still shows it: who reads why a call failed does not make it again.
    assert [node.call.key for node in model.asked[3].history if node.call is not None] == [A, B, C]


def test_siblings_are_opened_where_the_judge_says_that_it_went_wrong() -> None:
    model = Canned(turn(A), turn(B), turn(answer="no"), turn(C), turn(answer="right"), wrong_step=2)
    result = solved(model)
    assert labels(result) == {A: "right", B: "wrong", C: "right"}
    again = model.asked[3]
    assert [node.call.key for node in again.history if node.call is not None] == [A]
    assert [plan.key for plan in again.siblings] == [B]
    assert again.wrong == "No."


def test_a_task_is_tried_as_often_as_the_width_says_and_not_after_giving_up_at_once() -> None:
    wrong = Canned(*(turn(answer="no") for _ in range(9)))
    assert solved(wrong).solution is None
    assert len(wrong.asked) == LIMITS.width
    idle = Canned(Turn())
    assert solved(idle).solution is None
    assert len(idle.asked) == 1
    assert idle.judged == 0


def test_the_same_call_is_not_made_twice() -> None:
    model = Canned(turn(A), turn(A))
    result = solved(model)
    assert result.solution is None
    assert result.calls == 1


def test_a_task_that_only_reads_is_offered_nothing_that_writes() -> None:
    reading, writing = Canned(turn(answer="right")), Canned(turn(answer="right"))
    solved(reading)
    solved(writing, Scenario("s002", "Make one.", (POST,)))
    assert [brief.key for brief in reading.asked[0].operations] == [A, B, C]
    assert [brief.key for brief in writing.asked[0].operations] == [A, B, C, POST]
