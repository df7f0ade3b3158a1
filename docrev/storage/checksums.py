"""A checksum in each row: a disk that returns other bytes than it was given is noticed, and the other rows are used."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

COLUMN = "checksum"

Sealed = Mapping[str, str]
"""For each table with a checksum, the columns that it is about."""


def checksum(row: Iterable[object]) -> int:
    """The checksum of the values of a row: texts, whole numbers, bytes and nothing."""
    parts = [*row]
    if bytes not in map(type, parts):
        return zlib.crc32("\0".join(map(str, parts)).encode())
    return zlib.crc32(b"\0".join(part if isinstance(part, bytes) else str(part).encode() for part in parts))


def sealed(*row: Any) -> tuple[Any, ...]:
    """A row with its checksum behind it."""
    return (*row, checksum(row))


def add_function(connection: sqlite3.Connection) -> None:
    """Let the statements of a connection compute checksums."""
    connection.create_function("checksum_of", -1, lambda *row: checksum(row), deterministic=True)


def expression(columns: str) -> str:
    """The checksum of some columns, in SQL. As bytes: text that is damaged may be no text."""
    return f"checksum_of({', '.join(f'CAST({name.strip()} AS BLOB)' for name in columns.split(','))})"


def seal(table: str, columns: str) -> str:
    """The statement that gives rows their checksums, to which a condition may be added."""
    return f"UPDATE {table} SET {COLUMN} = {expression(columns)}"


def as_written(connection: sqlite3.Connection, table: str, columns: str) -> str:
    """The condition, in SQL, that a row is what was written.

    One bit makes bytes of a text: its checksum stays, and so each value is to have the type of its column too.
    """
    declared = {row[1]: row[2] for row in connection.execute(f"PRAGMA table_info({table})")}
    types = [
        f"CAST({name} AS {declared[name]}) IS {name}" for name in map(str.strip, columns.split(",")) if declared[name]
    ]
    return " AND ".join([f"{COLUMN} IS {expression(columns)}", *types])


def has_damage(connection: sqlite3.Connection, tables: Sealed) -> bool:
    """Whether a row is not what was written."""
    return any(
        connection.execute(
            f"SELECT 1 FROM {table} WHERE NOT ({as_written(connection, table, columns)}) LIMIT 1"
        ).fetchone()
        for table, columns in tables.items()
    )
