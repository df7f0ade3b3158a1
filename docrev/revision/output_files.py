"""Documents to disk: every file whole or not at all, and the originals intact whatever goes wrong."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from docrev.errors import DocrevError, LockedError, StoreError, UsageError
from docrev.spec import Document

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LOCKED = (errno.EACCES, errno.EPERM, errno.EROFS)


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
    """Write the documents: all of them beside their places first, and only then each over what is there.

    A file that already holds the same bytes is left alone. Returns the paths written. Raises LockedError where a
    folder is read-only, StoreError where the disk is full; no file is then half written, and no original is lost.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for document, path in documents:
            content = document.to_bytes()
            if not _holds(path, content):
                staged.append((_stage(path, content), path))
        for temporary, path in staged:
            os.replace(temporary, path)
    except OSError as error:
        raise _explained(error, staged[-1][1] if staged else Path()) from error
    finally:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    return [path for _, path in staged]


def _holds(path: Path, content: bytes) -> bool:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        return path.read_bytes() == content
    return False


def _stage(path: Path, content: bytes) -> Path:
    """A new file beside `path` that holds `content`, on disk, with the mode that `path` has or would get."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A replaced file would slip through a read-only one: the folder alone decides over a rename.
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "read-only file", str(path))
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise _explained(error, path) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask())
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise _explained(error, path) from error
    return temporary


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _explained(error: OSError, path: Path) -> DocrevError:
    where = str(error.filename or path)
    if error.errno in _FULL:
        return StoreError("the disk is full; nothing was changed", where=where, fix="free some space and run it again")
    if error.errno in _LOCKED:
        return LockedError("this cannot be written: it is read-only", where=where, fix="choose another folder with -o")
    if isinstance(error, NotADirectoryError | FileExistsError | IsADirectoryError):
        return UsageError(f"this cannot be written: {error.strerror}", where=where, fix="name a folder with -o")
    return StoreError(f"this cannot be written: {error.strerror}", where=where, fix="choose another folder with -o")
