"""The judge (ToolBFS+ appendix A.4): six rules, each a check over the history; the first one broken is the reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from docrev.conventions.methods import SAFE_METHODS
from docrev.graph.values import flat
from docrev.json_values.leaves import scalars
from docrev.json_values.scalars import same_scalar
from docrev.planner.knowledge import Knowledge
from docrev.planner.operation_views import OperationView
from docrev.planner.search_state import SearchStates, answer_of
from docrev.prompts.questions import JudgeAnswer, Verdict
from docrev.records import Call, Goal, Json

_PLACEHOLDER = re.compile(r"^[{<\[].*[}>\]]$|\{\{?\w+\}?\}|^<\w+>|^YOUR_|^(string|placeholder|example)$", re.IGNORECASE)


class _Case(NamedTuple):
    """What a rule is checked on."""

    prompt: JudgeAnswer
    goal: Goal
    calls: list[Call]


Rule = Callable[[_Case], str]
"""Returns how a case breaks the rule, or ""."""


class Judge:
    """Answers `JudgeAnswer`."""

    def __init__(self, knowledge: Knowledge, states: SearchStates) -> None:
        self._knowledge = knowledge
        self._states = states

    def verdict(self, prompt: JudgeAnswer) -> Verdict:
        """Correct only if no rule is broken. Rule 4, on the answer itself, comes after those on the calls."""
        rules: list[tuple[int, Rule]] = [(1, _placeholder), (2, self._made_up_value)]
        goal = prompt.scenario.goal
        if goal is None:
            # What another model's text asks for is only guessed: the answer must then be in the last response.
            goal = Goal((), "")
            rules += [(4, _unfounded_answer), (6, _unused_call)]
        else:
            rules += [(5, _wrong_order), (4, self._wrong_answer), (3, self._general_operation), (6, _unused_call)]
        case = _Case(prompt, goal, [node.call for node in prompt.history if node.call is not None])
        for number, rule in rules:
            reason = rule(case)
            if reason:
                return Verdict(correct=False, rule=number, reason=reason)
        return Verdict(correct=True, reason="every value was given or looked up, and the answer is what was asked for")

    def _made_up_value(self, case: _Case) -> str:
        givens = [given.value for given in case.goal.givens]
        known = {str(value).casefold() for given in givens for value in (given, *scalars(given))}
        text = case.prompt.scenario.text.casefold()
        for call in case.calls:
            view = self._knowledge.views.get(call.key)
            for location, value in flat(call.arguments):
                sent = str(value).casefold()
                in_text = len(sent) > 1 and sent in text
                if sent not in known and not in_text and not _is_documented(view, location, value):
                    place = f"{location} of {call.key.operation}"
                    return f"{value!r} for {place} comes from neither the text nor a response"
            known |= _returned_values(call)
        return ""

    def _general_operation(self, case: _Case) -> str:
        state = self._states.after(case.goal, case.prompt.history)
        if not state.focus:
            return ""
        used = {call.key for call in case.calls}
        general = self._knowledge.views[state.focus[0].key]
        for key in case.prompt.scenario.operations:
            view = self._knowledge.views.get(key)
            if view is None or key in used or not view.is_safe:
                continue
            answers = view.noun == case.goal.noun and view.returns_field(case.goal.want)
            if answers and _is_more_specific(view, general):
                return f"{key.operation} gives this in particular, {general.key.operation} only in general"
        return ""

    def _wrong_answer(self, case: _Case) -> str:
        answer = answer_of(case.goal, self._states.after(case.goal, case.prompt.history))
        if answer is None:
            return f"the calls do not lead to the {case.goal.want} of what was asked for"
        return "" if _agrees(answer, case.prompt.answer) else f"the responses contain {answer!r} instead"


def _placeholder(case: _Case) -> str:
    for call in case.calls:
        for location, value in flat(call.arguments):
            if isinstance(value, str) and _PLACEHOLDER.search(value):
                return f"{call.key.operation} was called with the placeholder {value!r} as {location}"
    return ""


def _unfounded_answer(case: _Case) -> str:
    last = case.calls[-1] if case.calls else None
    returned = [*scalars(last.body)] if last is not None and last.ok else []
    answers = case.prompt.answer if isinstance(case.prompt.answer, list) else [case.prompt.answer]
    if answers and all(any(same_scalar(answer, value) for value in returned) for answer in answers):
        return ""
    return "the last response does not contain the answer"


def _wrong_order(case: _Case) -> str:
    """The parts of request bodies must be sent in the order in which the text gives them."""
    earliest = 0
    for given in case.goal.givens:
        if not given.location.startswith("body:/"):
            continue
        sent = [
            index
            for index, call in enumerate(case.calls)
            for location, value in flat(call.arguments)
            if location == given.location and same_scalar(value, given.value)
        ]
        if not sent or sent[-1] < earliest:
            return f"{given.label} {given.value!r} was not sent in its turn"
        earliest = max(earliest, sent[0])
    return ""


def _unused_call(case: _Case) -> str:
    calls = [call for call in case.calls if call.ok]
    for index, call in enumerate(calls[:-1]):
        if call.key.method not in SAFE_METHODS:
            continue
        later = (value for after in calls[index + 1 :] for _, value in flat(after.arguments))
        if _returned_values(call).isdisjoint(str(value).casefold() for value in later):
            return f"nothing that {call.key.operation} returned was used"
    return ""


def _returned_values(call: Call) -> set[str]:
    return {str(value).casefold() for value in scalars(call.body)}


def _is_documented(view: OperationView | None, location: str, value: object) -> bool:
    slot = view.slots.get(location) if view is not None else None
    return slot is not None and any(str(value) == str(option) for option in slot.documented_values)


def _is_more_specific(view: OperationView, general: OperationView) -> bool:
    """Whether one operation is about one item and the other about many, or its path continues the other's."""
    if view.is_single and not general.is_single:
        return True
    return view.key.path.startswith(f"{general.key.path.rstrip('/')}/") and view.noun == general.noun


def _agrees(expected: Json, answer: Json) -> bool:
    if isinstance(expected, list) and isinstance(answer, list):
        return len(expected) == len(answer) and all(map(same_scalar, expected, answer))
    return same_scalar(expected, answer)
