"""One side of a comparison: its OpenAPI documents, and what they refer to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from docrev.errors import InputError, UsageError
from docrev.records import Json
from docrev.spec.document import Document
from docrev.spec.lock import read_marks
from docrev.spec.marks import Marks
from docrev.spec.refs import target

_LONGEST_CHAIN = 64


@dataclass
class Side:
    """One side: `specs` are its OpenAPI documents by key, the path in the folder without its suffix.

    `single` tells a file from a folder that holds one. `root` is what a document's name starts with, and
    `fetch` reads a document that one of them refers to, if there is one within the root.
    """

    name: str
    root: str
    single: bool
    fetch: Callable[[str], Document | None] = lambda name: None
    specs: dict[str, Document] = field(default_factory=dict)
    _documents: dict[str, Document | None] = field(default_factory=dict)
    _marks: dict[str, Marks] = field(default_factory=dict)

    def add(self, key: str, document: Document) -> Side:
        """Take in an OpenAPI document."""
        self.specs[key] = self._documents[document.name] = document
        return self

    def key(self, name: str) -> str:
        """What a document is called on both sides."""
        inner = name.removeprefix(self.root).lstrip("/")
        return inner if self.single else os.path.splitext(inner)[0]

    def document(self, name: str) -> Document | None:
        if name not in self._documents:
            self._documents[name] = self.fetch(name)
        return self._documents[name]

    def marks(self, name: str) -> Marks:
        """The marks of what docrev wrote in a document; none if its lock file is not docrev's."""
        if name not in self._marks:
            self.document(name)
            others = {key: document for key, document in self._documents.items() if key not in self._marks}
            with suppress(InputError):
                self._marks |= read_marks({key: found for key, found in others.items() if found is not None})[0]
        return self._marks.setdefault(name, Marks({}, {}))

    def where(self, file: str, pointer: str) -> str:
        document = self.document(file)
        return document.where(pointer) if document else file

    def get(self, file: str, pointer: str) -> Json:
        """The node at a place; None if there is none."""
        document = self.document(file)
        try:
            return None if document is None else document.get(pointer, None)
        except UsageError:
            return None

    def resolve(self, file: str, ref: str) -> tuple[str, str, Json] | None:
        """(document name, pointer, node) that `ref` in the document `file` leads to, through further references."""
        for _ in range(_LONGEST_CHAIN):
            goal = target(file, ref)
            if goal is None:
                return None
            node = self.get(*goal)
            if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
                return None if node is None else (*goal, node)
            file, ref = goal[0], node["$ref"]
        return None

    def target(self, file: str, node: object) -> Json:
        """The node itself, or what it refers to."""
        if isinstance(node, dict) and isinstance(node.get("$ref"), str):
            found = self.resolve(file, node["$ref"])
            return node if found is None else found[2]
        return node

    def fragments(self) -> dict[tuple[str, str], tuple[str, str]]:
        """What lies in files that are no OpenAPI documents: (key, pointer) → (document name, pointer)."""
        found: dict[tuple[str, str], None] = {}
        queue = [(name, document.tree) for name, document in self._documents.items() if document is not None]
        specs = {name for name, _ in queue}
        while queue:
            for goal in self._referred(*queue.pop()):
                if goal[0] not in specs and goal not in found:
                    found[goal] = None
                    queue.append((goal[0], self.get(*goal)))
        outer = sorted(place for place in found if not any(_within(place, other) for other in found))
        return {(self.key(name), pointer): (name, pointer) for name, pointer in outer}

    def _referred(self, name: str, tree: object) -> Iterator[tuple[str, str]]:
        """The (document name, pointer) of each `$ref` in a tree of the document `name` that leads somewhere."""
        for ref in references(tree):
            if (goal := target(name, ref)) is not None and self.resolve(name, ref) is not None:
                yield goal


def references(tree: object) -> Iterator[str]:
    """Every `$ref` in a tree, and every schema that a discriminator names."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            ref = node.get("$ref")
            if isinstance(ref, str):
                yield ref
            mapping = node.get("mapping")
            if isinstance(mapping, dict) and "propertyName" in node:
                yield from (value for value in mapping.values() if isinstance(value, str) and "#" in value)
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)


def _within(one: tuple[str, str], other: tuple[str, str]) -> bool:
    return one != other and one[0] == other[0] and one[1].startswith(f"{other[1]}/")
