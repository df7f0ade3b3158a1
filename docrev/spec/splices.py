"""Splices: which characters of a text go and which come. This half is for JSON and for the flow style of YAML."""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol

from docrev.errors import DocrevError
from docrev.spec.edit_plan import UNSET, EditPlan, EditSlot, NodeState
from docrev.spec.nodes import LINE_END, AliasNode, MappingEntry, MappingNode, ScalarNode, SequenceNode, SyntaxNode

_ANCHOR = re.compile(r"(?:!\S*\s+)?(&[^\s,\[\]{}]+)")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*(?:\s+|(?=[,\[\]{}]|\Z)|(?:\s*#[^\r\n]*[\r\n]))*)*")


class Splice(NamedTuple):
    """The characters `text[start:end]` become `new`."""

    start: int
    end: int
    new: str


class Style(Protocol):
    """How a document writes what is new to it."""

    nl: str
    comma: str

    def flow(self, value: object, pad: str | None, old: str = "") -> str:
        """A value in brackets; over several lines if `pad`, the space before its last line, is not None."""
        ...

    def flow_key(self, name: str, siblings: list[MappingEntry]) -> str:
        """A key with its colon."""
        ...

    def rename(self, name: str, key: SyntaxNode, siblings: list[MappingEntry], *, flow: bool = True) -> str:
        """A key in the place of another one."""
        ...


class Splicer:
    """Collects the splices that carry out a plan in a text."""

    def __init__(self, text: str, plan: EditPlan, style: Style) -> None:
        self.text, self.plan, self.style = text, plan, style
        self.splices: list[Splice] = []

    def run(self) -> list[Splice]:
        self.visit(self.plan.root, "" if LINE_END.search(self.text.strip()) else None)
        return self.splices

    def cut(self, start: int, end: int, new: str = "") -> None:
        self.splices.append(Splice(start, end, new))

    def changed(self, slot: EditSlot) -> bool:
        """Decide what happens to a slot's node: True if all of it is written anew, as `slot.value`."""
        if slot.value is not UNSET:
            return True
        state = self.plan.states.get(id(slot.node))
        if state is not None and (state.hollow or self._braceless(state.node)) and self.touched(state):
            slot.value = self.plan.value(slot)
            return True
        return False

    def touched(self, state: NodeState) -> bool:
        """Whether anything differs here or below; a state also stands for a mere way to what differs."""
        node = state.node
        before = len(node.entries) if isinstance(node, MappingNode) else len(node.items)
        if len(state.slots) != before:
            return True
        for slot in state.slots:
            below = self.plan.states.get(id(slot.node))
            if slot.origin < 0 or slot.renamed or slot.value is not UNSET:
                return True
            if below is not None and self.touched(below):
                return True
        return False

    def _braceless(self, node: MappingNode | SequenceNode) -> bool:
        """A pair in a flow sequence, as in `[a: 1]`, is a mapping without braces."""
        return isinstance(node, MappingNode) and node.flow and self.text[self.content(node)] != "{"

    def visit(self, slot: EditSlot, pad: str | None) -> None:
        """The splices of a slot in flow style. `pad` is the space before its line, None in one line."""
        if self.changed(slot):
            self.replace(slot, pad)
            return
        state = self.plan.states.get(id(slot.node))
        if state is not None:
            self.collection(state, pad)

    def replace(self, slot: EditSlot, pad: str | None) -> None:
        """A new value in the place of an old one."""
        node = slot.node
        assert node is not None
        old = node.style if isinstance(node, ScalarNode) else ""
        new = self.style.flow(slot.value, pad, old)
        if node.start == node.end:
            colon = "" if self.text[node.start - 1] in ":-" else ":"
            self.cut(node.start, node.start, f"{colon} {new}")
        elif node.tag and node.anchor is not None:
            self.cut(node.start, node.end, f"&{node.anchor.name} {new}")
        else:
            start = node.start if node.tag else self.content(node)
            space = " " if start == node.end else ""
            self.cut(start, node.end, space + new)

    def collection(self, state: NodeState, pad: str | None) -> None:
        """The splices of a flow collection: inside its items, then those that go and those that come."""
        node = state.node
        assert node.flow
        starts, ends = self._borders(node)
        if not starts:
            return
        inner = self._inner_pad(node, starts[0])
        entries = node.entries if isinstance(node, MappingNode) else None
        kept = [slot for slot in state.slots if slot.origin >= 0]
        for slot in kept:
            if slot.renamed and entries is not None:
                self.rename(entries[slot.origin], slot.name, entries)
            self.visit(slot, inner)
        comma = self._comma(starts, ends, inner)
        self._arrivals(state, starts, ends, comma, inner)
        self._departures([slot.origin for slot in kept], starts, ends)

    def _borders(self, node: MappingNode | SequenceNode) -> tuple[list[int], list[int]]:
        if isinstance(node, MappingNode):
            return [entry.key.start for entry in node.entries], [entry.value.end for entry in node.entries]
        return [item.start for item in node.items], [item.end for item in node.items]

    def _inner_pad(self, node: SyntaxNode, first: int) -> str | None:
        """The space before the first item, where it stands on a line of its own."""
        lead = self.text[self.content(node) + 1 : first]
        lines = LINE_END.split(lead)
        return lines[-1] if len(lines) > 1 and not lines[-1].strip(" \t") else None

    def _comma(self, starts: list[int], ends: list[int], pad: str | None) -> str:
        if pad is not None:
            return f",{self.style.nl}{pad}"
        if len(starts) > 1:
            between = self.text[ends[0] : starts[1]]
            if not between.strip(", \t") and between.count(",") == 1:
                return between.lstrip(" \t")
        return self.style.comma

    def _arrivals(self, state: NodeState, starts: list[int], ends: list[int], comma: str, pad: str | None) -> None:
        node, after, fresh = state.node, -1, list[str]()
        entries = node.entries if isinstance(node, MappingNode) else None
        for slot in [*state.slots, EditSlot("", origin=len(starts))]:
            if slot.origin < 0:
                key = self.style.flow_key(slot.name, entries) if entries is not None else ""
                fresh.append(key + self.style.flow(slot.value, pad))
                continue
            if fresh and after >= 0:
                self.cut(ends[after], ends[after], "".join(comma + item for item in fresh))
            elif fresh:
                self.cut(starts[slot.origin], starts[slot.origin], "".join(item + comma for item in fresh))
            after, fresh = slot.origin, []

    def _departures(self, kept: list[int], starts: list[int], ends: list[int]) -> None:
        """Takes out what does not stay: up to the next one that stays, or from the end of the last one on."""
        last = -1
        for place in [*kept, len(starts)]:
            if place > last + 1:
                if place < len(starts):
                    self.cut(starts[last + 1], starts[place])
                else:
                    self.cut(ends[last], ends[-1])
            last = place

    def rename(self, entry: MappingEntry, name: str, siblings: list[MappingEntry], *, flow: bool = True) -> None:
        key = entry.key
        start = key.start if isinstance(key, AliasNode) or key.tag else self.content(key)
        self.cut(start, key.end, self.style.rename(name, key, siblings, flow=flow))

    def content(self, node: SyntaxNode) -> int:
        """Where a node begins behind its anchor and tag."""
        if node.anchor is None and not node.tag:
            return node.start
        found = _PROPERTIES.match(self.text, node.start, node.end)
        return found.end() if found is not None else node.start

    def anchor_end(self, node: SyntaxNode) -> int:
        """Where the anchor of a node ends; where the node begins if it has none."""
        found = _ANCHOR.match(self.text, node.start, node.end) if node.anchor is not None else None
        return found.end() if found is not None else node.start


def spliced(text: str, splices: list[Splice]) -> str:
    """The text after its splices. Raises DocrevError if two of them claim the same characters."""
    parts: list[str] = []
    at = 0
    for splice in sorted(_settled(text, splices), key=_place):
        if splice.start < at:
            raise DocrevError("two edits claim the same characters")
        parts += text[at : splice.start], splice.new
        at = splice.end
    return "".join([*parts, text[at:]])


def _settled(text: str, splices: list[Splice]) -> list[Splice]:
    """Moves a deletion of lines up by one line end if another splice claims its last one. Nothing else changes."""
    claimed = {splice.start for splice in splices}
    settled: list[Splice] = []
    ordered = sorted(splices, key=_place)
    for start, end, new in reversed(ordered):
        width = 2 if text[end - 2 : end] == "\r\n" else 1
        lines = not new and end - start > width and text[end - 1] in "\r\n" and end - width in claimed
        if lines and text[start - width : start] == text[end - width : end]:
            start, end = start - width, end - width
            claimed.add(start)
        settled.append(Splice(start, end, new))
    return settled[::-1]


def _place(splice: Splice) -> tuple[int, int]:
    return splice.start, splice.end


def line_ending(text: str) -> str:
    """The line end that a text uses most: CRLF, LF or CR."""
    both = text.count("\r\n")
    counts = {"\n": text.count("\n") - both, "\r\n": both, "\r": text.count("\r") - both}
    return max(counts, key=lambda end: counts[end])
