"""What a document is made of, with the place of each part in its text. JSON and YAML share these nodes.

Offsets count characters of `Document.text`. A node begins at its anchor or tag if it has one. The `end` of a
block collection lies behind its last value, before any comment; a null that is not written is an empty scalar.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from docrev.json_values import pointer as pointers
from docrev.records import Json

MAX_DEPTH: Final = 1_000
"""Collections inside each other; the parsers below us recurse, and would fall over a little later."""

LINE_END = re.compile(r"\r\n|\r|\n")


class Anchor:
    """A name given to a node of a YAML document, for aliases to repeat it."""

    __slots__ = ("closed", "name", "node", "parents", "path", "size", "text", "value")

    def __init__(self, name: str, path: list[str], parents: list[SyntaxNode]) -> None:
        self.name, self.path, self.parents = name, path, parents
        self.node: SyntaxNode | None = None
        self.value: Json = None
        self.text = ""
        self.size = 0
        self.closed = False


class SyntaxNode:
    """A part of a document: its characters are `text[start:end]`."""

    __slots__ = ("anchor", "end", "start", "tag")

    def __init__(self, start: int, end: int = -1, anchor: Anchor | None = None, tag: bool = False) -> None:
        self.start, self.end, self.anchor, self.tag = start, end, anchor, tag


class ScalarNode(SyntaxNode):
    """A string, number, boolean or null; `style` is its opening character: `"`, `'`, `|`, `>`, or "" for plain."""

    __slots__ = ("style",)

    def __init__(self, start: int, end: int, style: str = "", anchor: Anchor | None = None, tag: bool = False) -> None:
        self.start, self.end, self.anchor, self.tag, self.style = start, end, anchor, tag, style


class AliasNode(SyntaxNode):
    """A repetition of the node that carries the anchor."""

    __slots__ = ("target",)

    def __init__(self, start: int, end: int, target: Anchor) -> None:
        super().__init__(start, end)
        self.target = target


class MappingEntry:
    """A key of a mapping with its value; `merge` marks YAML's `<<`, whose value lends its keys to the mapping."""

    __slots__ = ("key", "merge", "name", "value")

    def __init__(self, name: str, key: SyntaxNode, value: SyntaxNode, merge: bool = False) -> None:
        self.name, self.key, self.value, self.merge = name, key, value, merge


class MappingNode(SyntaxNode):
    """Keys with values, in the order of the text. A key that comes twice is here twice; the last one counts.

    `merges` holds the plain data of each `<<`, a mapping or a list of them.
    """

    __slots__ = ("_names", "entries", "flow", "merges")

    def __init__(self, start: int, flow: bool, anchor: Anchor | None = None, tag: bool = False, end: int = -1) -> None:
        super().__init__(start, end, anchor, tag)
        self.flow = flow
        self.entries: list[MappingEntry] = []
        self.merges: list[Json] = []
        self._names: dict[str, MappingEntry] | None = None

    def entry(self, name: str) -> MappingEntry | None:
        """The entry of this key that counts, or None; merged keys are not looked up."""
        if self._names is None:
            self._names = {entry.name: entry for entry in self.entries if not entry.merge}
        return self._names.get(name)


class SequenceNode(SyntaxNode):
    """Items in order."""

    __slots__ = ("flow", "items")

    def __init__(self, start: int, flow: bool, anchor: Anchor | None = None, tag: bool = False, end: int = -1) -> None:
        super().__init__(start, end, anchor, tag)
        self.flow = flow
        self.items: list[SyntaxNode] = []


def resolved(node: SyntaxNode) -> SyntaxNode:
    """The node itself, or the one that an alias repeats."""
    while isinstance(node, AliasNode):
        target = node.target.node
        assert target is not None
        node = target
    return node


def merged(mapping: MappingNode) -> Iterator[MappingNode]:
    """The mappings that lend their keys to this one, the strongest first."""
    for entry in mapping.entries:
        if entry.merge:
            value = resolved(entry.value)
            sources = value.items if isinstance(value, SequenceNode) else [value]
            for source in map(resolved, sources):
                if isinstance(source, MappingNode):
                    yield source


def find(mapping: MappingNode, name: str) -> tuple[MappingNode, MappingEntry] | None:
    """The mapping that writes a key, and its entry there: this mapping, or one that is merged into it."""
    entry = mapping.entry(name)
    if entry is not None:
        return mapping, entry
    if mapping.merges:
        for source in merged(mapping):
            found = find(source, name)
            if found is not None:
                return found
    return None


class Lines:
    """Offsets as lines and columns, both from 1. Lines end with CR, LF or both, whatever else YAML 1.1 breaks at."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in LINE_END.finditer(text))]

    def line(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def position(self, offset: int) -> tuple[int, int]:
        line = self.line(offset)
        return line, offset - self._starts[line - 1] + 1


def locate(root: SyntaxNode, pointer: str) -> tuple[int, SyntaxNode | None]:
    """Where a pointer leads: the offset of its key or item, and its node.

    Where it leads nowhere, the offset is that of the nearest parent and the node None.
    """
    node, offset = root, root.start
    for part in pointers.split(pointer):
        here = resolved(node)
        if isinstance(here, MappingNode):
            found = find(here, part)
            if found is None:
                return offset, None
            node, offset = found[1].value, found[1].key.start
        elif isinstance(here, SequenceNode):
            place = pointers.index(part, len(here.items))
            if place is None:
                return offset, None
            node = here.items[place]
            offset = node.start
        else:
            return offset, None
    return offset, node
