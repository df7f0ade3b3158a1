"""Splices for the block style of YAML: lines that go, lines that come, and values that stand behind a colon or a dash.

Comments belong to nobody and stay, but for those inside of what goes and on its lines.
"""

from __future__ import annotations

import re
from itertools import takewhile

from docrev.spec.edit_plan import EditPlan, EditSlot, NodeState
from docrev.spec.nodes import LINE_END, MappingEntry, MappingNode, ScalarNode, SequenceNode, SyntaxNode
from docrev.spec.splices import Splice, Splicer
from docrev.spec.yaml_write import Block, YamlStyle

_COLON = re.compile(r"\s*:")
_HEADER = re.compile(r"[|>][-+0-9]*")
_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*")
_FOLLOWS = re.compile(r"((?:[ \t]*(?:\r\n|\r|\n))*)([ \t]*)(\S?)")


class YamlSplicer(Splicer):
    """Collects the splices that carry out a plan in a YAML text."""

    style: YamlStyle

    def __init__(self, text: str, plan: EditPlan, style: YamlStyle) -> None:
        super().__init__(text, plan, style)
        self.style = style

    def run(self) -> list[Splice]:
        self.block(self.plan.root, -1, -1, item=False)
        return self.splices

    # --- places in the text ----------------------------------------------------------------------------------

    def line_start(self, offset: int) -> int:
        return max(self.text.rfind("\n", 0, offset), self.text.rfind("\r", 0, offset)) + 1

    def line_end(self, offset: int) -> int:
        found = LINE_END.search(self.text, offset)
        return found.start() if found is not None else len(self.text)

    def next_line(self, offset: int) -> int:
        found = LINE_END.search(self.text, offset)
        return found.end() if found is not None else len(self.text)

    def column(self, offset: int) -> int:
        return offset - self.line_start(offset)

    def _begins_line(self, offset: int) -> bool:
        return offset > 0 and self.text[offset - 1] in "\r\n"

    def _open_end(self, offset: int) -> bool:
        """Whether the line of an offset is the last one and has no line end."""
        return not self._begins_line(offset) and self.line_end(offset) == len(self.text)

    def _block_fits(self, offset: int, column: int) -> bool:
        """Whether a block scalar may end here: it would take in comments and blanks that follow, as its text."""
        end = offset if self._begins_line(offset) else self.line_end(offset)
        if end == len(self.text) and not self._begins_line(end):
            return False
        follows = _FOLLOWS.match(self.text, end)
        assert follows is not None
        blanks, indent, mark = follows.groups()
        # Blanks as far as its own indentation are none of its text.
        if "\t" in blanks or any(len(line) > column + self.style.step for line in blanks.splitlines()):
            return False
        if indent and not mark:
            return False
        return not (mark == "#" and len(indent) > column)

    def _alone(self, offset: int) -> bool:
        """Whether nothing, no comment either, stands behind an offset on its line."""
        return self._begins_line(offset) or not self.text[offset : self.line_end(offset)].strip()

    # --- values ----------------------------------------------------------------------------------------------

    def block(self, slot: EditSlot, hole: int, column: int, *, item: bool) -> None:
        """The splices of a value behind a colon or dash that ends at `hole`, in a collection at `column`."""
        node = slot.node
        assert node is not None
        if self.changed(slot):
            self.rewrite(slot, hole, column, item)
            return
        state = self.plan.states.get(id(node))
        if state is None:
            return
        if state.node.flow:
            self.collection(state, None)
        elif isinstance(state.node, MappingNode):
            self.mapping(state, state.node)
        else:
            self.sequence(state, state.node)

    def rewrite(self, slot: EditSlot, hole: int, column: int, item: bool) -> None:
        """A new value in the place of an old one, in block style."""
        node = slot.node
        assert node is not None
        if hole < 0:
            self._root(slot, node)
            return
        start = self.content(node)
        beside = self._beside(hole, start, node)
        scalars = self._block_fits(node.end, column) and (beside or self._alone(node.end))
        inner = (self.column(start) if beside else column + 2) if item else None
        head, body = self._new_value(slot, node, column, inner, scalars)
        if node.tag:
            head = f"&{node.anchor.name} {head}".rstrip() if node.anchor is not None else head
            start = node.start
        elif node.anchor is not None:
            hole = self.anchor_end(node)
        self._over(node, start, hole, beside, head, body)

    def _new_value(self, slot: EditSlot, node: SyntaxNode, column: int, inner: int | None, scalars: bool) -> Block:
        """The new value of a slot in block style; `inner` is the column of what is behind a dash."""
        fills = isinstance(slot.value, (dict, list)) and bool(slot.value)
        if inner is not None and node.anchor is not None and fills:
            return "", self.style.lines(slot.value, column + 2, scalars)
        return self.style.block(slot.value, column, item=inner, old=_style_of(node), scalars=scalars)

    def _over(self, node: SyntaxNode, start: int, hole: int, beside: bool, head: str, body: list[str]) -> None:
        """Put a new value over the old one, which begins at `start`."""
        below = "".join(self.style.nl + line for line in body)
        if start == node.end:
            self._fill(node.end, head, below)
        elif _style_of(node) in ("|", ">"):
            self._block_scalar(node, start, hole, head, below)
        elif beside:
            self._behind(start, node.end, hole, head, below)
        elif isinstance(node, ScalarNode) and not body:
            self.cut(start, node.end, head)
        else:
            self._under(start, node.end, hole, head, body)

    def _beside(self, hole: int, start: int, node: SyntaxNode) -> bool:
        """Whether something stands on the line of its colon or dash."""
        return start < node.end and LINE_END.search(self.text, hole, start) is None

    def _fill(self, at: int, head: str, below: str) -> None:
        if head:
            self.cut(at, at, f" {head}")
        if below:
            end = self.line_end(at)
            self.cut(end, end, below)

    def _behind(self, start: int, end: int, hole: int, head: str, below: str) -> None:
        """Over a value that begins on the line of its colon or dash."""
        if self._begins_line(end):
            self.cut(start if head else hole, end, head + below + self.style.nl)
            return
        self.cut(start if head else hole, end, head)
        if below:
            line_end = self.line_end(end)
            self.cut(line_end, line_end, below)

    def _block_scalar(self, node: SyntaxNode, start: int, hole: int, head: str, below: str) -> None:
        """Over a block scalar: its header, which may carry a comment, and its lines."""
        header = _HEADER.match(self.text, start)
        assert header is not None
        self.cut(start if head else hole, header.end(), head)
        line_end = self.line_end(header.end())
        if line_end < node.end:
            tail = self.style.nl if self._begins_line(node.end) else ""
            self.cut(line_end, node.end, _with_blanks(self.text[line_end : node.end], below) + tail)
        elif below:
            self.cut(line_end, line_end, below)

    def _under(self, start: int, end: int, hole: int, head: str, body: list[str]) -> None:
        """Over a value that begins on a line below its colon or dash."""
        line = self.line_start(start)
        tail = self.style.nl if self._begins_line(end) else ""
        if not head:
            self.cut(line, end, self.style.nl.join(body) + tail)
            return
        self.cut(hole, hole, f" {head}")
        if body:
            self.cut(self.line_end(hole), end, "".join(self.style.nl + text for text in body) + tail)
        else:
            self.cut(self._line_break(line), end, tail)

    def _root(self, slot: EditSlot, node: SyntaxNode) -> None:
        start = self.content(node)
        value = slot.value
        line = self.line_start(start)
        tail = self.style.nl if self._begins_line(node.end) else ""
        if not value:
            self.cut(start, node.end, self.style.flow(value) + tail)
            return
        scalars = self._block_fits(node.end, -1) and self._alone(node.end)
        lines = self.style.nl.join(self.style.lines(value, 0, scalars)) + tail
        if self.text[line:start].strip():
            self.cut(start, node.end, self.style.nl + lines)
        else:
            self.cut(line, node.end, lines)

    # --- collections -----------------------------------------------------------------------------------------

    def mapping(self, state: NodeState, node: MappingNode) -> None:
        column = self.column(self.content(node))
        entries = node.entries
        for slot in state.slots:
            if slot.origin >= 0:
                entry = entries[slot.origin]
                if slot.renamed:
                    self.rename(entry, slot.name, entries, flow=False)
                self.block(slot, self._hole(entry), column, item=False)
        starts = [entry.key.start for entry in entries]
        ends = [entry.value.end for entry in entries]
        self._lines_in(state, starts, ends, column, entries)
        self._lines_out(state, starts, ends)

    def sequence(self, state: NodeState, node: SequenceNode) -> None:
        column = self.column(self.content(node))
        starts = [self._dash(item, column) for item in node.items]
        for slot in state.slots:
            if slot.origin >= 0:
                self.block(slot, starts[slot.origin] + 1, column, item=True)
        self._lines_in(state, starts, [item.end for item in node.items], column, None)
        self._lines_out(state, starts, [item.end for item in node.items])

    def _hole(self, entry: MappingEntry) -> int:
        colon = _COLON.match(self.text, entry.key.end)
        return colon.end() if colon is not None else entry.key.end

    def _dash(self, item: SyntaxNode, column: int) -> int:
        """Where the dash of an item stands: on its line, or on one above it."""
        line = self.line_start(item.start)
        while line > 0 and self.text[line + column : line + column + 1] != "-":
            line = self.line_start(line - 1)
        return line + column

    def _lines_in(
        self,
        state: NodeState,
        starts: list[int],
        ends: list[int],
        column: int,
        entries: list[MappingEntry] | None,
    ) -> None:
        """The lines of what is new, each run of them behind the entry that it follows."""
        after, fresh = -1, list[EditSlot]()
        for slot in [*state.slots, EditSlot("", origin=len(starts))]:
            if slot.origin < 0:
                fresh.append(slot)
                continue
            leaf = self._unclosed(state.node, after, ends[after]) if fresh and after >= 0 else None
            if fresh and (after < 0 or (leaf is not None and entries is not None)):
                self._before(fresh, starts[slot.origin if after < 0 else after], column, entries)
            elif fresh:
                if leaf is not None:
                    self._strip(leaf)
                self._after(fresh, ends[after], column, entries)
            after, fresh = slot.origin, []

    def _after(self, fresh: list[EditSlot], end: int, column: int, entries: list[MappingEntry] | None) -> None:
        nl = self.style.nl
        lines = self._fresh(fresh, column, entries, self._block_fits(end, column))
        if self._begins_line(end):
            self.cut(end, end, "".join(line + nl for line in lines))
        else:
            at = self.line_end(end)
            self.cut(at, at, "".join(nl + line for line in lines))

    def _before(self, fresh: list[EditSlot], start: int, column: int, entries: list[MappingEntry] | None) -> None:
        lines = self._fresh(fresh, column, entries, True)
        text = self.style.nl.join([*lines, " " * column])
        self.cut(start, start, text[column:])

    def _fresh(
        self, fresh: list[EditSlot], column: int, entries: list[MappingEntry] | None, scalars: bool
    ) -> list[str]:
        lines: list[str] = []
        for slot in fresh:
            value = {slot.name: slot.value} if entries is not None else [slot.value]
            lines += self.style.lines(value, column, scalars, entries)
        return lines

    def _unclosed(self, node: SyntaxNode, place: int, end: int) -> ScalarNode | None:
        """The block scalar without line end, last in the file, that one more line would change."""
        leaf = self._block_leaf(node, place) if self._open_end(end) else None
        header = _HEADER.match(self.text, self.content(leaf)) if leaf is not None else None
        return leaf if header is not None and "-" not in header[0] else None

    def _strip(self, leaf: ScalarNode) -> None:
        """Says of a block scalar without line end that it has none, before it gets one."""
        header = _HEADER.match(self.text, self.content(leaf))
        assert header is not None
        plus = header[0].endswith("+")
        self.cut(header.end() - plus, header.end(), "-")

    def _lines_out(self, state: NodeState, starts: list[int], ends: list[int]) -> None:
        """Take out the lines of what does not stay."""
        kept = {slot.origin for slot in state.slots}
        runs: list[tuple[int, int]] = []
        above = -1
        for place, start in enumerate(starts):
            line = self.line_start(start)
            if place in kept:
                above = place
            elif self.text[line:start].strip(" ?"):
                self._first_out(starts, ends, place, kept)
            else:
                end = self._end_of_lines(state.node, ends[place], above)
                if runs and runs[-1][1] == line:
                    line = runs.pop()[0]
                runs.append((line, end))
        for line, end in runs:
            bare = end == len(self.text) and not self._begins_line(end)
            shift = bare and (above < 0 or self._block_leaf(state.node, above) is None)
            self.cut(self._line_break(line) if shift else line, end)

    def _end_of_lines(self, node: SyntaxNode, end: int, above: int) -> int:
        """Where the lines of an entry end that ends at `end`, with the blank ones that the one above would take in."""
        end = end if self._begins_line(end) else self.next_line(end)
        blanks = _LINES.match(self.text, end) if self._keeps_blanks(node, above) else None
        return end if blanks is None else blanks.end()

    def _keeps_blanks(self, node: SyntaxNode, above: int) -> bool:
        """Whether an entry ends in a block scalar that would take in the blank lines below the next one."""
        leaf = self._block_leaf(node, above) if above >= 0 else None
        return leaf is not None and "+" in self.text[self.content(leaf) : self.content(leaf) + 3]

    def _line_break(self, line: int) -> int:
        """Where the line end before a line stands."""
        return line - 2 if self.text[line - 2 : line] == "\r\n" else max(line - 1, 0)

    def _block_leaf(self, node: SyntaxNode, place: int) -> ScalarNode | None:
        """The block scalar that the last line of an entry belongs to: a line end is part of it."""
        leaf = node
        while isinstance(leaf, (MappingNode, SequenceNode)) and not leaf.flow:
            leaf, place = (leaf.entries[place].value if isinstance(leaf, MappingNode) else leaf.items[place]), -1
        return leaf if isinstance(leaf, ScalarNode) and leaf.style in ("|", ">") else None

    def _first_out(self, starts: list[int], ends: list[int], place: int, kept: set[int]) -> None:
        """Takes out an entry that stands behind a dash: the next one moves up, unless comments lie between."""
        start = starts[place]
        following = starts[place + 1] if place + 1 < len(starts) else len(self.text)
        line_end = self.line_end(ends[place])
        end = ends[place] if self._begins_line(ends[place]) else line_end
        if place + 1 in kept and not self.text[end:following].strip():
            self.cut(start, following)
        else:
            self.cut(start, end)


def _style_of(node: SyntaxNode) -> str:
    return node.style if isinstance(node, ScalarNode) else ""


def _with_blanks(old: str, new: str) -> str:
    """The lines of a block scalar; those that stay empty are written as they were, with their indentation or without,
    down to the first line that is another one."""
    before, after = old.split("\n"), new.split("\n")
    pairs = takewhile(lambda pair: pair[0].rstrip() == pair[1].rstrip(), zip(before, after, strict=False))
    kept = [line if line.strip() else was for was, line in pairs]
    return "\n".join([*kept, *after[len(kept) :]])
