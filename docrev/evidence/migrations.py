"""The history of the database: one function a version, in order. `PRAGMA user_version` is the number of those applied.

A migration that has been released is never changed; the next one is added below it.
"""

from __future__ import annotations

import sqlite3

from docrev.evidence.codec import SEALED_COLUMNS
from docrev.storage.checksums import COLUMN, expression, seal
from docrev.storage.sqlite import FileKind, Migration

MIGRATIONS: list[Migration] = []

_WITHOUT_REDIRECTS = (
    "id, tool, operation, purpose, scenario, status, error, detail, url, arguments, headers, media_type, size, body,"
    " sampled, run"
)
"""What the checksum of a call was about before it was kept where redirects had led."""
_SEALED = {
    "runs": "id, digest, settings, used, finished, summary, nonce, pruned",
    "calls": SEALED_COLUMNS,
    "nodes": "id, run, scenario, strategy, record",
    "facts": "id, run, kind, kept, record",
    "counters": "name, run, value",
    "pruned_calls": "operation, run, purpose, tool, status, error, calls",
    **dict.fromkeys(
        ("scenarios", "solutions", "experiences", "journal", "intents", "missed", "trajectories"), "id, run, record"
    ),
}


def drop_dangling(db: sqlite3.Connection) -> None:
    """Take out what refers to rows that are lost: facts to their calls, nodes to theirs, solutions to their nodes.

    A run whose own row is lost gets one without settings, so that its calls can be read, and that it goes on nowhere.
    """
    for table in ("calls", "journal", "facts"):
        db.execute(
            f"INSERT OR IGNORE INTO runs (id, digest, settings, used) SELECT DISTINCT run, '', '{{}}', run FROM {table}"
        )
    db.execute(seal("runs", _SEALED["runs"]))
    for member in ("calls", "replays"):
        db.execute(
            f"DELETE FROM facts WHERE EXISTS (SELECT 1 FROM json_each(record, '$.{member}') AS named"
            " WHERE (facts.run, named.value) NOT IN (SELECT run, id FROM calls))"
            " AND run NOT IN (SELECT id FROM runs WHERE pruned)"
        )
    db.execute(
        "DELETE FROM nodes WHERE json_type(record, '$.call') = 'text'"
        " AND (run, json_extract(record, '$.call')) NOT IN (SELECT run, id FROM calls)"
    )
    db.execute(
        "DELETE FROM solutions WHERE EXISTS (SELECT 1 FROM json_each(record, '$.nodes') AS member"
        " WHERE (solutions.run, member.value) NOT IN (SELECT run, id FROM nodes))"
    )


EVIDENCE = FileKind(
    application_id=0x646F6372,  # "docr" in ASCII
    migrations=MIGRATIONS,
    noun="evidence file",
    elsewhere="choose another folder with --out",
    anew="move the file away and explore again",
    sealed=_SEALED,
    mend=drop_dangling,
)


def migration(function: Migration) -> Migration:
    """Register `function` as the step from version `len(MIGRATIONS)` to the next."""
    MIGRATIONS.append(function)
    return function


@migration
def exploration(db: sqlite3.Connection) -> None:
    """Runs, and what exploring leaves: calls, scenarios, search trees, experiences, facts.

    Calls have no index by id: the writer knows them all, and one page less is written a call (17 µs, not 27).
    """
    db.execute(
        "CREATE TABLE runs (id INTEGER PRIMARY KEY, digest TEXT NOT NULL, settings TEXT NOT NULL,"
        " used INTEGER NOT NULL, finished INTEGER NOT NULL DEFAULT 0, summary TEXT)"
    )
    db.execute(
        "CREATE TABLE calls (number INTEGER PRIMARY KEY, run INTEGER NOT NULL, id TEXT NOT NULL, tool TEXT NOT NULL,"
        " operation TEXT NOT NULL, purpose TEXT NOT NULL, scenario TEXT, status INTEGER, error TEXT,"
        " detail TEXT NOT NULL, url TEXT NOT NULL, arguments TEXT NOT NULL, headers TEXT NOT NULL,"
        " media_type TEXT NOT NULL, size INTEGER NOT NULL, body)"
    )
    db.execute(
        "CREATE TABLE nodes (run INTEGER NOT NULL, id TEXT NOT NULL, scenario TEXT NOT NULL, strategy TEXT NOT NULL,"
        " record TEXT NOT NULL, PRIMARY KEY (run, id)) WITHOUT ROWID"
    )
    for table in ("scenarios", "solutions", "experiences"):
        db.execute(
            f"CREATE TABLE {table} (run INTEGER NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL,"
            " PRIMARY KEY (run, id)) WITHOUT ROWID"
        )
    db.execute(
        "CREATE TABLE facts (run INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, kept INTEGER NOT NULL,"
        " record TEXT NOT NULL, PRIMARY KEY (run, id)) WITHOUT ROWID"
    )


@migration
def bookkeeping(db: sqlite3.Connection) -> None:
    """What a run must know to go on and to clean up: journal, intents, what it missed, counters.

    Journal and intents keep row numbers: the order of first writing means something there.
    """
    for table in ("journal", "intents", "missed"):
        db.execute(
            f"CREATE TABLE {table} (run INTEGER NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL,"
            " PRIMARY KEY (run, id))"
        )
    db.execute(
        "CREATE TABLE counters (run INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,"
        " PRIMARY KEY (run, name)) WITHOUT ROWID"
    )


@migration
def benchmarks(db: sqlite3.Connection) -> None:
    """What agents did for the tasks of a benchmark: a trajectory a row, compressed."""
    db.execute(
        "CREATE TABLE trajectories (run INTEGER NOT NULL, id TEXT NOT NULL, record BLOB NOT NULL,"
        " PRIMARY KEY (run, id)) WITHOUT ROWID"
    )


@migration
def run_names(db: sqlite3.Connection) -> None:
    """The digits by which a run's own names differ from those of others; earlier runs had none."""
    db.execute("ALTER TABLE runs ADD COLUMN nonce TEXT NOT NULL DEFAULT '00000000'")


@migration
def sampled_bodies(db: sqlite3.Connection) -> None:
    """Whether only a part of a body was kept, and a checksum of each call; earlier calls have none."""
    db.execute("ALTER TABLE calls ADD COLUMN sampled INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE calls ADD COLUMN checksum INTEGER")


@migration
def many_calls(db: sqlite3.Connection) -> None:
    """Indexes of calls, so that nothing of them needs to be in memory; and how those ended that were pruned.

    The index by place has all that tells how calls ended: counting them reads nothing else.
    """
    db.execute("CREATE UNIQUE INDEX calls_by_id ON calls (run, id)")
    db.execute("CREATE INDEX calls_by_place ON calls (run, purpose, tool, operation, id, status, error)")
    db.execute(
        "CREATE TABLE pruned_calls (run INTEGER NOT NULL, purpose TEXT NOT NULL, tool TEXT NOT NULL,"
        " operation TEXT NOT NULL, status INTEGER, error TEXT, calls INTEGER NOT NULL)"
    )
    db.execute("ALTER TABLE runs ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0")


@migration
def checksums(db: sqlite3.Connection) -> None:
    """A checksum in each row of each table."""
    for table, columns in _SEALED.items():
        if table != "calls":
            db.execute(f"ALTER TABLE {table} ADD COLUMN checksum INTEGER")
        db.execute(seal(table, _WITHOUT_REDIRECTS if table == "calls" else columns))


@migration
def followed_redirects(db: sqlite3.Connection) -> None:
    """Where the redirects of a call led; of earlier calls nobody knows. What was damaged before stays so."""
    db.execute("ALTER TABLE calls ADD COLUMN redirected TEXT")
    db.execute(f"{seal('calls', SEALED_COLUMNS)} WHERE {COLUMN} IS {expression(_WITHOUT_REDIRECTS)}")
