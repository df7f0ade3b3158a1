"""The evidence of one folder: every call and every step of a run, written as it finishes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from docrev.conventions.run_names import PLACEHOLDER, draw_nonce
from docrev.errors import InputError
from docrev.evidence import codec
from docrev.evidence.calls import MEMORY, READERS_MEMORY, CallTable
from docrev.evidence.layout import EVIDENCE
from docrev.evidence.run_tables import (
    UPSERT,
    Intents,
    JournalTable,
    RecordKind,
    RecordTable,
    Run,
    Trajectories,
    natural,
)
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical, compact
from docrev.json_values.canonical import digest as digest_of
from docrev.records import (
    Experience,
    Fact,
    Json,
    Node,
    OperationKey,
    Scenario,
    Solution,
)
from docrev.storage.checksums import sealed
from docrev.storage.sqlite import Database, open_in_memory, open_reading, open_writing

FILE_NAME = "evidence.db"


class Evidence:
    """The store of one folder, at its newest run; everything that is written or read belongs to that run.

    One process writes; any number may read, also while it writes and in folders they cannot write to. What a `put`
    method was given is on disk when it returns (a kill loses nothing). Putting a record again replaces it. Every list
    comes in an order that depends on the records alone, not on when they were put; only the journal keeps the order
    of creation. All methods raise StoreError if the disk is full or the file damaged.
    """

    calls: CallTable
    journal: JournalTable
    intents: Intents
    trajectories: Trajectories

    def __init__(self, database: Database) -> None:
        self._db = database
        self._run: Run | None = None

    @classmethod
    def open(cls, folder: Path | str, *, write: bool, max_bytes: int | None = None) -> Evidence:
        """Open the evidence of `folder`; when writing, create what is missing, and `begin` a run next.

        When reading, the newest run is chosen. `max_bytes` bounds the file's size. Raises InputError if there is
        nothing to read, LockedError if another process writes or the folder is read-only, StoreError if the
        file is damaged or of a newer version.
        """
        path = Path(folder) / FILE_NAME
        if write:
            return cls(open_writing(path, EVIDENCE, exclusive=True, max_bytes=max_bytes))
        _check_folder(path)
        database = open_reading(path, EVIDENCE)
        try:
            evidence = cls(database)
            runs = evidence.runs()
            if not runs:
                raise InputError("no run in this folder", where=str(folder), fix="run docrev explore first")
            evidence.select(runs[-1], memory=READERS_MEMORY)
        except BaseException:
            database.close()
            raise
        return evidence

    @classmethod
    def in_memory(cls) -> Evidence:
        """Evidence of one run that is gone when it is closed."""
        evidence = cls(open_in_memory(EVIDENCE))
        evidence.begin({}, nonce=PLACEHOLDER)
        return evidence

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self._db.path.parent

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Evidence:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Runs

    @property
    def run(self) -> Run:
        """The run that everything is read from and written to."""
        assert self._run is not None, "begin() or select() a run first"
        return self._run

    def _table(self, kind: RecordKind) -> RecordTable:
        return RecordTable(self._db, self.run.id, kind)

    def copy_records(self, other: Evidence, *kinds: RecordKind) -> None:
        """Put the records of another run as they are; those whose order means something in that order."""
        for kind in kinds:
            for id, data in other._table(kind).all_data():
                self._table(kind).put_data(id, data)

    def begin(self, settings: Mapping[str, object], *, fresh: bool = False, nonce: str | None = None) -> Run:
        """Go on with the run of these settings, or start one, whose nonce is drawn unless one is given.

        Settings are what makes "the same command": digests of specs, base URLs, model, strategy, seed, policy.
        `fresh` starts a new run in any case; the old one is kept.
        """
        digest = digest_of(dict(settings), 16)
        same = [run for run in self.runs() if run.digest == digest and not fresh]
        with self._db.transaction():
            [(used,)] = self._db.rows("SELECT coalesce(max(used), 0) + 1 FROM runs")
            if same:
                id = same[-1].id
                self._db.execute("UPDATE runs SET used = ? WHERE id = ?", (used, id))
            else:
                row = (digest, canonical(dict(settings)), used, nonce or draw_nonce())
                id = self._db.execute("INSERT INTO runs (digest, settings, used, nonce) VALUES (?, ?, ?, ?)", row)
            self._db.seal("runs", "id = ?", (id,))
        run = replace(self.runs()[-1], resumed=bool(same))
        self.select(run, new=not same)
        return run

    def runs(self) -> list[Run]:
        """All runs of the folder, the one used last at the end."""
        rows = self._db.rows("SELECT id, digest, settings, finished, summary, nonce, pruned FROM runs ORDER BY used")
        return [
            Run(id, digest, json.loads(settings), True, bool(end), summary and json.loads(summary), nonce, bool(pruned))
            for id, digest, settings, end, summary, nonce, pruned in rows
        ]

    def select(self, run: Run, *, new: bool = False, memory: int = MEMORY) -> None:
        """Make `run` the one that everything is read from and put to; `new`: nothing was put to it yet.

        `memory` is the weight of the calls that stay in memory.
        """
        self._run, self.calls = run, CallTable(self._db, run.id, new=new, memory=memory)
        self.journal = JournalTable(self._db, run.id, self.calls)
        self.intents = Intents(self._db, run.id, self.calls)
        self.trajectories = Trajectories(self._db, run.id)

    def conceal(self) -> None:
        """Show calls and journal as a run that begins anew sees them: each when it is recalled, or put again.

        A run that goes on does what it did before, and must not see what came of it before it has come to that.
        """
        self.calls.conceal()
        self.journal.conceal()

    def reveal(self) -> None:
        """Show everything that is kept."""
        self.calls.reveal()
        self.journal.reveal()

    def finish(self, summary: Mapping[str, Json]) -> None:
        """Mark the run as finished; `begin` with the same settings returns it with this summary."""
        row = (compact(dict(summary)), self.run.id)
        with self._db.transaction():
            self._db.execute("UPDATE runs SET finished = 1, summary = ? WHERE id = ?", row)
            self._db.seal("runs", "id = ?", (self.run.id,))
        self._run = replace(self.run, finished=True, summary=dict(summary))

    def prune(self, needed: Iterable[str]) -> int:
        """Remove the calls of a finished run but for those `needed`, and those that solutions, the journal and consent
        are told by; returns how many. The run cannot go on after that, and its file is as small as it can be.
        """
        assert self.run.finished, "an unfinished run goes on with its calls"
        solved = {node.id: node.call for solution in self.solutions() for node in solution.nodes}
        keep = {call.id for call in solved.values() if call is not None} | {
            item.call for item in self.journal.kept_items()
        }
        keep |= {intent.id for intent in self.intents.changing()} | set(needed)
        with self._db.transaction():
            self._db.execute("CREATE TEMP TABLE needed (id TEXT PRIMARY KEY) WITHOUT ROWID")
            for id in keep:
                self._db.execute("INSERT INTO needed VALUES (?)", (id,))
            removed = self.calls.prune()
            self._db.execute("DELETE FROM intents WHERE run = ? AND id NOT IN (SELECT id FROM needed)", (self.run.id,))
            self._db.execute("DELETE FROM needed")
            for id in solved:
                self._db.execute("INSERT INTO needed VALUES (?)", (codec.plain(id),))
            self._db.execute("DELETE FROM nodes WHERE run = ? AND id NOT IN (SELECT id FROM needed)", (self.run.id,))
            self._db.execute("UPDATE runs SET pruned = 1 WHERE id = ?", (self.run.id,))
            self._db.seal("runs", "id = ?", (self.run.id,))
            self._db.execute("DROP TABLE needed")
        self._run = replace(self.run, pruned=True)
        self._db.execute("VACUUM")
        return removed

    # What exploring leaves

    def put_scenario(self, scenario: Scenario) -> None:
        self._table("scenarios").put_data(scenario.id, codec.scenario_json(scenario))

    def scenarios(self) -> list[Scenario]:
        return [codec.scenario_from(data) for _, data in self._table("scenarios").all_data()]

    def put_node(self, node: Node) -> None:
        self._db.execute(_PUT_NODE, self._node_row(node))

    def put_nodes(self, nodes: Iterable[Node]) -> None:
        """Put nodes together: all of them or none."""
        rows = [self._node_row(node) for node in nodes]
        with self._db.transaction():
            for row in rows:
                self._db.execute(_PUT_NODE, row)

    def _node_row(self, node: Node) -> tuple[Any, ...]:
        stored = node.call is not None and node.call.id in self.calls
        record = compact(codec.node_json(node, stored=stored))
        return sealed(node.id, self.run.id, node.scenario, node.strategy, record)

    def nodes(self, *, scenario: str | None = None) -> list[Node]:
        """Nodes by scenario, strategy and position in the tree: a parent before its children."""
        rows = self._db.rows(_NODES, (self.run.id, scenario, scenario))
        rows.sort(key=lambda row: natural(row[0]))
        return [codec.node_from(id, json.loads(record), self.calls) for id, record in rows]

    def put_solution(self, solution: Solution) -> None:
        """Keep a solution, and those of its nodes that were not put yet."""
        record = {
            "scenario": solution.scenario,
            "strategy": solution.strategy,
            "nodes": [node.id for node in solution.nodes],
            "answer": solution.answer,
        }
        with self._db.transaction():
            for node in solution.nodes:
                if not self._db.rows(_HAS_NODE, (self.run.id, node.id)):
                    self.put_node(node)
            self._table("solutions").put_data(f"{solution.scenario}/{solution.strategy}", record)

    def solutions(self) -> list[Solution]:
        """Solutions with their nodes, by scenario and strategy."""
        nodes: dict[str, Node] = {node.id: node for node in self.nodes()}
        return [
            Solution(data["scenario"], data["strategy"], tuple(nodes[id] for id in data["nodes"]), data["answer"])
            for _, data in self._table("solutions").all_data()
        ]

    def put_experience(self, experience: Experience) -> None:
        data = codec.experience_json(experience)
        self._table("experiences").put_data(f"{experience.scenario}/{digest_of(data, 16)}", data)

    def experiences(self, key: OperationKey | None = None) -> list[Experience]:
        """Experiences by scenario; those kept on `key` if given."""
        found = [codec.experience_from(data) for _, data in self._table("experiences").all_data()]
        return [experience for experience in found if key is None or experience.key == key]

    # Facts

    def put_facts(self, kept: Iterable[Fact], dropped: Iterable[Fact]) -> None:
        """Put facts, all or none; those `dropped` were not confirmed by their replay, and are only counted."""
        with self._db.transaction():
            for fact in dropped:
                self._put_fact(fact, kept=False)
            for fact in kept:
                self._put_fact(fact, kept=True)

    def _put_fact(self, fact: Fact, *, kept: bool) -> None:
        data = codec.fact_json(fact)
        id = digest_of([fact.key, fact.kind, fact.location, fact.value], 16)
        self._db.execute(_PUT_FACT, sealed(id, self.run.id, fact.kind, int(kept), compact(data)))

    def facts(self, *, kind: str | None = None, key: OperationKey | None = None, kept: bool = True) -> list[Fact]:
        """Facts that were replayed, by tool, operation, location, kind and value; those that were dropped if not
        `kept`."""
        rows = self._db.rows(_FACTS, (self.run.id, int(kept), kind, kind))
        facts = [codec.fact_from(json.loads(record)) for (record,) in rows]
        return sorted((fact for fact in facts if key is None or fact.key == key), key=_place_and_value)

    def fact_ids(self) -> dict[str, list[str]]:
        """The IDs of the facts that were kept, by tool."""
        return grouped(self._db.rows(_FACT_IDS, (self.run.id,)))

    def facts_by_id(self, ids: Iterable[str]) -> list[Fact]:
        """The facts with these IDs, as `facts` has them."""
        records = (self._db.rows(_FACT, (self.run.id, id))[0][0] for id in ids)
        return sorted((codec.fact_from(json.loads(record)) for record in records), key=_place_and_value)

    def dropped(self) -> dict[str, int]:
        """How many facts of each kind were dropped because their replay did not confirm them."""
        sql = "SELECT kind, count(*) FROM facts WHERE run = ? AND kept = 0 GROUP BY kind ORDER BY kind"
        return dict(self._db.rows(sql, (self.run.id,)))

    # Bookkeeping

    def count(self, name: str, by: int = 1) -> None:
        """Add to a counter of the run."""
        with self._db.transaction():
            self._db.execute(_COUNT, (self.run.id, name, by))
            self._db.seal("counters", "run = ? AND name = ?", (self.run.id, name))

    def counters(self) -> dict[str, int]:
        sql = "SELECT name, value FROM counters WHERE run = ? ORDER BY name"
        return dict(self._db.rows(sql, (self.run.id,)))

    def put_missed(self, key: OperationKey, why: str) -> None:
        """Note that an operation never returned 2xx."""
        self._table("missed").put_data(compact(key), [key, why])

    def missed(self) -> dict[OperationKey, str]:
        """Operations that never returned 2xx, and why, by tool and operation."""
        found = {codec.key_from(key): why for _, (key, why) in self._table("missed").all_data()}
        return dict(sorted(found.items()))


_COUNT = (
    "INSERT INTO counters (run, name, value) VALUES (?, ?, ?)"
    " ON CONFLICT (run, name) DO UPDATE SET value = value + excluded.value"
)
_PUT_NODE = f"INSERT INTO nodes (id, run, scenario, strategy, record, checksum) VALUES (?, ?, ?, ?, ?, ?) {UPSERT}"
_PUT_FACT = (
    f"INSERT INTO facts (id, run, kind, kept, record, checksum) VALUES (?, ?, ?, ?, ?, ?) {UPSERT},"
    " kept = excluded.kept"
)
_FACTS = "SELECT record FROM facts WHERE run = ? AND kept = ? AND (? IS NULL OR kind = ?)"
_FACT_IDS = "SELECT json_extract(record, '$.tool'), id FROM facts WHERE run = ? AND kept = 1"
_FACT = "SELECT record FROM facts WHERE run = ? AND id = ?"
_HAS_NODE = "SELECT 1 FROM nodes WHERE run = ? AND id = ?"
_NODES = "SELECT id, record FROM nodes WHERE run = ? AND (? IS NULL OR scenario = ?)"


def _place_and_value(fact: Fact) -> tuple[OperationKey, str, str, str]:
    return fact.key, fact.location, fact.kind, canonical(fact.value)


def _check_folder(path: Path) -> None:
    """Raise InputError, with what to do, if there is no evidence at `path`."""
    if path.parent.is_file():
        raise InputError("not a folder", where=str(path.parent), fix="name the folder that docrev explore wrote")
    if not path.is_file():
        what = "no evidence in this folder" if path.parent.is_dir() else "no such folder"
        raise InputError(what, where=str(path.parent), fix="run docrev explore first")
