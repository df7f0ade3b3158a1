"""Following `$ref`: within a document and between the documents of one folder, never out of it, never the network."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from docrev.records import Json
from docrev.spec.document import Document
from docrev.spec.files import folder_of
from docrev.spec.findings import Finding, Level, Place
from docrev.spec.meaning import MISSING, Absent

_LONGEST_CHAIN = 64
_NO_POINTER = re.compile(r"[^/]|.*~(?![01])", re.DOTALL)


def target(place_file: str, ref: str) -> tuple[str, str] | None:
    """The (document name, JSON pointer) that `ref` means in the document `place_file`; None for a URL."""
    path, _, fragment = ref.partition("#")
    if "://" in path or path.startswith(("//", "/", "\\", "file:")):
        return None
    file = posixpath.normpath(folder_of(place_file) + unquote(path)) if path else place_file
    return file, unquote(fragment)


def targets(document: Document) -> set[str]:
    """The names of the documents that the `$ref`s of a document mean, whether there are such or not."""
    found: set[str] = set()
    stack: list[Json] = [document.tree]
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if not isinstance(node, dict | list) or id(node) in seen:
            continue
        seen.add(id(node))
        ref = node.get("$ref") if isinstance(node, dict) else None
        goal = target(document.name, ref) if isinstance(ref, str) else None
        found |= {goal[0]} if goal is not None else set()
        stack.extend(node.values() if isinstance(node, dict) else node)
    return found


class References:
    """The documents of a catalog by name, and what `$ref`s in them lead to.

    `fetch` is asked once for a document that is not there yet; it returns None if there is none to be had. `cache`
    is for readers, who keep there what they made of a place (`Schema.at`).
    """

    def __init__(
        self, documents: Mapping[str, Document], fetch: Callable[[str], Document | None] | None = None
    ) -> None:
        self.documents = dict(documents)
        self.cache: dict[tuple[Place, str], Any] = {}
        self._fetch = fetch
        self._absent: set[str] = set()

    def document(self, name: str) -> Document | None:
        """The document of this name, fetched if need be."""
        found = self.documents.get(name)
        if found is None and self._fetch is not None and name not in self._absent:
            found = self._fetch(name)
            if found is None:
                self._absent.add(name)
            else:
                self.documents[name] = found
        return found

    def value(self, name: str, pointer: str) -> Json | Absent:
        """The value at `pointer` of the document `name`; MISSING if there is none."""
        document = self.document(name)
        if document is None or _NO_POINTER.match(pointer):
            return MISSING
        return document.get(pointer, MISSING)

    def canonical(self, place: Place) -> Place:
        """`place` through YAML aliases, to where the text stands."""
        document = self.documents[place.file]
        return Place(place.file, document.definition(place.pointer)) if document.format == "yaml" else place

    def follow(self, place: Place, node: object) -> tuple[Place, Json | Absent]:
        """Where `node` at `place` is defined, and its value there; the value is MISSING if a `$ref` is broken."""
        for _ in range(_LONGEST_CHAIN):
            ref = node.get("$ref") if isinstance(node, dict) else None
            if not isinstance(ref, str):
                return place, node
            goal = target(place.file, ref)
            if goal is None:
                return place, MISSING
            node = self.value(*goal)
            place = self.canonical(Place(*goal)) if node is not MISSING else place
        return place, MISSING

    def broken(self, place: Place, ref: str) -> tuple[str, str] | None:
        """Why the `$ref` at `place` leads nowhere, as (finding id, message); None if it leads somewhere."""
        goal = target(place.file, ref)
        if goal is None:
            return "remote-ref", f'$ref "{ref}" leads out of the folder, and is not followed'
        if self.document(goal[0]) is None:
            return "unresolved-ref", f'$ref "{ref}" names a file that is not in the folder'
        if self.value(*goal) is MISSING:
            return "unresolved-ref", f'$ref "{ref}" leads to nothing'
        if self.follow(place, {"$ref": ref})[1] is MISSING:
            return "circular-ref", f'$ref "{ref}" leads to itself, or to a $ref that leads nowhere'
        return None

    def finding(self, place: Place, id: str, message: str, *, level: Level = "error", fix: str = "") -> Finding:
        """A finding at `place`, with its line."""
        document = self.documents[place.file]
        return Finding(id, level, place.file, document.line(place.pointer), place.pointer, message, fix)
