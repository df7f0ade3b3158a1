"""The judge (ToolBFS+ appendix A.4): six rules, each a check over the history; the first one broken is the reason."""

from __future__ import annotations

import re
from collections.abc import Callable

from docrev.graph.values import flat
from docrev.json_values.leaves import leaves
from docrev.planner.knowledge import Knowledge, View
from docrev.planner.response_items import equal
from docrev.planner.search_state import States, answer
from docrev.prompts.questions import JudgeAnswer, Verdict
from docrev.records import Call, Goal, Json

_PLACEHOLDER = re.compile(r"^[{<\[].*[}>\]]$|\{\{?\w+\}?\}|^<\w+>|^YOUR_|^(string|placeholder|example)$", re.IGNORECASE)


class Judge:
    """Answers `JudgeAnswer`."""

    def __init__(self, knowledge: Knowledge, states: States) -> None:
        self._knowledge = knowledge
        self._states = states

    def verdict(self, prompt: JudgeAnswer) -> Verdict:
        """Correct only where every rule holds. Rule 4 comes last: it says what is wrong with the answer itself."""
        rules: tuple[tuple[int, Callable[[JudgeAnswer, Goal, list[Call]], str]], ...] = (
            (1, self._placeholders),
            (2, self._made_up),
            (5, self._order),
            (4, self._wrong),
            (3, self._general),
            (6, self._unrelated),
        )
        goal = prompt.scenario.goal
        if goal is None:
            # What another model's text asks for is only guessed at: the answer must then stand in the last response.
            goal, rules = Goal((), ""), (rules[0], rules[1], (4, self._unfounded), rules[5])
        calls = [node.call for node in prompt.history if node.call is not None]
        for rule, broken in rules:
            reason = broken(prompt, goal, calls)
            if reason:
                return Verdict(correct=False, rule=rule, reason=reason)
        return Verdict(correct=True, reason="every value was given or looked up, and the answer is what was asked for")

    def _placeholders(self, prompt: JudgeAnswer, goal: Goal, calls: list[Call]) -> str:
        for call in calls:
            for location, value in flat(call.arguments):
                if isinstance(value, str) and _PLACEHOLDER.search(value):
                    return f"{call.key.operation} was called with the placeholder {value!r} as {location}"
        return ""

    def _made_up(self, prompt: JudgeAnswer, goal: Goal, calls: list[Call]) -> str:
        known = {str(given.value).casefold() for given in goal.givens}
        known |= {str(value).casefold() for given in goal.givens for _, value in leaves(given.value)}
        text = prompt.scenario.text.casefold()
        for call in calls:
            view = self._knowledge.views.get(call.key)
            for location, value in flat(call.arguments):
                said = str(value).casefold()
                if said in known or (len(said) > 1 and said in text) or _stated(view, location, value):
                    continue
                return f"{value!r} for {location} of {call.key.operation} comes from neither the text nor a response"
            known |= {str(value).casefold() for _, value in leaves(call.body)}
        return ""

    def _general(self, prompt: JudgeAnswer, goal: Goal, calls: list[Call]) -> str:
        state = self._states.after(goal, prompt.history)
        if not state.focus:
            return ""
        used, gave = {call.key for call in calls}, self._knowledge.views[state.focus[0].key]
        for key in prompt.scenario.operations:
            view = self._knowledge.views.get(key)
            if view is None or key in used or not view.safe or view.noun != goal.noun or not view.has(goal.want):
                continue
            if _more_specific(view, gave):
                return f"{key.operation} gives this in particular, {gave.key.operation} only in general"
        return ""

    def _wrong(self, prompt: JudgeAnswer, goal: Goal, calls: list[Call]) -> str:
        found = answer(goal, self._states.after(goal, prompt.history))
        if found is None:
            return f"the calls do not lead to the {goal.want} of what was asked for"
        if not _agrees(found, prompt.answer):
            return f"the responses say {found!r}"
        return ""

    def _unfounded(self, prompt: JudgeAnswer, goal: Goal, calls: list[Call]) -> str:
        told = [value for _, value in leaves(calls[-1].body)] if calls and calls[-1].ok else []
        said = prompt.answer if isinstance(prompt.answer, list) else [prompt.answer]
        if said and all(any(equal(one, value) for value in told) for one in said):
            return ""
        return "the last response does not hold the answer"

    def _order(self, prompt: JudgeAnswer, goal: Goal, calls: list[Call]) -> str:
        at = 0
        for given in goal.givens:
            if not given.location.startswith("body:") or given.location == "body:":
                continue
            sent = [
                index
                for index, call in enumerate(calls)
                if any(
                    location == given.location and equal(value, given.value) for location, value in flat(call.arguments)
                )
            ]
            if not sent or sent[-1] < at:
                return f"{given.label} {given.value!r} was not sent in its turn"
            at = max(at, sent[0])
        return ""

    def _unrelated(self, prompt: JudgeAnswer, goal: Goal, calls: list[Call]) -> str:
        good = [call for call in calls if call.ok]
        for index, call in enumerate(good[:-1]):
            if call.key.method not in ("GET", "HEAD", "OPTIONS"):
                continue
            told = {str(value).casefold() for _, value in leaves(call.body)}
            later = (value for after in good[index + 1 :] for _, value in flat(after.arguments))
            if not any(str(value).casefold() in told for value in later):
                return f"nothing that {call.key.operation} answered was used"
        return ""


def _stated(view: View | None, location: str, value: Json) -> bool:
    slot = view.slots.get(location) if view is not None else None
    return slot is not None and any(str(value) == str(option) for option in slot.stated)


def _more_specific(view: View, general: View) -> bool:
    """Whether one operation is about one thing where the other is about many, or lies below it in the path."""
    if view.single and not general.single:
        return True
    return view.key.path.startswith(f"{general.key.path.rstrip('/')}/") and view.noun == general.noun


def _agrees(found: Json, said: Json) -> bool:
    if isinstance(found, list) and isinstance(said, list):
        return len(found) == len(said) and all(equal(one, other) for one, other in zip(found, said, strict=True))
    return equal(found, said)
