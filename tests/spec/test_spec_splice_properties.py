"""After any set of edits a document parses to exactly the changed tree, and what no edit names stays as it was.

The documents are written by a writer of this file that knows every style, not by docrev's; the changed tree comes
from a plain interpreter of edits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docrev.json_values import pointer as pointers
from docrev.spec.document import Document
from docrev.spec.edits import Edit, Put, Remove, RenameKey
from docrev.spec.nodes import AliasNode, MappingNode, ScalarNode, SequenceNode, SyntaxNode

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
# fmt: off
NAMES = [
    "a", "b", "get", "x-y", "200", "404", "no", "y", "~1/", "two words", "é", "null", "#h", "{id}", "/p/{id}", "",
]
TEXTS = [
    "a", "", "no", "on", "null", "1", "0x1f", "1_000", "1.5", "2020-01-01", "12:30", "plain words here", "it's",
    'say "x"', "a: b", "a #b", "- a", "#c", "trailing ", " leading", "tab\there", "two\nlines", "ends\n", "\nstarts",
    "a\n\nb\n\n", "é ü 😀", "\x85next", "line\u2028sep", "\ufeffbom", "back\\slash", "{brace", "x, y", "key:",
    "---", "...", "~", "=", "<<", "word " * 40 + "end", "  two\n spaces\n", "a\r\nb", "* star", "&amp", "!bang",
    "%pc", "@at", "`tick", "? q", "a\n---\nb",
]
# fmt: on
UNPRINTABLE = re.compile("[\x7f-\x84\x86-\x9f\ufffe\uffff]")
WORDS = st.sampled_from(TEXTS) | st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-99, 10**12), st.sampled_from([0.5, -1.0, 1e16, 1e-7]), WORDS)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3),
    max_leaves=8,
)
ROOTS = st.dictionaries(st.sampled_from(NAMES), VALUES, min_size=1, max_size=5) | st.lists(
    VALUES, min_size=1, max_size=4
)


# --- a writer of every style -----------------------------------------------------------------------------------


@dataclass
class Writer:
    """Writes a tree in a style that is chosen anew at every node."""

    random: Random
    nl: str
    step: int
    comments: int = 0
    kept: bool = False

    def pick(self, *options: Any) -> Any:
        return self.random.choice(options)

    def comment(self) -> str:
        self.comments += 1
        return self.pick("", "", "", f" # note {self.comments}")

    def lines_between(self, pad: str) -> str:
        options = ["", "", "", self.nl, f"{pad}# above{self.nl}", f"# left{self.nl}{self.nl}"]
        kept, self.kept = self.kept, False
        return "" if kept else self.pick(*options)

    def quoted(self, text: str) -> str:
        if self.pick(True, False) and text.isprintable():
            return "'" + text.replace("'", "''") + "'"
        raw = self.pick(True, False) or any(ord(char) > 0xFFFF for char in text)
        return UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=not raw))

    def scalar(self, value: Any, flow: bool) -> str:
        if isinstance(value, str):
            simple = value.replace(" ", "").isalpha() and value.isascii() and value == value.strip()
            plain = simple and value.lower() not in ("null", "true", "false", "")
            return value if plain and self.pick(True, False) else self.quoted(value)
        if value is None:
            return self.pick("null", "~", "null")
        if isinstance(value, bool):
            return self.pick("true", "True") if value else "false"
        return json.dumps(value)

    def key(self, name: str, flow: bool) -> str:
        plain = name.replace("-", "").isalnum() and name.isascii() and name != "null"
        plain = plain or (name.startswith("/p/") and not flow)
        return name if plain and self.pick(True, True, False) else self.quoted(name)

    def flow(self, value: Any) -> str:
        if isinstance(value, dict):
            items = [f"{self.key(name, True)}: {self.flow(item)}" for name, item in value.items()]
        elif isinstance(value, list):
            items = [self.flow(item) for item in value]
        else:
            return self.scalar(value, True)
        comma = self.pick(", ", ",  ", f",{self.nl}      ", f" ,{self.nl}         ", f", # in flow{self.nl}       ")
        space, tail = self.pick("", " "), self.pick("", ",", ", ") if items else ""
        inner = space + comma.join(items) + tail + space
        return "{" + inner + "}" if isinstance(value, dict) else "[" + inner + "]"

    def block(self, value: Any, column: int, lists: int) -> str:
        """The lines of a collection at `column`, each with its line end."""
        pad, parts = " " * column, []
        pairs = value.items() if isinstance(value, dict) else [("", item) for item in value]
        for name, item in pairs:
            lead = self.lines_between(pad)
            mark = self.key(name, False) + ":" if isinstance(value, dict) else "-"
            parts.append(lead + pad + mark + self.behind(item, column, lists, isinstance(value, list)))
        return "".join(parts)

    def behind(self, value: Any, column: int, lists: int, dash: bool) -> str:
        """What follows a colon or a dash, up to and with the line end."""
        if isinstance(value, (dict, list)) and value and self.pick(True, True, False):
            below = column + (lists if isinstance(value, list) and not dash else self.step)
            lines = self.block(value, below, lists)
            if dash and self.pick(True, False):
                compact = self.block(value, column + 2, lists)
                if compact.startswith(" " * (column + 2)) and compact[column + 2] not in " #\r\n":
                    return " " + compact[column + 2 :]
            return self.comment() + self.nl + lines
        if value is None and self.pick(True, False):
            return self.comment() + self.nl
        if isinstance(value, str) and self.pick(True, False):
            block = self.block_scalar(value, column + self.step)
            if block:
                return " " + block
        return " " + self.pick("", " ") + self.flow(value) + self.comment() + self.nl

    def block_scalar(self, text: str, column: int) -> str:
        body = text.rstrip("\n")
        lines = body.split("\n")
        if not body or not all(line == "" or (line.isprintable() and line.strip() == line) for line in lines):
            return ""
        if not lines[0]:
            return ""
        tail = len(text) - len(body)
        chomp = {0: "-", 1: self.pick("", "+")}.get(tail, "+")
        self.kept = chomp == "+"
        style = "|" if len(lines) > 1 else self.pick("|", ">")
        blank = "" if chomp == "+" else self.pick("", "", self.nl)
        written = [" " * column + line if line else "" for line in lines]
        return style + chomp + self.comment() + self.nl + self.nl.join(written) + self.nl * max(tail, 1) + blank


def yaml_text(tree: Any, random: Random) -> str:
    writer = Writer(random, random.choice(["\n", "\n", "\n", "\r\n", "\r\n", "\r"]), random.choice([2, 2, 4, 3]))
    if random.randrange(6) == 0:
        text = writer.flow(tree) + writer.nl
    else:
        text = writer.block(tree, 0, random.choice([0, writer.step]))
    head = random.choice(["", "", "---" + writer.nl, "# first" + writer.nl, "\ufeff"])
    tail = random.choice(["", "", "# last" + writer.nl, "..." + writer.nl])
    text = head + text + tail
    bare = random.random() < 0.3 and not _keeps_end(tree, text)
    return text.rstrip("\r\n") if bare else text


def _keeps_end(tree: Any, text: str) -> bool:
    """Whether taking the last line end away changes the tree: then the document is another one."""
    return Document.parse(text.rstrip("\r\n"), "x.yaml").tree != tree


def json_text(tree: Any, random: Random) -> str:
    indent = random.choice([None, None, 2, 4, "\t", 0])
    spaced = [(",", ":"), (", ", ": "), (" , ", " : ")] if indent is None else [(",", ": "), (",", ":")]
    text = json.dumps(tree, indent=indent, separators=random.choice(spaced), ensure_ascii=random.random() < 0.5)
    text = text.replace("\n", random.choice(["\n", "\r\n", "\r"]))
    return random.choice(["", "\ufeff"]) + text + random.choice(["", "\n"])


# --- a plain interpreter of edits ------------------------------------------------------------------------------


@dataclass(eq=False)
class Leaf:
    """A scalar or an empty collection of the old document, which keeps its old pointer wherever it gets to."""

    pointer: str
    value: Any


def boxed(value: Any, pointer: str = "") -> Any:
    if isinstance(value, dict) and value:
        return {name: boxed(item, pointer + pointers.join(name)) for name, item in value.items()}
    if isinstance(value, list) and value:
        return [boxed(item, pointer + pointers.join(place)) for place, item in enumerate(value)]
    return Leaf(pointer, value)


def unboxed(value: Any) -> Any:
    if isinstance(value, Leaf):
        return value.value
    if isinstance(value, dict):
        return {name: unboxed(item) for name, item in value.items()}
    return [unboxed(item) for item in value] if isinstance(value, list) else value


def places(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    yield pointer, value
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in pairs:
        yield from places(item, pointer + pointers.join(name))


def apply(tree: Any, edit: Edit) -> Any:
    """The boxed tree after one edit."""
    parts = pointers.split(edit.pointer)
    if not parts:
        assert isinstance(edit, Put)
        return deepcopy(edit.value)
    holder = tree
    for part in parts[:-1]:
        holder = holder[int(part) if isinstance(holder, list) else part]
    last: Any = parts[-1]
    if isinstance(holder, list):
        if last == "-":
            holder.append(deepcopy(edit.value))  # type: ignore[union-attr]
        elif isinstance(edit, Remove):
            del holder[int(last)]
        else:
            holder[int(last)] = deepcopy(edit.value)  # type: ignore[union-attr]
    elif isinstance(edit, Put):
        holder[last] = deepcopy(edit.value)
    elif isinstance(edit, Remove):
        del holder[last]
    else:
        pairs = [(edit.key if name == last else name, item) for name, item in holder.items()]
        holder.clear()
        holder.update(pairs)
    return tree


def some_value(random: Random, depth: int = 2) -> Any:
    kind = random.randrange(8 if depth else 5)
    if kind < 3:
        return random.choice(TEXTS)
    if kind < 5:
        return random.choice([None, True, False, 0, 7, -1.5, 1e16, 1e-7])
    if kind < 7:
        return {random.choice(NAMES): some_value(random, depth - 1) for _ in range(random.randrange(4))}
    return [some_value(random, depth - 1) for _ in range(random.randrange(4))]


def some_root(random: Random) -> Any:
    if random.random() < 0.8:
        return {random.choice(NAMES): some_value(random, 3) for _ in range(random.randrange(1, 5))}
    return [some_value(random, 3) for _ in range(random.randrange(1, 4))]


def some_edit(random: Random, tree: Any) -> Edit:
    """An edit that makes sense for a tree."""
    everything = list(places(tree))
    pointer, value = random.choice(everything)
    holders = [(p, v) for p, v in everything if isinstance(v, (dict, list)) or unboxed(v) in ({}, [])]
    kind = random.choice(["replace", "replace", "insert", "insert", "remove", "rename"])
    if kind == "insert" and holders:
        pointer, value = random.choice(holders)
        name = "-" if isinstance(unboxed(value), list) else random.choice([*NAMES, "new", "description"])
        return Put(pointer + pointers.join(name), some_value(random), random.choice(["", *NAMES[:3]]))
    if kind == "rename" and pointer:
        parent = dict(everything)[pointers.parent(pointer)]
        fresh = [name for name in NAMES if isinstance(parent, dict) and name not in parent]
        if fresh:
            return RenameKey(pointer, random.choice(fresh))
    if kind == "remove" and pointer:
        return Remove(pointer)
    return Put(pointer, some_value(random) if pointer else some_root(random))


def some_edits(random: Random, tree: Any) -> tuple[list[Edit], Any]:
    """One to five edits, and the boxed tree after them."""
    boxes, edits = boxed(tree), list[Edit]()
    for _ in range(random.randrange(1, 6)):
        edit = some_edit(random, boxes)
        above = pointers.parent(edit.pointer)
        holder = dict(places(boxes))[above] if edit.pointer else None
        if isinstance(holder, Leaf):  # an empty collection gets its first item
            boxes = apply(boxes, Put(above, type(holder.value)()))
        boxes = apply(boxes, edit)
        edits.append(edit)
    return edits, boxes


# --- what must hold --------------------------------------------------------------------------------------------


def leaves(document: Document) -> dict[str, tuple[int, int]]:
    """Where every scalar and empty collection of a document stands, in the order of the text."""
    found: dict[str, tuple[int, int]] = {}
    todo: list[tuple[str, SyntaxNode]] = [("", document.root)]
    while todo:
        pointer, node = todo.pop(0)
        if isinstance(node, MappingNode) and node.entries:
            todo += [(pointer + pointers.join(entry.name), entry.value) for entry in node.entries if not entry.merge]
        elif isinstance(node, SequenceNode) and node.items:
            todo += [(pointer + pointers.join(place), item) for place, item in enumerate(node.items)]
        elif isinstance(node, (ScalarNode, AliasNode, MappingNode, SequenceNode)):
            found[pointer] = node.start, node.end
    return dict(sorted(found.items(), key=lambda item: item[1]))


def survivors(boxes: Any) -> dict[str, str]:
    """Old pointer → new pointer of what no edit has replaced."""
    return {value.pointer: pointer for pointer, value in places(boxes) if isinstance(value, Leaf)}


def check_untouched(old: Document, new: Document, boxes: Any, edits: list[Edit]) -> None:
    """What stands before, in and between surviving leaves that were and are neighbours is the same text."""
    moved, olds, news = survivors(boxes), leaves(old), leaves(new)
    for before, after in moved.items():
        start, end = olds[before]
        assert new.text[slice(*news[after])] == old.text[start:end]
    old_order, new_order = list(olds), list(news)
    assert [moved[p] for p in old_order if p in moved] == [p for p in new_order if p in set(moved.values())]
    renamed = any(isinstance(edit, RenameKey) for edit in edits)
    following = dict(pairwise(new_order))
    for one, two in pairwise(old_order):
        if one in moved and two in moved and following.get(moved[one]) == moved[two] and not renamed:
            gap = new.text[news[moved[one]][1] : news[moved[two]][0]]
            assert gap == old.text[olds[one][1] : olds[two][0]]
    if old_order and moved.get(old_order[0]) == new_order[0] and not renamed:
        assert new.text[: news[new_order[0]][0]] == old.text[: olds[old_order[0]][0]]


@given(ROOTS, st.integers(0, 2**32))
@SETTINGS
def test_yaml(tree: Any, seed: int) -> None:
    random = Random(seed)
    check(Document.parse(yaml_text(tree, random).encode(), "x.yaml"), tree, random)


@given(ROOTS, st.integers(0, 2**32))
@SETTINGS
def test_json(tree: Any, seed: int) -> None:
    random = Random(seed)
    check(Document.parse(json_text(tree, random).encode(), "x.json"), tree, random)


def check(document: Document, tree: Any, random: Random) -> None:
    text = document.text
    assert json.dumps(document.tree) == json.dumps(tree), text
    edits, boxes = some_edits(random, tree)
    changed = document.edited(edits)
    expected = unboxed(boxes)
    assert json.dumps(changed.tree, sort_keys=True) == json.dumps(expected, sort_keys=True), (
        text,
        edits,
        changed.text,
    )
    assert Document.parse(changed.to_bytes(), document.name).tree == changed.tree
    check_untouched(document, changed, boxes, edits)
    assert changed.edited([Put("", expected)]).text == changed.text
    assert changed.text.endswith(("\r", "\n")) or not text.endswith(("\r", "\n"))
