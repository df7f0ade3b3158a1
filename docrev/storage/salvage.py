"""What is intact in a damaged SQLite file: every row that can be read and is as it was written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from docrev.storage.checksums import COLUMN, Sealed, as_written, has_damage

_NAMED = 3
"""Rows that a message names; it counts the others."""


@dataclass
class Damage:
    """What could not be saved: rows by table and name, and what SQLite says of the file itself, if it is not whole."""

    verdict: str = ""
    rows: list[str] = field(default_factory=list)
    saved: int = 0

    def __str__(self) -> str:
        more = f" and {len(self.rows) - _NAMED} more" if len(self.rows) > _NAMED else ""
        parts = [self.verdict] if self.verdict else []
        if self.rows:
            parts.append(f"not what was written: {', '.join(self.rows[:_NAMED])}{more}")
        return "; ".join(parts)


def verdict(connection: sqlite3.Connection) -> str:
    """What SQLite finds wrong with the structure of a file; "" if it is whole. Raises sqlite3.Error."""
    try:
        text = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        # Of some pages, such as those of an index, the check itself breaks off.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        return str(error)
    return "" if text == "ok" else text.splitlines()[-1]


def is_damaged(connection: sqlite3.Connection, tables: Sealed) -> bool:
    """Whether a row is not what was written, or cannot be read."""
    try:
        return has_damage(connection, tables)
    except (sqlite3.Error, UnicodeDecodeError):
        return True


def salvage(damaged: sqlite3.Connection, whole: sqlite3.Connection, tables: Sealed) -> Damage:
    """Copy every row that is what was written to a database that has the same empty tables."""
    damaged.text_factory = lambda text: text.decode(errors="surrogateescape")
    damage = Damage(verdict(damaged))
    whole.execute("BEGIN")
    for table, columns in tables.items():
        # Without the numbers of rows, which have no checksum.
        names = f"{columns}, {COLUMN}"
        query = f"SELECT {names}, {as_written(damaged, table, columns)} FROM {table} NOT INDEXED"
        put = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(names.split(',')))})"
        for *row, is_whole in _rows(damaged, table, query):
            if is_whole:
                damage.saved += whole.execute(put, row).rowcount
            else:
                damage.rows.append(f"{table} {row[0]}")
    whole.execute("COMMIT")
    return damage


def _rows(damaged: sqlite3.Connection, table: str, query: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table, as far as they can be read: from its beginning, and if that breaks off, from its end too."""
    behind: list[tuple[Any, ...]] = []
    try:
        yield from damaged.execute(query)
    except sqlite3.Error:
        with suppress(sqlite3.Error):
            behind.extend(damaged.execute(f"{query} ORDER BY {_backwards(damaged, table)}"))
    yield from reversed(behind)


def _backwards(damaged: sqlite3.Connection, table: str) -> str:
    """The order in which a table is stored, from its end."""
    keys = [(row[5], row[1]) for row in damaged.execute(f"PRAGMA table_info({table})") if row[5]]
    try:
        damaged.execute(f"SELECT rowid FROM {table} LIMIT 0")
    except sqlite3.OperationalError:
        return ", ".join(f"{name} DESC" for _, name in sorted(keys))
    return "rowid DESC"
