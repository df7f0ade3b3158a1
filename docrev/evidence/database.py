"""One SQLite file: opened, locked and migrated, with SQLite's errors told as docrev's."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docrev.errors import DocrevError, InputError, LockedError, StoreError
from docrev.evidence.lock import WriterLock, unwritable
from docrev.evidence.migrations import MIGRATIONS, migrate

# "docr" in ASCII: tells our file from any other SQLite file that has the same name.
APPLICATION_ID = 0x646F6372

_PAGE = 4096


def trouble(error: sqlite3.Error, path: Path) -> DocrevError:
    """What `error` means to the user, in one line."""
    name = getattr(error, "sqlite_errorname", "") or ""
    where = str(path)
    if name.startswith("SQLITE_FULL") or name.startswith("SQLITE_IOERR"):
        return StoreError(
            f"the evidence cannot be written ({error})",
            where=where,
            fix="make room on the disk and run the same command again: what was finished is kept",
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM")):
        return LockedError("the evidence is read-only", where=where, fix="choose another folder with --out")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return LockedError("another process writes to the evidence", where=where, fix="wait until it is done")
    if name.startswith("SQLITE_CANTOPEN"):
        return InputError("the evidence cannot be opened", where=where, fix="check the folder and its rights")
    return StoreError(f"the evidence is damaged ({error})", where=where, fix="move the file away and explore again")


class Database:
    """A connection in autocommit mode: each statement is its own transaction, written before it returns."""

    def __init__(self, connection: sqlite3.Connection, path: Path, lock: WriterLock | None = None) -> None:
        self._connection, self._path, self._lock = connection, path, lock

    def execute(self, sql: str, row: Sequence[Any] = ()) -> int:
        """Run one statement; the number of the row it inserted. Raises StoreError: disk full, file damaged."""
        try:
            return self._connection.execute(sql, row).lastrowid or 0
        except sqlite3.Error as error:
            raise trouble(error, self._path) from error

    def rows(self, sql: str, row: Sequence[Any] = ()) -> list[Any]:
        """All rows of a query. Raises StoreError where the file is damaged."""
        try:
            return self._connection.execute(sql, row).fetchall()
        except sqlite3.Error as error:
            raise trouble(error, self._path) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside is written together, or nothing."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            # A full disk may have rolled it back already.
            if self._connection.in_transaction:
                self._connection.rollback()
            raise

    def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.release()


def open_writing(path: Path, *, max_bytes: int | None = None) -> Database:
    """Open or create `path` for writing, migrated to the newest version.

    `max_bytes` bounds the file's size. Raises LockedError where another process holds it or the folder is read-only,
    InputError where the folder is none, StoreError where the file is damaged or of a newer version.
    """
    _make(path.parent)
    lock = WriterLock.acquire(path.with_suffix(".lock"))
    try:
        connection = _prepare(path, max_bytes)
    except sqlite3.Error as error:
        lock.release()
        raise trouble(error, path) from error
    except BaseException:
        lock.release()
        raise
    return Database(connection, path, lock)


def open_reading(path: Path) -> Database:
    """Open `path` without ever writing to it; a version before ours is migrated in memory.

    Raises InputError where there is none, StoreError where it is damaged or of a newer version.
    """
    if path.parent.is_file():
        raise InputError("not a folder", where=str(path.parent), fix="name the folder that docrev explore wrote")
    if not path.parent.is_dir():
        raise InputError("no such folder", where=str(path.parent), fix="run docrev explore first")
    if not path.is_file():
        raise InputError("no evidence in this folder", where=str(path.parent), fix="run docrev explore first")
    try:
        connection = _connect_reading(path)
        if _check(connection, path) < len(MIGRATIONS):
            connection = _in_memory(connection)
            migrate(connection)
    except sqlite3.Error as error:
        raise trouble(error, path) from error
    return Database(connection, path)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError("not a folder", where=str(folder), fix="choose another with --out") from error
    except OSError as error:
        raise unwritable(error, folder) from error


def _prepare(path: Path, max_bytes: int | None) -> sqlite3.Connection:
    if path.exists() and not os.access(path, os.W_OK):
        raise LockedError("the evidence is read-only", where=str(path), fix="choose another folder with --out")
    connection = _connect(f"file:{quote(str(path.resolve()))}")
    try:
        if max_bytes is not None:
            connection.execute(f"PRAGMA max_page_count = {max(1, max_bytes // _PAGE)}")
        if _check(connection, path) == 0:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA journal_mode = WAL")
        # NORMAL: a killed process loses nothing; a power cut may lose the last moments, never the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        # A checkpoint waits for the disk; one each 64 MB is enough, and one is made on closing.
        connection.execute(f"PRAGMA wal_autocheckpoint = {64 * 2**20 // _PAGE}")
        migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a database that is ours, whole, and not newer than this program."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and application != APPLICATION_ID:
        raise StoreError("not a docrev evidence file", where=str(path), fix="move it away and explore again")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"written by a newer docrev (version {version}, this one reads up to {len(MIGRATIONS)})",
            where=str(path),
            fix="upgrade docrev",
        )
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise StoreError("the evidence is damaged", where=str(path), fix="move the file away and explore again")
    return int(version)


def _connect_reading(path: Path) -> sqlite3.Connection:
    """A connection that answers queries only.

    It may write beside the database all the same: WAL needs a file there, and whoever closes last tidies up. Where
    the folder is read-only, nobody writes: the file is read as it stands, or a copy where a killed writer left a log.
    """
    uri = f"file:{quote(str(path.resolve()))}?mode=rw"
    connection = _connect(uri)
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return connection
    except sqlite3.OperationalError:
        connection.close()
    log = path.with_name(path.name + "-wal")
    if not log.exists() or log.stat().st_size == 0:
        return _connect(uri.replace("mode=rw", "immutable=1"))
    with tempfile.TemporaryDirectory(prefix="docrev-") as folder:
        for file in (path, log):
            shutil.copyfile(file, Path(folder, file.name))
        return _in_memory(_connect(f"file:{quote(folder)}/{quote(path.name)}"))


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def _in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    memory = _connect(":memory:")
    connection.backup(memory)
    connection.close()
    return memory
