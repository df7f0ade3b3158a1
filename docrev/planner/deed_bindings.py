"""The arguments of the call that does a goal's next deed."""

from __future__ import annotations

from docrev.conventions.ids import is_id_name
from docrev.graph.match import path_nouns
from docrev.planner.bindings import Binding, bind_item_field
from docrev.planner.knowledge import LIKELY, Knowledge
from docrev.planner.operation_views import OperationView
from docrev.planner.search_state import FoundItem, SearchState
from docrev.records import Deed, Goal, Json

_ITEM_METHODS = {"create": ("PUT",), "change": ("PATCH", "PUT"), "delete": ("DELETE",), "clear": ()}
_COLLECTION_METHODS = {"create": ("POST",), "change": (), "delete": (), "clear": ("DELETE",)}


def bind_deed(knowledge: Knowledge, goal: Goal, state: SearchState, view: OperationView) -> list[Binding] | None:
    """The arguments with which an operation does the goal's next deed; None if it does something else."""
    deed = goal.deeds[state.deeds_done]
    methods = _ITEM_METHODS if view.addresses_item else _COLLECTION_METHODS
    if view.noun != deed.noun or view.key.method not in methods[deed.verb]:
        return None
    givens = [Binding(goal.givens[index].location, goal.givens[index].value, 1.0, index) for index in deed.givens]
    if any(binding.location not in view.slots and binding.location not in view.sent for binding in givens):
        return None
    taken = {binding.location for binding in givens}
    others = [_bind_location(knowledge, state, view, one) for one in view.required_locations() if one not in taken]
    bindings = [*givens, *(binding for binding in others if binding is not None)]
    return bindings if None not in others and _names_new_item(deed, view, bindings) else None


def _names_new_item(deed: Deed, view: OperationView, bindings: list[Binding]) -> bool:
    """What exists already is not created: a PUT that creates needs an ID from the text."""
    if deed.verb != "create" or not view.addresses_item:
        return True
    path = view.key.path.rstrip("/")
    return any(b.given is not None and path.endswith(f"{{{b.location.partition(':')[2]}}}") for b in bindings)


def _bind_location(knowledge: Knowledge, state: SearchState, view: OperationView, location: str) -> Binding | None:
    """The ID of an item for a path parameter, the documented default for any other location."""
    if location.startswith("path:"):
        return _bind_id(knowledge, state, view, location)
    documented = view.slots[location].documented_values if location in view.slots else ()
    return Binding(location, documented[0], 0.3) if len(documented) == 1 else None


def _bind_id(knowledge: Knowledge, state: SearchState, view: OperationView, location: str) -> Binding | None:
    """The ID of the last item that a path parameter names by its noun."""
    name = location.partition(":")[2]
    noun = dict(path_nouns(view.key.path)).get(name, "")
    found = next((item for item in state.items if item.noun == noun), None)
    if found is None:
        return None
    slot = view.slots.get(location)
    field = bind_item_field(knowledge, SearchState(items=(found,)), view, slot) if slot is not None else None
    if field is not None and field.score >= LIKELY:
        return field
    value = _id_of(found, name)
    return Binding(location, value, 0.5, None, found) if value is not None else None


def _id_of(found: FoundItem, parameter: str) -> Json:
    """The field called as the parameter, `id`, the noun's ID, or else any ID."""
    fields = found.item.fields
    ids = (name for name in fields if is_id_name(name))
    names = (parameter, "id", f"{found.noun}_id", *ids)
    return next((fields[name] for name in names if fields.get(name) is not None), None)
