"""The calls of a run: all on disk, how each ended in memory, and the contents of the latest few.

Exploration asks many times a second which calls there are, and reads the same few again. The entries (200 bytes a
call) answer the first without the disk; a bounded memory of decoded calls the second.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from docrev.evidence import codec
from docrev.json_values.sampling import weight
from docrev.records import Call, OperationKey, Purpose
from docrev.storage.sqlite import Database

PURPOSES: tuple[Purpose, ...] = ("survey", "scenario", "probe", "replay", "clean-up")

# The weight of the decoded calls that are kept in memory; as Python objects some 100 bytes for each unit.
_MEMORY = 400_000

_SMALL = 2**14
_BYTES_PER_VALUE = 20

# A `number` of None takes the next free one; that of a call which is there already replaces it.
_PUT = f"INSERT OR REPLACE INTO calls (number, run, {codec.CALL_COLUMNS}) VALUES ({', '.join('?' * 18)})"
_GET = f"SELECT {codec.CALL_COLUMNS} FROM calls WHERE number = ?"
_ENTRIES = "SELECT number, id, tool, operation, purpose, status, error, scenario FROM calls WHERE run = ?"


class CallEntry(NamedTuple):
    """How a call ended. `rank` is the place of its purpose in `PURPOSES`: entries sort as calls are listed."""

    rank: int
    key: OperationKey
    id: str
    status: int | None
    error: str | None
    scenario: str | None

    @property
    def purpose(self) -> Purpose:
        return PURPOSES[self.rank]

    @property
    def ok(self) -> bool:
        return self.error is None and self.status is not None and 200 <= self.status < 300


class CallTable(Mapping[str, Call]):
    """Calls by id. Those that are concealed are on disk, and not among them until they are recalled."""

    def __init__(self, database: Database, run: int) -> None:
        self._db, self._run = database, run
        self._entries: dict[str, CallEntry] = {}
        self._concealed: dict[str, CallEntry] = {}
        self._numbers: dict[str, int] = {}
        self._by_key: dict[OperationKey, dict[str, CallEntry]] = {}
        self._recent: dict[str, Call] = {}
        self._held = 0
        keys: dict[OperationKey, OperationKey] = {}
        for number, id, tool, operation, purpose, *end in database.rows(_ENTRIES, (run,)):
            key = OperationKey(tool, operation)
            self._numbers[id] = number
            self._add(CallEntry(PURPOSES.index(purpose), keys.setdefault(key, key), id, *end))

    def put(self, call: Call) -> None:
        """Write `call`, then remember it: what is in memory is on disk."""
        row = (self._numbers.get(call.id), self._run, *codec.call_row(call))
        self._numbers[call.id] = self._db.execute(_PUT, row)
        self._remember(call)
        rank = PURPOSES.index(call.purpose)
        self._add(CallEntry(rank, call.key, call.id, call.status, call.error, call.scenario))

    def conceal(self) -> None:
        """Show none of the calls before it is recalled, or put again."""
        for entry in [*self._entries.values()]:
            del self._entries[entry.id], self._by_key[entry.key][entry.id]
            self._concealed[entry.id] = entry

    def recall(self, id: str) -> Call | None:
        """The call, concealed or not; from now on it is shown. None if there is none."""
        if (entry := self._concealed.pop(id, None)) is not None:
            self._add(entry)
        return self.get(id)

    def reveal(self) -> None:
        """Show all calls."""
        for id in [*self._concealed]:
            self.recall(id)

    def kept(self, id: str) -> bool:
        """Whether there is such a call, concealed or not."""
        return id in self._numbers

    def __getitem__(self, id: str) -> Call:
        if id not in self._entries:
            raise KeyError(id)
        call = self._recent.get(id)
        if call is None:
            call = self._read(id)
            self._remember(call)
        return call

    def _read(self, id: str) -> Call:
        try:
            return codec.call_from(self._db.rows(_GET, (self._numbers[id],))[0])
        except (ValueError, zlib.error) as error:
            raise self._db.damaged(f"call {id}: {error}") from error

    def __contains__(self, id: object) -> bool:
        return id in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def order(self) -> dict[str, int]:
        """A number for each call, by its id: what was written before has a smaller one."""
        return {id: self._numbers[id] for id in self._entries}

    def entries(self, key: OperationKey | None = None) -> Iterable[CallEntry]:
        return (self._entries if key is None else self._by_key.get(key, {})).values()

    def select(self, purpose: Purpose | None, key: OperationKey | None, ok: bool | None) -> Iterator[Call]:
        """The calls that match, by purpose, tool, operation, id."""
        chosen = [
            entry
            for entry in self.entries(key)
            if (purpose is None or entry.purpose == purpose) and (ok is None or entry.ok == ok)
        ]
        for entry in sorted(chosen, key=lambda entry: entry[:3]):
            yield self[entry.id]

    def _add(self, entry: CallEntry) -> None:
        self._concealed.pop(entry.id, None)
        self._entries[entry.id] = entry
        self._by_key.setdefault(entry.key, {})[entry.id] = entry

    def _remember(self, call: Call) -> None:
        old = self._recent.pop(call.id, None)
        self._held += response_weight(call) - (response_weight(old) if old else 0)
        self._recent[call.id] = call
        while self._held > _MEMORY and len(self._recent) > 1:
            oldest = next(iter(self._recent))
            self._held -= response_weight(self._recent.pop(oldest))


def response_weight(call: Call) -> int:
    """How much the response of a call weighs, as in `docrev.json_values.sampling`; with its headers and arguments."""
    # What is larger may be a few long texts or a hundred thousand empty objects: its values are counted.
    return call.size // _BYTES_PER_VALUE + 20 if call.size <= _SMALL else call.read(_body_weight) + 20


def _body_weight(call: Call) -> int:
    return weight(call.body)
