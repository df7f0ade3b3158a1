"""The reading operations seen from a goal: the arguments that each may get, and how promising it is.

Most of it follows from the goal and the round's evidence alone and is computed once a scenario; a state of the search
only says which givens were used and which items were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.language.words import singular, words
from docrev.planner.bindings import WEAK, Binding, bind_givens, bind_item_field
from docrev.planner.knowledge import Knowledge
from docrev.planner.operation_views import ArgumentSlot, OperationView
from docrev.planner.search_state import SearchState, can_see
from docrev.records import THERE, Goal, OperationKey

FAR = 4.0
"""The distance of an operation from which the wanted field is not known to be reachable."""
DISTANCE_WEIGHT = 0.45
LIKENESS_WEIGHT = 0.35
FAILING_PENALTY = 0.6
"""For an operation that has only failed so far."""
GIVEN_BONUS = 0.2
"""For each given that a call is sent."""
DEFAULT_SCORE, ENUM_SCORE = 0.3, 0.15
"""For a documented default, and for the first value of a documented enum."""
TIE_ALONE, TIE_BESIDE = 0.5, 0.6
"""The score from which a field of an item is sent as an optional argument: alone, and beside givens."""


@dataclass(frozen=True, slots=True)
class CandidateOperation:
    """One operation, seen from a goal.

    `options` are the values that may be sent to a location whatever the state, `optional_givens` those of locations
    that need no value, the best first; `given_indexes` are the givens among all of them. `item_kinds` are the kinds of
    items, as (tool, noun), of which a field may be sent, and `item_slots` the query parameters that take one.
    `sees_item`: it shows whether the item that the goal asks for is there.
    """

    view: OperationView
    base_score: float
    required: tuple[ArgumentSlot, ...]
    options: dict[str, tuple[Binding, ...]]
    optional_givens: tuple[Binding, ...]
    given_indexes: frozenset[int]
    item_kinds: frozenset[tuple[str, str]]
    item_slots: tuple[ArgumentSlot, ...]
    sees_item: bool


def candidate_operations(knowledge: Knowledge, goal: Goal) -> dict[OperationKey, CandidateOperation]:
    """The reading operations by key, seen from a goal."""
    distances = _distances(knowledge, goal)
    tokens = {singular(word) for word in (*words(goal.want), *words(goal.noun))}
    candidates = {}
    for key, view in knowledge.views.items():
        if view.is_safe:
            likeness = len(tokens & view.tokens) / max(1, len(tokens))
            penalty = FAILING_PENALTY if view.failures and not view.successes else 0.0
            score = LIKENESS_WEIGHT * likeness - DISTANCE_WEIGHT * distances.get(key, FAR) - penalty
            candidates[key] = _candidate(knowledge, goal, view, score)
    return candidates


def _candidate(knowledge: Knowledge, goal: Goal, view: OperationView, base_score: float) -> CandidateOperation:
    required = tuple(view.slots.get(location) or _slot_at(location, view) for location in view.required_locations())
    others = [slot for slot in (*view.slots.values(), *_undocumented(goal, view)) if slot.location != "body:"]
    options = {slot.location: _options(knowledge, goal, view, slot, slot in required) for slot in (*others, *required)}
    givens = [b for slot in others for b in options[slot.location] if b.given is not None and b.score >= WEAK]
    queried = [slot for slot in view.slots.values() if slot.location.startswith("query:")]
    kinds = {slot.location: [*knowledge.edges_by_source(view.key, slot.location)] for slot in (*queried, *required)}
    return CandidateOperation(
        view=view,
        base_score=base_score,
        required=required,
        options=options,
        optional_givens=tuple(sorted(givens, key=lambda binding: -binding.score)),
        given_indexes=frozenset(b.given for bindings in options.values() for b in bindings if b.given is not None),
        item_kinds=frozenset(kind for sources in kinds.values() for kind in sources),
        item_slots=tuple(slot for slot in queried if kinds[slot.location]),
        sees_item=goal.want == THERE and can_see(goal, view.key, view.noun),
    )


def _slot_at(location: str, view: OperationView) -> ArgumentSlot:
    return ArgumentSlot(location, location.partition(":")[2], view.noun, True)


def _undocumented(goal: Goal, view: OperationView) -> list[ArgumentSlot]:
    """Slots that are not documented, where an argument was accepted that the goal gives."""
    locations = dict.fromkeys(given.location for given in goal.givens if given.location not in ("", "body:"))
    accepted = [location for location in locations if location in view.sent and location not in view.slots]
    return [ArgumentSlot(location, location.rpartition("/")[2], view.noun, False) for location in accepted]


def _options(
    knowledge: Knowledge, goal: Goal, view: OperationView, slot: ArgumentSlot, required: bool
) -> tuple[Binding, ...]:
    """The givens that a slot may take and, if it needs a value, its documented default or the first of its enum."""
    score = DEFAULT_SCORE if len(slot.documented_values) == 1 else ENUM_SCORE
    documented = [Binding(slot.location, value, score) for value in slot.documented_values[:1] if required]
    return (*bind_givens(knowledge, goal, view, slot), *documented)


def bind_call(
    knowledge: Knowledge, goal: Goal, state: SearchState, candidate: CandidateOperation
) -> list[Binding] | None:
    """The arguments of a call of this operation, or None if it cannot or need not be made."""
    has_item = any((item.key.tool, item.noun) in candidate.item_kinds for item in state.items)
    needs_source = any(not slot.documented_values for slot in candidate.required)
    lists_all = not needs_source and _may_list_all(goal, state, candidate.view)
    has_new_given = not candidate.given_indexes <= state.used_givens
    if not (has_item or has_new_given or candidate.sees_item or lists_all):
        return None
    required = _bind_required(knowledge, goal, state, candidate, has_item=has_item)
    if required is None:
        return None
    bindings = [*required, *_bind_optional(knowledge, goal, state, candidate, required)]
    if candidate.sees_item or lists_all or any(_is_new(state, binding) for binding in bindings):
        return bindings
    return None


def _is_new(state: SearchState, binding: Binding) -> bool:
    """Whether a value comes from an item, or from a given not used before."""
    return binding.has_source and binding.given not in state.used_givens


def _is_open(goal: Goal, state: SearchState, binding: Binding) -> bool:
    """Whether a value may still be sent: what names an item only until the item was found."""
    if binding.given is None:
        return True
    return bool(goal.givens[binding.given].location) or binding.given not in state.used_givens


def _may_list_all(goal: Goal, state: SearchState, view: OperationView) -> bool:
    """Whether to list everything: at the start, if a given names an item of this kind, or nothing is given."""
    if state.items:
        return False
    if not goal.givens:
        return view.noun == goal.noun
    return any(
        not given.location and index not in state.used_givens and given.noun in ("", view.noun)
        for index, given in enumerate(goal.givens)
    )


def _bind_required(
    knowledge: Knowledge, goal: Goal, state: SearchState, candidate: CandidateOperation, *, has_item: bool
) -> list[Binding] | None:
    """The best value for each location that needs one; None if one has none."""
    bindings: list[Binding] = []
    for slot in candidate.required:
        options = [binding for binding in candidate.options[slot.location] if _is_open(goal, state, binding)]
        field = bind_item_field(knowledge, state, candidate.view, slot) if has_item else None
        best = max([*options, *([field] if field else [])], key=lambda binding: binding.score, default=None)
        if best is None:
            return None
        bindings.append(best)
    return bindings


def _bind_optional(
    knowledge: Knowledge, goal: Goal, state: SearchState, candidate: CandidateOperation, required: Sequence[Binding]
) -> list[Binding]:
    """Givens that optional locations may take, each once; if there is none, one field of an item found before."""
    bindings = [*required]
    for option in candidate.optional_givens:
        if _is_open(goal, state, option) and not any(_conflict(option, binding) for binding in bindings):
            bindings.append(option)
    tie = _tie_to_item(knowledge, state, candidate, bindings)
    return [*bindings[len(required) :], *([tie] if tie else [])]


def _conflict(one: Binding, other: Binding) -> bool:
    """Whether two bindings use the same given, or are for the same location."""
    return one.given == other.given or one.location == other.location


def _tie_to_item(
    knowledge: Knowledge, state: SearchState, candidate: CandidateOperation, bindings: Sequence[Binding]
) -> Binding | None:
    """The strongest field of an item found before that a query parameter takes.

    Beside located givens (a sort) it restricts a list to that item; a call that addresses an item needs none.
    """
    if not state.items or not candidate.item_slots:
        return None
    alone = not any(binding.has_source for binding in bindings)
    taken = {binding.location for binding in bindings}
    if not alone and any(location.startswith("path:") for location in taken):
        return None
    slots = [slot for slot in candidate.item_slots if alone or slot.location not in taken]
    own_noun = candidate.view.noun if alone else None
    fields = (bind_item_field(knowledge, state, candidate.view, slot, except_noun=own_noun) for slot in slots)
    best = max((field for field in fields if field), key=lambda binding: binding.score, default=None)
    return best if best is not None and best.score >= (TIE_ALONE if alone else TIE_BESIDE) else None


def score_call(candidate: CandidateOperation, bindings: Sequence[Binding]) -> float:
    """How likely a call with these arguments helps."""
    scores = [binding.score for binding in bindings if binding.has_source]
    fitting = sum(scores) / len(scores) if scores else 0.5
    return fitting + GIVEN_BONUS * sum(binding.given is not None for binding in bindings) + candidate.base_score


def _distances(knowledge: Knowledge, goal: Goal) -> dict[OperationKey, float]:
    """How many more calls the wanted field is away after each operation: breadth first, against the edges."""
    starts = ((key, _start_distance(goal, view)) for key, view in knowledge.views.items())
    distances = {key: distance for key, distance in starts if distance is not None}
    level = sorted(distances)
    while level:
        next_level: list[OperationKey] = []
        for key in level:
            for source in knowledge.feeding_operations(key):
                if source not in distances and distances[key] + 1 < FAR:
                    distances[source] = distances[key] + 1
                    next_level.append(source)
        level = next_level
    return distances


def _start_distance(goal: Goal, view: OperationView) -> float | None:
    """0 for an operation that returns the wanted field, 0.5 for one of which nothing is known, None for others."""
    if goal.want == THERE:
        return 0.0 if can_see(goal, view.key, view.noun) else None
    if goal.noun not in ("", view.noun):
        return None
    if view.returns_field(goal.want):
        return 0.0
    return 0.5 if view.is_safe and not (view.fields or view.documented_fields) else None
