"""Values for the arguments of an operation: from the givens, from items found so far, from documented defaults.

Nothing else is ever sent: an id that neither the text nor a response gives would be made up (ToolBFS+ A.4, rule 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from docrev.conventions.ids import is_id_name
from docrev.conventions.parameters import Role, role_of
from docrev.graph.match import path_nouns
from docrev.language.words import singular_words, words
from docrev.planner.knowledge import LIKELY, Knowledge
from docrev.planner.operation_views import ArgumentSlot, OperationView
from docrev.planner.response_items import ResponseItem
from docrev.planner.search_state import SearchState, belongs_to
from docrev.records import Deed, Given, Goal, Json

WEAK = 0.3
"""Below this score a given is not tried on an optional parameter."""
_ITEM_METHODS = {"create": ("PUT",), "change": ("PATCH", "PUT"), "delete": ("DELETE",), "clear": ()}
_COLLECTION_METHODS = {"create": ("POST",), "change": (), "delete": (), "clear": ("DELETE",)}
AGEING = 0.97
"""What the score of an item is multiplied by for each item found after it."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A value for one slot: the given with this index, a field of this item, or a documented value (neither)."""

    location: str
    value: Json
    score: float
    given: int | None = None
    item: ResponseItem | None = None

    @property
    def has_source(self) -> bool:
        """Whether the value comes from a given or from an item."""
        return self.given is not None or self.item is not None


def bind_givens(knowledge: Knowledge, goal: Goal, view: OperationView, slot: ArgumentSlot) -> list[Binding]:
    """The givens that a slot may take."""
    bindings = []
    for index, given in enumerate(goal.givens):
        if given.location:
            score = 1.0 if given.location == slot.location and belongs_to(given, view.noun, view.key) else 0.0
        else:
            score = fit(knowledge, given, view, slot)
            score = score if score > 0 and _has_type(given.value, view, slot) else 0.0
        if score:
            bindings.append(Binding(slot.location, given.value, score, index))
    return bindings


def fit(knowledge: Knowledge, given: Given, view: OperationView, slot: ArgumentSlot) -> float:
    """How likely it is, from 0 to 1, that a slot takes a given that names an item."""
    name = (given.label, given.noun, view.key, slot.location)
    return knowledge.fits.get(name, lambda: _fit(knowledge, given, view, slot))


def _fit(knowledge: Knowledge, given: Given, view: OperationView, slot: ArgumentSlot) -> float:
    same_noun = not given.noun or given.noun in (slot.noun, view.noun)
    if same_noun and given.label in view.echo_fields(slot.location):
        return 1.0
    score = _fit_by_name(given, slot)
    if score is None and _accepts_values_of(knowledge, given, view, slot):
        score = 0.9, 0.7
    same, other = score or _fit_by_noun(given, view, slot)
    return same if same_noun else other


def _fit_by_name(given: Given, slot: ArgumentSlot) -> tuple[float, float] | None:
    """The fit of a slot called like the field, or that searches: for a given of the same noun, and for another."""
    name, label = singular_words(slot.name), singular_words(given.label)
    if name in (label, (given.noun, *label)):
        return 0.95, 0.4
    return (0.92, 0.45) if is_search(slot.location) else None


def _fit_by_noun(given: Given, view: OperationView, slot: ArgumentSlot) -> tuple[float, float]:
    """The fit of a slot of which only the noun is known; less if responses show what it takes."""
    has_echoes = bool(view.echo_fields(slot.location))
    if not slot.location.startswith("query:"):
        return (0.25 if view.is_single and not has_echoes else 0.0), 0.0
    by_noun = 0.4 if has_echoes else 0.6
    return (by_noun, by_noun) if singular_words(slot.name) == (given.noun,) else (0.0, 0.0)


def is_search(location: str) -> bool:
    """Whether a query parameter takes a text to search for, or a name."""
    place, _, name = location.partition(":")
    return place == "query" and (role_of(name) in (Role.SEARCH, Role.FILTER) or "name" in words(name))


def _accepts_values_of(knowledge: Knowledge, given: Given, view: OperationView, slot: ArgumentSlot) -> bool:
    """Whether the values accepted here are mostly values of the given's field."""
    accepted = {str(call.arguments[slot.location]) for call in view.calls if slot.location in call.arguments}
    if len(accepted) < 2:
        return False
    sources = (other.fields.get(given.label) for other in knowledge.views.values() if other.noun == given.noun)
    return any(2 * len(accepted & field.values.keys()) > len(accepted) for field in sources if field is not None)


def _has_type(value: object, view: OperationView, slot: ArgumentSlot) -> bool:
    """Whether a value is one of the documented enum, or of the documented type."""
    if len(slot.documented_values) > 1:
        return any(str(value) == str(option) for option in slot.documented_values)
    parameter = view.operation.parameter(slot.location)
    kind = parameter.schema.type if parameter is not None else None
    if kind in ("integer", "number") and isinstance(value, str):
        return value.lstrip("-").replace(".", "", 1).isdigit()
    return kind not in ("boolean", "object", "array")


def bind_item_field(
    knowledge: Knowledge, state: SearchState, view: OperationView, slot: ArgumentSlot, *, except_noun: str | None = None
) -> Binding | None:
    """The likeliest field of the items found so far, by the tool graph's edges; items of `except_noun` are left out."""
    edges = knowledge.edges_by_source(view.key, slot.location) if state.items else None
    if not edges:
        return None
    best, chosen = 0.0, None
    for age, item in enumerate(state.items):
        if item.noun == except_noun:
            continue
        freshness = AGEING**age
        for edge in edges.get((item.key.tool, item.noun), ()):
            if edge.score * freshness <= best:
                break  # the best edges come first
            score = edge.score * freshness * (1.0 if edge.source == item.key else 0.9)
            value = _value_at(edge.pointer.partition(":")[2], item) if score > best else None
            if value is not None:
                best, chosen = score, (value, item)
    return Binding(slot.location, chosen[0], best, None, chosen[1]) if chosen is not None else None


def _value_at(pointer: str, item: ResponseItem) -> Json:
    """The field of an item that a pointer into its response names; of another response, by its last key."""
    prefix = item.pattern + "/"
    name = pointer[len(prefix) :] if pointer.startswith(prefix) else pointer.rpartition("/")[2]
    return item.fields.get(name)


# Deeds


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
    item = next((item for item in state.items if item.noun == noun), None)
    if item is None:
        return None
    slot = view.slots.get(location)
    field = bind_item_field(knowledge, SearchState(items=(item,)), view, slot) if slot is not None else None
    if field is not None and field.score >= LIKELY:
        return field
    value = _id_of(item, name)
    return Binding(location, value, 0.5, None, item) if value is not None else None


def _id_of(item: ResponseItem, parameter: str) -> Json:
    """The field called as the parameter, `id`, the noun's ID, or else any ID."""
    fields = item.fields
    ids = (name for name in fields if is_id_name(name))
    names = (parameter, "id", f"{item.noun}_id", *ids)
    return next((fields[name] for name in names if fields.get(name) is not None), None)
