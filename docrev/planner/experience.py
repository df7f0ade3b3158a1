"""Experience (ToolBFS+ §3.3): what a wrong branch lacked that the right one had. Where it lacked nothing, none."""

from __future__ import annotations

from docrev.planner.field_phrases import spoken
from docrev.planner.knowledge import Knowledge
from docrev.planner.scenario_texts import joined, quoted
from docrev.planner.search_state import State, States, wanted
from docrev.prompts.questions import ExperienceDraft, Same, SameExperience, SummariseExperience
from docrev.records import Call, Given, Goal, Node


class Lessons:
    """Answers `SummariseExperience` and `SameExperience`."""

    def __init__(self, knowledge: Knowledge, states: States) -> None:
        self._knowledge = knowledge
        self._states = states

    def summarise(self, prompt: SummariseExperience) -> ExperienceDraft:
        """What to do and what not to do after `history`, with what the wrong branch lacked."""
        goal, right, wrong = prompt.scenario.goal, prompt.right, prompt.wrong
        if goal is None or right.call is None or wrong.call is None or not right.call.ok:
            return ExperienceDraft(worth=False)
        if any(deed.verb in ("delete", "clear") for deed in goal.deeds):
            return ExperienceDraft(worth=False)  # that what was deleted is not found is no mistake
        why = self._lacking(goal, prompt.history, right, wrong.call, wrong)
        if not why:
            return ExperienceDraft(worth=False)
        return ExperienceDraft(
            worth=True,
            known=self._known(goal, prompt.history),
            right_plan=f"{_thought(right)} Use {right.call.key.operation}.",
            wrong_plan=f"{_thought(wrong)} Use {wrong.call.key.operation}.",
            why=why,
        )

    def same(self, prompt: SameExperience) -> Same:
        """The same choice after the same operation, or for the same reason, is the same lesson."""
        new = prompt.new
        return Same(
            same=any(
                (known.right, known.wrong) == (new.right, new.wrong) and (known.key == new.key or known.why == new.why)
                for known in prompt.known
            )
        )

    def _lacking(self, goal: Goal, history: tuple[Node, ...], right: Node, call: Call, wrong: Node) -> str:
        name = call.key.operation
        if not call.ok:
            if call.error == "denied" or call.error == "budget":
                return ""
            return f"{name} answered {call.status}" if call.status is not None else f"{name} failed ({call.error})"
        state = self._states.after(goal, (*history, wrong))
        good = self._states.after(goal, (*history, right))
        if not good.focus:
            return ""
        if not state.focus:
            return self._missing(call, good)
        if state.focus[0].noun == good.focus[0].noun:
            gave, lacks = wanted(goal, good.focus[0]), wanted(goal, state.focus[0])
            if gave is not None and lacks is None:
                return f"{name} does not tell the {spoken(goal.want)}"
        return ""

    def _missing(self, call: Call, good: State) -> str:
        """Where another kind of thing was looked for nothing is to be learned: the name alone said so."""
        noun, thing = self._knowledge.views[call.key].noun or "item", good.focus[0]
        if noun != thing.noun:
            return ""
        if not self._knowledge.reading(call).items:
            return f"{call.key.operation} answered with no {spoken(noun)}"
        return f"the {spoken(thing.noun)} was not among what {call.key.operation} answered"

    def _known(self, goal: Goal, history: tuple[Node, ...]) -> str:
        state = self._states.after(goal, history)
        if state.things:
            thing = state.things[0]
            names = [name for name, value in thing.item.fields.items() if value is not None and "/" not in name][:5]
            return f"The {spoken(thing.noun) or 'item'}, with its {joined([spoken(name) for name in names])}."
        said = [_given(given) for given in goal.givens]
        return f"{joined(said)[:1].upper()}{joined(said)[1:]}." if said else "Nothing but what is asked for."


def _given(given: Given) -> str:
    """The name of the country, "Peru"."""
    return f"the {spoken(given.label)} of the {spoken(given.noun) or 'item'}, {quoted(given.value)}"


def _thought(node: Node) -> str:
    return node.plan.thought if node.plan is not None else ""
