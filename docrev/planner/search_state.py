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
from docrev.language.words import singular, words
from docrev.planner.knowledge import Knowledge
from docrev.planner.memo import Memo
from docrev.planner.response_items import ResponseItem, ResponseItems
from docrev.records import THERE, Call, Given, Goal, Json, Node, OperationKey

MAX_STATES = 20_000

Signature = tuple[OperationKey, str]
"""What makes two calls the same: the operation, and its arguments in order."""


@dataclass(frozen=True, slots=True)
class FoundItem:
    """An item that the history has led to, with its noun and the operation that returned it."""

    key: OperationKey
    noun: str
    item: ResponseItem


@dataclass(frozen=True, slots=True)
class SearchState:
    """What the calls have led to.

    `used_givens` are the indexes of the givens accounted for. `focus` are the items that the last call led to, none if
    it led nowhere; `is_whole_list`: they are all of a list. `items` are the first item of each call's focus, the latest
    first. `signatures` are the calls made, `deeds_done` counts the goal's deeds that are done, and `is_there` says
    whether the item created last was found, None if no call has looked for it yet.
    """

    used_givens: frozenset[int] = frozenset()
    focus: tuple[FoundItem, ...] = ()
    items: tuple[FoundItem, ...] = ()
    signatures: tuple[Signature, ...] = ()
    is_whole_list: bool = False
    deeds_done: int = 0
    is_there: bool | None = None


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
    return _read_response(knowledge, goal, state, call)


def signature(key: OperationKey, arguments: dict[str, Json]) -> Signature:
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
        items = (FoundItem(call.key, deed.noun, returned[0] if returned else ResponseItem("", deed.noun, path)), *items)
    return replace(
        state,
        used_givens=state.used_givens | frozenset(deed.givens),
        focus=(),
        items=items,
        is_whole_list=False,
        deeds_done=state.deeds_done + 1,
        is_there=None,
    )


def last_created(state: SearchState, noun: str) -> FoundItem | None:
    """The last item of this kind that was created."""
    return next((item for item in state.items if item.noun == noun), None)


def can_see(goal: Goal, key: OperationKey, noun: str) -> bool:
    """Whether an operation shows if an item is there: the list of such items, or the item itself."""
    addresses_item = key.path.rstrip("/").endswith("}")
    return key.method == "GET" and noun == goal.noun and addresses_item is not goal.many


def _look_for_item(knowledge: Knowledge, goal: Goal, state: SearchState, call: Call) -> bool | None:
    """Whether the item created last is there; None if this call does not show it."""
    view, created = knowledge.views[call.key], last_created(state, goal.noun)
    if created is None or not can_see(goal, call.key, view.noun):
        return None
    ids = _ids(created.item)
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


def _read_response(knowledge: Knowledge, goal: Goal, state: SearchState, call: Call) -> SearchState:
    """The state after a call that reads: the items of its response that the givens point to."""
    response = knowledge.response(call)
    items = [FoundItem(call.key, knowledge.item_noun(call.key, item), item) for item in response.items]
    sent = _sent_givens(goal, state, call, knowledge.views[call.key].noun)
    focus, used = _choose_items(goal, state, call, items, sent)
    if not focus:
        used = state.used_givens | (used if not items else frozenset())
        return replace(state, used_givens=used, focus=(), is_whole_list=False)
    return replace(
        state,
        used_givens=state.used_givens | used,
        focus=tuple(focus),
        items=(focus[0], *state.items),
        is_whole_list=response.is_list and not response.is_partial,
        is_there=None,
    )


def _sent_givens(goal: Goal, state: SearchState, call: Call, noun: str) -> frozenset[int]:
    """The givens, not used before, that this call was sent: at their own location, or anywhere by value."""
    arguments = list(flat(call.arguments))
    sent: set[int] = set()
    taken: set[str] = set()
    for index, given in enumerate(goal.givens):
        if index in state.used_givens or (given.location and not belongs_to(given, noun, call.key)):
            continue
        places = (place for place, value in arguments if same_scalar(value, given.value) and place not in taken)
        place = next((place for place in places if given.location in ("", place)), None)
        if place is not None:
            sent.add(index)
            taken.add(place)
        elif given.location == "body:" and call.arguments.get("body:") == given.value:
            sent.add(index)
    return frozenset(sent)


def _choose_items(
    goal: Goal, state: SearchState, call: Call, items: list[FoundItem], sent: frozenset[int]
) -> tuple[list[FoundItem], frozenset[int]]:
    """The items that the givens, or the path so far, point to; and the givens that this accounts for."""
    located = frozenset(index for index in sent if goal.givens[index].location or _in_path(goal.givens[index], call))
    naming = {
        index: given
        for index, given in enumerate(goal.givens)
        if not given.location and any(is_kind_of(given, item) for item in items)
    }
    if naming:
        return _narrow(items, naming, sent, located)
    unrepeated = frozenset(index for index in sent if _is_unrepeated(goal.givens[index], items))
    follows = bool(located or _uses_item(state, call)) and (bool(items) or call.key.method != "GET")
    asked = not goal.givens and bool(items) and items[0].noun == goal.noun
    return (items if asked or follows or unrepeated else []), located | unrepeated


def _narrow(
    items: list[FoundItem], naming: dict[int, Given], sent: frozenset[int], located: frozenset[int]
) -> tuple[list[FoundItem], frozenset[int]]:
    """The items that all the naming givens name; none if one of them names none of these."""
    for index, given in naming.items():
        matching = [item for item in items if is_named_by(given, item)]
        only_one = index in sent and len(items) == 1 and given.label not in items[0].item.fields
        if not matching and not only_one:
            return [], frozenset()
        items = matching or items
    return items, located | naming.keys()


def is_kind_of(given: Given, found: FoundItem) -> bool:
    """Whether an item is of the kind that a given names: of its noun, or with a field that names that noun."""
    return not given.noun or found.noun == given.noun or _refers_to(given, found)


def is_named_by(given: Given, found: FoundItem) -> bool:
    """Whether an item is the one that a given names."""
    fields = found.item.fields
    if (not given.noun or found.noun == given.noun) and given.label in fields:
        return same_scalar(fields[given.label], given.value)
    return _refers_to(given, found)


def _refers_to(given: Given, found: FoundItem) -> bool:
    """Whether a field of an item refers to the given: `city`, `city_name`, `country/name`, with its value."""
    return any(_names(name, given) and same_scalar(value, given.value) for name, value in found.item.fields.items())


def _names(field: str, given: Given) -> bool:
    parts = [singular(word) for word in words(field)]
    if not parts or not given.noun:
        return False
    return parts in ([given.noun], [given.noun, *(singular(word) for word in words(given.label))])


def belongs_to(given: Given, noun: str, key: OperationKey) -> bool:
    """Whether a given argument is one of this operation: a sort of countries is no sort of cities."""
    return given.noun in ("", noun) or given.noun in {about for _, about in path_nouns(key.path)}


def _in_path(given: Given, call: Call) -> bool:
    """Whether a given is in the path, where the path names an item of its kind: /regions/africa/countries."""
    return any(
        noun == given.noun and same_scalar(call.arguments.get(f"path:{name}"), given.value)
        for name, noun in path_nouns(call.key.path)
    )


def _is_unrepeated(given: Given, items: list[FoundItem]) -> bool:
    """Whether a given that was sent counts though the response does not repeat it: the one item is of its kind."""
    return not given.location and len(items) == 1 and items[0].noun == given.noun


def _uses_item(state: SearchState, call: Call) -> bool:
    """Whether the call was sent a value of an item found before."""
    if not state.items:
        return False
    sent = [value for _, value in flat(call.arguments) if isinstance(value, str | int) and not isinstance(value, bool)]
    values = [value for found in state.items for value in found.item.fields.values() if value is not None]
    return any(same_scalar(value, other) for value in sent for other in values)


# Answering


def answer_of(goal: Goal, state: SearchState) -> Json:
    """The wanted field of what the calls have led to, or None if they have not led there (yet)."""
    if goal.want == THERE:
        return state.is_there
    if not state.focus or len(state.used_givens) < len(goal.givens):
        return None
    items = [item for item in state.focus if goal.noun in ("", item.noun)]
    if not items or items[0] is not state.focus[0]:
        return None
    if not goal.many:
        return wanted_value(goal, items[0])
    values = [wanted_value(goal, item) for item in items]
    return values if state.is_whole_list and None not in values else None


def wanted_value(goal: Goal, found: FoundItem) -> Json:
    """The wanted field of one item: by its name, or by the only field that ends in it."""
    fields = found.item.fields
    if goal.want in fields:
        return fields[goal.want]
    inner = [name for name in fields if name.endswith(f"/{goal.want}")]
    return fields[inner[0]] if len(inner) == 1 else None
