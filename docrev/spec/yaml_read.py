"""Reading YAML: one pass over the events of libyaml makes the plain data and the place of every node.

Composing from events, not with `yaml.compose`: libyaml's composer recurses (a deep file kills the process), and
hands out the anchor's node for each alias.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import yaml

from docrev.errors import InputError
from docrev.json_values import pointer as pointers
from docrev.records import Json
from docrev.spec.nodes import (
    MAX_DEPTH,
    AliasNode,
    Anchor,
    Lines,
    MappingEntry,
    MappingNode,
    ScalarNode,
    SequenceNode,
    SyntaxNode,
)
from docrev.spec.yaml_scalars import resolve

MAX_COPIES: Final = 1_000_000
"""Nodes that aliases may add to a document: ten thousand times what a careful author adds, and no bomb."""

_CORE = "tag:yaml.org,2002:"
_SCALAR_TAGS: Final[dict[str, tuple[type, ...]]] = {
    f"{_CORE}int": (int,),
    f"{_CORE}float": (int, float),
    f"{_CORE}bool": (bool,),
    f"{_CORE}null": (type(None),),
}
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COLON = re.compile(r"\s*:")
_HEADER = re.compile(r"[|>][-+0-9]*(?=[ \t]*(?:#|[\r\n]|\Z))")
_INDENT = re.compile(r"(?:\r\n|\r|\n)( *)[^ \r\n]")
_BLANK = re.compile(r"(?:\r\n|\r|\n)( *)\Z")
_FOREIGN = re.compile("[\x85\u2028\u2029\ufeff]")


class YamlText:
    """A text as libyaml may see it, and back.

    YAML 1.1 breaks lines at U+0085, U+2028 and U+2029 and drops a U+FEFF; for YAML 1.2 (§5.4) they are characters
    like others. So libyaml sees characters of the private use area in their place, which keeps every offset.
    """

    def __init__(self, text: str) -> None:
        found = sorted(set(_FOREIGN.findall(text)))
        free = (chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in text) if found else iter(())
        there = dict(zip(found, free, strict=False))
        self._back = {ord(stand_in): char for char, stand_in in there.items()}
        self.text = text.translate({ord(char): stand_in for char, stand_in in there.items()}) if found else text
        self.original: Callable[[str], str] = self._translate if found else str

    def _translate(self, value: str) -> str:
        return value.translate(self._back)


class _Frame:
    """A collection that is still open: its node, its data, and the key whose value comes next."""

    __slots__ = ("anchor", "count", "data", "key", "name", "node", "sources")

    def __init__(self, node: MappingNode | SequenceNode, data: Json, anchor: Anchor | None, count: int) -> None:
        self.node, self.data, self.anchor, self.count = node, data, anchor, count
        self.key: SyntaxNode | None = None
        self.name: str | int = 0
        self.sources: list[Json] = []


class YamlComposer:
    """Makes nodes and data of the events; `root`, `tree`, `anchors` and `duplicates` are what comes out."""

    def __init__(self, text: str, name: str) -> None:
        self._yaml = YamlText(text)
        self._text, self._name = text, name
        self._frames: list[_Frame] = []
        self.anchors: dict[str, Anchor] = {}
        self._count = self._copies = self._documents = 0
        self.root: SyntaxNode | None = None
        self.tree: Json = None
        self.duplicates: list[tuple[str, int]] = []
        self.aliases = False

    def run(self) -> YamlComposer:
        """Read the text. Raises InputError with its line if it is no YAML, or YAML that is refused."""
        handlers: dict[type, Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.AliasEvent: self._alias,
            yaml.MappingStartEvent: self._open_mapping,
            yaml.SequenceStartEvent: self._open_sequence,
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.DocumentStartEvent: self._document,
        }
        try:
            for event in yaml.parse(self._yaml.text, Loader=yaml.CSafeLoader):
                handler = handlers.get(type(event))
                if handler is not None:
                    handler(event)
        except yaml.reader.ReaderError:
            self._unprintable()
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            what = ", ".join(filter(None, (error.context, error.problem)))
            raise self._error(f"this is not YAML: {what}", mark.index if mark else 0) from None
        return self

    def _error(self, what: str, offset: int, fix: str = "correct the file") -> InputError:
        return InputError(what, where=f"{self._name}:{Lines(self._text).line(offset)}", fix=fix)

    def _unprintable(self) -> None:
        found = _UNPRINTABLE.search(self._text)
        code = f"U+{ord(found[0]):04X}" if found else "a control character"
        raise self._error(f"this is not YAML: it holds {code}", found.start() if found else 0) from None

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            raise self._error("this file holds more than one document", event.start_mark.index, "split it")

    def _scalar(self, event: Any) -> None:
        start, style = event.start_mark.index, event.style or ""
        anchor = self._anchor(event) if event.anchor else None
        end = event.end_mark.index
        if style in ("|", ">"):
            end = _block_end(self._text, start, end)
        node = ScalarNode(start, end, style, anchor, event.tag is not None)
        text = self._yaml.original(event.value)
        value = resolve(text) if not style and event.tag is None else text
        if event.tag is not None:
            value = self._tagged(event.tag, text, start)
        self._count += 1
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.key is None and type(frame.node) is MappingNode:
            frame.key, frame.name = node, text
        else:
            self._add(node, value)
        if anchor is not None:
            self._close_anchor(anchor, node, value, 1)
            anchor.text = text

    def _tagged(self, tag: str, text: str, start: int) -> Json:
        if tag in ("!", f"{_CORE}str"):
            return text
        value: Json = resolve(text)
        if tag not in _SCALAR_TAGS:
            raise self._error(f"the tag {tag} is not one of YAML's core", start, "remove the tag")
        if not isinstance(value, _SCALAR_TAGS[tag]) or (isinstance(value, bool) and not tag.endswith("bool")):
            raise self._error(f"this is no {tag.removeprefix(_CORE)}: {text[:40]}", start)
        return float(text) if isinstance(value, int) and tag.endswith("float") else value

    def _alias(self, event: Any) -> None:
        start = event.start_mark.index
        anchor = self.anchors.get(event.anchor)
        if anchor is None:
            raise self._error(f"the alias *{event.anchor} has no anchor before it", start)
        if not anchor.closed:
            raise self._error(f"the alias *{event.anchor} lies inside its own anchor", start)
        self.aliases = True
        self._copies += anchor.size
        self._count += anchor.size
        if self._copies > MAX_COPIES:
            raise self._error(f"aliases blow this file up to over {MAX_COPIES:,} nodes", start, "write it out")
        node = AliasNode(start, event.end_mark.index, anchor)
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.key is None and type(frame.node) is MappingNode:
            if not isinstance(anchor.node, ScalarNode):
                raise self._error("a key must be a scalar", start)
            frame.key, frame.name = node, anchor.text
        else:
            self._add(node, anchor.value)

    def _anchor(self, event: Any) -> Anchor:
        path = [str(frame.name) for frame in self._frames]
        anchor = Anchor(event.anchor, path, [frame.node for frame in self._frames])
        self.anchors[event.anchor] = anchor
        return anchor

    def _close_anchor(self, anchor: Anchor, node: SyntaxNode, value: Json, size: int) -> None:
        anchor.node, anchor.value, anchor.size, anchor.closed = node, value, size, True

    def _open_mapping(self, event: Any) -> None:
        self._open(event, "map", MappingNode, {})

    def _open_sequence(self, event: Any) -> None:
        self._open(event, "seq", SequenceNode, [])

    def _open(self, event: Any, kind: str, make: type[MappingNode] | type[SequenceNode], data: object) -> None:
        start = event.start_mark.index
        if event.tag not in (None, "!", _CORE + kind):
            raise self._error(f"the tag {event.tag} is not one of YAML's core", start, "remove the tag")
        if len(self._frames) >= MAX_DEPTH:
            raise self._error(f"nested more than {MAX_DEPTH:,} deep", start, "flatten the file")
        frame = self._frames[-1] if self._frames else None
        if frame is not None and frame.key is None and type(frame.node) is MappingNode:
            raise self._error("a key must be a scalar", start)
        anchor = self._anchor(event) if event.anchor else None
        node = make(start, bool(event.flow_style), anchor, event.tag is not None)
        self._count += 1
        self._frames.append(_Frame(node, data, anchor, self._count))

    def _close(self, event: Any) -> None:
        frame = self._frames.pop()
        node = frame.node
        if frame.sources and isinstance(node, MappingNode):
            frame.data = self._merge(node, frame)
        node.end = event.end_mark.index if node.flow else self._content_end(node)
        if frame.anchor is not None:
            self._close_anchor(frame.anchor, node, frame.data, self._count - frame.count + 1)
        self._add(node, frame.data)

    def _content_end(self, node: MappingNode | SequenceNode) -> int:
        return node.items[-1].end if isinstance(node, SequenceNode) else node.entries[-1].value.end

    def _add(self, node: SyntaxNode, value: Json) -> None:
        if not self._frames:
            self.root, self.tree = node, value
            return
        frame = self._frames[-1]
        holder = frame.node
        if isinstance(holder, SequenceNode):
            holder.items.append(node)
            frame.data.append(value)
            frame.name = len(frame.data)
            return
        key, name = frame.key, str(frame.name)
        assert key is not None
        frame.key = None
        if node.start == node.end:
            self._settle(key, node)
        plain = name == "<<" and isinstance(key, ScalarNode) and not key.style and not key.tag
        merge = plain and _mergeable(value)
        if merge:
            frame.sources.append(value)
            holder.merges.append(value)
            frame.data.setdefault(name, None)
        else:
            if name in frame.data:
                path = [str(frame.name) for frame in self._frames]
                self.duplicates.append((pointers.join(*path), key.start))
            frame.data[name] = value
        holder.entries.append(MappingEntry(name, key, node, merge))

    def _settle(self, key: SyntaxNode, node: SyntaxNode) -> None:
        """Puts a null that is not written behind its colon, or behind its key if there is no colon."""
        colon = _COLON.match(self._text, key.end, node.end)
        node.start = node.end = colon.end() if colon is not None else key.end

    def _merge(self, node: MappingNode, frame: _Frame) -> dict[str, Json]:
        """The mapping with what `<<` brings in at its place; its own keys win, then the first source."""
        own = {entry.name for entry in node.entries if not entry.merge}
        data: dict[str, Json] = {}
        sources = iter(frame.sources)
        for entry in node.entries:
            if not entry.merge:
                data[entry.name] = frame.data[entry.name]
                continue
            value = next(sources)
            for source in value if isinstance(value, list) else [value]:
                for name, item in source.items():
                    if name not in own:
                        data.setdefault(name, item)
        return data


def _mergeable(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) for item in value)
    return isinstance(value, dict)


def _block_end(text: str, start: int, end: int) -> int:
    """Where a block scalar ends; libyaml says behind the blank lines that follow it, though only `+` keeps them."""
    header = _HEADER.search(text, start, end)
    if header is None or "+" in header[0]:
        return end
    body = text[header.end() : end]
    first = _INDENT.search(body)
    if first is None:
        return header.end()
    kept = body
    while (blank := _BLANK.search(kept)) and len(blank[1]) <= len(first[1]):
        kept = kept[: blank.start()]
    return header.end() + len(kept)
