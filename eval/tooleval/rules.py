"""A judge without a model: rules that answer the judges' prompts, named `rules` wherever its verdicts are shown.

It knows no truth and no language: that an answer is grounded (what it says stands in a response) is all it can judge.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from docrev.conventions.methods import SAFE_METHODS
from docrev.errors import UsageError
from docrev.language.words import has_word
from docrev.prompts.agents import Past
from docrev.prompts.judging import (
    AnswerStatus,
    Better,
    Candidate,
    CompareAnswers,
    JudgeSolvable,
    JudgeStatus,
    Preference,
    TaskStatus,
)
from docrev.prompts.questions import AnswerT, Prompt, RateDocumentation, Rating, Ratings
from docrev.spec import is_good_text, is_restated

from ..metrics.accepted_answers import LONGEST, folded
from .asked_values import fits_kind, is_ordered, names_only_the_task, read_task, unmet, unsent
from .labels import is_refusal

LINE = re.compile(r"(?P<location>\S+) \((?P<about>[^)]*)\)(?:: (?P<text>.*))?", re.DOTALL)
GOOD, FAIR = 0.9, 1 / 3
OPENERS = {"it", "its", "the", "there", "this", "these", "they", "yes", "no", "in", "on", "for", "here", "a", "an"}
"""Words that have a capital only because they begin a sentence."""
TOO_LONG = 1000
"""Characters of a description beyond which it is not brief: what consumers cut (OpenAI's tools: 1,024)."""


class RuleJudge:
    """A model that answers the judges' prompts, and no others, by rules."""

    name = "rules"

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The verdict. Raises UsageError for a prompt that is not for a judge."""
        return judged(prompt)


def judged(prompt: Prompt[AnswerT]) -> AnswerT:
    """The rules' answer to a prompt for judges; UsageError for any other."""
    answers: dict[type[Prompt[Any]], Any] = {
        JudgeStatus: _status,
        JudgeSolvable: _solvable,
        CompareAnswers: _compare,
        RateDocumentation: _rate,
    }
    rule = answers.get(type(prompt))
    if rule is None:
        raise UsageError(f"the rules do not judge {type(prompt).__name__}", fix="name a model: --model-for judge=…")
    return cast(AnswerT, rule(prompt))


def _status(prompt: JudgeStatus) -> AnswerStatus:
    """A refusal is unsolved; the answer alone is never enough. With the calls, an answer solves the task if responses
    contain all of it, it is of the kind that is asked for, and the calls have to do with all that the task names."""
    if is_refusal(prompt.answer):
        return AnswerStatus(reason="it refuses, or says nothing", status="unsolved")
    if not prompt.history:
        return AnswerStatus(reason="rules need to see what the calls answered", status="unsure")
    if changes := [past for past in prompt.history if past.outcome != "invalid" and _method(past) not in SAFE_METHODS]:
        return _done(prompt, changes)
    return _read(prompt, sayings(prompt.answer))


def _read(prompt: JudgeStatus, said: set[str]) -> AnswerStatus:
    """Whether an answer that was read from responses solves the task; `said` is what it names."""
    if ungrounded := said - grounds(prompt.answer, prompt.history):
        return AnswerStatus(reason=f"no response contains {min(ungrounded)!r}", status="unsolved")
    asked = read_task(prompt.task, [past.action.split(" ")[0] for past in prompt.history])
    if not fits_kind(asked, prompt.answer, prompt.history) or names_only_the_task(said, prompt.task, asked):
        return AnswerStatus(reason=f"the task asks for another value ({asked.kind})", status="unsolved")
    if missing := unmet(asked, said, prompt.history):
        return AnswerStatus(reason=f"no call on the way to it has to do with {missing[0]!r}", status="unsure")
    if asked.compares and not is_ordered(prompt.history, said):
        return AnswerStatus(reason="nothing shows that it is what the comparison asks for", status="unsure")
    return AnswerStatus(reason=f"a response contains {min(said)!r}", status="solved")


def _method(past: Past) -> str:
    """The method of a call, which a judge sees as `tool METHOD /path`."""
    return next((word for word in past.action.split() if word.isupper()), "GET")


def _done(prompt: JudgeStatus, changes: Sequence[Past]) -> AnswerStatus:
    """Rules do not see what is there after a change: it is unsolved if one failed or lacks what the task names."""
    if failed := [past for past in changes if past.outcome != "answered"]:
        return AnswerStatus(reason=f"{failed[0].action} failed", status="unsolved")
    asked = read_task(prompt.task, [past.action.split(" ")[0] for past in prompt.history])
    unused = set(re.findall(r"\b(POST|PUT|PATCH|DELETE)\b", prompt.task)) - {_method(past) for past in changes}
    if missing := [*sorted(unused), *unsent(asked, prompt.history)]:
        return AnswerStatus(reason=f"nothing was sent with {missing[0]!r}", status="unsolved")
    return AnswerStatus(
        reason="all that the task names was sent; rules do not see the state afterwards", status="unsure"
    )


def _solvable(prompt: JudgeSolvable) -> TaskStatus:
    if prompt.operations:
        return TaskStatus(reason="operations are given", status="solvable")
    return TaskStatus(reason="no operation is given", status="unsolvable")


def _compare(prompt: CompareAnswers) -> Preference:
    """The six criteria as numbers, the first that differs decides: see `_measures`."""
    for name, score, other in zip(CRITERIA, _measures(prompt.first), _measures(prompt.second), strict=True):
        if score != other:
            better: Better = "first" if score > other else "second"
            return Preference(reason=f"{name}: {score} against {other}", better=better)
    return Preference(reason="no difference", better="tie")


CRITERIA = ("information", "facts", "reasons", "progress", "variety", "economy")


def _measures(candidate: Candidate) -> tuple[int, ...]:
    """What is said that responses say; what is said that none says (less is better); an answer rather than none;
    operations that answered; operations that were tried; calls that repeat an operation (fewer are better)."""
    texts, grounded = sayings(candidate.answer), grounds(candidate.answer, candidate.history)
    refused = is_refusal(candidate.answer)
    answered = {past.action for past in candidate.history if past.outcome == "answered"}
    tried = {past.action for past in candidate.history if past.outcome != "invalid"}
    return (
        0 if refused else len(grounded),
        0 if refused else -len(texts - grounded),
        int(candidate.answer not in (None, "")),
        len(answered),
        len(tried),
        len(tried) - len(candidate.history),
    )


def sayings(answer: object) -> set[str]:
    """What an answer names: its scalars, or, of a sentence, its numbers and its words with a capital."""
    if isinstance(answer, dict | list):
        inner = answer.values() if isinstance(answer, dict) else answer
        return {text for value in inner for text in sayings(value)}
    if not isinstance(answer, str):
        return {folded(str(answer))} if answer is not None else set()
    words = re.findall(r"[A-ZÀ-Þ][\w'’-]+|\d[\d.,:-]*", answer)
    return {folded(word.strip(".,")) for word in words[:LONGEST]} - OPENERS or {folded(answer.strip(" ."))} - {""}


def grounds(answer: object, history: Sequence[Past]) -> set[str]:
    """What an answer names that some response, which was answered, names too."""
    text = folded(" ".join(past.observation for past in history if past.outcome == "answered"))
    return {saying for saying in sayings(answer) if has_word(text, saying)}


def _rate(prompt: RateDocumentation) -> Ratings:
    """1 to 3 for each aspect: how many of the texts that should be there are there and say something."""
    return Ratings(
        description=_description(prompt.description, str(prompt.key)),
        parameters=_lines(prompt.parameters, empty=3, what="parameters"),
        responses=_lines(prompt.responses, empty=1, what="response fields"),
    )


def _description(text: str, key: str) -> Rating:
    if not text.strip() or is_restated(text, key):
        return Rating(reason="nothing is documented beyond the name", score=1)
    if len(text) > TOO_LONG:
        return Rating(reason=f"{len(text)} characters", score=2)
    if not is_good_text(text, key):
        return Rating(reason="fewer than six words", score=2)
    return Rating(reason="documents something, briefly", score=3)


def _lines(lines: Sequence[str], *, empty: int, what: str) -> Rating:
    if not lines:
        return _rating(f"no {what}", empty)
    count = sum(1 for line in lines if _tells(line))
    share = count / len(lines)
    return _rating(f"{count} of {len(lines)} {what} are count", 3 if share >= GOOD else 2 if share >= FAIR else 1)


def _rating(reason: str, score: int) -> Rating:
    return Rating.model_validate({"reason": reason, "score": score})


def _tells(line: str) -> bool:
    """Whether a line says more of a parameter or a field than its name and its type."""
    match = LINE.fullmatch(line)
    text = (match["text"] or "") if match else ""
    name = re.split(r"[:/]", match["location"])[-1] if match else ""
    return bool(text.strip()) and not is_restated(text, name)
