"""Values for the arguments of an operation: from the givens, from what the calls led to, from documented defaults.

Nothing else is ever sent: an id that neither the text nor a response gives would be made up (ToolBFS+ A.4, rule 2).
"""

from __future__ import annotations

from dataclasses import dataclass

from docrev.language.words import singular, words
from docrev.planner.knowledge import Knowledge, Slot, View
from docrev.planner.search_state import State, Thing, meant_for
from docrev.records import Given, Goal, Json

SEARCHING = frozenset({"q", "query", "search", "text", "term", "terms", "keyword", "keywords", "s", "name", "filter"})
WEAK = 0.3
"""Below this a given is not tried on an optional parameter."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A value for one slot. `given` is the index of the given it comes from, or None; `thing` whose field it is."""

    location: str
    value: Json
    score: float
    given: int | None = None
    thing: Thing | None = None


def from_givens(knowledge: Knowledge, goal: Goal, view: View, slot: Slot) -> list[Bound]:
    """The givens that may be meant for a slot."""
    found = []
    for index, given in enumerate(goal.givens):
        if given.location:
            if given.location == slot.location and meant_for(given, view.noun, view.key):
                found.append(Bound(slot.location, given.value, 1.0, index))
        else:
            score = fit(knowledge, given, view, slot)
            if score > 0 and _typed(given.value, view, slot):
                found.append(Bound(slot.location, given.value, score, index))
    return found


def fit(knowledge: Knowledge, given: Given, view: View, slot: Slot) -> float:
    """How likely it is that a slot takes a given that only names a thing; between 0 and 1."""
    name = (given.label, given.noun, view.key, slot.location)
    found = knowledge.fits.get(name)
    if found is None:
        found = knowledge.fits[name] = _fit(knowledge, given, view, slot)
    return found


def _fit(knowledge: Knowledge, given: Given, view: View, slot: Slot) -> float:
    same = not given.noun or given.noun == slot.noun or given.noun == view.noun
    echoed = view.echoed(slot.location)
    if same and given.label in echoed:
        return 1.0
    parts, label = [singular(word) for word in words(slot.name)], [singular(word) for word in words(given.label)]
    if parts == label or parts == [given.noun, *label]:
        return 0.95 if same else 0.4
    if slot.location.startswith("query:") and SEARCHING.intersection((slot.name.lower(), *parts)):
        return 0.92 if same else 0.45
    if _fed(knowledge, given, view, slot):
        return 0.9 if same else 0.7
    if not slot.location.startswith("query:"):
        return 0.25 if same and not echoed and view.single else 0.0
    if parts == [given.noun]:
        return 0.4 if echoed else 0.6
    return 0.0


def _fed(knowledge: Knowledge, given: Given, view: View, slot: Slot) -> bool:
    """Whether what has been accepted here are mostly values of the given's field."""
    sent = {str(seen.arguments[slot.location]) for seen in view.seen if slot.location in seen.arguments}
    if len(sent) < 2:
        return False
    for source in knowledge.views.values():
        news = source.fields.get(given.label) if source.noun == given.noun else None
        if news is not None and 2 * len(sent & news.values.keys()) > len(sent):
            return True
    return False


def _typed(value: Json, view: View, slot: Slot) -> bool:
    """A word does not go where only numbers have a place, nor one that the documented enum leaves out."""
    if slot.stated and len(slot.stated) > 1:
        return any(str(value) == str(option) for option in slot.stated)
    parameter = view.operation.parameter(slot.location)
    kind = parameter.schema.type if parameter is not None else None
    if kind in ("integer", "number") and isinstance(value, str):
        return value.lstrip("-").replace(".", "", 1).isdigit()
    return kind not in ("boolean", "object", "array")


def from_things(knowledge: Knowledge, state: State, view: View, slot: Slot, *, but: str | None = None) -> Bound | None:
    """The likeliest field of the items that the way has led to, where an edge of the tool graph says that it fits.

    Items called `but` are left out.
    """
    feeds = knowledge.sources(view.key, slot.location) if state.things else None
    if not feeds:
        return None
    best, found = 0.0, None
    for age, thing in enumerate(state.things):
        if thing.noun == but:
            continue
        fresh = 0.97**age
        for edge in feeds.get((thing.key.tool, thing.noun), ()):
            if edge.score * fresh <= best:
                break  # the best edges come first
            score = edge.score * fresh * (1.0 if edge.source == thing.key else 0.9)
            value = thing.item.fields.get(_field(edge.pointer.partition(":")[2], thing)) if score > best else None
            if value is not None:
                best, found = score, (value, thing)
    return Bound(slot.location, found[0], best, None, found[1]) if found is not None else None


def _field(pointer: str, thing: Thing) -> str:
    """The field of an item that a pointer into its response names; of another response, by its last part."""
    prefix = thing.item.pattern + "/"
    if pointer.startswith(prefix):
        return pointer[len(prefix) :]
    return pointer.rpartition("/")[2]
