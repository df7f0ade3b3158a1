"""What edits make of a document, before a character is moved: which nodes stay, go, come or get a new value.

A plan holds a state for every collection that an edit reaches; everything else of the document is as it was. From
it come the splices (`docrev.spec.splices`) and, on another way, the tree that the spliced text must parse to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from docrev.errors import UsageError
from docrev.json_values import pointer as pointers
from docrev.records import Json
from docrev.spec.edits import Edit, Put, RenameKey
from docrev.spec.nodes import AliasNode, Anchor, MappingNode, SequenceNode, SyntaxNode
from docrev.spec.plain_data import plain, same

UNSET: Final = object()


class EditSlot:
    """A place for one value: what stood there (`origin`, its place among its siblings; `node`), and what shall.

    `data` is the value before all edits; `value` the one put there, or UNSET.
    """

    __slots__ = ("data", "merge", "name", "node", "origin", "renamed", "value")

    def __init__(
        self,
        name: str,
        *,
        node: SyntaxNode | None = None,
        origin: int = -1,
        data: Json = None,
        value: Json = UNSET,
        merge: bool = False,
    ) -> None:
        self.name, self.node, self.origin, self.data, self.value, self.merge = name, node, origin, data, value, merge
        self.renamed = False


class NodeState:
    """A collection that edits have reached, with its slots in their order."""

    __slots__ = ("node", "slots")

    def __init__(self, node: MappingNode | SequenceNode, data: Json) -> None:
        self.node = node
        if isinstance(node, MappingNode):
            lent = iter(node.merges)
            self.slots = [
                EditSlot(
                    entry.name,
                    node=entry.value,
                    origin=place,
                    data=next(lent) if entry.merge else data[entry.name],
                    merge=entry.merge,
                )
                for place, entry in enumerate(node.entries)
            ]
        else:
            self.slots = [
                EditSlot("", node=item, origin=place, data=value)
                for place, (item, value) in enumerate(zip(node.items, data, strict=True))
            ]

    def named(self, name: str) -> EditSlot | None:
        """The slot of a key that counts: the last one."""
        return next((slot for slot in reversed(self.slots) if slot.name == name and not slot.merge), None)

    @property
    def hollow(self) -> bool:
        """Whether nothing of what stood here is left."""
        return all(slot.origin < 0 for slot in self.slots)


class EditPlan:
    """Takes edits, one after the other. Raises UsageError for an edit of something that is not there."""

    def __init__(self, root: SyntaxNode, tree: Json, *, aliases: bool) -> None:
        self.root = EditSlot("", node=root, origin=0, data=tree)
        self.states: dict[int, NodeState] = {}
        self._holders: dict[int, EditSlot] = {id(root): self.root}
        self._aliases = aliases
        self._merges: dict[int, Json] = {}

    def apply(self, edits: Iterable[Edit]) -> None:
        for edit in edits:
            parts = pointers.split(edit.pointer)
            if not parts:
                if not isinstance(edit, Put) or not isinstance(edit.value, (dict, list, tuple)):
                    raise UsageError("a document stays a mapping or a list", where=edit.pointer or "/", fix="put one")
                self._assign(self._written(self.root), plain(edit.value))
                continue
            holder = self._collection(parts[:-1], parts[-1], edit.pointer)
            if isinstance(edit, Put):
                self._put(holder, parts[-1], plain(edit.value), edit)
            elif isinstance(edit, RenameKey):
                self._rename(holder, parts[-1], edit)
            else:
                self._remove(holder, parts[-1], edit.pointer)

    # --- finding the way -------------------------------------------------------------------------------------

    def state(self, node: MappingNode | SequenceNode, data: Json) -> NodeState:
        state = self.states.get(id(node))
        if state is None:
            state = self.states[id(node)] = NodeState(node, data)
            for slot in state.slots:
                self._holders[id(slot.node)] = slot
        return state

    def _written(self, slot: EditSlot) -> EditSlot:
        """The slot itself, or behind an alias the one that holds the anchor."""
        while slot.value is UNSET and isinstance(slot.node, AliasNode):
            slot = self._anchored(slot.node.target)
        return slot

    def _anchored(self, anchor: Anchor) -> EditSlot:
        for node in anchor.parents:
            self._reach(node)
        slot = self._holders.get(id(anchor.node))
        if slot is None:
            raise UsageError(f"the anchor &{anchor.name} is on a key", fix="edit the key")
        return slot

    def _reach(self, node: SyntaxNode) -> NodeState:
        slot = self._holders[id(node)]
        return self.state(cast("MappingNode | SequenceNode", node), slot.data)

    def _opened(self, slot: EditSlot) -> NodeState | Json:
        slot = self._written(slot)
        if slot.value is not UNSET:
            return slot.value
        node = slot.node
        return self.state(node, slot.data) if isinstance(node, (MappingNode, SequenceNode)) else slot.data

    def _collection(self, parts: list[str], last: str, pointer: str) -> NodeState | dict[str, Json] | list[Json]:
        """The collection that holds the last key of a pointer. A null becomes one: `key:` is often meant so."""
        slot, here = self.root, self._opened(self.root)
        inside: Json = None
        for part in parts:
            if isinstance(here, NodeState):
                found = self._slot(here, part)
                if found is None:
                    raise _nothing(pointer)
                slot, inside = self._written(found[1]), None
                here = self._opened(slot)
            else:
                inside, here = here, _below(here, part, pointer)
        if here is None:
            here = [] if last == "-" else {}
            if inside is None:
                slot.value = here
            else:
                inside[parts[-1] if isinstance(inside, dict) else int(parts[-1])] = here
        if not isinstance(here, (NodeState, dict, list)):
            raise _nothing(pointer)
        return here

    def _slot(self, state: NodeState, part: str) -> tuple[NodeState, EditSlot] | None:
        """The slot of a key or an index, and the state that holds it: this one, or one merged into it."""
        if isinstance(state.node, SequenceNode):
            place = pointers.index(part, len(state.slots))
            return None if place is None else (state, state.slots[place])
        slot = state.named(part)
        if slot is not None:
            return state, slot
        for lender in state.slots:
            for source in self._lent(lender) if lender.merge else ():
                found = self._slot(source, part)
                if found is not None:
                    return found
        return None

    def _lent(self, slot: EditSlot) -> list[NodeState]:
        """The mappings that a `<<` brings in, the strongest first."""
        here = self._opened(slot)
        if not isinstance(here, NodeState):
            return []
        if isinstance(here.node, MappingNode):
            return [here]
        return [state for item in here.slots for state in self._lent(item)]

    # --- the edits -------------------------------------------------------------------------------------------

    def _put(self, holder: NodeState | dict[str, Json] | list[Json], name: str, value: Json, edit: Put) -> None:
        if isinstance(holder, dict):
            holder[name] = value
        elif isinstance(holder, list):
            if name == "-":
                holder.append(value)
            else:
                holder[_place(name, len(holder), edit.pointer)] = value
        elif isinstance(holder.node, SequenceNode) and name == "-":
            holder.slots.append(EditSlot("", value=value))
        elif (found := self._slot(holder, name)) is not None:
            self._assign(self._written(found[1]), value)
        elif isinstance(holder.node, SequenceNode):
            raise _nothing(edit.pointer)
        else:
            before = holder.named(edit.after) if edit.after else None
            place = holder.slots.index(before) + 1 if before is not None else len(holder.slots)
            holder.slots.insert(place, EditSlot(name, value=value))

    def _remove(self, holder: NodeState | dict[str, Json] | list[Json], name: str, pointer: str) -> None:
        if isinstance(holder, dict):
            if name not in holder:
                raise _nothing(pointer)
            del holder[name]
        elif isinstance(holder, list):
            del holder[_place(name, len(holder), pointer)]
        else:
            found = self._slot(holder, name)
            if found is None:
                raise _nothing(pointer)
            state, gone = found
            state.slots = [slot for slot in state.slots if slot is not gone and not _twin(slot, gone, state)]

    def _rename(self, holder: NodeState | dict[str, Json] | list[Json], name: str, edit: RenameKey) -> None:
        if edit.key == name:
            return
        if isinstance(holder, dict) and name in holder:
            _rename_key(holder, name, edit)
            return
        found = self._slot(holder, name) if isinstance(holder, NodeState) else None
        if found is None or isinstance(found[0].node, SequenceNode):
            raise _nothing(edit.pointer)
        state, old = found
        if state.named(edit.key) is not None:
            raise _taken(edit)
        for slot in state.slots:
            if slot is old or _twin(slot, old, state):
                slot.name, slot.renamed = edit.key, True

    def _assign(self, slot: EditSlot, value: Json) -> None:
        """Put a value over another: key by key and item by item if both are collections of one kind."""
        node = slot.node
        if slot.value is not UNSET or node is None:
            slot.value = value
        elif isinstance(node, MappingNode) and isinstance(value, dict) and value and not node.merges:
            self._assign_mapping(self.state(node, slot.data), value)
        elif isinstance(node, SequenceNode) and isinstance(value, list) and value:
            self._assign_sequence(self.state(node, slot.data), value)
        elif self._differs(slot, node, value):
            slot.value = value

    def _differs(self, slot: EditSlot, node: SyntaxNode, value: object) -> bool:
        if isinstance(node, AliasNode):
            return not same(self.value(slot), value)
        return id(node) in self.states or not same(slot.data, value)

    def _assign_mapping(self, state: NodeState, value: dict[str, Json]) -> None:
        state.slots = [slot for slot in state.slots if slot.name in value]
        there = {slot.name: slot for slot in state.slots}
        previous = ""
        for name, item in value.items():
            slot = there.get(name)
            if slot is not None:
                self._assign(slot, item)
            else:
                before = there.get(previous)
                place = state.slots.index(before) + 1 if before is not None else len(state.slots)
                there[name] = EditSlot(name, value=item)
                state.slots.insert(place, there[name])
            previous = name

    def _assign_sequence(self, state: NodeState, value: list[Json]) -> None:
        del state.slots[len(value) :]
        for slot, item in zip(state.slots, value, strict=False):
            self._assign(slot, item)
        state.slots.extend(EditSlot("", value=item) for item in value[len(state.slots) :])

    # --- what comes out --------------------------------------------------------------------------------------

    def value(self, slot: EditSlot | None = None) -> Json:
        """The value of a slot, by default of the whole document, after the edits so far."""
        self._merges = {}
        return self._of_slot(slot or self.root)

    def _of_slot(self, slot: EditSlot) -> Json:
        return slot.value if slot.value is not UNSET else self._of(slot.node, slot.data)

    def _of(self, node: SyntaxNode | None, data: object) -> Json:
        if isinstance(node, AliasNode):
            anchor = node.target
            holder = self._holders.get(id(anchor.node))
            return self._of_slot(holder) if holder is not None else self._of(anchor.node, anchor.value)
        if not isinstance(node, (MappingNode, SequenceNode)):
            return data
        state = self.states.get(id(node))
        if state is None and not self._aliases:
            return data
        known = self._merges.get(id(node))
        if known is None:
            slots = state.slots if state is not None else NodeState(node, data).slots
            known = self._merges[id(node)] = self._built(node, slots)
        return known

    def _built(self, node: MappingNode | SequenceNode, slots: list[EditSlot]) -> Json:
        if isinstance(node, SequenceNode):
            return [self._of_slot(slot) for slot in slots]
        own = {slot.name for slot in slots if not slot.merge}
        result: dict[str, Json] = {}
        for slot in slots:
            if not slot.merge:
                result[slot.name] = self._of_slot(slot)
                continue
            value = self._of_slot(slot)
            for source in value if isinstance(value, list) else [value]:
                for name, item in source.items():
                    if name not in own:
                        result.setdefault(name, item)
        return result


def _twin(slot: EditSlot, other: EditSlot, state: NodeState) -> bool:
    """Whether a slot is an earlier writing of the same key, which would come to the light when the last one goes."""
    return isinstance(state.node, MappingNode) and slot.name == other.name and not slot.merge


def _below(value: object, part: str, pointer: str) -> Json:
    if isinstance(value, dict) and part in value:
        return value[part]
    if isinstance(value, list):
        return value[_place(part, len(value), pointer)]
    raise _nothing(pointer)


def _place(part: str, length: int, pointer: str) -> int:
    place = pointers.index(part, length)
    if place is None:
        raise _nothing(pointer)
    return place


def _rename_key(holder: dict[str, object], name: str, edit: RenameKey) -> None:
    if edit.key in holder:
        raise _taken(edit)
    items = [(edit.key if key == name else key, value) for key, value in holder.items()]
    holder.clear()
    holder.update(items)


def _taken(edit: RenameKey) -> UsageError:
    return UsageError(f"there is already a key {edit.key}", where=edit.pointer, fix="choose another key")


def _nothing(pointer: str) -> UsageError:
    return UsageError("there is nothing at this place of the document", where=pointer, fix="check the pointer")
