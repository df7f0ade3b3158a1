"""Files written whole or not at all: each goes to a new file beside its place first, and then over what is there.

All functions raise LockedError if a file or its folder is read-only, InputError if a folder is in the way, and
StoreError if the disk is full; no file is then half written, and no original is lost. `fix` is what the error says
to do.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docrev.storage.os_errors import explained, make_folder

ELSEWHERE = "choose another place"


def write_files(files: Iterable[tuple[Path, bytes]], *, fix: str = ELSEWHERE) -> list[Path]:
    """Write several files: all of them beside their places first, and only then each over what is there.

    A file that already has the same bytes is left alone. A file that is replaced keeps its mode, and a link is
    followed. Returns the paths written.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for path, content in files:
            if not _has(path, content):
                staged.append((_stage(path, content, fix), path))
        for temporary, path in staged:
            os.replace(temporary, path.resolve())
    except OSError as error:
        raise explained(error, staged[-1][1] if staged else Path(), fix=fix) from error
    finally:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
    return [path for _, path in staged]


def write_bytes(path: Path, content: bytes, *, fix: str = ELSEWHERE) -> None:
    """Write one file."""
    write_files([(path, content)], fix=fix)


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8; a lone surrogate, which JSON of the world contains, as its escape: `\\ud800`."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_json(path: Path, value: Any) -> None:
    """Write a JSON value, indented, with a line break at its end."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_json_lines(path: Path, values: Iterable[object]) -> None:
    """Write JSON values, one on each line."""
    write_text(path, "".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values))


def _has(path: Path, content: bytes) -> bool:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        return path.read_bytes() == content
    return False


def _stage(path: Path, content: bytes, fix: str) -> Path:
    """A new file beside `path` with this content, on disk, with the mode that `path` has or would get."""
    path = path.resolve()
    make_folder(path.parent, fix=fix)
    temporary = None
    try:
        # A read-only file would be replaced all the same: renaming asks for the rights of the folder alone.
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "read-only file", str(path))
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask())
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise explained(error, path, fix=fix) from error
    return temporary


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
