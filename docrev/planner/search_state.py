"""Where a search stands: what the calls so far have led to, seen from the scenario's givens.

A state follows from the scenario's goal and the history alone; each is computed once from that of the node above.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from docrev.graph.match import path_nouns
from docrev.graph.values import flat
from docrev.language.words import singular, words
from docrev.planner.knowledge import Knowledge
from docrev.planner.response_items import Item, equal, is_id
from docrev.records import THERE, Call, Given, Goal, Json, Node, OperationKey

MAX_STATES = 20_000


@dataclass(frozen=True, slots=True)
class Thing:
    """An item that the history has led to, and the operation that told of it."""

    key: OperationKey
    noun: str
    item: Item


@dataclass(frozen=True, slots=True)
class State:
    """`used` are the givens accounted for; `focus` the items that the last call led to (none: it led nowhere).

    `things` are the first item of the focus of every call that led somewhere, the latest first; `made` are the calls.
    `whole`: the focus is all of a list. `done` counts the deeds that were done; `there` says whether what was made
    last was found, None where nobody looked yet.
    """

    used: frozenset[int] = frozenset()
    focus: tuple[Thing, ...] = ()
    things: tuple[Thing, ...] = ()
    made: tuple[tuple[OperationKey, str], ...] = ()
    whole: bool = False
    done: int = 0
    there: bool | None = None


class States:
    """States by node, computed from the nearest known one."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._known: dict[tuple[str, str], State] = {}

    def after(self, goal: Goal, history: tuple[Node, ...]) -> State:
        """The state after the calls of `history`."""
        state = State()
        for node in history:
            if node.call is None:
                continue
            name = (node.id, node.call.id)
            found = self._known.get(name)
            if found is None:
                if len(self._known) >= MAX_STATES:
                    self._known.clear()
                found = self._known[name] = step(self._knowledge, goal, state, node.call)
            state = found
        return state


def step(knowledge: Knowledge, goal: Goal, state: State, call: Call) -> State:
    """The state after one more call."""
    made = (*state.made, signature(call.key, call.arguments))
    if goal.want == THERE and state.done == len(goal.deeds):
        return replace(state, made=made, there=_there(knowledge, goal, state, call))
    if not call.ok or call.key not in knowledge.views:
        return replace(state, focus=(), made=made, whole=False)
    if state.done < len(goal.deeds):
        return _did(knowledge, goal, state, call, made)
    passed = _passed(goal, state, call, knowledge.views[call.key].noun)
    items = [Thing(call.key, knowledge.noun(call.key, item), item) for item in knowledge.reading(call).items]
    found, used = _recognise(goal, state, call, items, passed)
    if not found:
        used = state.used | (used if not items else frozenset())
        return replace(state, used=used, focus=(), made=made, whole=False)
    reading = knowledge.reading(call)
    whole = reading.listed and not reading.partial
    return State(state.used | used, tuple(found), (found[0], *state.things), made, whole, state.done)


Made = tuple[tuple[OperationKey, str], ...]


def _did(knowledge: Knowledge, goal: Goal, state: State, call: Call, made: Made) -> State:
    """The state after the next deed: what was made or changed is at hand, but only reading tells how it is."""
    deed = goal.deeds[state.done]
    used = state.used | frozenset(deed.givens)
    things = state.things
    if deed.verb in ("create", "change"):
        found = knowledge.reading(call).items
        sent = {name.partition(":")[2]: value for name, value in call.arguments.items() if name.startswith("path:")}
        item = found[0] if found else Item("", deed.noun, sent)
        things = (Thing(call.key, deed.noun, item), *things)
    return State(used, (), things, made, False, state.done + 1)


def _there(knowledge: Knowledge, goal: Goal, state: State, call: Call) -> bool | None:
    """Whether what was made last is there, as far as this call tells."""
    view, thing = knowledge.views[call.key], made_last(state, goal.noun)
    if thing is None or not sees(goal, call.key, view.noun):
        return None
    ids = {str(value) for name, value in thing.item.fields.items() if is_id(name) and value is not None}
    if not goal.many:
        last = call.key.path.rstrip("/").rpartition("{")[2].rstrip("}")
        asked = str(call.arguments.get(f"path:{last}")) in ids
        gone = False if call.status in GONE else None
        return (True if call.ok else gone) if asked else None
    if not call.ok:
        return None
    reading = knowledge.reading(call)
    found = any(str(value) in ids for item in reading.items for name, value in item.fields.items() if is_id(name))
    return found or (False if not reading.partial else None)


GONE = frozenset({403, 404, 410})
"""How it is said that something is not there; 403 where only the owner may know that it is not."""


def made_last(state: State, noun: str) -> Thing | None:
    """The last thing of this kind that was made."""
    return next((thing for thing in state.things if thing.noun == noun), None)


def sees(goal: Goal, key: OperationKey, noun: str) -> bool:
    """Whether an operation shows if a thing is there: the list of them, or the one."""
    one = key.path.rstrip("/").endswith("}")
    return key.method == "GET" and noun == goal.noun and one is not goal.many


def signature(key: OperationKey, arguments: dict[str, Json]) -> tuple[OperationKey, str]:
    """What makes two calls the same."""
    return key, repr(sorted(arguments.items()))


def _passed(goal: Goal, state: State, call: Call, noun: str) -> frozenset[int]:
    """The givens, not used before, that this call was sent: at their own location, or anywhere by value."""
    sent = list(flat(call.arguments))
    found: set[int] = set()
    taken: set[str] = set()
    for index, given in enumerate(goal.givens):
        if index in state.used or (given.location and not meant_for(given, noun, call.key)):
            continue
        for location, value in sent:
            here = location == given.location if given.location else True
            if here and location not in taken and equal(value, given.value):
                found.add(index)
                taken.add(location)
                break
        else:
            if given.location == "body:" and call.arguments.get("body:") == given.value:
                found.add(index)
    return frozenset(found)


def _recognise(
    goal: Goal, state: State, call: Call, items: list[Thing], passed: frozenset[int]
) -> tuple[list[Thing], frozenset[int]]:
    """The items that the givens, or the way so far, point to; and the givens that this accounts for."""
    located = frozenset(
        index for index in passed if goal.givens[index].location or _addressed(goal.givens[index], call)
    )
    linked = _linked(state, call)
    naming = [
        (index, given)
        for index, given in enumerate(goal.givens)
        if not given.location and any(speaks_of(given, thing) for thing in items)
    ]
    if not naming:
        asked = not goal.givens and bool(items) and items[0].noun == goal.noun
        told = asked or (bool(located or linked) and (bool(items) or call.key.method != "GET"))
        through = frozenset(index for index in passed if _same_noun(goal.givens[index], call, items))
        return (items if told or through else []), located | through
    found, used = items, set(located)
    for index, given in naming:
        matching = [thing for thing in found if matches(given, thing)]
        alone = index in passed and len(found) == 1 and _silent(given, found[0])
        if not matching and not alone:
            return [], frozenset()
        found = matching or found
        used.add(index)
    return found, frozenset(used)


def speaks_of(given: Given, thing: Thing) -> bool:
    """Whether an item is of the kind that a given names: of its noun, or with a field that names that noun."""
    if not given.noun or thing.noun == given.noun:
        return True
    return any(_refers(name, given) and equal(value, given.value) for name, value in thing.item.fields.items())


def matches(given: Given, thing: Thing) -> bool:
    """Whether an item is the one that a given names."""
    fields = thing.item.fields
    if (not given.noun or thing.noun == given.noun) and given.label in fields:
        return equal(fields[given.label], given.value)
    return any(_refers(name, given) and equal(value, given.value) for name, value in fields.items())


def _silent(given: Given, thing: Thing) -> bool:
    return given.label not in thing.item.fields


def _refers(name: str, given: Given) -> bool:
    """Whether a field names a thing of the given's kind: `city`, `city_name`, `country/name`."""
    parts = [singular(word) for word in words(name)]
    if not parts or not given.noun:
        return False
    label = [singular(word) for word in words(given.label)]
    return parts == [given.noun] or parts == [given.noun, *label]


def meant_for(given: Given, noun: str, key: OperationKey) -> bool:
    """Whether a given argument is one of this operation: a sort of countries is no sort of cities."""
    return given.noun in ("", noun) or given.noun in {about for _, about in path_nouns(key.path)}


def _addressed(given: Given, call: Call) -> bool:
    """Whether a given stands in the path, where the path names a thing of its kind: /regions/africa/countries."""
    for name, noun in path_nouns(call.key.path):
        if noun == given.noun and equal(call.arguments.get(f"path:{name}"), given.value):
            return True
    return False


def _same_noun(given: Given, call: Call, items: list[Thing]) -> bool:
    """A given that was sent and that the answer does not repeat counts where it is of the answer's kind."""
    return not given.location and len(items) == 1 and items[0].noun == given.noun


def _linked(state: State, call: Call) -> bool:
    """Whether the call was sent a value of an item that the way has led to."""
    if not state.things:
        return False
    sent = [value for _, value in flat(call.arguments) if isinstance(value, (str, int)) and not isinstance(value, bool)]
    return any(
        equal(value, known)
        for value in sent
        for thing in state.things
        for known in thing.item.fields.values()
        if known is not None
    )


def answer(goal: Goal, state: State) -> Json:
    """The wanted field of what the way has led to, or None where it has not led there (yet)."""
    if goal.want == THERE:
        return state.there
    if not state.focus or len(state.used) < len(goal.givens):
        return None
    things = [thing for thing in state.focus if not goal.noun or thing.noun == goal.noun]
    if not things or things[0] is not state.focus[0]:
        return None
    if goal.many:
        values = [wanted(goal, thing) for thing in things]
        return values if state.whole and None not in values else None
    return wanted(goal, things[0])


def wanted(goal: Goal, thing: Thing) -> Json:
    """The wanted field of one item: by its name, or by the only field that ends in it."""
    fields = thing.item.fields
    if goal.want in fields:
        return fields[goal.want]
    ending = [name for name in fields if name.endswith(f"/{goal.want}")]
    return fields[ending[0]] if len(ending) == 1 else None
