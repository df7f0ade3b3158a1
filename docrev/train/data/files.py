"""Writing what was made: whole or not at all, and one line where that cannot be done."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path

from docrev.errors import LockedError, StoreError
from docrev.records import Json


def write_json(file: Path, value: Json) -> None:
    """Write a JSON value, indented. Raises LockedError, StoreError."""
    write_text(file, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_lines(file: Path, values: Iterable[Json]) -> None:
    """Write JSON values, one a line. Raises LockedError, StoreError."""
    write_text(file, "".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values))


def write_text(file: Path, text: str) -> None:
    """Write a text through a file beside it, so that what was there stays until the new one is whole."""
    if file.is_dir():
        raise LockedError("cannot write: it is a folder", where=str(file), fix="name a file")
    beside = file.with_name(f".{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        # Lone surrogates, which JSON of the world holds, are written as their escapes would be read.
        beside.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
        os.replace(beside, file)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        kind = StoreError if full else LockedError
        fix = "make room" if full else "choose another place"
        raise kind(f"cannot write: {error.strerror}", where=str(file), fix=fix) from error
