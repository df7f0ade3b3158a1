"""The next plan: the operation and the arguments that bring the search nearest to what the scenario asks for.

The planner knows the scenario's text and goal, all operations, the tool graph and the round's evidence. It does not
look at the operations that the scenario was made for. If documentation and evidence leave several operations possible,
these are the next siblings: wrong branches arise as they do for any other model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.conventions.parameters import ORDERING, role_of
from docrev.language.words import plural
from docrev.planner.bindings import Binding, bind_deed
from docrev.planner.candidate_operations import CandidateOperation, candidate_operations
from docrev.planner.field_names import BESIDE, field_phrase
from docrev.planner.knowledge import Knowledge, Memo
from docrev.planner.operation_views import OperationView
from docrev.planner.response_items import ResponseItem
from docrev.planner.search_state import SearchState, SearchStates, Signature, answer_of, can_see, kinds_of, signature
from docrev.prompts.questions import NextPlan
from docrev.records import THERE, Given, Goal, Json, OperationKey, Plan

SPREAD = 0.8
"""A call this much less likely than the best one is not planned."""
MAX_NODES = 2000
MAX_GOALS = 64
_WRITING = {"POST": "Create", "DELETE": "Delete"}


@dataclass(frozen=True, slots=True)
class CandidateCall:
    """A call that might be made next, and how likely it helps."""

    view: OperationView
    bindings: tuple[Binding, ...]
    score: float
    arguments: dict[str, Json]
    signature: Signature


class Planner:
    """Answers `NextPlan`. Candidates are ranked once a node, whatever the number of siblings asked for."""

    def __init__(self, knowledge: Knowledge, states: SearchStates) -> None:
        self._knowledge = knowledge
        self._states = states
        self._ranked: Memo[list[CandidateCall]] = knowledge.memo(MAX_NODES)
        self._operations: Memo[tuple[Goal, dict[OperationKey, CandidateOperation]]] = knowledge.memo(MAX_GOALS)

    def next(self, prompt: NextPlan) -> Plan:
        """The likeliest plan that is not among the siblings; gives up if there is none."""
        goal = prompt.scenario.goal
        if goal is None:
            return Plan("The scenario does not say what is given and what is wanted.")
        state = self._states.after(goal, prompt.history)
        answer = answer_of(goal, state)
        if answer is not None and not any(plan.final for plan in prompt.siblings):
            return Plan(f"The {field_phrase(goal.want)} is known now.", answer=answer)
        chosen = _choose(self._candidates(prompt, goal, state), prompt.siblings)
        if chosen is None:
            return Plan("Nothing that is known leads further.")
        return Plan(_thought(goal, chosen.view, chosen.bindings), chosen.view.key, chosen.arguments)

    def _candidates(self, prompt: NextPlan, goal: Goal, state: SearchState) -> list[CandidateCall]:
        last = prompt.history[-1] if prompt.history else None
        node = last.id if last is not None else f"{prompt.scenario.id}/{prompt.scenario.text}"
        call = last.call.id if last is not None and last.call is not None else ""
        keys = [brief.key for brief in prompt.operations]
        return self._ranked.get((node, call), lambda: self._rank(goal, state, keys))

    def _rank(self, goal: Goal, state: SearchState, keys: list[OperationKey]) -> list[CandidateCall]:
        if state.deeds_done < len(goal.deeds):
            return self._next_deed(goal, state)
        operations = self._candidate_operations(goal)
        kinds = kinds_of(state)
        calls: list[CandidateCall] = []
        for order, key in enumerate(keys):
            operation = operations.get(key)
            bindings = operation.bind(state, kinds) if operation is not None else None
            if operation is None or bindings is None:
                continue
            call = _call(operation.view, bindings, operation.score(bindings) - order * 1e-6)
            if call.signature not in state.signatures:
                calls.append(call)
        calls.sort(key=lambda call: -call.score)
        return [call for call in calls if call.score >= calls[0].score - SPREAD]

    def _next_deed(self, goal: Goal, state: SearchState) -> list[CandidateCall]:
        """The call that does the next deed: a POST rather than a PUT, and an operation that worked before."""
        bound = ((view, bind_deed(self._knowledge, goal, state, view)) for view in self._knowledge.views.values())
        calls = [_call(view, bindings, 1.0) for view, bindings in bound if bindings is not None]
        return sorted(calls, key=lambda call: (call.view.key.method == "PUT", not call.view.successes))[:1]

    def _candidate_operations(self, goal: Goal) -> dict[OperationKey, CandidateOperation]:
        # Kept with the goal, so that no other goal gets its id.
        return self._operations.get(id(goal), lambda: (goal, candidate_operations(self._knowledge, goal)))[1]


def _call(view: OperationView, bindings: list[Binding], score: float) -> CandidateCall:
    arguments = {binding.location: binding.value for binding in bindings}
    return CandidateCall(view, tuple(bindings), score, arguments, signature(view.key, arguments))


def _choose(candidates: list[CandidateCall], siblings: Sequence[Plan]) -> CandidateCall | None:
    """The best call that no sibling makes, of an operation that no sibling calls if there is one."""
    taken = [signature(plan.key, plan.arguments) for plan in siblings if plan.key is not None]
    keys = {key for key, _ in taken}
    others = [candidate for candidate in candidates if candidate.signature not in taken]
    return next((candidate for candidate in others if candidate.view.key not in keys), next(iter(others), None))


# Thoughts


def _thought(goal: Goal, view: OperationView, bindings: Sequence[Binding]) -> str:
    """Why this operation is called with these arguments."""
    noun = view.noun or "answer"
    if not view.is_safe:
        return f"{_WRITING.get(view.key.method, 'Change')} the {noun} with {view.key.operation}."
    givens = [goal.givens[binding.given] for binding in bindings if binding.given is not None]
    if givens:
        return _look_for(noun, givens)
    item = next((binding.item for binding in bindings if binding.item is not None), None)
    if item is None:
        return f"List the {plural(field_phrase(noun))} and find the {field_phrase(noun)} in the list."
    if goal.want == THERE and can_see(goal, view.key, view.noun):
        if goal.many:
            return f"List the {plural(field_phrase(noun))} and look for it."
        return f"Check whether the {field_phrase(noun)} exists."
    return _follow(goal, view, noun, item)


def _look_for(noun: str, givens: list[Given]) -> str:
    """What to look for, or how to choose and sort a list."""
    sorts = [given for given in givens if role_of(given.label) in ORDERING]
    filters = [
        f"{field_phrase(given.label if given.noun in ('', noun) else given.noun)} {given.value}"
        for given in givens
        if given not in sorts
    ]
    order = f"sorted by {field_phrase(str(sorts[0].value).lstrip('-+'))}" if sorts else ""
    if not filters:
        return f"List the {plural(field_phrase(noun))} {order}."
    return f"Look for the {field_phrase(noun)} with {' and '.join(filters)}{f', {order}' if order else ''}."


def _follow(goal: Goal, view: OperationView, noun: str, item: ResponseItem) -> str:
    """What to get of an item found before."""
    source = field_phrase(item.noun or "item")
    if noun == (item.noun or "item"):
        wanted = f"the {field_phrase(goal.want)}" if view.returns_field(goal.want) else "more details"
        return f"Get {wanted} of the {source} found."
    if noun in BESIDE:
        return f"Get the {plural(source)} {BESIDE[noun]} the {source} found."
    returns_many = view.longest_list > 1 or not (view.was_single or view.is_single)
    return f"Get the {plural(field_phrase(noun)) if returns_many else field_phrase(noun)} of the {source} found."
