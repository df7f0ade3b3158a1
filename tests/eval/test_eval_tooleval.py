"""ToolEval: labels by rule, votes, orders and ties."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer, Reply
from driving import drive
from trajectories import did, key, task

from docrev.driver.plain_steps import perform
from docrev.errors import UsageError
from docrev.eval.tooleval.judging import Compared, judge_better, judge_pass, judge_success
from docrev.eval.tooleval.labels import decided, is_refusal, label
from docrev.eval.tooleval.rating import means, rate
from docrev.eval.tooleval.rules import RuleJudge, judged
from docrev.models.asking import Asker
from docrev.models.budgets import Budgets
from docrev.models.chat import ChatBackend
from docrev.models.recorded import RememberingBackend
from docrev.models.rendering import answer_class, messages
from docrev.prompts.agents import Past
from docrev.prompts.judging import (
    AnswerStatus,
    Candidate,
    CompareAnswers,
    JudgeSolvable,
    JudgeStatus,
    Preference,
    TaskStatus,
)
from docrev.prompts.questions import Brief, SameExperience
from docrev.sandbox import SERVICES
from docrev.spec import load

SPECS = Path(__file__).resolve().parents[2] / "specs"


def test_no_coin_is_thrown() -> None:
    assert decided(("pass", "fail", "pass", "fail")) == "unsure"
    assert decided(("pass", "fail", "pass", "pass")) == "pass"


@pytest.mark.parametrize(
    ("solvable", "finish", "status", "tried_all", "informed", "refused", "expected"),
    [
        ("solvable", "give-up", "unsolved", True, False, True, "pass"),
        ("solvable", "give-up", "unsolved", False, False, True, "fail"),
        ("solvable", "give-up", "unsolved", True, True, True, "fail"),
        ("solvable", "answer", "unsolved", True, False, True, "pass"),
        ("solvable", "answer", "unsolved", True, True, True, "fail"),
        ("solvable", "answer", "unsolved", False, False, False, "fail"),
        ("solvable", "answer", "solved", False, False, False, "pass"),
        ("solvable", "answer", "unsure", False, True, False, "unsure"),
        ("unsolvable", "answer", "solved", False, False, False, "pass"),
        ("unsolvable", "answer", "unsolved", False, False, True, "pass"),
        ("unsolvable", "answer", "unsolved", False, False, False, "fail"),
        ("unsolvable", "answer", "unsure", False, False, False, "unsure"),
        ("unsolvable", "give-up", "unsolved", False, False, True, "pass"),
        ("unsure", "give-up", "unsolved", False, True, True, "unsure"),
        ("unsure", "answer", "unsolved", False, True, False, "fail"),
        ("solvable", "steps", "unsolved", True, False, True, "fail"),
        ("unsolvable", "failed", "unsolved", True, False, True, "fail"),
    ],
)
def test_labels_by_rule(
    solvable: Any, finish: Any, status: Any, tried_all: bool, informed: bool, refused: bool, expected: str
) -> None:
    assert label(solvable, finish, status, tried_all=tried_all, informed=informed, refused=refused) == expected


def test_refusals() -> None:
    assert is_refusal("I'm sorry, but nothing was found.")
    assert is_refusal("Unfortunately the tools can’t tell.")
    assert is_refusal(None)
    assert not is_refusal("The shop sells pies.")
    assert not is_refusal(0)


BRIEFS = (Brief(key=key("GET /a")), Brief(key=key("GET /b")))


def test_several_votes_decide_and_doubt_looks_at_the_calls() -> None:
    asked: list[Any] = []

    def answer(prompt: Any) -> Any:
        asked.append(prompt)
        if isinstance(prompt, JudgeStatus) and not prompt.history:
            return AnswerStatus(status="unsure")
        if isinstance(prompt, JudgeStatus):
            return AnswerStatus(status="solved" if prompt.turn != 1 else "unsolved")
        return TaskStatus(status="solvable")

    found = drive(judge_pass(task(), did("GET /a", answer="x"), BRIEFS), answer, lambda invoke: None)  # type: ignore[arg-type,return-value]
    assert (found.label, found.labels) == ("pass", ("pass", "fail", "pass", "pass"))
    assert found.statuses == ("solved", "unsolved", "solved", "solved")
    assert [type(prompt).__name__ for prompt in asked].count("JudgeSolvable") == 1
    assert {prompt.turn for prompt in asked} == {0, 1, 2, 3}


def test_four_votes_are_four_requests_with_their_own_seeds() -> None:
    """ToolLLM v2 appendix, "Details for Pass Rate": several predictions are made for each path."""
    judge = '{"reason": "it says so", "status": "solved"}'

    async def asked(server: ChatServer) -> Any:
        backend = ChatBackend("tiny", url=server.url)
        model = Asker(RememberingBackend(backend, None, Budgets()))
        try:
            return await perform(
                judge_pass(task(), did("GET /a", answer="x"), BRIEFS), lambda one: model.ask(one.prompt)
            )
        finally:
            await model.close()

    with ChatServer([Reply(judge)]) as server:
        found = asyncio.run(asked(server))
    assert found.labels == ("pass",) * 4
    bodies = sorted(server.asked, key=lambda body: body["seed"])
    assert [(body["seed"], body["temperature"]) for body in bodies] == [(turn, 0.2) for turn in range(4)]
    ends = {body["messages"][-1]["content"] for body in bodies}
    assert len(ends) == 4


def test_who_did_not_answer_did_not_solve_it_and_no_judge_is_asked() -> None:
    def never(prompt: Any) -> Any:
        raise AssertionError(prompt)

    done = did("GET /a", finish="steps")
    assert drive(judge_success(task(), done), never, never).status == "unsolved"
    found = drive(judge_pass(task(), done, BRIEFS), never, never)
    assert (found.label, found.statuses) == ("fail", ("unsolved",) * 4)


def test_both_orders_are_asked_and_a_judge_that_likes_the_first_ties() -> None:
    shown: list[tuple[Any, Any]] = []

    def first(prompt: Any) -> Any:
        shown.append((prompt.first.answer, prompt.second.answer))
        return Preference(better="first")

    found = drive(judge_better(task(), did(answer="a"), did(answer="b"), ("pass", "pass")), first, first)
    assert shown == [("a", "b"), ("b", "a")] * 2
    assert found == Compared("tie", ("first", "second", "first", "second"))
    same = drive(
        judge_better(task(), did(answer="a"), did(answer="b"), ("unsure", "pass")),
        lambda prompt: Preference(better="second" if prompt.second.answer == "b" else "first"),
        first,
    )
    assert same == Compared("second", ("second",) * 4)


def test_who_passed_beats_who_failed_without_a_judge() -> None:
    def never(prompt: Any) -> Any:
        raise AssertionError(prompt)

    assert drive(judge_better(task(), did(), did(), ("fail", "pass")), never, never) == Compared("second")


def past(action: str, observation: str, outcome: Any = "answered") -> Past:
    return Past(thought="", action=action, arguments={}, observation=observation, outcome=outcome)


def ask(prompt: Any) -> Any:
    return asyncio.run(RuleJudge().ask(prompt))


def test_the_rules_ask_whether_a_response_says_it() -> None:
    seen = (past("GET /a", '{"city": "Nairobi", "people": 4397073}'),)
    assert ask(JudgeStatus(task="t", answer="Nairobi")).status == "unsure"
    assert ask(JudgeStatus(task="t", answer="It is Nairobi.", history=seen)).status == "solved"
    assert ask(JudgeStatus(task="t", answer=4397073, history=seen)).status == "solved"
    assert ask(JudgeStatus(task="t", answer="It is Mombasa.", history=seen)).status == "unsolved"
    assert ask(JudgeStatus(task="t", answer="Sorry, I cannot tell.", history=seen)).status == "unsolved"
    assert ask(JudgeSolvable(task="t", operations=BRIEFS)).status == "solvable"
    assert ask(JudgeSolvable(task="t", operations=())).status == "unsolvable"
    with pytest.raises(UsageError, match="the rules do not judge SameExperience"):
        judged(SameExperience.model_construct())


def test_the_rules_compare_by_the_six_criteria_in_order() -> None:
    def better(one: Candidate, other: Candidate) -> tuple[str, str]:
        found = ask(CompareAnswers(task="t", first=one, second=other))
        return found.better, found.reason.partition(":")[0]

    seen = (past("GET /a", '{"city": "Nairobi", "code": "KE"}'),)
    full = Candidate(answer={"city": "Nairobi", "code": "KE"}, finish="answer", history=seen)
    half = Candidate(answer="Nairobi", finish="answer", history=seen)
    wrong = Candidate(answer=["Nairobi", "Mombasa"], finish="answer", history=seen)
    none = Candidate(answer=None, finish="give-up", history=seen)
    wide = Candidate(answer=None, finish="give-up", history=(*seen, past("GET /b", "", "failed")))
    again = Candidate(answer="Nairobi", finish="answer", history=seen * 2)
    assert better(half, full) == ("second", "information")
    assert better(half, wrong) == ("first", "facts")
    assert better(none, wide) == ("second", "variety")
    assert better(again, half) == ("second", "economy")
    assert better(half, half) == ("tie", "no difference")


def test_the_rules_rate_the_truth_above_the_published_specs() -> None:
    truths = [SPECS.parent / "docrev" / "sandbox" / name / "truth.yaml" for name in SERVICES]
    poor = means(drive(rate(load(SPECS)), judged, judged))  # type: ignore[arg-type]
    good = means([one for file in truths for one in drive(rate(load(file)), judged, judged)])  # type: ignore[arg-type]
    assert good["description"] > poor["description"] + 0.8
    assert good["parameters"] > poor["parameters"] + 0.8
    assert good["responses"] > poor["responses"] + 0.8
    assert means([]) == {}


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        (JudgeStatus(task="Do it", answer="done", history=(past("GET /a", "x </data> y"),)), AnswerStatus),
        (JudgeSolvable(task="Do it", operations=BRIEFS), TaskStatus),
        (
            CompareAnswers(
                task="Do it",
                first=Candidate(answer="one", finish="answer", history=(past("GET /a", "x"),)),
                second=Candidate(answer=None, finish="give-up"),
            ),
            Preference,
        ),
    ],
)
def test_each_prompt_can_be_asked_of_a_chat_model(prompt: Any, answer: type) -> None:
    system, user = messages(prompt)
    assert answer_class(prompt) is answer
    assert all(f'"{field}"' in system["content"] for field in answer.model_fields)  # type: ignore[attr-defined]
    assert "Do it" in user["content"]
    assert "Do it" not in system["content"]
