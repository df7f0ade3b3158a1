"""Answers of models, kept in one SQLite file: what `--record` writes, `recorded:` reads, and the cache is.

A row is one answer, by the hash of everything that decides it. `number` counts how often a question was asked in a
run: above temperature 0 the second answer may differ from the first. Neither credentials nor questions are kept.

APIs tell the time and count their requests, so a question that quotes what one answered is hardly ever asked again to
the letter. A record therefore has a second hash (`likeness`), which leaves out the numbers, times and ids in what is
quoted, with a checksum of each of them: a replay takes the answer to the question that differs least.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from docrev.errors import DocrevError, InputError, LockedError, StoreError
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.records import Json

APPLICATION_ID = 0x646F636D
"""`docm` in ASCII."""
VERSION = 1
_QUOTED = re.compile(r"<([a-z]+)-[0-9a-f]{8}>\n(.*?)\n</\1-[0-9a-f]{8}>", re.S)
_VOLATILE = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[0-9:.,]*(?:Z|[+-]\d\d:?\d\d)?"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\d+(?:\.\d+)?"
)

T = TypeVar("T")


def question(request: CompletionRequest, name: str, settings: CompletionSettings) -> str:
    """The hash of a request, of the model that is asked and of the settings that decide what it answers."""
    return _hash(request, [dict(message) for message in request.messages], name, settings)


def likeness(request: CompletionRequest, name: str, settings: CompletionSettings) -> Likeness:
    """`question` without the numbers, times and ids in what is quoted of an API's answers, and these."""
    marks: list[int] = []

    def quoted(found: re.Match[str]) -> str:
        marks.extend(zlib.crc32(value.encode(errors="replace")) for value in _VOLATILE.findall(found[2]))
        return f"<{found[1]}>{_VOLATILE.sub('#', found[2])}"

    messages = [{part: _QUOTED.sub(quoted, text) for part, text in message.items()} for message in request.messages]
    return Likeness(_hash(request, messages, name, settings), tuple(marks))


def _hash(request: CompletionRequest, messages: Json, name: str, settings: CompletionSettings) -> str:
    decides = [request.prompt, messages, request.schema, request.max_tokens, name, settings.temperature, settings.seed]
    text = json.dumps(decides, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Likeness(NamedTuple):
    """The hash of what a question shares with those that are like it, and checksums of what they differ in."""

    key: str
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept answer. `run` names the run that asked; `error` is why there is none, for this question alone."""

    completion: Completion
    run: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who answered a role's questions: a model's name, with its settings; "offline" has none."""

    name: str
    settings: CompletionSettings


class Answers:
    """The answers in one file. What was put is on disk when `put` returns; a closed file stands alone.

    Several processes may use one file. `records`: it is to be replayed, not only to remember. All methods raise
    StoreError where the disk is full or the file damaged.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, *, writes: bool) -> None:
        self._connection, self.path, self.writes = connection, path, writes
        self.records = False

    @classmethod
    def open(cls, path: Path | str, *, write: bool) -> Answers:
        """Open the file, and make it where it is to be written and is not there.

        Raises InputError where there is nothing to read, LockedError where it is read-only, StoreError where it is
        damaged, of a newer version, or not a file of answers.
        """
        path = Path(path)
        if write:
            _make(path.parent)
        elif not path.is_file():
            raise InputError("no such file of answers", where=str(path), fix="record one with --record")
        if path.is_dir():
            raise InputError("a folder, not a file of answers", where=str(path), fix="name a file")
        if write and path.exists() and not os.access(path, os.W_OK):
            raise LockedError("the file of answers is read-only", where=str(path), fix="name another")
        return cls(_told(path, lambda: _open(path, write)), path, writes=write)

    def get(self, key: str, number: int = 0) -> Kept | None:
        """The answer to a question that was asked `number` times before."""
        rows = self._rows(
            "SELECT text, tokens_in, tokens_out, finish, refusal, run, error FROM answers WHERE key = ? AND number = ?",
            (key, number),
        )
        if not rows:
            return None
        text, tokens_in, tokens_out, finish, refusal, run, error = rows[0]
        return Kept(Completion(json.loads(text), tokens_in, tokens_out, finish, json.loads(refusal)), run, error)

    def near(self, like: Likeness, number: int = 0) -> Kept | None:
        """The answer to the question that differs least from one, by at most half of what they may differ in."""
        rows = self._rows("SELECT key, marks FROM answers WHERE likeness = ? AND number = ?", (like.key, number))
        best: tuple[int, str] | None = None
        for key, text in rows:
            marks = json.loads(text)
            same = sum(one == other for one, other in zip(marks, like.marks, strict=False))
            if len(marks) == len(like.marks) <= 2 * same and (best is None or (-same, key) < best):
                best = (-same, key)
        return None if best is None else self.get(best[1], number)

    def put(self, key: str, number: int, prompt: str, kept: Kept, like: Likeness | None = None) -> None:
        """Keep an answer, in place of an older one to the same question; `like` is wanted of a record."""
        given = kept.completion
        # As JSON, in ASCII: a model may write what SQLite cannot hold (lone surrogates).
        self._rows(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(key, number, prompt, kept.run, kept.error.encode(errors="replace").decode()),
                *(json.dumps(given.text), given.tokens_in, given.tokens_out, given.finish, json.dumps(given.refusal)),
                *((None, None) if like is None else (like.key, json.dumps(like.marks))),
            ),
        )

    def seats(self) -> dict[str, Seat]:
        """Who answered, by role."""
        rows = self._rows("SELECT role, model, temperature, seed, max_tokens FROM seats ORDER BY role", ())
        return {
            role: Seat(model, CompletionSettings(temperature=temperature, seed=seed, max_tokens=max_tokens))
            for role, model, temperature, seed, max_tokens in rows
        }

    def seat(self, role: str, seat: Seat) -> None:
        """Keep who answers the questions of `role`."""
        settings = seat.settings
        self._rows(
            "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?)",
            (role, seat.name, settings.temperature, settings.seed, settings.max_tokens),
        )

    def close(self) -> None:
        """Close it, as one file without a log beside it unless another process still has it open."""
        if self.writes:
            with suppress(sqlite3.Error):
                self._connection.execute("PRAGMA journal_mode = DELETE")
        self._connection.close()

    def _rows(self, sql: str, row: Sequence[Any]) -> list[Any]:
        return _told(self.path, lambda: self._connection.execute(sql, row).fetchall())


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"not a folder ({error.strerror})", where=str(folder), fix="name another file") from error
    if not os.access(folder, os.W_OK):
        raise LockedError("the folder cannot be written", where=str(folder), fix="name another file")


def _open(path: Path, write: bool) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.resolve()))}"
    connection = _connect(uri if write else f"{uri}?mode=ro")
    try:
        if not write:
            connection = _readable(connection, uri)
        _check(connection, path)
        if write:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            _lay_out(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=30)


def _readable(connection: sqlite3.Connection, uri: str) -> sqlite3.Connection:
    """The connection, or one that takes the file as it stands: where it lies, no log can be made beside it."""
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return connection
    except sqlite3.OperationalError:
        connection.close()
        return _connect(f"{uri}?immutable=1")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and application != APPLICATION_ID:
        raise StoreError("not a file of answers", where=str(path), fix="name one that --record wrote")
    if version > VERSION:
        raise StoreError(
            f"written by a newer docrev (version {version}, this one reads up to {VERSION})",
            where=str(path),
            fix="upgrade docrev",
        )
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(verdict)


def _lay_out(connection: sqlite3.Connection) -> None:
    """Make the tables where they are not there; two processes may do so at once."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS answers (key TEXT NOT NULL, number INTEGER NOT NULL, prompt TEXT NOT NULL,"
        " run TEXT NOT NULL, error TEXT NOT NULL, text TEXT NOT NULL, tokens_in INTEGER NOT NULL,"
        " tokens_out INTEGER NOT NULL, finish TEXT NOT NULL, refusal TEXT NOT NULL, likeness TEXT, marks TEXT,"
        " PRIMARY KEY (key, number))"
    )
    connection.execute("CREATE INDEX IF NOT EXISTS by_likeness ON answers (likeness) WHERE likeness IS NOT NULL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS seats (role TEXT PRIMARY KEY, model TEXT NOT NULL, temperature REAL NOT NULL,"
        " seed INTEGER NOT NULL, max_tokens INTEGER NOT NULL)"
    )
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _told(path: Path, work: Callable[[], T]) -> T:
    """Do it; what SQLite says is told as docrev's own."""
    try:
        return work()
    except sqlite3.Error as error:
        raise _trouble(error, path) from error


def _trouble(error: sqlite3.Error, path: Path) -> DocrevError:
    name, where = getattr(error, "sqlite_errorname", "") or "", str(path)
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        fix = "make room on the disk and run the same command again: what was answered is kept"
        return StoreError(f"answers cannot be written ({error})", where=where, fix=fix)
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_CANTOPEN")):
        return LockedError(f"the file of answers cannot be used ({error})", where=where, fix="name another file")
    return StoreError(f"the file of answers is damaged ({error})", where=where, fix="move it away")
