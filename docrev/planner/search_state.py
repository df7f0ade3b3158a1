"""The state of a search: what its calls have led to, seen from the scenario's givens.

A state follows from the scenario's goal and the history alone; each is computed once from that of the node above.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from docrev.conventions.ids import is_id_name
from docrev.conventions.statuses import NOT_THERE
from docrev.graph.match import path_nouns
from docrev.graph.values import flat
from docrev.json_values.scalars import same_scalar
from docrev.language.path_templates import ends_in_parameter
from docrev.language.words import singular_words
from docrev.planner.knowledge import Knowledge, Memo
from docrev.planner.response_items import ResponseItem, ResponseItems
from docrev.records import THERE, Call, Given, Goal, Json, Node, OperationKey

MAX_STATES = 20_000

Signature = tuple[OperationKey, str]
"""What makes two calls the same: the operation, and its arguments in order."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """What the calls have led to.

    `used_givens` are the indexes of the givens accounted for. `focus` are the items that the last call led to, none if
    it led nowhere; `is_whole_list`: they are all of a list. `items` are the first item of each call's focus, the latest
    first. `signatures` are the calls made, `deeds_done` counts the goal's deeds that are done, and `is_there` says
    whether the item created last was found, None if no call has looked for it yet.
    """

    used_givens: frozenset[int] = frozenset()
    focus: tuple[ResponseItem, ...] = ()
    items: tuple[ResponseItem, ...] = ()
    signatures: tuple[Signature, ...] = ()
    is_whole_list: bool = False
    deeds_done: int = 0
    is_there: bool | None = None


def kinds_of(state: SearchState) -> set[tuple[str, str]]:
    """The tools and nouns of the items that a state has."""
    return {(item.key.tool, item.noun) for item in state.items}


class SearchStates:
    """The states of search nodes, each computed from that of the node above."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._states: Memo[SearchState] = Memo(MAX_STATES)

    def after(self, goal: Goal, history: tuple[Node, ...]) -> SearchState:
        """The state after the calls of `history`."""
        state = SearchState()
        for node in history:
            if node.call is not None:
                state = self._next(goal, state, node, node.call)
        return state

    def _next(self, goal: Goal, state: SearchState, node: Node, call: Call) -> SearchState:
        return self._states.get((node.id, call.id), lambda: advance(self._knowledge, goal, state, call))


def advance(knowledge: Knowledge, goal: Goal, state: SearchState, call: Call) -> SearchState:
    """The state after one more call."""
    state = replace(state, signatures=(*state.signatures, signature(call.key, call.arguments)))
    if goal.want == THERE and state.deeds_done == len(goal.deeds):
        return replace(state, is_there=_look_for_item(knowledge, goal, state, call))
    if not call.ok or call.key not in knowledge.views:
        return replace(state, focus=(), is_whole_list=False)
    if state.deeds_done < len(goal.deeds):
        return _do_deed(knowledge, goal, state, call)
    return _ReadCall(knowledge, goal, state, call).state_after()


def signature(key: OperationKey, arguments: dict[str, object]) -> Signature:
    """The signature of a call."""
    return key, repr(sorted(arguments.items()))


# Writing


def _do_deed(knowledge: Knowledge, goal: Goal, state: SearchState, call: Call) -> SearchState:
    """The state after the next deed: what was created or changed is at hand, but only reading shows how it is."""
    deed = goal.deeds[state.deeds_done]
    items = state.items
    if deed.verb in ("create", "change"):
        returned = knowledge.response(call).items
        path = {name.partition(":")[2]: value for name, value in call.arguments.items() if name.startswith("path:")}
        changed = returned[0]._replace(noun=deed.noun) if returned else ResponseItem(call.key, "", deed.noun, path)
        items = (changed, *items)
    return replace(
        state,
        used_givens=state.used_givens | frozenset(deed.givens),
        focus=(),
        items=items,
        is_whole_list=False,
        deeds_done=state.deeds_done + 1,
        is_there=None,
    )


def last_created(state: SearchState, noun: str) -> ResponseItem | None:
    """The last item of this kind that was created."""
    return next((item for item in state.items if item.noun == noun), None)


def can_see(goal: Goal, key: OperationKey, noun: str) -> bool:
    """Whether an operation shows if an item is there: the list of such items, or the item itself."""
    addresses_item = ends_in_parameter(key.path)
    return key.method == "GET" and noun == goal.noun and addresses_item is not goal.many


def _look_for_item(knowledge: Knowledge, goal: Goal, state: SearchState, call: Call) -> bool | None:
    """Whether the item created last is there; None if this call does not show it."""
    view, created = knowledge.views[call.key], last_created(state, goal.noun)
    if created is None or not can_see(goal, call.key, view.noun):
        return None
    ids = _ids(created)
    if goal.many:
        return _list_has(knowledge.response(call), ids) if call.ok else None
    last_parameter = call.key.path.rstrip("/").rpartition("{")[2].rstrip("}")
    if str(call.arguments.get(f"path:{last_parameter}")) not in ids:
        return None
    return call.ok or (False if call.status in NOT_THERE else None)


def _list_has(response: ResponseItems, ids: set[str]) -> bool | None:
    """Whether an item with one of the ids is in a list; None if it may be on another page."""
    if any(ids & _ids(item) for item in response.items):
        return True
    return None if response.is_partial else False


def _ids(item: ResponseItem) -> set[str]:
    return {str(value) for name, value in item.fields.items() if is_id_name(name) and value is not None}


# Reading


class _ReadCall:
    """A successful call that reads, seen from a goal and from the state before it."""

    def __init__(self, knowledge: Knowledge, goal: Goal, state: SearchState, call: Call) -> None:
        self._goal, self._state, self._call = goal, state, call
        self._noun = knowledge.views[call.key].noun
        self._response = knowledge.response(call)
        self._items = [item._replace(noun=knowledge.item_noun(call.key, item)) for item in self._response.items]
        self._arguments = list(flat(call.arguments))

    def state_after(self) -> SearchState:
        """The state after the call: the items of its response that the givens point to."""
        state = self._state
        focus, used = self._choose_items()
        if focus or not self._items:
            state = replace(state, used_givens=state.used_givens | used)
        if not focus:
            return replace(state, focus=(), is_whole_list=False)
        is_whole = self._response.is_list and not self._response.is_partial
        items = (focus[0], *state.items)
        return replace(state, focus=tuple(focus), items=items, is_whole_list=is_whole, is_there=None)

    def _choose_items(self) -> tuple[list[ResponseItem], set[int]]:
        """The items that the givens, or the path so far, point to; and the givens that this accounts for."""
        sent = self._sent_givens()
        located = {index for index, given in sent.items() if given.location or self._is_in_path(given)}
        naming = {index: given for index, given in enumerate(self._goal.givens) if self._names_items(given)}
        if naming:
            items = self._named_items(naming, sent)
            return items, located | naming.keys() if items else set()
        unrepeated = {index for index, given in sent.items() if self._is_unrepeated(given)}
        return self._items if unrepeated or self._follows(located) else [], located | unrepeated

    def _sent_givens(self) -> dict[int, Given]:
        """The givens, not used before, that the call was sent: at their own location, or anywhere by value."""
        sent: dict[int, Given] = {}
        taken: set[str] = set()
        for index, given in enumerate(self._goal.givens):
            place = self._place_of(given, taken) if index not in self._state.used_givens else None
            if place is not None:
                taken.add(place)
                sent[index] = given
        return sent

    def _place_of(self, given: Given, taken: set[str]) -> str | None:
        """The location at which the call was sent a given; None if it was not."""
        if given.location and not belongs_to(given, self._noun, self._call.key):
            return None
        if given.location == "body:" and self._call.arguments.get("body:") == given.value:
            return "body:"
        places = (place for place, value in self._arguments if same_scalar(value, given.value))
        return next((place for place in places if place not in taken and given.location in ("", place)), None)

    def _names_items(self, given: Given) -> bool:
        """Whether a given names items of the kind that was returned."""
        return not given.location and any(is_kind_of(given, item) for item in self._items)

    def _named_items(self, naming: dict[int, Given], sent: dict[int, Given]) -> list[ResponseItem]:
        """The items that all the givens name; none if one of the givens names none of these."""
        items = self._items
        for index, given in naming.items():
            named = [item for item in items if is_named_by(given, item)]
            is_only_one = index in sent and len(items) == 1 and given.label not in items[0].fields
            if not named and not is_only_one:
                return []
            items = named or items
        return items

    def _is_in_path(self, given: Given) -> bool:
        """Whether a given is in the path, where the path names an item of its kind: /regions/africa/countries."""
        return any(
            noun == given.noun and same_scalar(self._call.arguments.get(f"path:{name}"), given.value)
            for name, noun in path_nouns(self._call.key.path)
        )

    def _is_unrepeated(self, given: Given) -> bool:
        """Whether a given that was sent counts though the response does not repeat it: the one item is of its kind."""
        return not given.location and len(self._items) == 1 and self._items[0].noun == given.noun

    def _is_asked_for(self) -> bool:
        """Whether nothing is given, and the items are of the wanted kind."""
        return not self._goal.givens and bool(self._items) and self._items[0].noun == self._goal.noun

    def _follows(self, located: set[int]) -> bool:
        """Whether the call returned what the goal asks for, or was sent a located given, or a value of an item."""
        has_result = bool(self._items) or self._call.key.method != "GET"
        return self._is_asked_for() or (has_result and (bool(located) or self._uses_item()))

    def _uses_item(self) -> bool:
        values = [value for item in self._state.items for value in item.fields.values() if value is not None]
        sent = (value for _, value in self._arguments if isinstance(value, str | int) and not isinstance(value, bool))
        return any(same_scalar(value, other) for value in sent for other in values)


def is_kind_of(given: Given, item: ResponseItem) -> bool:
    """Whether an item is of the kind that a given names: of its noun, or with a field that names that noun."""
    return not given.noun or item.noun == given.noun or _refers_to(given, item)


def is_named_by(given: Given, item: ResponseItem) -> bool:
    """Whether an item is the one that a given names."""
    fields = item.fields
    if given.noun in ("", item.noun) and given.label in fields:
        return same_scalar(fields[given.label], given.value)
    return _refers_to(given, item)


def _refers_to(given: Given, item: ResponseItem) -> bool:
    """Whether a field of an item refers to the given: `city`, `city_name`, `country/name`, with its value."""
    if not given.noun:
        return False
    names = ((given.noun,), (given.noun, *singular_words(given.label)))
    fields = item.fields.items()
    return any(same_scalar(value, given.value) and singular_words(name) in names for name, value in fields)


def belongs_to(given: Given, noun: str, key: OperationKey) -> bool:
    """Whether a given argument is one of this operation: a sort of countries is no sort of cities."""
    return given.noun in ("", noun) or given.noun in {about for _, about in path_nouns(key.path)}


# Answering


def answer_of(goal: Goal, state: SearchState) -> Json:
    """The wanted field of what the calls have led to, or None if they have not led there (yet)."""
    if goal.want == THERE:
        return state.is_there
    if not state.focus or len(state.used_givens) < len(goal.givens) or goal.noun not in ("", state.focus[0].noun):
        return None
    if not goal.many:
        return wanted_value(goal, state.focus[0])
    values = [wanted_value(goal, item) for item in state.focus if goal.noun in ("", item.noun)]
    return values if state.is_whole_list and None not in values else None


def wanted_value(goal: Goal, item: ResponseItem) -> Json:
    """The wanted field of one item: by its name, or by the only field that ends in it."""
    fields = item.fields
    if goal.want in fields:
        return fields[goal.want]
    inner = [name for name in fields if name.endswith(f"/{goal.want}")]
    return fields[inner[0]] if len(inner) == 1 else None
