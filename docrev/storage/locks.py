"""One writer for each folder: a lock file that names its holder. The system releases it when the process dies."""

from __future__ import annotations

import os
from pathlib import Path

from filelock import FileLock, Timeout

from docrev.errors import LockedError
from docrev.storage.os_errors import explained


class WriterLock:
    """A lock that lasts until `release`, or until the process ends in whatever way."""

    def __init__(self, path: Path, lock: FileLock) -> None:
        self._path, self._lock = path, lock

    @classmethod
    def acquire(cls, path: Path, *, fix: str = "choose another folder with --out") -> WriterLock:
        """Take the lock at `path`, at once or not at all.

        Raises LockedError if another process has it (the line names the process) or the folder is read-only, and
        StoreError if the disk is full.
        """
        lock = FileLock(path, timeout=0, thread_local=False)
        try:
            lock.acquire()
            path.write_text(f"{os.getpid()}\n", encoding="ascii")
        except Timeout as error:
            raise LockedError(
                f"another docrev writes here (process {_holder(path)})",
                where=str(path.parent),
                fix=f"wait until it is done, or {fix}",
            ) from error
        except OSError as error:
            lock.release(force=True)
            raise explained(error, path.parent, fix=fix) from error
        return cls(path, lock)

    def release(self) -> None:
        """Let go. The file stays: if it were removed, two processes could hold two files of one name."""
        if self._lock.is_locked:
            self._path.write_text("", encoding="ascii")
            self._lock.release()


def _holder(path: Path) -> str:
    return path.read_text(encoding="ascii", errors="replace")[:32].strip() or "unknown"
