"""The tables of one run whose records have an ID: what it created, was about to send, and what agents did."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.run_names import PLACEHOLDER
from docrev.evidence import codec
from docrev.evidence.calls import CallTable
from docrev.json_values.canonical import compact
from docrev.records import Arguments, Call, JournalItem, Json, OperationKey, Trajectory
from docrev.storage.checksums import sealed
from docrev.storage.sqlite import Database

# An update in place keeps the row's number, and with it the order of first writing.
UPSERT = "ON CONFLICT (run, id) DO UPDATE SET record = excluded.record, checksum = excluded.checksum"
RecordKind = Literal["scenarios", "solutions", "experiences", "journal", "intents", "missed", "trajectories"]
_BY_CREATION = ("journal", "intents")
"""Kinds whose order of first writing means something; others are read in the natural order of their IDs."""
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


class RecordTable:
    """The records of one kind that one run has, by their IDs."""

    def __init__(self, database: Database, run: int, kind: RecordKind) -> None:
        self._db, self._run, self._kind = database, run, kind
        self._put = f"INSERT INTO {kind} (id, run, record, checksum) VALUES (?, ?, ?, ?) {UPSERT}"

    def put_record(self, id: str, record: str | bytes) -> None:
        self._db.execute(self._put, sealed(codec.plain(id), self._run, record))

    def put_data(self, id: str, data: object) -> None:
        self.put_record(id, compact(data))

    def record(self, id: str) -> Any:
        """What was put, as text or bytes; None if nothing was."""
        rows = self._db.rows(f"SELECT record FROM {self._kind} WHERE run = ? AND id = ?", (self._run, codec.plain(id)))
        return rows[0][0] if rows else None

    def all_data(self) -> list[tuple[str, Any]]:
        """The IDs and data, in the natural order of IDs, or in that of their first writing."""
        by_creation = self._kind in _BY_CREATION
        order = "ORDER BY rowid" if by_creation else ""
        rows = self._db.rows(f"SELECT id, record FROM {self._kind} WHERE run = ? {order}", (self._run,))
        if not by_creation:
            rows.sort(key=lambda row: natural(row[0]))
        return [(id, json.loads(record)) for id, record in rows]


class Intents(RecordTable):
    """The unsafe requests that were about to be sent, in order."""

    def __init__(self, database: Database, run: int, calls: CallTable) -> None:
        super().__init__(database, run, "intents")
        self._calls = calls

    def put(self, id: str, key: OperationKey, arguments: Arguments, *, consent: bool = False) -> None:
        """Note that an unsafe request is about to be sent, whose call will be `id`."""
        self.put_data(id, [key, dict(arguments), *([True] if consent else [])])

    def put_unforeseen(self, call: Call) -> None:
        """Note that a call had changed what the run did not create, though nothing said that it would."""
        self.put_data(call.id, [call.key, dict(call.arguments), _UNFORESEEN])

    def unanswered(self) -> list[Intent]:
        """The requests whose answer was never written."""
        return [intent for intent in self._all() if not self._calls.kept(intent.id)]

    def unsettled(self) -> tuple[list[Intent], int]:
        """The unsafe requests of a run that was cut off of which nobody knows yet what came: those without an answer,
        and the last one; and how many unsafe requests there were.
        """
        sent = [intent for intent in self._all() if intent.key.method not in SAFE_METHODS]
        answered = [intent for intent in sent if self._calls.kept(intent.id)]
        lost = [intent for intent in sent if not self._calls.kept(intent.id)]
        return [*answered[-1:], *lost], len(sent)

    def changing(self) -> list[Intent]:
        """The requests that may have changed what the run did not create: by consent, or unforeseen."""
        return [intent for intent in self._all() if intent.consent or intent.unforeseen]

    def _all(self) -> list[Intent]:
        return [
            Intent(id, codec.key_from(key), arguments, more == [True], more == [_UNFORESEEN])
            for id, (key, arguments, *more) in self.all_data()
        ]


class JournalTable(RecordTable):
    """What the run created, in the order of creation."""

    def __init__(self, database: Database, run: int, calls: CallTable) -> None:
        super().__init__(database, run, "journal")
        self._calls = calls
        # What a run that goes on knows of its journal; None: all of it.
        self._shown: dict[str, JournalItem] | None = None

    def conceal(self) -> None:
        """Show no item before it is put again."""
        self._shown = {}

    def reveal(self) -> None:
        """Show all items."""
        self._shown = None

    def put(self, item: JournalItem, *, again: bool = False) -> None:
        """Keep an item; a later state of the same item takes its place.

        `again`: an earlier process of this run may have kept it, and a later state of it, which is not undone.
        """
        if self._shown is not None:
            self._shown[item.id] = item
        if not again or not self._kept_later(item):
            self.adopt(item)

    def adopt(self, item: JournalItem) -> None:
        """Keep an item that the run itself is not to know of."""
        self.put_data(item.id, codec.item_json(item))

    def items(self) -> list[JournalItem]:
        """The items this run created, without what is concealed."""
        return [*self._shown.values()] if self._shown is not None else self.kept_items()

    def kept_items(self) -> list[JournalItem]:
        """The items that all processes of this run created."""
        return [codec.item_from(data) for _, data in self.all_data()]

    def _kept_later(self, item: JournalItem) -> bool:
        """Whether what is kept of an item is as late a state as this one, or later."""
        record = self.record(item.id)
        if record is None:
            return False
        kept = codec.item_from(json.loads(record))
        if kept.call != item.call:
            # Created anew: by a call that this process has not come to, or by one that it has passed.
            return self._calls.kept(kept.call) and kept.call not in self._calls
        return (kept.deleted, kept.confirmed) >= (item.deleted, item.confirmed)


class Trajectories(RecordTable):
    """What a runner did for tasks; the run is of one runner with one model on one set of documents."""

    def __init__(self, database: Database, run: int) -> None:
        super().__init__(database, run, "trajectories")

    def put(self, trajectory: Trajectory) -> None:
        self.put_record(trajectory.task, codec.trajectory_row(trajectory))

    def __iter__(self) -> Iterator[Trajectory]:
        """Trajectories by task, one at a time: what was read is not kept."""
        return map(self.get, self.attempted())

    def get(self, task: str) -> Trajectory:
        """The trajectory of a task that was `attempted`."""
        return codec.trajectory_from(self.record(task))

    def attempted(self) -> list[str]:
        """The tasks that have a trajectory."""
        rows = self._db.rows("SELECT id FROM trajectories WHERE run = ?", (self._run,))
        return sorted((id for (id,) in rows), key=natural)
