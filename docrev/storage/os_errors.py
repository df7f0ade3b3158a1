"""What the operating system refuses, as docrev's errors."""

from __future__ import annotations

import errno
from pathlib import Path

from docrev.errors import DocrevError, InputError, LockedError, StoreError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LOCKED = (errno.EACCES, errno.EPERM, errno.EROFS)


def explained(error: OSError, path: Path, *, fix: str = "choose another place") -> DocrevError:
    """What it means to the user that `path` cannot be written; `fix` says what to do if the place is the trouble."""
    where = str(error.filename or path)
    if error.errno in _FULL:
        return StoreError(
            "the disk is full; nothing was changed", where=where, fix="make room and run the same command again"
        )
    if error.errno in _LOCKED:
        return LockedError("this cannot be written: it is read-only", where=where, fix=fix)
    if isinstance(error, NotADirectoryError | FileExistsError):
        return InputError("this is not a folder", where=where, fix=fix)
    if isinstance(error, IsADirectoryError):
        return InputError("this is a folder, not a file", where=where, fix=fix)
    kind = StoreError if error.errno == errno.EIO else LockedError
    return kind(f"this cannot be written: {error.strerror}", where=where, fix=fix)


def make_folder(folder: Path, *, fix: str = "choose another place") -> None:
    """Create a folder and those above it. Raises InputError, LockedError, StoreError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise explained(error, folder, fix=fix) from error
