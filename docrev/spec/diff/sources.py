"""The two sides of a comparison: the documents of a file, a folder or a commit, and what they refer to."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from docrev.errors import InputError, UsageError
from docrev.records import Json
from docrev.spec.catalog import Catalog
from docrev.spec.diff.git import Commit, split
from docrev.spec.document import Document
from docrev.spec.refs import target

Source = Path | str | Document | Catalog | Iterable[Document]
"""What can be compared: a file, a folder, `REF:path`, or documents that were read already."""

MAX_SIZE = 20 * 2**20
_SUFFIXES = (".json", ".yaml", ".yml")
_LONGEST_CHAIN = 64
_LOOKS_LIKE_A_SPEC = re.compile(rb"""(^|[{,])\s*["']?(openapi|swagger)["']?\s*:""", re.M)


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
            self._documents[name] = self.fetch(name) if name.startswith(self.root) else None
        return self._documents[name]

    def where(self, file: str, pointer: str) -> str:
        document = self.document(file)
        return document.where(pointer) if document else file

    def get(self, file: str, pointer: str) -> Json:
        """The node at a place; None where there is none."""
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

    def target(self, file: str, node: Json) -> Json:
        """The node itself, or what it refers to."""
        if isinstance(node, dict) and isinstance(node.get("$ref"), str):
            found = self.resolve(file, node["$ref"])
            return node if found is None else found[2]
        return node

    def fragments(self) -> dict[tuple[str, str], tuple[str, str]]:
        """What lies in files that are no OpenAPI documents: (key, pointer) → (document name, pointer)."""
        found: set[tuple[str, str]] = set()
        queue = [(name, node.tree) for name, node in self._documents.items() if node is not None]
        specs = {name for name, _ in queue}
        while queue:
            name, tree = queue.pop()
            for ref in references(tree):
                goal = None if ref.startswith("#") and name in specs else target(name, ref)
                if goal is None or goal[0] in specs or goal in found:
                    continue
                resolved = self.resolve(name, ref)
                if resolved is not None:
                    found.add(goal)
                    queue.append((goal[0], self.get(*goal)))
        outer = [one for one in found if not any(_within(one, other) for other in found)]
        return {(self.key(name), pointer): (name, pointer) for name, pointer in sorted(outer)}


def references(tree: Json) -> Iterator[str]:
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


def open_side(source: Source, *, max_size: int = MAX_SIZE) -> Side:
    """Read one side. Raises InputError where it is not there, cannot be read, or holds no OpenAPI document."""
    if isinstance(source, Document):
        if not isinstance(source.tree, dict):
            raise InputError("not an OpenAPI document: a list", where=f"{source.name}:1")
        return Side(source.name, _folder(source.name), True).add(_stem(source.name), source)
    if isinstance(source, Catalog):
        return _of_catalog(source)
    if not isinstance(source, str | Path):
        return _of_documents(list(source))
    committed = split(str(source)) if isinstance(source, str) else None
    if committed is not None:
        return _of_commit(str(source), *committed, max_size)
    return _of_folder(Path(source), max_size) if Path(source).is_dir() else _of_file(Path(source), max_size)


def _of_catalog(catalog: Catalog) -> Side:
    side = _of_documents([catalog.documents[catalog.files[tool]] for tool in catalog.tools])
    side.fetch = catalog.documents.get
    return side


def _of_documents(documents: list[Document]) -> Side:
    """Those of one folder, as far as their names tell."""
    if len(documents) == 1:
        return open_side(documents[0])
    try:
        root = os.path.commonpath([_folder(document.name) for document in documents])
    except ValueError:
        root = ""
    side = Side(root, root, False)
    for document in documents:
        side.add(side.key(document.name), document)
    return side


def _of_file(path: Path, max_size: int) -> Side:
    document = Document.read(path, max_size=max_size)
    _check(document)
    root = _folder(document.name)

    def fetch(name: str) -> Document | None:
        inside = Path(name).resolve().is_relative_to(path.resolve().parent)
        return Document.read(name, max_size=max_size) if inside and Path(name).is_file() else None

    return Side(document.name, root, True, fetch).add(_stem(document.name), document)


def _of_folder(folder: Path, max_size: int) -> Side:
    def fetch(name: str) -> Document | None:
        inside = Path(name).resolve().is_relative_to(folder.resolve())
        return Document.read(name, max_size=max_size) if inside and Path(name).is_file() else None

    side = Side(str(folder), f"{folder.as_posix()}/" if str(folder) != "." else "", False, fetch)
    read = partial(Document.read, max_size=max_size)
    return _filled(side, sorted(_walk(folder)), read, lambda name: Path(name).read_bytes())


def _walk(folder: Path) -> Iterator[str]:
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        yield from ((Path(here) / name).as_posix() for name in files if _spec_like(name))


def _of_commit(name: str, ref: str, path: str, max_size: int) -> Side:
    commit = Commit.open(ref, Path.cwd())
    found = commit.find(path)
    if found is None:
        raise InputError("the commit has no such file or folder", where=name, fix=f"see `git ls-tree -r {ref}`")
    files = commit.files(found)
    single = list(files) == [found]

    def inner(full: str) -> str:
        return full.removeprefix(f"{ref}:")

    def read(full: str) -> Document:
        if files.get(inner(full), 0) > max_size:
            what = f"this file is over {max_size / 2**20:g} MB"
            raise InputError(what, where=full, fix="raise --max-spec-size to read it")
        return Document.parse(commit.read(inner(full)) or b"", full)

    def fetch(full: str) -> Document | None:
        files.update({} if inner(full) in files else commit.files(inner(full)))
        return read(full) if inner(full) in files else None

    if single:
        document = read(f"{ref}:{found}")
        _check(document)
        return Side(name, _folder(document.name), True, fetch).add(_stem(document.name), document)
    root = f"{ref}:" if found == "." else f"{ref}:{found}/"
    top = "" if found == "." else f"{found}/"
    names = [f"{ref}:{file}" for file in sorted(files) if _visible(file.removeprefix(top))]
    return _filled(Side(name, root, False, fetch), names, read, lambda full: commit.read(inner(full)) or b"")


def _filled(side: Side, names: list[str], read: Callable[[str], Document], raw: Callable[[str], bytes]) -> Side:
    """Take in the OpenAPI documents among the files.

    What cannot be read is passed over if it does not even look like one; else it is an error, since a spec that
    is left out would seem to be removed.
    """
    for name in names:
        try:
            document = read(name)
        except InputError:
            if _LOOKS_LIKE_A_SPEC.search(raw(name)[:65536]):
                raise
            continue
        if _is_spec(document):
            key = side.key(name)
            side.add(name.removeprefix(side.root) if key in side.specs else key, document)
    if not side.specs:
        raise InputError("no OpenAPI document in the folder", where=side.name, fix="name another")
    return side


def _visible(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return _spec_like(parts[-1]) and not any(p.startswith(".") or p == "node_modules" for p in parts)


def _spec_like(name: str) -> bool:
    return name.lower().endswith(_SUFFIXES) and not name.startswith(".")


def _is_spec(document: Document) -> bool:
    tree: Any = document.tree
    return isinstance(tree, dict) and ("openapi" in tree or "swagger" in tree)


def _check(document: Document) -> None:
    if not _is_spec(document):
        raise InputError(
            "not an OpenAPI document: neither `openapi` nor `swagger` at its top", where=f"{document.name}:1"
        )


def _folder(name: str) -> str:
    """What the name of a document starts with, up to the last slash (or the colon of `REF:path`)."""
    head, slash, _ = name.rpartition("/")
    if slash:
        return f"{head}/"
    ref, colon, _ = name.rpartition(":")
    return f"{ref}{colon}"


def _stem(name: str) -> str:
    return PurePosixPath(name.rpartition(":")[2]).stem
