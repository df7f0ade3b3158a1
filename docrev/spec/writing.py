"""Writing documents back: whole or not at all."""

from __future__ import annotations

from pathlib import Path

from docrev.errors import InputError
from docrev.spec.document import Document
from docrev.storage.atomic import write_bytes


def write_in_place(document: Document, *, before: Document) -> None:
    """Put `document` where `before` was read from, atomically, keeping the file's mode and following links.

    Raises InputError if the file was changed since it was read, LockedError if it cannot be written, and StoreError
    if the disk is full; the file is then as it was.
    """
    path = (before.path or Path(before.name)).resolve()
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError("the file is no longer there", where=before.name, fix="run it again") from error
    if content != before.to_bytes():
        raise InputError("the file was changed while docrev worked on it", where=before.name, fix="run it again")
    write_bytes(path, document.to_bytes(), fix="make it and its folder writable")
