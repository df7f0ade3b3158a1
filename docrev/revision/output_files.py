"""Documents to disk: every file whole or not at all, and the originals intact whatever goes wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from docrev.errors import UsageError
from docrev.spec import Document
from docrev.spec.lock import lock_files
from docrev.storage.atomic import write_files


def targets(documents: Mapping[str, Document], specs: Sequence[Path | str], out: Path | str | None) -> dict[str, Path]:
    """Where each document goes, by its name: in place, or below `out` as it lies below the specs' common folder.

    Raises UsageError for a document that came from no file, if it is to be written in place; and for an `out` that
    would write over a document, or whose files would be read as specs themselves the next time.
    """
    if out is None:
        return {name: _in_place(document) for name, document in documents.items()}
    sources = {name: _path(document) for name, document in documents.items()}
    root = _common_folder(specs, sources.values())
    paths = {
        name: Path(out) / (path.relative_to(root) if path.is_absolute() else path.name)
        for name, path in sources.items()
    }
    if {path.resolve() for path in paths.values()} & set(sources.values()):
        raise UsageError(
            "the specs themselves are in this folder", where=str(out), fix="write over them with --in-place"
        )
    if any(_is_read_with(Path(out).resolve(), Path(spec).resolve()) for spec in specs if Path(spec).is_dir()):
        fix = "choose a folder outside, or one whose name starts with a dot"
        raise UsageError(
            "this folder is inside that of the specs, and would be read with them", where=str(out), fix=fix
        )
    return paths


def _common_folder(specs: Sequence[Path | str], sources: Iterable[Path]) -> Path:
    """The folder that contains all specs, and the documents that they refer to."""
    folders = [path if path.is_dir() else path.parent for path in (Path(spec).resolve() for spec in specs)]
    folders += [path.parent for path in sources if path.is_absolute()]
    return Path(os.path.commonpath(folders)) if folders else Path()


def _is_read_with(out: Path, specs: Path) -> bool:
    inside = out.is_relative_to(specs)
    return inside and not any(part.startswith(".") for part in out.relative_to(specs).parts)


def _path(document: Document) -> Path:
    return document.path.resolve() if document.path is not None else Path(document.name.rpartition(":")[2])


def _in_place(document: Document) -> Path:
    if document.path is None:
        raise UsageError("this document is not a file", where=document.name, fix="write to a folder with -o")
    return document.path.resolve()


def write(documents: Iterable[tuple[Document, Path]]) -> list[Path]:
    """Write the documents and the lock files beside them, all or none; a lock file without a mark is removed.

    Returns the paths written: those whose bytes differ from what is there. Raises InputError if a `docrev.lock` is
    not docrev's, LockedError if a folder is read-only, StoreError if the disk is full; no original is lost.
    """
    placed = list(documents)
    locks, empty = lock_files(placed)
    files = [(path, document.to_bytes()) for document, path in placed]
    paths = write_files([*files, *locks], fix="choose another folder with -o")
    for path in empty:
        path.unlink(missing_ok=True)
    return paths
