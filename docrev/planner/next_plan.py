"""The next plan: which operation, with which arguments, brings the search nearest to what the scenario wants.

The planner knows the scenario's text and goal, all operations, the tool graph and the round's evidence. It does not
look at the operations that the scenario was made for. Where documentation and evidence leave it in doubt, the
doubtful operations are its next siblings: wrong branches come about as they do for any other model.
"""

from __future__ import annotations

from dataclasses import dataclass

from docrev.language.words import plural, words
from docrev.planner.arguments import Bound
from docrev.planner.field_phrases import spoken
from docrev.planner.knowledge import Knowledge, View
from docrev.planner.observed_filters import ORDERING
from docrev.planner.scenario_texts import BESIDE
from docrev.planner.search_state import State, States, Thing, answer, sees, signature
from docrev.planner.step_candidates import Aim, aims, bounds, score
from docrev.planner.write_steps import do
from docrev.prompts.questions import NextPlan
from docrev.records import THERE, Goal, Json, OperationKey, Plan

SPREAD = 0.8
"""A plan this much less likely than the best one is not worth a call."""
MAX_CACHED = 2000
MAX_GOALS = 64


@dataclass(frozen=True, slots=True)
class Candidate:
    """A call that might be made next, and how likely it helps."""

    view: View
    bounds: tuple[Bound, ...]
    score: float
    arguments: dict[str, Json]
    signature: tuple[OperationKey, str]


class Planner:
    """Answers `NextPlan`. Candidates are ranked once a node, whatever the number of siblings asked for."""

    def __init__(self, knowledge: Knowledge, states: States) -> None:
        self._knowledge = knowledge
        self._states = states
        self._ranked: dict[tuple[str, str, int], list[Candidate]] = {}
        self._aimed: dict[int, tuple[Goal, dict[OperationKey, Aim]]] = {}
        self._version = -1

    def next(self, prompt: NextPlan) -> Plan:
        """The likeliest plan that is not among the siblings; gives up where there is none."""
        goal = prompt.scenario.goal
        if goal is None:
            return Plan("The scenario does not say what is given and what is wanted.")
        state = self._states.after(goal, prompt.history)
        found = answer(goal, state)
        if found is not None and not any(plan.final for plan in prompt.siblings):
            return Plan(f"The {spoken(goal.want)} is known now.", answer=found)
        taken = [signature(plan.key, plan.arguments) for plan in prompt.siblings if plan.key is not None]
        others = [candidate for candidate in self._candidates(prompt, goal, state) if candidate.signature not in taken]
        fresh = [candidate for candidate in others if all(candidate.view.key != key for key, _ in taken)]
        for candidate in fresh or others:
            return Plan(self._thought(goal, candidate), candidate.view.key, candidate.arguments)
        return Plan("Nothing that is known leads further.")

    def _candidates(self, prompt: NextPlan, goal: Goal, state: State) -> list[Candidate]:
        last = prompt.history[-1] if prompt.history else None
        call = last.call.id if last is not None and last.call is not None else ""
        name = (
            last.id if last is not None else f"{prompt.scenario.id}/{prompt.scenario.text}",
            call,
            self._knowledge.version,
        )
        found = self._ranked.get(name)
        if found is None:
            if len(self._ranked) >= MAX_CACHED:
                self._ranked.clear()
            found = self._ranked[name] = self._rank(goal, state, [brief.key for brief in prompt.operations])
        return found

    def _rank(self, goal: Goal, state: State, keys: list[OperationKey]) -> list[Candidate]:
        if state.done < len(goal.deeds):
            return self._deed(goal, state)
        aimed = self._aims(goal)
        found: list[Candidate] = []
        for order, key in enumerate(keys):
            aim = aimed.get(key)
            made = bounds(self._knowledge, goal, state, aim) if aim is not None else None
            if aim is None or made is None:
                continue
            arguments = {bound.location: bound.value for bound in made}
            name = signature(key, arguments)
            if name not in state.made:
                found.append(Candidate(aim.view, tuple(made), score(aim, made) - order * 1e-6, arguments, name))
        found.sort(key=lambda candidate: -candidate.score)
        return [candidate for candidate in found if candidate.score >= found[0].score - SPREAD]

    def _deed(self, goal: Goal, state: State) -> list[Candidate]:
        """The call that does what is to be done next: once, and in its order."""
        found = [
            Candidate(view, tuple(bounds), 1.0, arguments, signature(view.key, arguments))
            for view in self._knowledge.views.values()
            if (bounds := do(self._knowledge, goal, state, view)) is not None
            for arguments in ({bound.location: bound.value for bound in bounds},)
        ]
        return sorted(found, key=lambda candidate: (candidate.view.key.method == "PUT", not candidate.view.good))[:1]

    def _aims(self, goal: Goal) -> dict[OperationKey, Aim]:
        """All reading operations seen from a goal; those of the last goals are kept."""
        if self._version != self._knowledge.version or len(self._aimed) >= MAX_GOALS:
            self._version = self._knowledge.version
            self._aimed.clear()
        known = self._aimed.get(id(goal))
        if known is None or known[0] is not goal:
            known = self._aimed[id(goal)] = (goal, aims(self._knowledge, goal))
        return known[1]

    def _thought(self, goal: Goal, candidate: Candidate) -> str:
        view, given = candidate.view, next((b for b in candidate.bounds if b.given is not None), None)
        thing = next((bound.thing for bound in candidate.bounds if bound.thing is not None), None)
        what = view.noun or "answer"
        if not view.safe:
            doing = {"POST": "Create", "DELETE": "Delete"}.get(view.key.method, "Change")
            return f"{doing} the {what} with {view.key.operation}."
        if given is not None and given.given is not None:
            return _looking(what, goal, candidate)
        if thing is None:
            return f"List what there is and find the {spoken(what)} in it."
        if goal.want == THERE and sees(goal, view.key, view.noun):
            return (
                f"List the {plural(spoken(what))} and look for it."
                if goal.many
                else f"See if the {spoken(what)} is there."
            )
        return _going_on(goal, view, thing)


def _looking(what: str, goal: Goal, candidate: Candidate) -> str:
    """What to look for, or how to choose and sort a list."""
    found = [goal.givens[bound.given] for bound in candidate.bounds if bound.given is not None]
    sorts = [given for given in found if ORDERING.intersection(words(given.label))]
    chosen = [
        f"{spoken(given.label if given.noun in ('', what) else given.noun)} {given.value}"
        for given in found
        if given not in sorts
    ]
    what = spoken(what)
    if sorts and not chosen:
        return f"List the {plural(what)} sorted by {spoken(str(sorts[0].value).lstrip('-+'))}."
    after = f", sorted by {spoken(str(sorts[0].value).lstrip('-+'))}" if sorts else ""
    return f"Look for the {what} with {' and '.join(chosen)}{after}."


def _going_on(goal: Goal, view: View, thing: Thing) -> str:
    """What to get of the thing at hand."""
    what, noun = view.noun or "answer", thing.noun or "item"
    found = f"the {spoken(noun)} found"
    if what == noun:
        return f"Get the {spoken(goal.want)} of {found}." if view.has(goal.want) else f"Get more of {found}."
    if what in BESIDE:
        return f"Get the {plural(spoken(noun))} {BESIDE[what]} {found}."
    shown = plural(spoken(what)) if view.largest > 1 or not (view.lone or view.single) else spoken(what)
    return f"Get the {shown} of {found}."
