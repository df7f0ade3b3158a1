"""Reading JSON: the plain data at the speed of the standard library, the place of every node when it is asked for."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NoReturn

from docrev.errors import InputError
from docrev.json_values import pointer as pointers
from docrev.records import Json
from docrev.spec.nodes import MAX_DEPTH, Lines, MappingEntry, MappingNode, ScalarNode, SequenceNode, SyntaxNode

_SPACE = re.compile(r"[ \t\n\r]*")
_ATOM = re.compile(r"-?[0-9][-+.0-9eE]*|true|false|null")
_MARK = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"', re.DOTALL)


def load(text: str, name: str) -> Json:
    """The plain data of a JSON text (RFC 8259). Raises InputError with line and column."""
    try:
        tree = json.loads(text, parse_constant=_constant)
    except json.JSONDecodeError as error:
        line, column = Lines(text).position(error.pos)
        what = f"this is not JSON: {error.msg} (column {column})"
        raise InputError(what, where=f"{name}:{line}", fix="correct the file") from None
    except RecursionError:
        check_depth(text, name)
        return _build(text)
    except ValueError as error:
        raise InputError(f"this is not JSON: {error}", where=name, fix="correct the file") from None
    if _depth(tree) > MAX_DEPTH:
        check_depth(text, name)
    return tree


def _constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON value")


def _depth(tree: object) -> int:
    depth, level = 0, [tree] if isinstance(tree, (dict, list)) else []
    while level and depth <= MAX_DEPTH:
        depth += 1
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, (dict, list))
        ]
    return depth


def check_depth(text: str, name: str) -> None:
    """Raise InputError if collections are nested deeper than the readers here can follow."""
    depth = 0
    for match in _MARK.finditer(text):
        mark = match[0]
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                where = f"{name}:{Lines(text).line(match.start())}"
                raise InputError(f"nested more than {MAX_DEPTH:,} deep", where=where, fix="flatten the file")
        elif mark in "]}":
            depth -= 1


def scan(text: str) -> SyntaxNode:
    """The nodes of a JSON text that `load` has read. Does not recurse."""
    at = _skip(text, 0)
    stack: list[MappingNode | SequenceNode] = []
    names: list[tuple[str, ScalarNode]] = []
    while True:
        node = _opened(text, at)
        if isinstance(node, MappingNode | SequenceNode) and node.end < 0:
            stack.append(node)
            at = _skip(text, at + 1)
            at = _key(text, at, names) if isinstance(node, MappingNode) else at
            continue
        at = node.end
        while stack:
            holder = stack[-1]
            if isinstance(holder, MappingNode):
                holder.entries.append(MappingEntry(*names.pop(), node))
            else:
                holder.items.append(node)
            at = _skip(text, at)
            if text[at] == ",":
                at = _skip(text, at + 1)
                at = _key(text, at, names) if isinstance(holder, MappingNode) else at
                break
            node = stack.pop()
            node.end = at = at + 1
        else:
            return node


def _skip(text: str, at: int) -> int:
    """Where the next mark is, behind white space."""
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _opened(text: str, at: int) -> SyntaxNode:
    """The node that begins at an offset; a collection with something in it has no `end` yet."""
    mark = text[at]
    if mark == "{" or mark == "[":
        node = MappingNode(at, True) if mark == "{" else SequenceNode(at, True)
        inner = _skip(text, at + 1)
        if text[inner] in "}]":
            node.end = inner + 1
        return node
    if mark == '"':
        return ScalarNode(at, scanstring(text, at + 1)[1], '"')
    return ScalarNode(at, _ATOM.match(text, at).end())  # type: ignore[union-attr]


def _key(text: str, at: int, names: list[tuple[str, ScalarNode]]) -> int:
    """Reads a key and its colon; returns where the value begins."""
    name, end = scanstring(text, at + 1)
    names.append((name, ScalarNode(at, end, '"')))
    return _skip(text, _skip(text, end) + 1)


def _build(text: str) -> Json:
    """The plain data of a text that is too deep for the standard library, from its nodes."""
    root = scan(text)
    tree: list[Json] = []
    todo: list[tuple[SyntaxNode, Json, str]] = [(root, tree, "")]
    while todo:
        node, holder, name = todo.pop()
        value: Json
        if isinstance(node, MappingNode):
            value = {entry.name: None for entry in node.entries}
            todo.extend((entry.value, value, entry.name) for entry in reversed(node.entries))
        elif isinstance(node, SequenceNode):
            value = []
            todo.extend((item, value, "") for item in reversed(node.items))
        else:
            value = json.loads(text[node.start : node.end])
        if isinstance(holder, dict):
            holder[name] = value
        else:
            holder.append(value)
    return tree[0]


def duplicates(root: SyntaxNode) -> list[tuple[str, int]]:
    """The keys that come twice in their object: pointer and offset of each later one, in the order of the text."""
    found: list[tuple[str, int]] = []
    todo: list[tuple[str, SyntaxNode]] = [("", root)]
    while todo:
        pointer, node = todo.pop()
        if isinstance(node, MappingNode):
            seen: set[str] = set()
            for entry in node.entries:
                below = f"{pointer}/{pointers.escape(entry.name)}"
                if entry.name in seen:
                    found.append((below, entry.key.start))
                seen.add(entry.name)
                if not isinstance(entry.value, ScalarNode):
                    todo.append((below, entry.value))
        elif isinstance(node, SequenceNode):
            todo.extend(
                (f"{pointer}/{place}", item)
                for place, item in enumerate(node.items)
                if not isinstance(item, ScalarNode)
            )
    return sorted(found, key=lambda item: item[1])
