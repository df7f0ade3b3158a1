"""What a judge is asked of an agent's work on a task: whether it solved it, whether it could be, and which is better.

`turn` counts the predictions that are asked for the same thing: each is a request of its own, drawn with its own seed.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from docrev.prompts.agents import History
from docrev.prompts.questions import Answer, AnswerT, Briefs, Prompt, ShownPart

Status = Literal["solved", "unsolved", "unsure"]
Solvable = Literal["solvable", "unsolvable", "unsure"]
Better = Literal["first", "second", "tie"]


class JudgePrompt(Prompt[AnswerT]):
    """What all of them share: the task as the user wrote it."""

    role: ClassVar[str] = "judge"
    task: str
    turn: int = 0

    @property
    def vote(self) -> int | None:
        return self.turn


class AnswerStatus(Answer):
    """Whether a task is solved by what was answered."""

    reason: str = ""
    status: Status


class JudgeStatus(JudgePrompt[AnswerStatus]):
    """Whether a final answer solves the task (ToolLLM v2 appendix, pass rate; the success rate of ToolBFS+ §4.1).

    Without a `history` by the answer alone, otherwise also by what the calls answered.
    """

    answer: Any
    history: History = ()


class TaskStatus(Answer):
    """Whether a task can be solved at all."""

    reason: str = ""
    status: Solvable


class JudgeSolvable(JudgePrompt[TaskStatus]):
    """Whether the operations that were given can help with the task, and the task says enough (pass rate)."""

    operations: Briefs


class Candidate(ShownPart):
    """What one agent answered, and how it came to it."""

    answer: Any
    finish: str
    history: History = ()


class Preference(Answer):
    """Which of two answers is better."""

    reason: str = ""
    better: Better


class CompareAnswers(JudgePrompt[Preference]):
    """Which of two answers is better, by six criteria (ToolLLM v2 appendix, win rate)."""

    first: Candidate
    second: Candidate
