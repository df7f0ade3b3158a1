"""The reading operations seen from a goal: the arguments that each may get, and how promising it is.

Most of it follows from the goal and the round's evidence alone and is computed once a scenario; a state of the search
only says which givens were used and which items were found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from docrev.language.words import singular_words
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


class CandidateOperation:
    """One reading operation, seen from a goal: the arguments that a call of it may get, and how promising it is."""

    def __init__(self, knowledge: Knowledge, goal: Goal, view: OperationView, base_score: float) -> None:
        self.view = view
        self._knowledge, self._goal, self._base_score = knowledge, goal, base_score
        self._sees_item = goal.want == THERE and can_see(goal, view.key, view.noun)
        self._required = view.required_slots()
        optional = [*view.slots.values(), *_undocumented(goal, view)]
        # What may be sent to each location whatever the state: givens, and documented values where one is needed.
        self._options = {slot.location: self._slot_options(slot) for slot in (*optional, *self._required)}
        self._optional_givens = _likely_givens(self._options[slot.location] for slot in optional)
        self._given_indexes = {binding.given for options in self._options.values() for binding in options} - {None}
        # The (tool, noun) of items of which a field may be sent, and the query parameters that take one.
        slots = (*view.query_slots, *self._required)
        edges = {slot.location: knowledge.edges_by_source(view.key, slot.location) for slot in slots}
        self._item_kinds = {kind for kinds in edges.values() for kind in kinds}
        self._item_slots = [slot for slot in view.query_slots if edges[slot.location]]

    def bind(self, state: SearchState, kinds: Set[tuple[str, str]]) -> list[Binding] | None:
        """The arguments of a call, or None if none can or need be made; `kinds` are those of the state's items."""
        has_item = not self._item_kinds.isdisjoint(kinds)
        needs_no_source = self._sees_item or self._may_list_all(state)
        if not (needs_no_source or has_item or not self._given_indexes <= state.used_givens):
            return None
        required = self._bind_required(state, has_item=has_item)
        if required is None:
            return None
        bindings = [*required, *self._bind_optional(state, required)]
        return bindings if needs_no_source or any(_is_new(state, binding) for binding in bindings) else None

    def score(self, bindings: Sequence[Binding]) -> float:
        """How likely a call with these arguments helps."""
        scores = [binding.score for binding in bindings if binding.has_source]
        fitting = sum(scores) / len(scores) if scores else 0.5
        return fitting + GIVEN_BONUS * sum(binding.given is not None for binding in bindings) + self._base_score

    def _slot_options(self, slot: ArgumentSlot) -> list[Binding]:
        """The givens that a slot may take and, if it needs a value, its documented default or the first of its enum."""
        score = DEFAULT_SCORE if len(slot.documented_values) == 1 else ENUM_SCORE
        documented = slot.documented_values[:1] if slot in self._required else ()
        givens = bind_givens(self._knowledge, self._goal, self.view, slot)
        return [*givens, *(Binding(slot.location, value, score) for value in documented)]

    def _may_list_all(self, state: SearchState) -> bool:
        """Whether to list everything: at the start, if a given names an item of this kind, or nothing is given."""
        goal = self._goal
        if state.items or any(not slot.documented_values for slot in self._required):
            return False
        if not goal.givens:
            return self.view.noun == goal.noun
        unused = (given for index, given in enumerate(goal.givens) if index not in state.used_givens)
        return any(not given.location and given.noun in ("", self.view.noun) for given in unused)

    def _is_open(self, state: SearchState, binding: Binding) -> bool:
        """Whether a value may still be sent: what names an item only until the item was found."""
        if binding.given is None:
            return True
        return bool(self._goal.givens[binding.given].location) or binding.given not in state.used_givens

    def _bind_required(self, state: SearchState, *, has_item: bool) -> list[Binding] | None:
        """The best value for each location that needs one; None if one has none."""
        bindings: list[Binding] = []
        for slot in self._required:
            options = [binding for binding in self._options[slot.location] if self._is_open(state, binding)]
            field = bind_item_field(self._knowledge, state, self.view, slot) if has_item else None
            if not options and field is None:
                return None
            bindings.append(max([*options, *([field] if field else [])], key=_score_of))
        return bindings

    def _bind_optional(self, state: SearchState, required: Sequence[Binding]) -> list[Binding]:
        """Givens that optional locations may take, each once, and a field of an item found before."""
        bindings = [*required]
        for option in self._optional_givens:
            if self._is_open(state, option) and not any(_conflict(option, binding) for binding in bindings):
                bindings.append(option)
        tie = self._tie_to_item(state, bindings) if state.items and self._item_slots else None
        return [*bindings[len(required) :], *([tie] if tie else [])]

    def _tie_to_item(self, state: SearchState, bindings: Sequence[Binding]) -> Binding | None:
        """The strongest field of an item found before that a query parameter takes.

        Beside located givens (a sort) it restricts a list to that item; a call that addresses an item needs none.
        """
        if not any(binding.has_source for binding in bindings):
            return self._best_field(state, self._item_slots, TIE_ALONE, except_noun=self.view.noun)
        taken = {binding.location for binding in bindings}
        if any(location.startswith("path:") for location in taken):
            return None
        return self._best_field(state, [slot for slot in self._item_slots if slot.location not in taken], TIE_BESIDE)

    def _best_field(
        self, state: SearchState, slots: list[ArgumentSlot], least: float, except_noun: str | None = None
    ) -> Binding | None:
        """The best field of an item found before for one of the slots, if its score is high enough."""
        fields = (bind_item_field(self._knowledge, state, self.view, slot, except_noun=except_noun) for slot in slots)
        best = max(filter(None, fields), key=_score_of, default=None)
        return best if best is not None and best.score >= least else None


def candidate_operations(knowledge: Knowledge, goal: Goal) -> dict[OperationKey, CandidateOperation]:
    """The reading operations by key, seen from a goal."""
    distances = _distances(knowledge, goal)
    tokens = {*singular_words(goal.want), *singular_words(goal.noun)}
    candidates = {}
    for key, view in knowledge.views.items():
        if view.is_safe:
            likeness = len(tokens & view.tokens) / max(1, len(tokens))
            penalty = FAILING_PENALTY if view.failures and not view.successes else 0.0
            score = LIKENESS_WEIGHT * likeness - DISTANCE_WEIGHT * distances.get(key, FAR) - penalty
            candidates[key] = CandidateOperation(knowledge, goal, view, score)
    return candidates


def _score_of(binding: Binding) -> float:
    return binding.score


def _likely_givens(options: Iterable[Sequence[Binding]]) -> list[Binding]:
    """The givens among options for several slots that are worth a try, the best first."""
    likely = (binding for bindings in options for binding in bindings if binding.score >= WEAK)
    return sorted((binding for binding in likely if binding.given is not None), key=lambda binding: -binding.score)


def _is_new(state: SearchState, binding: Binding) -> bool:
    """Whether a value comes from an item, or from a given not used before."""
    return binding.has_source and binding.given not in state.used_givens


def _conflict(option: Binding, other: Binding) -> bool:
    """Whether two bindings use the same given, or are for the same location."""
    return option.given == other.given or option.location == other.location


def _undocumented(goal: Goal, view: OperationView) -> list[ArgumentSlot]:
    """Slots that are not documented, where an argument was accepted that the goal gives."""
    locations = dict.fromkeys(given.location for given in goal.givens if given.location not in ("", "body:"))
    accepted = [location for location in locations if location in view.sent and location not in view.slots]
    return [ArgumentSlot(location, location.rpartition("/")[2], view.noun, False) for location in accepted]


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
