"""SQLite files: one way to open them, and SQLite's errors as docrev's."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from docrev.errors import DamageWarning, DocrevError, InputError, LockedError, StoreError
from docrev.storage.checksums import Sealed, add_function, seal
from docrev.storage.locks import WriterLock
from docrev.storage.os_errors import make_folder
from docrev.storage.salvage import Damage, is_damaged, salvage, verdict

Migration = Callable[[sqlite3.Connection], None]

BROKEN = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises; Python's own error comes of names that are no longer text."""

_MEMORY = ":memory:"
_PAGE = 4096
_WAIT_SECONDS = 30
_DISK_FULL = ("SQLITE_FULL", "SQLITE_IOERR")
_READ_ONLY = ("SQLITE_READONLY", "SQLITE_PERM")
_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of SQLite file that docrev keeps: its mark, its layout, and the words for it in messages.

    `application_id` is SQLite's mark that distinguishes it from other files. `migrations` are its history: one
    function for each version, in order; a released one never changes. `noun` names it ("evidence file"); `elsewhere`
    says what to do if it cannot be written, `anew` if it is damaged. `sealed` names the columns, that which names the
    row first, that the checksums of each table are about; `mend` takes out of what was saved from a damaged file what
    refers to rows that are lost.
    """

    application_id: int
    migrations: Sequence[Migration]
    noun: str
    elsewhere: str
    anew: str
    sealed: Sealed = field(default_factory=dict)
    mend: Migration = field(default=lambda _: None)

    @property
    def version(self) -> int:
        return len(self.migrations)


def explained(error: Exception, path: Path, kind: FileKind) -> DocrevError:
    """What an error of SQLite means to the user, in one line."""
    name, where = getattr(error, "sqlite_errorname", "") or "", str(path)
    if name.startswith(_DISK_FULL):
        fix = "make room on the disk and run the same command again: what was finished is kept"
        return StoreError(f"the {kind.noun} cannot be written ({error})", where=where, fix=fix)
    if name.startswith(_READ_ONLY):
        return LockedError(f"the {kind.noun} is read-only", where=where, fix=kind.elsewhere)
    if name.startswith(_BUSY):
        return LockedError(f"another process writes to the {kind.noun}", where=where, fix="wait until it is done")
    if name.startswith("SQLITE_CANTOPEN"):
        return InputError(f"the {kind.noun} cannot be opened", where=where, fix="check the folder and its rights")
    return StoreError(f"the {kind.noun} is damaged ({error})", where=where, fix=kind.anew)


class Database:
    """A connection in autocommit mode: each statement is its own transaction, written before it returns.

    Any thread may use it, one at a time.
    """

    def __init__(
        self, connection: sqlite3.Connection, path: Path, kind: FileKind, lock: WriterLock | None = None
    ) -> None:
        self.path = path
        self._connection, self._kind, self._lock = connection, kind, lock
        # A thread goes on reading after who waited for it was cancelled: Python crashes if that closes the connection.
        self._turn = threading.Lock()

    def execute(self, sql: str, row: Sequence[object] = ()) -> int:
        """Run one statement; the number of the row it inserted. Raises StoreError: disk full, file damaged."""
        try:
            with self._turn:
                return self._connection.execute(sql, row).lastrowid or 0
        except BROKEN as error:
            raise explained(error, self.path, self._kind) from error

    def rows(self, sql: str, row: Sequence[object] = ()) -> list[Any]:
        """All rows of a query. Raises StoreError if the file is damaged."""
        try:
            with self._turn:
                return self._connection.execute(sql, row).fetchall()
        except BROKEN as error:
            raise explained(error, self.path, self._kind) from error

    def seal(self, table: str, condition: str, row: Sequence[object]) -> None:
        """Give the rows that meet a condition their checksums, after they were changed in their place."""
        self.execute(f"{seal(table, self._kind.sealed[table])} WHERE {condition}", row)

    def damaged(self, what: str) -> StoreError:
        """The error that says that what was read is not what was written."""
        return StoreError(f"the {self._kind.noun} is damaged ({what})", where=str(self.path), fix=self._kind.anew)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside is written together, or nothing."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            # A full disk may have rolled it back already.
            with self._turn:
                if self._connection.in_transaction:
                    self._connection.rollback()
            raise

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, and release the lock of an exclusive file."""
        with self._turn:
            self._connection.close()
        if self._lock is not None:
            self._lock.release()


def open_writing(path: Path, kind: FileKind, *, exclusive: bool = False, max_bytes: int | None = None) -> Database:
    """Open or create `path` for writing, migrated to the newest version.

    `exclusive` locks it against other processes (see `locks`); `max_bytes` bounds the file's size. Raises LockedError
    if another process holds it or it is read-only, InputError if its folder is not a folder, StoreError if the file is
    damaged, of another kind, or of a newer version.
    """
    make_folder(path.parent, fix=kind.elsewhere)
    lock = WriterLock.acquire(path.with_suffix(".lock"), fix=kind.elsewhere) if exclusive else None
    try:
        connection = _prepare(path, kind, max_bytes)
    except BaseException as error:
        if lock is not None:
            lock.release()
        if isinstance(error, BROKEN):
            raise explained(error, path, kind) from error
        raise
    return Database(connection, path, kind, lock)


def open_reading(path: Path, kind: FileKind) -> Database:
    """Open an existing file without ever writing to it; one of an older version is migrated in memory.

    Of a damaged file what is whole is read, and a DamageWarning says what is not. Raises StoreError if nothing can be
    read, or it is of another kind or of a newer version.
    """
    try:
        connection = _connect_reading(path)
        if _check(connection, path, kind) < kind.version:
            connection = _in_memory(connection)
            migrate(connection, kind.migrations)
        _check_layout(connection, kind)
        if verdict(connection) or is_damaged(connection, kind.sealed):
            connection, damage = _saved(connection, "", kind)
            _warn(path, kind, damage)
    except BROKEN as error:
        raise explained(error, path, kind) from error
    return Database(connection, path, kind)


def open_in_memory(kind: FileKind) -> Database:
    """An empty database that is gone when it is closed."""
    return Database(_new(kind), Path(_MEMORY), kind)


def connect(path: Path | str, mode: str = "mode=rwc") -> sqlite3.Connection:
    """A connection in autocommit mode that waits for other writers and may be used from any thread."""
    uri = f"file:{quote(str(Path(path).resolve()))}?{mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=_WAIT_SECONDS)
    add_function(connection)
    return connection


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Bring a database forward to the newest version, each step in its own transaction.

    The connection must be in autocommit mode. Raises sqlite3.Error; a step that fails leaves the version before it.
    """
    while _version(connection) < len(migrations):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have migrated the file while this one waited for its turn.
            version = _version(connection)
            if version < len(migrations):
                migrations[version](connection)
                connection.execute(f"PRAGMA user_version = {version + 1}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _prepare(path: Path, kind: FileKind, max_bytes: int | None) -> sqlite3.Connection:
    if path.exists() and not os.access(path, os.W_OK):
        raise LockedError(f"the {kind.noun} is read-only", where=str(path), fix=kind.elsewhere)
    if path.exists():
        _replace_damaged(path, kind)
    connection = connect(path)
    try:
        if max_bytes is not None:
            connection.execute(f"PRAGMA max_page_count = {max(1, max_bytes // _PAGE)}")
        if _check(connection, path, kind) == 0:
            connection.execute(f"PRAGMA application_id = {kind.application_id}")
        connection.execute("PRAGMA journal_mode = WAL")
        # NORMAL: a killed process loses nothing; a power cut may lose the last moments, never the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        # A checkpoint waits for the disk; one each 64 MB is enough, and one is made on closing.
        connection.execute(f"PRAGMA wal_autocheckpoint = {64 * 2**20 // _PAGE}")
        migrate(connection, kind.migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _replace_damaged(path: Path, kind: FileKind) -> None:
    """If a file is damaged, put one beside it that has all that is whole, and let them change places."""
    with closing(connect(path)) as connection:
        version = _check(connection, path, kind)
        if version == kind.version:
            _check_layout(connection, kind)
        if not verdict(connection) and (version < kind.version or not is_damaged(connection, kind.sealed)):
            return
        if version < kind.version:
            raise sqlite3.DatabaseError(verdict(connection))
        copy, aside = path.with_name(f"{path.name}-saved"), path.with_name(f"{path.stem}-damaged{path.suffix}")
        copy.unlink(missing_ok=True)
        saved, damage = _saved(connection, str(copy), kind)
        saved.execute(f"PRAGMA application_id = {kind.application_id}")
        saved.close()
    for end in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).replace(aside.with_name(aside.name + end))
    copy.replace(path)
    _warn(path, kind, damage, f", and the damaged file is kept as {aside.name}")


def _new(kind: FileKind, to: str = _MEMORY) -> sqlite3.Connection:
    """A new database of this kind."""
    connection = sqlite3.connect(to, isolation_level=None, check_same_thread=False)
    add_function(connection)
    migrate(connection, kind.migrations)
    return connection


def _saved(damaged: sqlite3.Connection, to: str, kind: FileKind) -> tuple[sqlite3.Connection, Damage]:
    """A database with what is whole in a damaged one; one that goes when it is closed if `to` is ""."""
    whole = _new(kind, to)
    damage = salvage(damaged, whole, kind.sealed)
    kind.mend(whole)
    damaged.close()
    return whole, damage


def _warn(path: Path, kind: FileKind, damage: Damage, more: str = "") -> None:
    line = f"{path}: the {kind.noun} is damaged ({damage}); the other {damage.saved:,} rows are used{more}"
    warnings.warn(" ".join(line.split()), DamageWarning, stacklevel=1)


def _check(connection: sqlite3.Connection, path: Path, kind: FileKind) -> int:
    """The version of a database that is of this kind, and not newer than this program."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    version = _version(connection)
    if tables and application != kind.application_id:
        raise StoreError(f"not a docrev {kind.noun}", where=str(path), fix=kind.anew)
    if version > kind.version:
        raise StoreError(
            f"written by a newer docrev (version {version}, this one reads up to {kind.version})",
            where=str(path),
            fix="upgrade docrev",
        )
    return version


def _check_layout(connection: sqlite3.Connection, kind: FileKind) -> None:
    """Raise sqlite3.DatabaseError if the tables are no longer declared as they were: nothing can be trusted then."""
    with closing(_new(kind)) as anew:
        if _layout(connection) != _layout(anew):
            raise sqlite3.DatabaseError("its tables are declared otherwise")


def _layout(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY type, name")
    return [" ".join(sql.split()) for (sql,) in rows]


def _connect_reading(path: Path) -> sqlite3.Connection:
    """A connection that answers queries only.

    It may write beside the database all the same: WAL needs a file there, and whoever closes last tidies up. If the
    folder is read-only, nobody writes: the file is read as it is, or a copy if a killed writer left a log.
    """
    connection = connect(path, "mode=rw")
    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return connection
    except sqlite3.OperationalError:
        connection.close()
    log = path.with_name(path.name + "-wal")
    if not log.exists() or log.stat().st_size == 0:
        return connect(path, "immutable=1")
    with tempfile.TemporaryDirectory(prefix="docrev-") as folder:
        for file in (path, log):
            shutil.copyfile(file, Path(folder, file.name))
        return _in_memory(connect(Path(folder, path.name)))


def _in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    memory = sqlite3.connect(_MEMORY, isolation_level=None, check_same_thread=False)
    add_function(memory)
    connection.backup(memory)
    connection.close()
    return memory
