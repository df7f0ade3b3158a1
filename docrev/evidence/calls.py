"""The calls of a run: all on disk, and the contents of the latest few in memory.

A run may have a million calls, so nothing is kept in memory for each of them but a bit while a run goes on. Two indexes
answer which calls there are; they cost 15 µs a call and a fifth of the file.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from docrev.evidence import codec
from docrev.json_values.sampling import weight
from docrev.records import Call, OperationKey, Purpose
from docrev.storage.sqlite import Database

PURPOSES: tuple[Purpose, ...] = ("observed", "survey", "scenario", "probe", "replay", "clean-up")

# The weight of the decoded calls that are kept in memory; as Python objects some 100 bytes for each unit.
MEMORY = 400_000
READERS_MEMORY = 50_000
"""Where nothing is written, calls are read through in the order of the table, and those that matter are held anyway."""

_SMALL = 2**14
_BYTES_PER_VALUE = 20
_CHUNK = 500
"""Rows that are read together: the calls themselves come one at a time."""

_NAMES = codec.CALL_COLUMNS.split(", ")
_PUT = (
    f"INSERT INTO calls ({codec.CALL_COLUMNS}) VALUES ({', '.join('?' * len(_NAMES))})"
    f" ON CONFLICT (run, id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _NAMES)}"
)
_NUMBER = "SELECT number FROM calls WHERE run = ? AND id = ?"
_ORDER = "SELECT id, number FROM calls WHERE run = ? AND id IN ({marks})"
_GET = f"SELECT {codec.CALL_COLUMNS} FROM calls WHERE run = ? AND id = ?"
_GOOD = "(error IS NULL AND coalesce(status BETWEEN 200 AND 299, 0))"
_LIST = (
    "SELECT tool, operation, id, number FROM calls WHERE run = ? AND purpose = ? AND {place}"
    f" AND number <= ? AND (? IS NULL OR {_GOOD} = ?) ORDER BY tool, operation, id LIMIT {_CHUNK}"
)
_LIST_ALL = _LIST.format(place="(tool, operation, id) > (?, ?, ?)")
_LIST_ONE = _LIST.format(place="tool = ? AND operation = ? AND id > ?")
_LIST_TOOL = _LIST.format(place="tool = ? AND (operation, id) > (?, ?)")
_TOOLS = "SELECT DISTINCT tool FROM calls WHERE run = ? ORDER BY tool"
_LAST = "SELECT coalesce(max(number), 0) FROM calls"
_PRUNED = "run = ? AND id NOT IN (SELECT id FROM needed)"
_TALLY = (
    "INSERT INTO pruned_calls (run, purpose, tool, operation, status, error, calls)"
    " SELECT run, purpose, tool, operation, status, error, count(*)"
    f" FROM calls WHERE {_PRUNED} GROUP BY purpose, tool, operation, status, error"
)
_PRUNE = f"DELETE FROM calls WHERE {_PRUNED}"
_ENDINGS = (
    "SELECT purpose, tool, operation, status, error, sum(calls) FROM"
    " (SELECT purpose, tool, operation, status, error, count(*) AS calls FROM calls WHERE run = ?"
    " GROUP BY purpose, tool, operation, status, error"
    " UNION ALL SELECT purpose, tool, operation, status, error, calls FROM pruned_calls WHERE run = ?)"
    " GROUP BY purpose, tool, operation, status, error"
)
_TIMELINE = (
    "SELECT number, purpose, tool, operation, status, error FROM calls WHERE run = ? AND number > ?"
    f" ORDER BY number LIMIT {_CHUNK}"
)


class Ending(NamedTuple):
    """How a call ended, and what it was of."""

    purpose: Purpose
    key: OperationKey
    status: int | None
    error: str | None

    @property
    def ok(self) -> bool:
        return self.error is None and self.status is not None and 200 <= self.status < 300


class CallTable(Mapping[str, Call]):
    """Calls by id. Those that are concealed are on disk, and not among them until they are recalled."""

    def __init__(self, database: Database, run: int, *, new: bool = False, memory: int = MEMORY) -> None:
        self._db, self._run, self._memory = database, run, memory
        # Of a new run, what is not in memory is nowhere, as long as nothing was forgotten.
        self._remembers_all = new
        # While calls are concealed: which are not, by number.
        self._shown: bytearray | None = None
        self._recent: dict[str, Call] = {}
        self._held = 0

    def put(self, call: Call) -> None:
        """Write `call`, then remember it: what is in memory is on disk."""
        self._db.execute(_PUT, codec.call_row(call, self._run))
        self._remember(call)
        if self._shown is not None:
            self._show(self._number(call.id))

    def conceal(self) -> None:
        """Show none of the calls before it is recalled, or put again."""
        self._shown = bytearray()
        self._forget()

    def recall(self, id: str) -> Call | None:
        """The call, concealed or not; from now on it is shown. None if there is none."""
        if self._shown is not None and id not in self._recent:
            self._show(self._number(id))
        found: Call | None = self.get(id)
        return found

    def reveal(self) -> None:
        """Show all calls."""
        self._shown = None

    def kept(self, id: str) -> bool:
        """Whether there is such a call, concealed or not."""
        return id in self._recent or self._number(id) > 0

    def __getitem__(self, id: str) -> Call:
        call = self._recent.get(id)
        if call is None:
            if id not in self:
                raise KeyError(id)
            call = self._read(id)
            self._remember(call)
        return call

    def get(self, id: str, default: Any = None) -> Any:
        """The call, or the default if there is none: as a mapping has it, and sooner for what is in memory."""
        return self._recent.get(id) or super().get(id, default)

    def __contains__(self, id: object) -> bool:
        return id in self._recent or self._is_shown(self._number(id))

    def __iter__(self) -> Iterator[str]:
        return self._ids(None, _LIST_ALL, ("", "", ""), None)

    def __len__(self) -> int:
        return self.endings().total()

    def order(self, ids: Iterable[str]) -> dict[str, int]:
        """A number for each of these calls: what was made before has a smaller one. Reads between two unsafe calls are
        in the order in which their answers came."""
        found: dict[str, int] = {}
        rest = iter(ids)
        while chunk := [*islice(rest, _CHUNK)]:
            sql = _ORDER.format(marks=", ".join("?" * len(chunk)))
            found |= dict(self._db.rows(sql, (self._run, *chunk)))
        return found

    def endings(self) -> Counter[Ending]:
        """How often calls ended in each way, those that were pruned since among them."""
        if self._shown is not None:
            return Counter(
                Ending(call.purpose, call.key, call.status, call.error) for call in map(self.__getitem__, self)
            )
        keys: dict[OperationKey, OperationKey] = {}
        found: Counter[Ending] = Counter()
        for purpose, tool, operation, status, error, calls in self._db.rows(_ENDINGS, (self._run, self._run)):
            key = OperationKey(tool, operation)
            found[Ending(purpose, keys.setdefault(key, key), status, error)] = calls
        return found

    def timeline(self) -> Iterator[Ending]:
        """How each call ended, in the order in which they were written; those that were pruned are left out."""
        number = 0
        while rows := self._db.rows(_TIMELINE, (self._run, number)):
            yield from (
                Ending(purpose, OperationKey(tool, operation), status, error)
                for _, purpose, tool, operation, status, error in rows
            )
            number = rows[-1][0]

    def select(
        self,
        *,
        purpose: Purpose | None = None,
        key: OperationKey | None = None,
        tool: str | None = None,
        ok: bool | None = None,
    ) -> Iterator[Call]:
        """Calls, by purpose (survey first), tool, operation, id; only those with 2xx if `ok`, others if False.

        One at a time, those that were there when it began: what was read is not kept.
        """
        sql, start = _LIST_ALL, ("", "", "")
        if key is not None:
            sql, start = _LIST_ONE, (codec.plain(key.tool), codec.plain(key.operation), "")
        elif tool is not None:
            sql, start = _LIST_TOOL, (codec.plain(tool), "", "")
        return map(self.__getitem__, self._ids(purpose, sql, start, ok))

    def tools(self) -> list[str]:
        """The tools of all calls that are kept, sorted."""
        return [tool for (tool,) in self._db.rows(_TOOLS, (self._run,))]

    def prune(self) -> int:
        """Remove the calls that are not in the table `needed`; how they ended is still counted."""
        kept = self._db.rows("SELECT count(*) FROM calls WHERE run = ?", (self._run,))[0][0]
        self._db.execute(_TALLY, (self._run,))
        self._db.seal("pruned_calls", "run = ?", (self._run,))
        self._db.execute(_PRUNE, (self._run,))
        self._forget()
        return int(kept - self._db.rows("SELECT count(*) FROM calls WHERE run = ?", (self._run,))[0][0])

    def _ids(self, purpose: Purpose | None, sql: str, start: tuple[str, str, str], ok: bool | None) -> Iterator[str]:
        """The IDs that a list has behind a place: tool, operation, id."""
        [(last,)] = self._db.rows(_LAST)
        for one in PURPOSES if purpose is None else (purpose,):
            place = start
            chunk: list[tuple[str, str, str, int]] = []
            while not chunk or len(chunk) == _CHUNK:
                chunk = self._db.rows(sql, (self._run, one, *place, last, ok, ok))
                if not chunk:
                    break
                yield from (id for *_, id, number in chunk if self._is_shown(number))
                place = chunk[-1][:3]

    def _number(self, id: object) -> int:
        """The number of a call in the table; 0 if there is none."""
        if self._remembers_all and id not in self._recent:
            return 0
        rows = self._db.rows(_NUMBER, (self._run, id))
        return int(rows[0][0]) if rows else 0

    def _is_shown(self, number: int) -> bool:
        if self._shown is None:
            return number > 0
        return number < len(self._shown) and self._shown[number] == 1

    def _show(self, number: int) -> None:
        assert self._shown is not None
        if number >= len(self._shown):
            self._shown.extend(bytes(number + 1 - len(self._shown)))
        # Nothing has the number 0.
        self._shown[number] = number > 0

    def _read(self, id: str) -> Call:
        try:
            return codec.call_from(self._db.rows(_GET, (self._run, id))[0])
        except (ValueError, zlib.error) as error:
            raise self._db.damaged(f"call {id}: {error}") from error

    def _forget(self) -> None:
        self._recent.clear()
        self._held, self._remembers_all = 0, False

    def _remember(self, call: Call) -> None:
        old = self._recent.pop(call.id, None)
        self._held += response_weight(call) - (response_weight(old) if old else 0)
        self._recent[call.id] = call
        while self._held > self._memory and len(self._recent) > 1:
            oldest, self._remembers_all = next(iter(self._recent)), False
            self._held -= response_weight(self._recent.pop(oldest))


def response_weight(call: Call) -> int:
    """How much the response of a call weighs, as in `docrev.json_values.sampling`; with its headers and arguments."""
    # What is larger may be a few long texts or a hundred thousand empty objects: its values are counted.
    return call.size // _BYTES_PER_VALUE + 20 if call.size <= _SMALL else call.read(_body_weight) + 20


def _body_weight(call: Call) -> int:
    return weight(call.body)
