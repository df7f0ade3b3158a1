"""Applying an overlay to a document (Overlay 1.1.0 §4.4.3): as data first, and then as splices of its text.

An action of docrev's finds its place in a later version of the document by names: of the parameter, of the operation,
and by its operationId where the path changed. It writes only over what it was made for: a text that has changed since
is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from jsonpath import JSONPathEnvironment, JSONPathError

from docrev.errors import InputError
from docrev.json_values import pointer as pointers
from docrev.records import Json
from docrev.spec.document import Document
from docrev.spec.edits import Put, Remove
from docrev.spec.meaning import MISSING
from docrev.spec.nodes import MappingNode, locate
from docrev.spec.overlays.overlay import Overlay, OverlayAction
from docrev.spec.place_names import find_place, moved_operation, parameter_name
from docrev.spec.plain_data import same
from docrev.spec.tree_differences import differences

Fate = Literal["applied", "present", "gone", "changed"]
"""What became of an action: it was `applied`, what it would write is `present` already, what it is about is `gone`, or
it has `changed` since the overlay was made."""

_ENVIRONMENT = JSONPathEnvironment(strict=True)


@dataclass(frozen=True, slots=True)
class AppliedAction:
    """What became of one action; `found` is the text that stands in its way, if the fate is `changed`."""

    action: OverlayAction
    fate: Fate
    found: Json = None


@dataclass(frozen=True, slots=True)
class Application:
    """The document with the overlay applied, the `original` one, and what became of each action."""

    original: Document
    document: Document
    outcomes: tuple[AppliedAction, ...]

    def count(self, fate: Fate) -> int:
        """How many actions had this fate."""
        return sum(outcome.fate == fate for outcome in self.outcomes)

    @property
    def unfit(self) -> tuple[AppliedAction, ...]:
        """The actions that no longer fit the document."""
        return tuple(outcome for outcome in self.outcomes if outcome.fate in ("gone", "changed"))


def apply_overlay(document: Document, overlay: Overlay) -> Application:
    """Apply an overlay. Raises InputError if a target is no JSONPath, or an update does not go with what it selects."""
    tree = _Tree(document.tree)
    outcomes: list[AppliedAction] = []
    for action, following in zip(overlay.actions, (*overlay.actions[1:], None), strict=True):
        if following is not None and following.extension.get("continues"):
            # Only others' tools must remove a value before another is set.
            continue
        outcomes.append(tree.apply(action))
    return Application(document, _spliced(document, tree.value), tuple(outcomes))


def _spliced(document: Document, tree: Json) -> Document:
    """The document with this tree: where a YAML alias shows a value that differs now, the value is written out."""
    found = list(differences(document.tree, tree))
    direct = [difference for difference in found if _alias(document, difference.pointer) is None]
    edited = document.edited(edit for difference in direct for edit in difference.edits()) if direct else document
    while (left := _differing_alias(edited, tree)) is not None:
        edited = edited.edited([Remove(left), Put(left, pointers.find(tree, left)[1])])
    return edited


def _differing_alias(document: Document, tree: Json) -> str | None:
    """The first place that shows the value of another place, and shall have a value of its own."""
    places = (_alias(document, difference.pointer) for difference in differences(document.tree, tree))
    return next((place for place in places if place is not None), None)


def _alias(document: Document, pointer: str) -> str | None:
    """The place, at a pointer or above it, whose value stands elsewhere; None if all stands where the pointer leads.

    Of a key that `<<` brings in, and of an item of a list, it is the collection that has it.
    """
    parts = pointers.split(pointer)
    places = (pointers.join(*parts[:depth]) for depth in range(1, len(parts) + 1))
    place = next((place for place in places if document.definition(place) != place), None)
    if place is None:
        return None
    holder = locate(document.root, pointers.parent(place))[1]
    written = isinstance(holder, MappingNode) and holder.entry(pointers.last(place)) is not None
    return place if written else pointers.parent(place)


class _Tree:
    """The plain data of a document, changed by one action after the other."""

    # Values are replaced and never changed: the document's tree stays as it is.
    def __init__(self, value: Json) -> None:
        self.value = value

    def apply(self, action: OverlayAction) -> AppliedAction:
        if "place" in action.extension:
            return self._apply_own(action)
        selected = list(self._selected(action, action.target))
        if not selected:
            return AppliedAction(action, "gone")
        before = self.value
        # From the end: removing an item moves those behind it.
        for pointer in reversed(selected) if action.remove else selected:
            self._change(action, pointer)
        return AppliedAction(action, "present" if same(before, self.value) else "applied")

    def _selected(self, action: OverlayAction, path: str) -> Iterator[str]:
        try:
            for match in _ENVIRONMENT.finditer(path, self.value):
                yield pointers.join(*(str(part) for part in match.parts))
        except (JSONPathError, RecursionError) as error:
            message = " ".join(str(error).split())[:120]
            raise InputError(f"this is not a JSONPath ({message})", where=action.where, fix="see RFC 9535") from None

    def _change(self, action: OverlayAction, pointer: str) -> None:
        if action.remove:
            self._remove(action, pointer)
            return
        update = self._copied(action) if action.copy else action.update
        present = pointers.find(self.value, pointer)[1]
        self.value = pointers.replaced(self.value, pointer, self._merged(action, present, update))

    def _remove(self, action: OverlayAction, pointer: str) -> None:
        if not pointer:
            raise InputError("this would remove the whole document", where=action.where, fix="name a part of it")
        self.value = pointers.removed(self.value, pointer)

    def _copied(self, action: OverlayAction) -> Json:
        sources = list(self._selected(action, action.copy))
        if len(sources) != 1:
            raise InputError(f"copy selects {len(sources):,} values", where=action.where, fix="select one")
        return pointers.find(self.value, sources[0])[1]

    def _merged(self, action: OverlayAction, present: Json, update: Json) -> Json:
        if isinstance(present, list):
            return [*present, *(update if isinstance(update, list) else [update])]
        if isinstance(present, dict) != isinstance(update, dict) or isinstance(update, list):
            what = "an object" if isinstance(present, dict) else "a value that is no object"
            raise InputError(f"the update does not go with {what}", where=action.where, fix="remove it first")
        return _united(present, update)

    # --- actions of docrev's -----------------------------------------------------------------------------------

    def _apply_own(self, action: OverlayAction) -> AppliedAction:
        """Put what the action is about at its place, if that has the value that the overlay was made for."""
        place, name = str(action.extension["place"]), pointers.last(str(action.extension["place"]))
        removes = action.update is MISSING
        if not (removes or isinstance(action.update, dict)) or not place.startswith("/"):
            raise InputError("x-docrev does not go with the update", where=action.where, fix="make the overlay anew")
        holder = self._holder(action, pointers.parent(place))
        found, present = pointers.find(self.value, holder) if holder is not None else (False, None)
        if holder is None or not found or not isinstance(present, dict):
            return AppliedAction(action, "gone")
        value = MISSING if removes else action.update.get(name, MISSING)
        there = present.get(name, MISSING)
        return self._put(action, pointers.join(*pointers.split(holder), name), there, value)

    def _put(self, action: OverlayAction, pointer: str, there: Json, value: Json) -> AppliedAction:
        before = action.extension.get("before", MISSING)
        if isinstance(there, list) and isinstance(value, list) and before is MISSING:
            value = [*there, *(item for item in value if not _is_listed(item, there))]
        elif not same(there, before):
            return AppliedAction(
                action, "present" if same(there, value) else "changed", None if there is MISSING else there
            )
        if same(there, value):
            return AppliedAction(action, "present")
        removes = value is MISSING
        changed = pointers.removed(self.value, pointer) if removes else pointers.replaced(self.value, pointer, value)
        self.value = changed
        return AppliedAction(action, "applied")

    def _holder(self, action: OverlayAction, place: str) -> str | None:
        """The pointer to a place by its name: as it is, or below the operation where that lies now."""
        found = find_place(self.value, place)
        operation = action.extension.get("operation")
        if found is not None or not isinstance(operation, str):
            return found
        moved = moved_operation(self.value, operation, str(action.extension.get("operationId", "")))
        if moved is None:
            return None
        return find_place(self.value, moved + pointers.join(*pointers.split(place)[3:]))


def _united(present: Json, update: Json) -> Json:
    """Two values merged: objects member by member, lists one after the other, of scalars the second."""
    if isinstance(present, dict) and isinstance(update, dict):
        return present | {
            name: _united(present[name], value) if name in present else value for name, value in update.items()
        }
    if isinstance(present, list) and isinstance(update, list):
        return present + update
    return update


def _is_listed(item: Json, items: list[Json]) -> bool:
    """Whether a list has an item: the same one, or a parameter of the same name."""
    name = parameter_name(item)
    return any(same(item, other) or (name is not None and name == parameter_name(other)) for other in items)
