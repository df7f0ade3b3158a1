"""Answers of models, kept in one SQLite file: what `--record` writes, `recorded:` reads, and the cache is.

A row is one answer, by the hash of everything that decides it. `number` counts how often a question was asked in a
run: above temperature 0 the second answer may differ from the first. Neither credentials nor questions are kept.

APIs tell the time and count their requests, so a question that quotes what one answered is hardly ever asked again to
the letter. A record therefore has a second hash (`likeness`), which leaves out the numbers, times and ids in what is
quoted, with a checksum of each of them: a replay takes the answer to the question that differs least.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from docrev.errors import DocrevError, InputError
from docrev.json_values.canonical import digest
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.storage.checksums import sealed
from docrev.storage.sqlite import Database, FileKind, open_reading, open_writing

_QUOTED = re.compile(r"<([a-z]+)-[0-9a-f]{8}>\n(.*?)\n</\1-[0-9a-f]{8}>", re.S)
_VOLATILE = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[0-9:.,]*(?:Z|[+-]\d\d:?\d\d)?"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\d+(?:\.\d+)?"
)


def _first_layout(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE answers (key TEXT NOT NULL, number INTEGER NOT NULL, prompt TEXT NOT NULL,"
        " run TEXT NOT NULL, error TEXT NOT NULL, text TEXT NOT NULL, tokens_in INTEGER NOT NULL,"
        " tokens_out INTEGER NOT NULL, finish TEXT NOT NULL, refusal TEXT NOT NULL, likeness TEXT, marks TEXT,"
        " checksum INTEGER, tokens_cached INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (key, number))"
    )
    db.execute("CREATE INDEX by_likeness ON answers (likeness) WHERE likeness IS NOT NULL")
    db.execute(
        "CREATE TABLE seats (role TEXT PRIMARY KEY, model TEXT NOT NULL, temperature REAL NOT NULL,"
        " seed INTEGER NOT NULL, max_tokens INTEGER NOT NULL, checksum INTEGER)"
    )


_SEALED = {
    "answers": "key, number, prompt, run, error, text, tokens_in, tokens_out, finish, refusal, likeness, marks,"
    " tokens_cached",
    "seats": "role, model, temperature, seed, max_tokens",
}

ANSWERS = FileKind(
    application_id=0x646F636D,  # "docm" in ASCII
    migrations=(_first_layout,),
    noun="answers file",
    elsewhere="name another file",
    anew="move it away, or name one that --record wrote",
    sealed=_SEALED,
)


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


def _hash(request: CompletionRequest, messages: object, name: str, settings: CompletionSettings) -> str:
    settings = settings.of_vote(request.vote)
    decides = [request.prompt, messages, request.schema, request.max_tokens, name, settings.temperature, settings.seed]
    return digest(decides)


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
    StoreError if the disk is full or the file damaged.
    """

    def __init__(self, database: Database, *, writes: bool) -> None:
        self._db, self.path, self.writes = database, database.path, writes
        self.records = False

    @classmethod
    def open(cls, path: Path | str, *, write: bool) -> Answers:
        """Open the file, and make it if it is to be written and is not there.

        Raises InputError if there is nothing to read, LockedError if it is read-only, StoreError if it is
        damaged, of a newer version, or not a file of answers.
        """
        path = Path(path)
        if path.is_dir():
            raise InputError("a folder, not a file of answers", where=str(path), fix="name a file")
        if not write and not path.is_file():
            raise InputError("no such file of recorded answers", where=str(path), fix="record one with --record")
        return cls(open_writing(path, ANSWERS) if write else open_reading(path, ANSWERS), writes=write)

    def get(self, key: str, number: int = 0) -> Kept | None:
        """The answer to a question that was asked `number` times before."""
        rows = self._db.rows(
            "SELECT text, tokens_in, tokens_out, finish, refusal, tokens_cached, run, error FROM answers"
            " WHERE key = ? AND number = ?",
            (key, number),
        )
        if not rows:
            return None
        text, tokens_in, tokens_out, finish, refusal, tokens_cached, run, error = rows[0]
        answered = Completion(
            json.loads(text), tokens_in, tokens_out, finish, json.loads(refusal), tokens_cached=tokens_cached
        )
        return Kept(answered, run, error)

    def near(self, like: Likeness, number: int = 0) -> Kept | None:
        """The answer to the question that differs least from one, by at most half of what they may differ in."""
        rows = self._db.rows("SELECT key, marks FROM answers WHERE likeness = ? AND number = ?", (like.key, number))
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
        self._db.rows(
            f"INSERT OR REPLACE INTO answers ({_SEALED['answers']}, checksum)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            sealed(
                *(key, number, prompt, kept.run, kept.error.encode(errors="replace").decode()),
                *(json.dumps(given.text), given.tokens_in, given.tokens_out, given.finish, json.dumps(given.refusal)),
                *((None, None) if like is None else (like.key, json.dumps(like.marks))),
                given.tokens_cached,
            ),
        )

    def seats(self) -> dict[str, Seat]:
        """Who answered, by role."""
        rows = self._db.rows("SELECT role, model, temperature, seed, max_tokens FROM seats ORDER BY role", ())
        return {
            role: Seat(model, CompletionSettings(temperature=temperature, seed=seed, max_tokens=max_tokens))
            for role, model, temperature, seed, max_tokens in rows
        }

    def seat(self, role: str, seat: Seat) -> None:
        """Keep who answers the questions of `role`."""
        settings = seat.settings
        with self._db.transaction():
            self._db.execute(
                "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, NULL)",
                (role, seat.name, settings.temperature, settings.seed, settings.max_tokens),
            )
            self._db.seal("seats", "role = ?", (role,))

    def close(self) -> None:
        """Close it, as one file without a log beside it unless another process still has it open."""
        if self.writes:
            with suppress(DocrevError):
                self._db.rows("PRAGMA journal_mode = DELETE")
        self._db.close()
