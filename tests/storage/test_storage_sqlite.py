"""SQLite files: how they are opened, migrated and locked, and what SQLite's errors become."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from docrev.errors import LockedError, StoreError
from docrev.storage.locks import WriterLock
from docrev.storage.sqlite import Database, FileKind, connect, migrate, open_reading, open_writing


def _first(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE notes (text TEXT)")


def _second(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE notes ADD COLUMN line INTEGER DEFAULT 1")


OLD = FileKind(7, (_first,), "notes file", "choose another", "move it away")
NEW = FileKind(7, (_first, _second), "notes file", "choose another", "move it away")


def test_what_was_written_is_read_and_an_older_version_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / "below" / "notes.db"
    with open_writing(path, OLD) as db, db.transaction():
        assert db.execute("INSERT INTO notes VALUES (?)", ("one",)) == 1
    with open_reading(path, NEW) as db:
        assert db.rows("SELECT text, line FROM notes") == [("one", 1)]
    with open_reading(path, OLD) as db:
        assert db.rows("SELECT * FROM notes") == [("one",)]
    open_writing(path, NEW).close()
    with pytest.raises(StoreError, match="newer docrev"):
        open_reading(path, OLD)


def _write_to_nowhere(db: Database) -> None:
    with db.transaction():
        db.execute("INSERT INTO notes VALUES ('one')")
        db.execute("INSERT INTO nowhere VALUES (1)")


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with open_writing(tmp_path / "notes.db", OLD) as db:
        with pytest.raises(StoreError, match="notes file is damaged"):
            _write_to_nowhere(db)
        assert db.rows("SELECT * FROM notes") == []


CLOSING = """
import sys, threading
from pathlib import Path
from docrev.errors import StoreError
from docrev.storage.sqlite import FileKind, open_reading, open_writing

KIND = FileKind(7, (lambda db: db.execute("CREATE TABLE notes (text TEXT)"),), "notes file", "", "")
path = Path(sys.argv[1])
with open_writing(path, KIND) as db, db.transaction():
    for number in range(5000):
        db.execute("INSERT INTO notes VALUES (?)", (str(number),))

def read(db, reading):
    try:
        while True:
            db.rows("SELECT text FROM notes")
            reading.set()
    except StoreError as error:
        ends.append(str(error))

ends = []
for _ in range(40):
    reading = threading.Event()
    db = open_reading(path, KIND)
    thread = threading.Thread(target=read, args=(db, reading))
    thread.start()
    reading.wait()
    db.close()
    thread.join()
assert len(ends) == 40
"""


def test_closing_waits_for_a_thread_that_reads(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", CLOSING, str(tmp_path / "notes.db")], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    open_writing(tmp_path / "notes.db", OLD).close()
    other = FileKind(8, (_first,), "other file", "choose another", "move it away")
    for opened in (open_writing, open_reading):
        with pytest.raises(StoreError, match="not a docrev other file"):
            opened(tmp_path / "notes.db", other)


def test_a_step_that_another_process_took_is_not_taken_again(tmp_path: Path) -> None:
    one, two = connect(tmp_path / "notes.db"), connect(tmp_path / "notes.db")
    migrate(one, (_first,))
    migrate(two, (_first, _second))
    migrate(one, (_first, _second))
    assert one.execute("PRAGMA user_version").fetchone() == (2,)
    one.close()
    two.close()


def test_an_exclusive_file_names_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    with open_writing(path, OLD, exclusive=True), pytest.raises(LockedError, match=rf"process {os.getpid()}\b"):
        open_writing(path, OLD, exclusive=True)
    open_writing(path, OLD, exclusive=True).close()


def test_a_lock_can_be_taken_again_after_its_release(tmp_path: Path) -> None:
    lock = WriterLock.acquire(tmp_path / "lock")
    lock.release()
    lock.release()
    WriterLock.acquire(tmp_path / "lock").release()
    assert (tmp_path / "lock").exists()
