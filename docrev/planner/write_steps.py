"""How a deed is done: which operation, with which arguments."""

from __future__ import annotations

from docrev.graph.match import path_nouns
from docrev.planner.arguments import Bound, from_things
from docrev.planner.knowledge import LIKELY, Knowledge, View
from docrev.planner.response_items import is_id
from docrev.planner.search_state import State, Thing
from docrev.records import Goal, Json

_ONE = {"create": ("PUT",), "change": ("PATCH", "PUT"), "delete": ("DELETE",), "clear": ()}
_ALL = {"create": ("POST",), "change": (), "delete": (), "clear": ("DELETE",)}


def do(knowledge: Knowledge, goal: Goal, state: State, view: View) -> list[Bound] | None:
    """The arguments with which an operation does the goal's next deed; None where it does something else."""
    deed = goal.deeds[state.done]
    one = view.key.path.rstrip("/").endswith("}")
    if view.noun != deed.noun or view.key.method not in (_ONE if one else _ALL)[deed.verb]:
        return None
    bounds = []
    for index in deed.givens:
        given = goal.givens[index]
        if given.location not in view.slots and given.location not in view.times:
            return None
        bounds.append(Bound(given.location, given.value, 1.0, index))
    told = {bound.location for bound in bounds}
    nouns = dict(path_nouns(view.key.path))
    for location in view.needed():
        if location in told:
            continue
        name = location.partition(":")[2]
        bound = _of_thing(knowledge, state, view, location, nouns.get(name, ""))
        stated = view.slots[location].stated if location in view.slots else ()
        if bound is None and len(stated) == 1 and not location.startswith("path:"):
            bound = Bound(location, stated[0], 0.3)
        if bound is None:
            return None
        bounds.append(bound)
    if deed.verb == "create" and one and not any(bound.given is not None for bound in bounds if _last(view, bound)):
        return None  # what is there already is not created
    return bounds


def _last(view: View, bound: Bound) -> bool:
    return view.key.path.rstrip("/").endswith(f"{{{bound.location.partition(':')[2]}}}")


def _of_thing(knowledge: Knowledge, state: State, view: View, location: str, noun: str) -> Bound | None:
    """The id of the last thing that a path parameter names by its noun."""
    thing = next((thing for thing in state.things if thing.noun == noun), None)
    if thing is None or not location.startswith("path:"):
        return None
    slot = view.slots.get(location)
    if slot is not None:
        known = from_things(knowledge, State(things=(thing,)), view, slot)
        if known is not None and known.score >= LIKELY:
            return known
    value = _id(thing, location.partition(":")[2])
    return Bound(location, value, 0.5, None, thing) if value is not None else None


def _id(thing: Thing, name: str) -> Json:
    fields = thing.item.fields
    for own in (name, "id", f"{thing.noun}_id"):
        if fields.get(own) is not None:
            return fields[own]
    return next((value for field, value in fields.items() if is_id(field) and value is not None), None)
