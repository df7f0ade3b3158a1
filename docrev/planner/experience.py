"""Experience (ToolBFS+ §3.3): what a wrong branch lacked that the right one had; none if it lacked nothing."""

from __future__ import annotations

from docrev.language.phrases import joined
from docrev.planner.field_names import field_phrase
from docrev.planner.knowledge import Knowledge
from docrev.planner.scenario_texts import quoted
from docrev.planner.search_state import SearchState, SearchStates, wanted_value
from docrev.prompts.baselines import SimilarExperience
from docrev.prompts.questions import ExperienceDraft, Same, SameExperience, SummariseExperience
from docrev.records import Call, Given, Goal, Node

MAX_NAMES = 5
"""Fields of an item that an experience names as known."""


class ExperienceWriter:
    """Answers `SummariseExperience` and `SameExperience`."""

    def __init__(self, knowledge: Knowledge, states: SearchStates) -> None:
        self._knowledge = knowledge
        self._states = states

    def summarise(self, prompt: SummariseExperience) -> ExperienceDraft:
        """What to do and what not to do after `history`, with what the wrong branch lacked."""
        goal, right, wrong = prompt.scenario.goal, prompt.right, prompt.wrong
        if goal is None or right.call is None or not right.call.ok:
            return ExperienceDraft(worth=False)
        if wrong.call is None:
            # An answer was given where a call was still needed.
            why, choice = wrong.reason, "Give the final answer."
        else:
            undone = any(deed.verb in ("delete", "clear") for deed in goal.deeds)
            # Not finding what was deleted is no mistake.
            why = "" if undone else self._lack(goal, prompt.history, right, wrong.call, wrong)
            choice = f"Use {wrong.call.key.operation}."
        if not why and not prompt.published:
            return ExperienceDraft(worth=False)
        return ExperienceDraft(
            worth=True,
            known=self._known_before(goal, prompt.history),
            right_plan=f"{_thought(right)} Use {right.call.key.operation}.",
            wrong_plan=f"{_thought(wrong)} {choice}",
            why=why,
        )

    def same(self, prompt: SameExperience) -> Same:
        """The same choice after the same operation, or for the same reason, is the same experience."""
        new = prompt.new
        alike = (old for old in prompt.known if (old.right, old.wrong) == (new.right, new.wrong))
        return Same(same=any(old.key == new.key or old.why == new.why for old in alike))

    def similar(self, prompt: SimilarExperience) -> Same:
        """The same scenario with the same known information."""
        new = prompt.new
        return Same(same=any((old.scenario, old.known) == (new.scenario, new.known) for old in prompt.known))

    def _lack(self, goal: Goal, history: tuple[Node, ...], right: Node, call: Call, wrong: Node) -> str:
        """What the wrong branch lacked; "" if it lacked nothing."""
        if not call.ok:
            return _failure(call)
        right_state = self._states.after(goal, (*history, right))
        wrong_state = self._states.after(goal, (*history, wrong))
        if not right_state.focus:
            return ""
        if not wrong_state.focus:
            return self._missing_item(call, right_state)
        right_item, wrong_item = right_state.focus[0], wrong_state.focus[0]
        lacks_field = wanted_value(goal, right_item) is not None and wanted_value(goal, wrong_item) is None
        if right_item.noun == wrong_item.noun and lacks_field:
            return f"{call.key.operation} does not return the {field_phrase(goal.want)}"
        return ""

    def _missing_item(self, call: Call, right_state: SearchState) -> str:
        """If the operation is about another kind of item, nothing is to be learned: its name alone said so."""
        noun, right_item = self._knowledge.views[call.key].noun or "item", right_state.focus[0]
        if noun != right_item.noun:
            return ""
        if not self._knowledge.response(call).items:
            return f"{call.key.operation} returned no {field_phrase(noun)}"
        return f"{call.key.operation} did not return the {field_phrase(right_item.noun)}"

    def _known_before(self, goal: Goal, history: tuple[Node, ...]) -> str:
        """What was known when the choice was made."""
        state = self._states.after(goal, history)
        if state.items:
            item = state.items[0]
            names = [name for name, value in item.fields.items() if value is not None and "/" not in name]
            phrases = [field_phrase(name) for name in names[:MAX_NAMES]]
            return f"The {field_phrase(item.noun) or 'item'}, with its {joined(phrases)}."
        givens = joined([_given_phrase(given) for given in goal.givens])
        return f"{givens[:1].upper()}{givens[1:]}." if givens else "Nothing but what is asked for."


def _given_phrase(given: Given) -> str:
    """The name of the country, "Peru"."""
    return f"the {field_phrase(given.label)} of the {field_phrase(given.noun) or 'item'}, {quoted(given.value)}"


def _failure(call: Call) -> str:
    if call.error in ("denied", "budget"):
        return ""
    operation = call.key.operation
    return f"{operation} returned {call.status}" if call.status is not None else f"{operation} failed ({call.error})"


def _thought(node: Node) -> str:
    return node.plan.thought if node.plan is not None else ""
