"""One writer a folder: a lock file that names its holder. The system lets go of it when the process dies."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from docrev.errors import DocrevError, LockedError, StoreError


def unwritable(error: OSError, folder: Path) -> DocrevError:
    """What it means that nothing can be made in `folder`: a full disk is our trouble, missing rights are not."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError("the disk is full", where=str(folder), fix="make room and run the same command again")
    return LockedError(
        f"the folder cannot be written ({error.strerror})", where=str(folder), fix="choose another with --out"
    )


class WriterLock:
    """Held until `release`, or until the process ends in whatever way."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, path: Path) -> WriterLock:
        """Take the lock at `path`.

        Raises LockedError where it is held (the line names the process) or the folder is read-only, StoreError where
        the disk is full.
        """
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise unwritable(error, path.parent) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(descriptor, 32, 0).decode(errors="replace").strip() or "unknown"
            os.close(descriptor)
            raise LockedError(
                f"another docrev writes here (process {holder})",
                where=str(path.parent),
                fix="wait until it is done, or choose another folder with --out",
            ) from error
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:
            os.close(descriptor)
            raise unwritable(error, path.parent) from error
        return cls(descriptor)

    def release(self) -> None:
        """Let go. The file stays: removing it would let two processes hold two files of one name."""
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = -1
