"""Writing JSON into a document that has its own indent, spacing and way to escape."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise

from docrev.errors import UsageError
from docrev.spec.nodes import MappingEntry, MappingNode, ScalarNode, SequenceNode, SyntaxNode
from docrev.spec.splices import line_ending

_SAMPLE = 400
_ESCAPED = re.compile(r"\\u(?!00[01])[0-9a-fA-F]{4}")
_LONE = re.compile("[\ud800-\udfff]")


class JsonStyle:
    """How a JSON document is written, from its first few hundred nodes."""

    def __init__(self, text: str, root: SyntaxNode) -> None:
        self.nl = line_ending(text)
        self.colon, self.comma = ": ", ", "
        self.step: str | None = None
        self.inline_lists = False
        self._ascii = text.isascii() and _ESCAPED.search(text) is not None
        self._slash = text.count("\\/") > text.count("/") / 2
        self._look(text, root)

    def _look(self, text: str, root: SyntaxNode) -> None:
        collections = _sample(root)
        colons = (colon for node in collections if isinstance(node, MappingNode) for colon in _colons(text, node))
        self.colon = next(colons, self.colon)
        commas = (comma for node in collections for comma in _commas(text, node))
        self.comma = next(commas, "," if self.colon == ":" else ", ")
        self.step = _step(text, root)
        lists = [node for node in collections if isinstance(node, SequenceNode) and _scalars(node)]
        one_line = sum("\n" not in text[node.start : node.end] for node in lists)
        self.inline_lists = one_line * 2 > len(lists)

    def scalar(self, value: object) -> str:
        if isinstance(value, float) and not math.isfinite(value):
            raise UsageError(f"JSON cannot hold {value}", fix="put a finite number")
        text = json.dumps(value, ensure_ascii=self._ascii)
        if isinstance(value, str):
            text = _LONE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
            text = text.replace("/", "\\/") if self._slash else text
        return text

    def flow(self, value: object, pad: str | None, old: str = "") -> str:
        if not isinstance(value, (dict, list)):
            return self.scalar(value)
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        inner = self._inner_pad(value, pad)
        if isinstance(value, dict):
            items = [self.scalar(name) + self.colon + self.flow(item, inner) for name, item in value.items()]
        else:
            items = [self.flow(item, inner) for item in value]
        if not items or inner is None:
            return opening + self.comma.join(items) + closing
        return f"{opening}{self.nl}{inner}" + f",{self.nl}{inner}".join(items) + f"{self.nl}{pad}{closing}"

    def _inner_pad(self, value: object, pad: str | None) -> str | None:
        """The space before each item of a collection; None if it is written on one line."""
        plain = isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value)
        if pad is None or self.step is None or (plain and self.inline_lists):
            return None
        return pad + self.step

    def flow_key(self, name: str, siblings: list[MappingEntry]) -> str:
        return self.scalar(name) + self.colon

    def rename(self, name: str, key: SyntaxNode, siblings: list[MappingEntry], *, flow: bool = True) -> str:
        return self.scalar(name)


def _sample(root: SyntaxNode) -> list[MappingNode | SequenceNode]:
    """The first collections of a document, level by level."""
    found: list[MappingNode | SequenceNode] = []
    level = [root]
    while level and len(found) < _SAMPLE:
        below: list[SyntaxNode] = []
        for node in level:
            if isinstance(node, MappingNode):
                found.append(node)
                below.extend(entry.value for entry in node.entries if not isinstance(entry.value, ScalarNode))
            elif isinstance(node, SequenceNode):
                found.append(node)
                below.extend(item for item in node.items if not isinstance(item, ScalarNode))
        level = below
    return found


def _colons(text: str, node: MappingNode) -> list[str]:
    found = (text[entry.key.end : entry.value.start] for entry in node.entries[:3])
    return [colon for colon in found if "\n" not in colon and "\r" not in colon]


def _commas(text: str, node: MappingNode | SequenceNode) -> list[str]:
    if isinstance(node, MappingNode):
        borders = [(entry.key.start, entry.value.end) for entry in node.entries[:3]]
    else:
        borders = [(item.start, item.end) for item in node.items[:3]]
    found = [text[one[1] : other[0]] for one, other in pairwise(borders)]
    return [comma.lstrip() for comma in found if "\n" not in comma and "\r" not in comma]


def _step(text: str, root: SyntaxNode) -> str | None:
    """By how much items are indented; None if a document is written on one line."""
    first = _first(root)
    lead = text[root.start + 1 : first.start] if first is not None else ""
    if "\n" not in lead and "\r" not in lead:
        return None
    return _last_line(lead).removeprefix(_last_line(text[: root.start])) or "  "


def _first(node: SyntaxNode) -> SyntaxNode | None:
    if isinstance(node, MappingNode):
        return node.entries[0].key if node.entries else None
    return node.items[0] if isinstance(node, SequenceNode) and node.items else None


def _last_line(text: str) -> str:
    return re.split(r"\r\n|\r|\n", text)[-1]


def _scalars(node: SequenceNode) -> bool:
    return bool(node.items) and all(isinstance(item, ScalarNode) for item in node.items)
