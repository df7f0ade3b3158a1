"""What a goal can be pursued with: for each reading operation the arguments that it may get, and what it is worth.

Most of it follows from the goal and the round's evidence alone and is worked out once a scenario; a state of the search
only says which givens were used and which items are at hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from docrev.language.words import singular, words
from docrev.planner.arguments import WEAK, Bound, from_givens, from_things
from docrev.planner.knowledge import Knowledge, Slot, View
from docrev.planner.search_state import State, sees
from docrev.records import THERE, Goal, OperationKey

FAR = 4.0
"""The distance of an operation from which the wanted field is not known to be reachable."""


@dataclass(frozen=True, slots=True)
class Aim:
    """One operation, seen from a goal: `worth` is what its score begins with.

    `needed` are the places that must have a value, with what may stand there whatever the state; `givens` the bounds of
    other places; `ties` the kinds of things of which a field may be sent, as (tool, noun), `tied` the places for them.
    """

    view: View
    worth: float
    needed: tuple[Slot, ...]
    told: dict[str, tuple[Bound, ...]]
    optional: tuple[Bound, ...]
    ties: frozenset[tuple[str, str]]
    tied: tuple[Slot, ...]
    indexes: frozenset[int]
    seeing: bool


def aims(knowledge: Knowledge, goal: Goal) -> dict[OperationKey, Aim]:
    """The reading operations by key, seen from a goal."""
    distances = _distances(knowledge, goal)
    tokens = {singular(word) for word in (*words(goal.want), *words(goal.noun))}
    found = {}
    for key, view in knowledge.views.items():
        if view.safe:
            likeness = len(tokens & view.tokens) / max(1, len(tokens))
            failing = 0.6 if view.bad and not view.good else 0.0
            worth = 0.35 * likeness - 0.45 * distances.get(key, FAR) - failing
            found[key] = _aim(knowledge, goal, view, worth)
    return found


def _aim(knowledge: Knowledge, goal: Goal, view: View, worth: float) -> Aim:
    places = view.needed()
    needed = tuple(view.slots.get(one) or Slot(one, one.partition(":")[2], view.noun, True, ()) for one in places)
    others = [slot for slot in (*view.slots.values(), *_undeclared(goal, view)) if slot.location != "body:"]
    told = {
        slot.location: (*from_givens(knowledge, goal, view, slot), *_stated(slot, told=slot in needed))
        for slot in (*others, *needed)
    }
    optional = [bound for slot in others for bound in told[slot.location] if bound.score >= WEAK]
    tied = tuple(slot for slot in view.slots.values() if slot.location.startswith("query:"))
    sources = {slot.location: knowledge.sources(view.key, slot.location) for slot in (*tied, *needed)}
    return Aim(
        view=view,
        worth=worth,
        needed=needed,
        told=told,
        optional=tuple(
            sorted((b for b in optional if b.given is not None), key=lambda option: -option.score),
        ),
        ties=frozenset(kind for kinds in sources.values() for kind in kinds),
        tied=tuple(slot for slot in tied if sources[slot.location]),
        indexes=frozenset(b.given for bounds in told.values() for b in bounds if b.given is not None),
        seeing=goal.want == THERE and sees(goal, view.key, view.noun),
    )


def _stated(slot: Slot, *, told: bool) -> list[Bound]:
    """The documented default of a place that needs a value, or the first of its enum."""
    return [Bound(slot.location, one, 0.3 if len(slot.stated) == 1 else 0.15) for one in slot.stated[:1] if told]


def _undeclared(goal: Goal, view: View) -> list[Slot]:
    """Places that the documentation does not tell of, where an argument was accepted that the goal gives."""
    names = dict.fromkeys(given.location for given in goal.givens if given.location)
    found = [name for name in names if name in view.times and name not in view.slots and name != "body:"]
    return [Slot(name, name.rpartition("/")[2], view.noun, False, ()) for name in found]


def bounds(knowledge: Knowledge, goal: Goal, state: State, aim: Aim) -> list[Bound] | None:
    """The arguments of a call of this operation, or None where it cannot or need not be made."""
    near = any((thing.key.tool, thing.noun) in aim.ties for thing in state.things)
    if not (near or aim.seeing or not aim.indexes <= state.used) and (aim.needed or not _listed(goal, state, aim.view)):
        return None
    found: list[Bound] = []
    for slot in aim.needed:
        options = [bound for bound in aim.told[slot.location] if _open(goal, state, bound)]
        best: Bound | None = max(options, key=lambda bound: bound.score, default=None)
        tied = from_things(knowledge, state, aim.view, slot) if near else None
        chosen = tied if best is None or (tied is not None and tied.score > best.score) else best
        if chosen is None:
            return None
        found.append(chosen)
    found += _optional(knowledge, goal, state, aim, found)
    if any(bound.thing is not None or (bound.given is not None and bound.given not in state.used) for bound in found):
        return found
    return found if aim.seeing or (not aim.needed and _listed(goal, state, aim.view)) else None


def _open(goal: Goal, state: State, bound: Bound) -> bool:
    """Whether a value may still be sent: what names a thing only until the thing was found."""
    return bound.given is None or bool(goal.givens[bound.given].location) or bound.given not in state.used


def _optional(knowledge: Knowledge, goal: Goal, state: State, aim: Aim, bound: list[Bound]) -> list[Bound]:
    """Givens that optional places may take, each once; failing that, one field of the item at hand."""
    taken, used = {one.location for one in bound}, {one.given for one in bound}
    found: list[Bound] = []
    for one in aim.optional:
        if one.given not in used and one.location not in taken and _open(goal, state, one):
            found.append(one)
            used.add(one.given)
            taken.add(one.location)
    if not state.things or not aim.tied:
        return found
    alone = not any(one.given is not None or one.thing is not None for one in (*bound, *found))
    if not alone and any(location.startswith("path:") for location in taken):
        return found
    # Beside located givens (a sort) only what ties a list to the item at hand: its strongest edge.
    but = aim.view.noun if alone else None
    slots = (slot for slot in aim.tied if alone or slot.location not in taken)
    fields = [it for slot in slots if (it := from_things(knowledge, state, aim.view, slot, but=but)) is not None]
    tied = max(fields, key=lambda option: option.score, default=None)
    return [*found, tied] if tied is not None and tied.score >= (0.5 if alone else 0.6) else found


def _listed(goal: Goal, state: State, view: View) -> bool:
    """Whether to list everything: at the start, where a given names a thing of this kind, or nothing is given."""
    if state.things:
        return False
    naming = [given for index, given in enumerate(goal.givens) if not given.location and index not in state.used]
    return any(given.noun in ("", view.noun) for given in naming) or (not goal.givens and view.noun == goal.noun)


def score(aim: Aim, found: list[Bound]) -> float:
    """How likely a call with these arguments helps."""
    told = [bound.score for bound in found if bound.given is not None or bound.thing is not None]
    fitting = sum(told) / len(told) if told else 0.5
    return fitting + sum(0.2 for bound in found if bound.given is not None) + aim.worth


def _distances(knowledge: Knowledge, goal: Goal) -> dict[OperationKey, float]:
    """How many more calls the wanted field is away after each operation: breadth first, against the edges."""
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
            for source in knowledge.feeding(key):
                if source not in found and found[key] + 1 < FAR:
                    found[source] = found[key] + 1
                    above.append(source)
        level = above
    return found
