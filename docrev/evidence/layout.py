"""The layout of the database of evidence, and its history: one function a version.

`PRAGMA user_version` is the number of those applied. One that has been released is never changed; the next one is added
behind it, in `EVIDENCE`.
"""

from __future__ import annotations

import sqlite3

from docrev.evidence.codec import SEALED_COLUMNS
from docrev.storage.checksums import seal
from docrev.storage.sqlite import FileKind

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


def first_layout(db: sqlite3.Connection) -> None:
    """Runs; their calls, scenarios, search trees, experiences and facts; what they must know to go on and to clean up
    (journal, intents, what they missed, counters); and what agents did for the tasks of a benchmark, compressed.

    Journal and intents keep row numbers: the order of first writing means something there. The index of calls by place
    has all that tells how calls ended: counting them reads nothing else.
    """
    db.execute(
        "CREATE TABLE runs (id INTEGER PRIMARY KEY, digest TEXT NOT NULL, settings TEXT NOT NULL,"
        " used INTEGER NOT NULL, finished INTEGER NOT NULL DEFAULT 0, summary TEXT,"
        " nonce TEXT NOT NULL DEFAULT '00000000', pruned INTEGER NOT NULL DEFAULT 0, checksum INTEGER)"
    )
    db.execute(
        "CREATE TABLE calls (number INTEGER PRIMARY KEY, run INTEGER NOT NULL, id TEXT NOT NULL, tool TEXT NOT NULL,"
        " operation TEXT NOT NULL, purpose TEXT NOT NULL, scenario TEXT, status INTEGER, error TEXT,"
        " detail TEXT NOT NULL, url TEXT NOT NULL, arguments TEXT NOT NULL, headers TEXT NOT NULL,"
        " media_type TEXT NOT NULL, size INTEGER NOT NULL, body, sampled INTEGER NOT NULL DEFAULT 0, redirected TEXT,"
        " checksum INTEGER)"
    )
    db.execute("CREATE UNIQUE INDEX calls_by_id ON calls (run, id)")
    db.execute("CREATE INDEX calls_by_place ON calls (run, purpose, tool, operation, id, status, error)")
    db.execute(
        "CREATE TABLE pruned_calls (run INTEGER NOT NULL, purpose TEXT NOT NULL, tool TEXT NOT NULL,"
        " operation TEXT NOT NULL, status INTEGER, error TEXT, calls INTEGER NOT NULL, checksum INTEGER)"
    )
    db.execute(
        "CREATE TABLE counters (run INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, checksum INTEGER,"
        " PRIMARY KEY (run, name)) WITHOUT ROWID"
    )
    for table, columns, rows in (
        ("nodes", "scenario TEXT NOT NULL, strategy TEXT NOT NULL, record TEXT NOT NULL", " WITHOUT ROWID"),
        ("facts", "kind TEXT NOT NULL, kept INTEGER NOT NULL, record TEXT NOT NULL", " WITHOUT ROWID"),
        *((table, "record TEXT NOT NULL", " WITHOUT ROWID") for table in ("scenarios", "solutions", "experiences")),
        ("trajectories", "record BLOB NOT NULL", " WITHOUT ROWID"),
        *((table, "record TEXT NOT NULL", "") for table in ("journal", "intents", "missed")),
    ):
        db.execute(
            f"CREATE TABLE {table} (run INTEGER NOT NULL, id TEXT NOT NULL, {columns}, checksum INTEGER,"
            f" PRIMARY KEY (run, id)){rows}"
        )


EVIDENCE = FileKind(
    application_id=0x646F6372,  # "docr" in ASCII
    migrations=(first_layout,),
    noun="evidence file",
    elsewhere="choose another folder with --out",
    anew="move the file away and explore again",
    sealed=_SEALED,
    mend=drop_dangling,
)
