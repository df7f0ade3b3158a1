"""What can be compared, and how it becomes a side: a file, a folder, a commit, a catalog, documents."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from docrev.errors import InputError
from docrev.settings.choices import MAX_SPEC_SIZE
from docrev.spec.catalog import Catalog
from docrev.spec.diff.git import Commit, split
from docrev.spec.diff.sides import Side
from docrev.spec.document import Document
from docrev.spec.files import folder_of, is_spec_name, not_openapi, spec_files, stem_of
from docrev.spec.lock import LOCK_NAME, Lock, parse_lock

Source = Path | str | Document | Catalog | Iterable[Document]
"""What can be compared: a file, a folder, `REF:path`, or documents that were read already."""

_LOOKS_LIKE_A_SPEC = re.compile(rb"""(^|[{,])\s*["']?(openapi|swagger)["']?\s*:""", re.M)


def open_side(source: Source, *, max_size: int = MAX_SPEC_SIZE) -> Side:
    """Read one side. Raises InputError if it is not there, cannot be read, or holds no OpenAPI document."""
    if isinstance(source, Document):
        if not isinstance(source.tree, dict):
            raise InputError("not an OpenAPI document: a list", where=f"{source.name}:1", fix="name another")
        return Side(source.name, folder_of(source.name), True).add(stem_of(source.name), source)
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
        root = os.path.commonpath([folder_of(document.name) for document in documents])
    except ValueError:
        root = ""
    side = Side(root, root, False)
    for document in documents:
        side.add(side.key(document.name), document)
    return side


def _of_file(path: Path, max_size: int) -> Side:
    document = Document.read(path, max_size=max_size)
    _check(document)
    fetch = _within(path.parent, max_size)
    return Side(document.name, folder_of(document.name), True, fetch).add(stem_of(document.name), document)


def _of_folder(folder: Path, max_size: int) -> Side:
    root = f"{folder.as_posix()}/" if str(folder) != "." else ""
    side = Side(str(folder), root, False, _within(folder, max_size))
    read = partial(Document.read, max_size=max_size)
    names = [path.as_posix() for path in spec_files(folder)]
    return _filled(side, names, read, lambda name: Path(name).read_bytes())


def _within(folder: Path, max_size: int) -> Callable[[str], Document | None]:
    """A reader of documents by name that reads nothing out of a folder."""

    def fetch(name: str) -> Document | None:
        inside = Path(name).resolve().is_relative_to(folder.resolve())
        return Document.read(name, max_size=max_size) if inside and Path(name).is_file() else None

    return fetch


def _of_commit(name: str, ref: str, path: str, max_size: int) -> Side:
    commit = Commit.open(ref, Path.cwd())
    found = commit.find(path)
    if found is None:
        raise InputError("the commit has no such file or folder", where=name, fix=f"see `git ls-tree -r {ref}`")
    files = commit.files(found)
    single = list(files) == [found]
    top = found.rpartition("/")[0] if single else found.removeprefix(".")
    committed = _Committed(commit, f"{top}/" if top else "", files, max_size)
    if single:
        document = committed.read(f"{ref}:{found}")
        _check(document)
        return Side(name, folder_of(document.name), True, committed.fetch).add(stem_of(document.name), document)
    names = [f"{ref}:{file}" for file in sorted(files) if is_spec_name(file.removeprefix(committed.top))]
    side = Side(name, f"{ref}:{committed.top}", False, committed.fetch)
    return _filled(side, names, committed.read, committed.raw)


@dataclass
class _Committed:
    """The documents of a commit, each named `REF:path`; nothing out of the folder `top` is read."""

    commit: Commit
    top: str
    sizes: dict[str, int]
    max_size: int

    def raw(self, name: str) -> bytes:
        return self.commit.read(self._path(name)) or b""

    def read(self, name: str) -> Document:
        if self.sizes.get(self._path(name), 0) > self.max_size:
            what = f"this file is over {self.max_size / 2**20:g} MB"
            raise InputError(what, where=name, fix="raise --max-spec-size to read it")
        document = Document.parse(self.raw(name), name)
        return document.with_marks(self._lock(name).section(PurePosixPath(self._path(name)).name, document.tree))

    def _lock(self, name: str) -> Lock:
        """The lock file beside a document of the commit; an empty one if there is none of docrev's."""
        path = PurePosixPath(self._path(name)).parent / LOCK_NAME
        with suppress(InputError):
            return parse_lock(self.commit.read(str(path)) or b"", Path(path))
        return Lock(Path(path))

    def fetch(self, name: str) -> Document | None:
        path = self._path(name)
        if path not in self.sizes and path.startswith(self.top):
            self.sizes.update(self.commit.files(path))
        return self.read(name) if path in self.sizes else None

    def _path(self, name: str) -> str:
        return name.removeprefix(f"{self.commit.ref}:")


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


def _is_spec(document: Document) -> bool:
    tree: Any = document.tree
    return isinstance(tree, dict) and ("openapi" in tree or "swagger" in tree)


def _check(document: Document) -> None:
    if not _is_spec(document):
        raise not_openapi(document.name)
