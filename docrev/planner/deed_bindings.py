"""The arguments of the call that does a goal's next deed."""

from __future__ import annotations

from collections.abc import Iterable

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
    givens = {index: goal.givens[index] for index in deed.givens}
    bindings = {given.location: Binding(given.location, given.value, 1.0, index) for index, given in givens.items()}
    if not bindings.keys() <= view.slots.keys() | view.sent.keys() or not _names_new_item(deed, view, bindings.keys()):
        return None
    for location in view.required_locations():
        binding = bindings.get(location) or _bind_location(knowledge, state, view, location)
        if binding is None:
            return None
        bindings[location] = binding
    return list(bindings.values())


def _names_new_item(deed: Deed, view: OperationView, given_locations: Iterable[str]) -> bool:
    """What exists already is not created: a PUT that creates needs an ID from the text."""
    if deed.verb != "create" or not view.addresses_item:
        return True
    path = view.key.path.rstrip("/")
    return any(path.endswith(f"{{{location.partition(':')[2]}}}") for location in given_locations)


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
