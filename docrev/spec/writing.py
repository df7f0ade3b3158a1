"""Writing documents back: whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from docrev.errors import InputError, LockedError, StoreError
from docrev.spec.document import Document


def write_in_place(document: Document, *, before: Document) -> None:
    """Put `document` where `before` was read from, atomically, keeping the file's mode and following links.

    Raises InputError where the file was changed since it was read, LockedError where it cannot be written, and
    StoreError where the disk is full; the file is then as it was.
    """
    path = (before.path or Path(before.name)).resolve()
    try:
        if path.read_bytes() != before.to_bytes():
            raise InputError("the file was changed while docrev worked on it", where=before.name, fix="run it again")
        _replace(path, document.to_bytes())
    except FileNotFoundError as error:
        raise InputError("the file is no longer there", where=before.name, fix="run it again") from error
    except PermissionError as error:
        raise LockedError(
            "the file cannot be written: permission denied", where=before.name, fix="make it and its folder writable"
        ) from error
    except OSError as error:
        raise StoreError(
            f"the file cannot be written: {error.strerror}", where=before.name, fix="it is as it was; make room"
        ) from error


def _replace(path: Path, source: bytes) -> None:
    if not os.access(path, os.W_OK):
        raise PermissionError
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(source)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode & 0o7777)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
