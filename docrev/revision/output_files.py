"""Documents to disk: every file whole or not at all, and the originals intact whatever goes wrong."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from docrev.errors import UsageError
from docrev.spec import Document
from docrev.storage.atomic import write_files


def targets(documents: Mapping[str, Document], specs: Sequence[Path | str], out: Path | str | None) -> dict[str, Path]:
    """Where each document goes, by its name: in place, or below `out` as it lies below the specs' common folder.

    Raises UsageError for a document that came from no file, where it is to be written in place; and for an `out` that
    would write over a document, or whose files would be read as specs themselves the next time.
    """
    if out is None:
        return {name: _in_place(document) for name, document in documents.items()}
    folders = [Path(spec).resolve() if Path(spec).is_dir() else Path(spec).resolve().parent for spec in specs]
    paths = {name: _path(document) for name, document in documents.items()}
    roots = folders + [path.parent for path in paths.values() if path.is_absolute()]
    root = Path(os.path.commonpath(roots)) if roots else Path()
    found = {
        name: Path(out) / (path.relative_to(root) if path.is_absolute() else path.name) for name, path in paths.items()
    }
    if {path.resolve() for path in found.values()} & set(paths.values()):
        raise UsageError("the specs themselves lie here", where=str(out), fix="give --in-place to write over them")
    if any(_read_with(Path(out).resolve(), Path(spec).resolve()) for spec in specs if Path(spec).is_dir()):
        fix = "name one outside it, or one with a dot in front"
        raise UsageError(
            "this folder lies in that of the specs, and would be read as more of them", where=str(out), fix=fix
        )
    return found


def _read_with(out: Path, specs: Path) -> bool:
    inside = out.is_relative_to(specs)
    return inside and not any(part.startswith(".") for part in out.relative_to(specs).parts)


def _path(document: Document) -> Path:
    return document.path.resolve() if document.path is not None else Path(document.name.rpartition(":")[2])


def _in_place(document: Document) -> Path:
    if document.path is None:
        raise UsageError("this document is no file", where=document.name, fix="write to a folder with -o")
    return document.path.resolve()


def write(documents: Iterable[tuple[Document, Path]]) -> list[Path]:
    """Write the documents, all or none. Returns the paths written: those whose bytes differ from what is there.

    Raises LockedError if a folder is read-only, StoreError if the disk is full; no original is lost.
    """
    files = ((path, document.to_bytes()) for document, path in documents)
    return write_files(files, fix="choose another folder with -o")
