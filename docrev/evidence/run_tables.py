"""The tables of one run: records by their ID, counters, and the requests that were about to be sent."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import PLACEHOLDER
from docrev.evidence import codec
from docrev.evidence.calls import CallTable
from docrev.json_values.canonical import compact
from docrev.records import Arguments, Call, Json, OperationKey
from docrev.storage.checksums import sealed
from docrev.storage.sqlite import Database

# An update in place keeps the row's number, and with it the order of first writing.
UPSERT = "ON CONFLICT (run, id) DO UPDATE SET record = excluded.record, checksum = excluded.checksum"
PUT = {
    table: f"INSERT INTO {table} (id, run, record, checksum) VALUES (?, ?, ?, ?) {UPSERT}"
    for table in ("scenarios", "solutions", "experiences", "journal", "intents", "missed", "trajectories")
}
_COUNT = (
    "INSERT INTO counters (run, name, value) VALUES (?, ?, ?)"
    " ON CONFLICT (run, name) DO UPDATE SET value = value + excluded.value"
)
_DIGITS = re.compile(r"(\d+)")


def natural(id: str) -> list[tuple[int, str | int]]:
    """A sort key that puts `s2` before `s10` and `0.9` before `0.10`."""
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in _DIGITS.split(id) if part]


@dataclass(frozen=True, slots=True)
class Run:
    """One exploration. `resumed`: it had been begun before; `summary` is what `finish` was given.

    `nonce` is what stands in the run's own names on the wire, see `docrev.conventions.run_names`.
    """

    id: int
    digest: str
    settings: dict[str, Json]
    resumed: bool = False
    finished: bool = False
    summary: dict[str, Json] | None = None
    nonce: str = PLACEHOLDER
    pruned: bool = False
    """Calls were removed since: the run cannot go on."""


_UNFORESEEN = "unforeseen"


@dataclass(frozen=True, slots=True)
class Intent:
    """An unsafe request that was about to be sent: `id` is that of the call it becomes.

    `consent`: it goes to what the run did not create, since the user consented to that. `unforeseen`: nothing said that
    it changes what the run did not create, and it had.
    """

    id: str
    key: OperationKey
    arguments: dict[str, Json]
    consent: bool = False
    unforeseen: bool = False


class RunTables:
    """Everything that is written or read belongs to one run."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._run: Run | None = None
        self._calls: CallTable | None = None

    @property
    def run(self) -> Run:
        """The run that everything is read from and written to."""
        assert self._run is not None, "begin() or select() a run first"
        return self._run

    @property
    def _table(self) -> CallTable:
        assert self._calls is not None, "begin() or select() a run first"
        return self._calls

    def count(self, name: str, by: int = 1) -> None:
        """Add to a counter of the run."""
        with self._db.transaction():
            self._db.execute(_COUNT, (self.run.id, name, by))
            self._db.seal("counters", "run = ? AND name = ?", (self.run.id, name))

    def counters(self) -> dict[str, int]:
        sql = "SELECT name, value FROM counters WHERE run = ? ORDER BY name"
        return dict(self._db.rows(sql, (self.run.id,)))

    def _put(self, table: str, id: str, data: object) -> None:
        self._db.execute(PUT[table], sealed(codec.plain(id), self.run.id, compact(data)))

    def _records(self, table: str, *, by_id: bool = True) -> list[tuple[str, Any]]:
        """Ids and records of a table, in the natural order of ids, or in that of their first writing."""
        order = "" if by_id else "ORDER BY rowid"
        rows = self._db.rows(f"SELECT id, record FROM {table} WHERE run = ? {order}", (self.run.id,))
        if by_id:
            rows.sort(key=lambda row: natural(row[0]))
        return [(id, json.loads(record)) for id, record in rows]

    def copy_records(self, other: RunTables, *tables: str) -> None:
        """Put the records of another run as they are; those whose order means something in that order."""
        for table in tables:
            for id, data in other._records(table, by_id=table not in ("journal", "intents")):
                self._put(table, id, data)

    # Intents

    def put_intent(self, id: str, key: OperationKey, arguments: Arguments, *, consent: bool = False) -> None:
        """Note that an unsafe request is about to be sent, whose call will be `id`."""
        self._put("intents", id, [key, dict(arguments), *([True] if consent else [])])

    def intents(self) -> list[Intent]:
        """The requests that were about to be sent and whose answer was never written, in order."""
        return [intent for intent in self._all_intents() if not self._table.kept(intent.id)]

    def unsettled(self) -> tuple[list[Intent], int]:
        """The unsafe requests of a run that was cut off of which nobody knows yet what came: those without an answer,
        and the last one; and how many unsafe requests there were.
        """
        sent = [intent for intent in self._all_intents() if intent.key.method not in SAFE_METHODS]
        answered = [intent for intent in sent if self._table.kept(intent.id)]
        lost = [intent for intent in sent if not self._table.kept(intent.id)]
        return [*answered[-1:], *lost], len(sent)

    def put_unforeseen(self, call: Call) -> None:
        """Note that a call had changed what the run did not create, though nothing said that it would."""
        self._put("intents", call.id, [call.key, dict(call.arguments), _UNFORESEEN])

    def changing(self) -> list[Intent]:
        """The requests that may have changed what the run did not create: by consent, or unforeseen; in order."""
        return [intent for intent in self._all_intents() if intent.consent or intent.unforeseen]

    def _all_intents(self) -> list[Intent]:
        rows = self._records("intents", by_id=False)
        return [
            Intent(id, codec.key_from(key), arguments, more == [True], more == [_UNFORESEEN])
            for id, (key, arguments, *more) in rows
        ]
