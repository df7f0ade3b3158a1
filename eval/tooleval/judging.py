"""Judged metrics as steps: success, pass rate and win rate. Whoever drives them has the judge, and names it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from docrev.driver.plain_steps import perform
from docrev.models import Model
from docrev.prompts.agents import Past
from docrev.prompts.judging import (
    AnswerStatus,
    Better,
    Candidate,
    CompareAnswers,
    JudgeSolvable,
    JudgeStatus,
    Preference,
    Solvable,
    Status,
    TaskStatus,
)
from docrev.prompts.questions import Brief
from docrev.prompts.steps import Ask, Steps
from docrev.records import Node, Task, Trajectory

from .labels import Label, decided, has_tried_all, is_informed, is_refusal, label

VOTES = 4
"""Predictions for each path: at least four (ToolLLM v2 appendix)."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Passed:
    """A path's label, with what it was decided from: the labels and the statuses of each vote."""

    label: Label
    labels: tuple[Label, ...]
    statuses: tuple[Status, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """Which of two paths is better; `votes` are those of the judge, none if the labels decided."""

    won: Better
    votes: tuple[Better, ...] = ()


async def answered(steps: Steps[T], judge: Model) -> T:
    """Run steps that only ask; lists are asked side by side."""
    result: T = await perform(steps, lambda ask: judge.ask(ask.prompt))
    return result


def judge_success(task: Task, trajectory: Trajectory, turn: int = 0) -> Steps[AnswerStatus]:
    """Whether the answer solves the task, by the answer and by what the calls answered (ToolBFS+ §4.1, Success%)."""
    if trajectory.finish != "answer" or trajectory.answer in (None, ""):
        return AnswerStatus(reason="there is no answer", status="unsolved")
    prompt = JudgeStatus(task=task.text, answer=trajectory.answer, history=pasts(trajectory), turn=turn)
    status: AnswerStatus = yield Ask(prompt)
    return status


def judge_pass(task: Task, trajectory: Trajectory, operations: Sequence[Brief], *, votes: int = VOTES) -> Steps[Passed]:
    """The label of a path by several predictions; `operations` are those that the agent was given."""
    rounds = yield [_vote(task, trajectory, tuple(operations), turn) for turn in range(votes)]
    labels = tuple(found for found, _ in rounds)
    return Passed(decided(labels), labels, tuple(status for _, status in rounds))


def _vote(task: Task, trajectory: Trajectory, operations: tuple[Brief, ...], turn: int) -> Steps[tuple[Label, Status]]:
    """One prediction: the answer alone, if that leaves doubts with what was done, and whether it was solvable."""
    status: Status = "unsolved"
    if trajectory.finish == "answer":
        answer: AnswerStatus = yield Ask(JudgeStatus(task=task.text, answer=trajectory.answer, turn=turn))
        if answer.status == "unsure":
            answer = yield from judge_success(task, trajectory, turn)
        status = answer.status
    solvable: Solvable = "solvable"
    if status != "solved" and trajectory.finish in ("answer", "give-up"):
        task_status: TaskStatus = yield Ask(JudgeSolvable(task=task.text, operations=operations, turn=turn))
        solvable = task_status.status
    keys = [operation.key for operation in operations]
    verdict = label(
        solvable,
        trajectory.finish,
        status,
        tried_all=has_tried_all(trajectory, keys),
        informed=is_informed(trajectory),
        refused=is_refusal(trajectory.answer),
    )
    return verdict, status


def judge_better(
    task: Task, first: Trajectory, second: Trajectory, labels: tuple[Label, Label], *, votes: int = VOTES
) -> Steps[Compared]:
    """Which of two paths is better: one that passed beats one that failed; else the judge, in both orders.

    `votes` predictions, half of them with the second one shown first. The majority of those that are no tie wins.
    """
    if set(labels) == {"pass", "fail"}:
        return Compared("first" if labels[0] == "pass" else "second")
    one, other = candidate(first), candidate(second)
    prompts = []
    for turn in range((votes + 1) // 2):
        prompts.append(CompareAnswers(task=task.text, first=one, second=other, turn=turn))
        prompts.append(CompareAnswers(task=task.text, first=other, second=one, turn=turn))
    answers: list[Preference] = yield [Ask(prompt) for prompt in prompts]
    votes_cast = tuple(_turned(answer.better) if at % 2 else answer.better for at, answer in enumerate(answers))
    ahead = votes_cast.count("first") - votes_cast.count("second")
    return Compared("first" if ahead > 0 else "second" if ahead < 0 else "tie", votes_cast)


def _turned(better: Better) -> Better:
    turned: dict[Better, Better] = {"first": "second", "second": "first", "tie": "tie"}
    return turned[better]


def candidate(trajectory: Trajectory) -> Candidate:
    """A path as a judge is shown it."""
    return Candidate(answer=trajectory.answer, finish=trajectory.finish, history=pasts(trajectory))


def pasts(trajectory: Trajectory) -> tuple[Past, ...]:
    """The actions of a path, without the final one."""
    return tuple(_past(node) for node in trajectory.steps if node.plan is not None and node.plan.key is not None)


def _past(node: Node) -> Past:
    assert node.plan is not None
    assert node.plan.key is not None
    call = node.call
    observation = node.observation or (json.dumps(call.body, ensure_ascii=False) if call is not None else node.reason)
    return Past(
        thought=node.plan.thought,
        action=str(node.plan.key).strip(),
        arguments=node.plan.arguments,
        observation=observation,
        outcome="invalid" if call is None else "answered" if call.ok else "failed",
    )
