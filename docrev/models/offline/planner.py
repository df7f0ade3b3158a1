"""The next plan: which operation, with which arguments, brings the search nearest to what the scenario wants.

The planner knows the scenario's text and goal, all operations, the tool graph and the round's evidence. It does not
look at the operations that the scenario was made for. Where documentation and evidence leave it in doubt, the
doubtful operations are its next siblings: wrong branches come about as they do for any other model.
"""

from __future__ import annotations

from dataclasses import dataclass

from docrev.models.offline.binding import WEAK, Bound, bind, from_givens, from_things
from docrev.models.offline.doing import do
from docrev.models.offline.filters import ORDERING
from docrev.models.offline.knowledge import Knowledge, Slot, View
from docrev.models.offline.phrasing import BESIDE
from docrev.models.offline.spoken import spoken
from docrev.models.offline.state import State, States, Thing, answer, sees, signature
from docrev.prompts.questions import NextPlan
from docrev.records import THERE, Goal, Json, OperationKey, Plan
from docrev.wording import plural, singular, words

FAR = 4.0
"""The distance of an operation from which the wanted field is not known to be reachable."""
SPREAD = 0.8
"""A plan this much less likely than the best one is not worth a call."""
MAX_CACHED = 2000


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
        self._distances: dict[tuple[str, str, int], dict[OperationKey, float]] = {}

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
        distances = self._distance(goal)
        tokens = {singular(word) for word in (*words(goal.want), *words(goal.noun))}
        found: list[Candidate] = []
        for order, key in enumerate(keys):
            view = self._knowledge.views.get(key)
            if view is None or not view.safe:
                continue
            bounds = self._bounds(goal, state, view)
            if bounds is None:
                continue
            arguments = {bound.location: bound.value for bound in bounds}
            made = signature(key, arguments)
            if made in state.made:
                continue
            likeness = len(tokens & view.tokens) / max(1, len(tokens))
            score = _score(view, bounds, distances.get(key, FAR), likeness) - order * 1e-6
            found.append(Candidate(view, tuple(bounds), score, arguments, made))
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

    def _bounds(self, goal: Goal, state: State, view: View) -> list[Bound] | None:
        """The arguments of a call of this operation, or None where it cannot or need not be made."""
        needed = view.needed()
        bounds: list[Bound] = []
        for location in needed:
            bound = bind(self._knowledge, goal, state, view, location)
            if bound is None:
                return None
            bounds.append(bound)
        bounds += self._optional(goal, state, view, bounds)
        if any(bound.given is not None and bound.given not in state.used for bound in bounds):
            return bounds
        if any(bound.thing is not None for bound in bounds):
            return bounds
        if goal.want == THERE and sees(goal, view.key, view.noun):
            return bounds
        return bounds if not needed and _listed(goal, state, view) else None

    def _optional(self, goal: Goal, state: State, view: View, bounds: list[Bound]) -> list[Bound]:
        """Givens that optional slots may take, each once; failing that, one field of the item at hand."""
        taken, used = {bound.location for bound in bounds}, {bound.given for bound in bounds}
        options: list[Bound] = []
        for slot in (*view.slots.values(), *_undeclared(goal, view)):
            if slot.location not in taken and slot.location != "body:":
                options += from_givens(self._knowledge, goal, state, view, slot)
        found: list[Bound] = []
        for bound in sorted(options, key=lambda option: -option.score):
            if bound.score >= WEAK and bound.given not in used and bound.location not in taken:
                found.append(bound)
                used.add(bound.given)
                taken.add(bound.location)
        if view.safe and not any(bound.given is not None or bound.thing is not None for bound in (*bounds, *found)):
            fields = [
                bound
                for slot in view.slots.values()
                if slot.location.startswith("query:")
                for bound in from_things(self._knowledge, state, view, slot)
                if bound.thing is not None and bound.thing.noun != view.noun
            ]
            best = max(fields, key=lambda option: option.score, default=None)
            if best is not None and best.score >= 0.5:
                found.append(best)
        elif view.safe:
            found += self._joined(goal, state, view, {*taken})
        return found

    def _joined(self, goal: Goal, state: State, view: View, taken: set[str]) -> list[Bound]:
        """Beside located givens (a sort), what ties a list to the item at hand: its strongest edge."""
        if not state.things or any(location.startswith("path:") for location in taken):
            return []
        fields = [
            bound
            for slot in view.slots.values()
            if slot.location.startswith("query:") and slot.location not in taken
            for bound in from_things(self._knowledge, state, view, slot)
        ]
        best = max(fields, key=lambda option: option.score, default=None)
        return [best] if best is not None and best.score >= 0.6 else []

    def _distance(self, goal: Goal) -> dict[OperationKey, float]:
        """How many more calls the wanted field is away after each operation, over the tool graph."""
        name = (goal.want, goal.noun, self._knowledge.version)
        found = self._distances.get(name)
        if found is None:
            found = self._distances[name] = _distances(self._knowledge, goal)
        return found

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


def _undeclared(goal: Goal, view: View) -> list[Slot]:
    """Places that the documentation does not tell of, where an argument was accepted that the goal gives."""
    names = dict.fromkeys(given.location for given in goal.givens if given.location)
    found = [name for name in names if name in view.times and name not in view.slots and name != "body:"]
    return [Slot(name, name.rpartition("/")[2], view.noun, False, ()) for name in found]


def _listed(goal: Goal, state: State, view: View) -> bool:
    """Whether to list everything: at the start, where a given names a thing of this kind, or nothing is given."""
    if state.things:
        return False
    naming = [given for index, given in enumerate(goal.givens) if not given.location and index not in state.used]
    return any(given.noun in ("", view.noun) for given in naming) or (not goal.givens and view.noun == goal.noun)


def _score(view: View, bounds: list[Bound], distance: float, likeness: float) -> float:
    told = [bound.score for bound in bounds if bound.given is not None or bound.thing is not None]
    fitting = sum(told) / len(told) if told else 0.5
    new = sum(0.2 for bound in bounds if bound.given is not None)
    failing = 0.6 if view.bad and not view.good else 0.0
    return fitting + new + 0.35 * likeness - 0.45 * distance - failing


def _distances(knowledge: Knowledge, goal: Goal) -> dict[OperationKey, float]:
    """Breadth first from the operations that answer with the wanted field, against the edges."""
    found: dict[OperationKey, float] = {}
    for key, view in knowledge.views.items():
        if goal.want == THERE:
            if sees(goal, key, view.noun):
                found[key] = 0.0
        elif not goal.noun or view.noun == goal.noun:
            if view.has(goal.want):
                found[key] = 0.0
            elif not view.fields and not view.documented and view.safe:
                found[key] = 0.5
    level = sorted(found)
    while level:
        above: list[OperationKey] = []
        for key in level:
            for source in _sources(knowledge, key):
                if source not in found and found[key] + 1 < FAR:
                    found[source] = found[key] + 1
                    above.append(source)
        level = above
    return found


def _sources(knowledge: Knowledge, key: OperationKey) -> list[OperationKey]:
    """The operations that feed this one, by its likelier edges."""
    feeding: dict[OperationKey, None] = {}
    for slot in knowledge.views[key].slots.values():
        for edge in knowledge.feeds(key, slot.location):
            if edge.score >= 0.45 and edge.source in knowledge.views:
                feeding[edge.source] = None
    return list(feeding)
