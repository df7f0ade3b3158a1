"""Locks, kills, full disks, damaged and foreign files: nothing that was finished is lost, and one line says what is."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from docrev.errors import DamageWarning, DocrevError, InputError, LockedError, StoreError
from docrev.evidence import Evidence
from docrev.evidence.layout import EVIDENCE
from docrev.records import Call, Fact, JournalItem, Node, OperationKey, Scenario, Solution
from docrev.storage.checksums import checksum

KEY = OperationKey("shop", "GET /items")


def call(id: str, size: int = 10) -> Call:
    # Random letters: what can be compressed away fills no disk.
    return Call(
        id, KEY, {}, "http://h/items", 200, {}, os.urandom(size // 2).hex(), "application/json", "survey", size=size
    )


def ids(folder: Path) -> list[str]:
    with Evidence.open(folder, write=False) as evidence:
        return [one.id for one in evidence.calls.select()]


WRITER = """
import os, sys
from pathlib import Path
from docrev.evidence import Evidence
from docrev.records import Call, OperationKey
evidence = Evidence.open(Path(sys.argv[1]), write=True)
evidence.begin({})
for number in range(100_000):
    evidence.calls.put(Call(f"{number:06}", OperationKey("t", "GET /"), {}, "u", 200, {}, {"n": number}, "m", "survey"))
    print(number, flush=True)
"""


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another docrev process that writes call after call, and says which it has finished."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def finished(process: subprocess.Popen[str], count: int) -> int:
    assert process.stdout is not None
    last = -1
    while last + 1 < count:
        last = int(process.stdout.readline())
    return last


def test_kill_minus_9_loses_nothing_that_was_finished(tmp_path: Path, writer: subprocess.Popen[str]) -> None:
    finished(writer, 300)
    os.kill(writer.pid, signal.SIGKILL)
    said = [int(line) for line in writer.communicate()[0].split()]
    written = said[-1] + 1 if said else 300
    kept = ids(tmp_path)
    assert kept[:written] == [f"{number:06}" for number in range(written)]
    assert len(kept) <= written + 1, "at most the call that was being said"
    with Evidence.open(tmp_path, write=True) as evidence:
        assert evidence.begin({}).resumed
        assert f"{written - 1:06}" in evidence.calls


def test_a_second_writer_is_told_who_holds_the_folder(tmp_path: Path, writer: subprocess.Popen[str]) -> None:
    finished(writer, 1)
    with pytest.raises(LockedError, match=rf"process {writer.pid}\b") as caught:
        Evidence.open(tmp_path, write=True)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2
    assert ids(tmp_path), "reading is not locked out"
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    Evidence.open(tmp_path, write=True).close()


def test_two_writers_in_one_process_lock_each_other_out_too(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True), pytest.raises(LockedError, match=str(os.getpid())):
        Evidence.open(tmp_path, write=True)
    Evidence.open(tmp_path, write=True).close()


def test_a_full_store_is_our_trouble_and_keeps_what_was_finished(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True, max_bytes=300_000) as evidence:
        evidence.begin({})
        count, trouble = fill(evidence)
        assert 5 < count < 60
        assert len(list(evidence.calls.select())) == count, "what could not be written is not pretended to be there"
    assert ("make room" in trouble, "\n" in trouble) == (True, False)
    assert len(ids(tmp_path)) == count
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(call("more"))
    assert len(ids(tmp_path)) == count + 1


def fill(evidence: Evidence) -> tuple[int, str]:
    """Put calls until no more fit: how many did, and what was said then."""
    for count in range(10_000):
        try:
            evidence.calls.put(call(f"{count:04}", 10_000))
        except StoreError as error:
            return count, str(error)
    raise AssertionError("10,000 calls fitted")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "docrev", str(folder)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("mounting a small disk needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_keeps_what_was_finished(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 1_000_000)
    with Evidence.open(small_disk, write=True) as evidence:
        evidence.begin({})
        count, trouble = fill(evidence)
    assert ("make room" in trouble, count > 5) == (True, True)
    assert len(ids(small_disk)) == count
    with pytest.raises(StoreError, match="make room"):
        fail_on(small_disk)
    ballast.unlink()
    with Evidence.open(small_disk, write=True) as evidence:
        evidence.begin({})
        assert len(list(evidence.calls.select())) == count
        evidence.calls.put(call("more"))
    assert len(ids(small_disk)) == count + 1


def fail_on(full_disk: Path) -> None:
    with Evidence.open(full_disk, write=True) as evidence:
        evidence.begin({"another": "run"})
        evidence.calls.put(call("big", 2**20))


LIMITED = """
import resource, signal, sys
from pathlib import Path
from docrev.errors import StoreError
from docrev.evidence import Evidence
from docrev.records import Call, OperationKey
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
evidence = Evidence.open(Path(sys.argv[1]), write=True)
evidence.begin({})
for number in range(1000):
    try:
        key = OperationKey("t", "GET /")
        evidence.calls.put(Call(f"{number:04}", key, {}, "u", 200, {}, "x" * 3000, "m", "survey"))
    except StoreError as error:
        print(number)
        break
"""


def test_a_refused_write_keeps_what_was_finished(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIMITED, str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert len(ids(tmp_path)) == int(result.stdout) > 5


def test_a_damaged_file_is_refused_with_one_line(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        for number in range(50):
            evidence.calls.put(call(str(number), 3000))
    path = tmp_path / "evidence.db"
    whole = path.read_bytes()
    for damaged in (
        b"not a database, but a text" * 200,
        whole[: len(whole) // 2],
        whole[:100] + b"\xff" * 20_000 + whole[20_100:],
    ):
        path.write_bytes(damaged)
        for write in (True, False):
            with pytest.raises(StoreError) as caught:
                Evidence.open(tmp_path, write=write)
            assert "\n" not in str(caught.value)
            assert str(path) in str(caught.value)
        assert path.read_bytes() == damaged, "what is damaged is not made worse"


FILLED_TABLES = (
    "runs",
    "calls",
    "nodes",
    "facts",
    "journal",
    "intents",
    "scenarios",
    "solutions",
    "missed",
    "counters",
)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder with a run that has rows in every table but those of benchmarks."""
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        for number in range(3):
            found = call(f"call-{number}", 600)
            scenario = Scenario(f"s{number}", "Find it.", (KEY,))
            node = Node(f"s{number}/bfs/0", None, f"s{number}", "bfs", 0, None, call=found)
            evidence.calls.put(found)
            evidence.put_scenario(scenario)
            evidence.put_solution(Solution(scenario.id, "bfs", (node,), "it"))
            fact = Fact(KEY, "field", f"200:/{number}", value=True, calls=(found.id,), replays=(found.id,))
            evidence.put_facts([fact], [])
            evidence.journal.put(JournalItem(f"item-{number}", "shop", "/items/{id}", {"path:id": number}, found.id))
            evidence.intents.put(f"call-{number}", KEY, {})
            evidence.put_missed(OperationKey("shop", f"GET /{number}"), "nobody asked")
            evidence.count(f"counter-{number}")
        evidence.finish({"calls": 3})
    return tmp_path


def read_all(folder: Path, *, write: bool = False) -> dict[str, int]:
    """How many records of each kind can be read."""
    with Evidence.open(folder, write=write) as evidence:
        if write:
            evidence.select(evidence.runs()[-1])
        readers = (evidence.nodes, evidence.facts, evidence.journal.items, evidence.intents.changing, evidence.missed)
        readers = (*readers, evidence.runs, evidence.scenarios, evidence.solutions, evidence.counters)
        return {reader.__name__: len(reader()) for reader in readers} | {"calls": len([*evidence.calls.select()])}


def read_or_refused(folder: Path) -> dict[str, int] | str:
    try:
        return read_all(folder)
    except StoreError as error:
        return str(error)


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("table", FILLED_TABLES)
def test_a_row_that_is_not_what_was_written_is_named_and_left_out(kept: Path, table: str, write: bool) -> None:
    whole = read_all(kept)
    with sqlite3.connect(kept / "evidence.db") as database:
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        last = next(name for name in ("record", "body", "value", "summary") if name in columns)
        other = "value + 1" if last == "value" else f"{last} || ' '"
        key = "id" if table in ("runs", "calls") else columns[1]
        where = f"WHERE {key} = (SELECT max({key}) FROM {table})"
        changed = database.execute(f"UPDATE {table} SET {last} = {other} {where}").rowcount
    database.close()
    assert changed == 1
    with pytest.warns(DamageWarning, match=f"evidence.db: .* damaged \\(not what was written: {table} ") as told:
        left = read_all(kept, write=write)
    assert len(told) == 1
    assert "\n" not in str(told[0].message)
    assert left["runs"] == 1
    assert all(count >= whole[name] - 1 for name, count in left.items())
    assert (kept / "evidence-damaged.db").exists() == write
    if write:
        assert read_all(kept) == left, "once mended, nothing is said of it"


def test_any_flipped_bit_is_told_or_is_in_nothing_that_is_read(kept: Path) -> None:
    path, whole = kept / "evidence.db", read_all(kept)
    content = path.read_bytes()
    written = [at for at, byte in enumerate(content) if byte]
    drawn, outcomes = random.Random(7), Counter[str]()
    for _ in range(300):
        at = drawn.choice(written)
        path.write_bytes(content[:at] + bytes([content[at] ^ 1 << drawn.randrange(8)]) + content[at + 1 :])
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            left = read_or_refused(kept)
        if isinstance(left, str):
            assert str(path) in left
            assert at < 4096, "only the first page, which says where the tables are, is needed for all"
            outcomes["refused"] += 1
            continue
        assert told or left == whole, at
        outcomes["told" if told else "free space"] += 1
    assert outcomes["told"] > 10
    assert outcomes["told"] > outcomes["refused"]


@pytest.mark.parametrize("table", FILLED_TABLES)
def test_a_text_that_became_bytes_is_noticed(kept: Path, table: str) -> None:
    """One bit of a row's header does that; what is read is the same, and so is its checksum."""
    with sqlite3.connect(kept / "evidence.db") as database:
        texts = [row[1] for row in database.execute(f"PRAGMA table_info({table})") if row[2] == "TEXT"]
        last = [name for name in texts if database.execute(f"SELECT max({name}) FROM {table}").fetchone()[0]][-1]
        database.execute(f"UPDATE {table} SET {last} = CAST({last} AS BLOB)")
    database.close()
    with pytest.warns(DamageWarning, match=f"not what was written: {table} "):
        read_all(kept)


def test_a_damaged_index_loses_no_row(kept: Path) -> None:
    """SQLite's own check breaks off at some of its pages; rows are read without any index."""
    path, whole = kept / "evidence.db", read_all(kept)
    with sqlite3.connect(path) as database:
        roots = [row[0] for row in database.execute("SELECT rootpage FROM sqlite_schema WHERE type = 'index'")]
    database.close()
    content = path.read_bytes()
    assert roots
    for root in roots:
        page = slice((root - 1) * 4096, root * 4096)
        path.write_bytes(content[: page.start] + bytes([255]) * 4096 + content[page.stop :])
        with pytest.warns(DamageWarning):
            assert read_all(kept) == whole


def test_a_page_that_is_lost_takes_no_others_with_it(tmp_path: Path) -> None:
    with Evidence.open(tmp_path, write=True) as evidence:
        evidence.begin({})
        for number in range(200):
            evidence.calls.put(call(f"{number:03}", 900))
    path = tmp_path / "evidence.db"
    content = path.read_bytes()
    middle = content.index(b"100", len(content) // 3) // 4096 * 4096
    path.write_bytes(content[:middle] + b"\xff" * 4096 + content[middle + 4096 :])
    with pytest.warns(DamageWarning, match="rows are used"):
        assert 180 < len(ids(tmp_path)) < 200
    with pytest.warns(DamageWarning, match=r"kept as evidence-damaged\.db"):
        mended = Evidence.open(tmp_path, write=True)
    with mended:
        assert mended.begin({}).resumed
        mended.calls.put(call("new"))
    assert "new" in ids(tmp_path)
    assert (tmp_path / "evidence-damaged.db").read_bytes()[middle : middle + 4096] == b"\xff" * 4096


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "evidence.db"
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE recipes (name TEXT)")
    foreign.close()
    before = path.read_bytes()
    for write in (True, False):
        with pytest.raises(StoreError, match="not a docrev evidence file"):
            Evidence.open(tmp_path, write=write)
    assert path.read_bytes() == before


def test_a_newer_version_is_refused(tmp_path: Path) -> None:
    Evidence.open(tmp_path, write=True).close()
    newer = sqlite3.connect(tmp_path / "evidence.db")
    newer.execute(f"PRAGMA user_version = {EVIDENCE.version + 1}")
    newer.close()
    for write in (True, False):
        with pytest.raises(StoreError, match="newer docrev") as caught:
            Evidence.open(tmp_path, write=write)
        assert caught.value.exit_code == 4


FIRST_LAYOUT = """
    CREATE TABLE runs (id INTEGER PRIMARY KEY, digest TEXT NOT NULL, settings TEXT NOT NULL, used INTEGER NOT NULL,
        finished INTEGER NOT NULL DEFAULT 0, summary TEXT, nonce TEXT NOT NULL DEFAULT '00000000',
        pruned INTEGER NOT NULL DEFAULT 0, checksum INTEGER);
    CREATE TABLE calls (number INTEGER PRIMARY KEY, run INTEGER NOT NULL, id TEXT NOT NULL, tool TEXT NOT NULL,
        operation TEXT NOT NULL, purpose TEXT NOT NULL, scenario TEXT, status INTEGER, error TEXT,
        detail TEXT NOT NULL, url TEXT NOT NULL, arguments TEXT NOT NULL, headers TEXT NOT NULL,
        media_type TEXT NOT NULL, size INTEGER NOT NULL, body, sampled INTEGER NOT NULL DEFAULT 0, redirected TEXT,
        checksum INTEGER);
    CREATE UNIQUE INDEX calls_by_id ON calls (run, id);
    CREATE INDEX calls_by_place ON calls (run, purpose, tool, operation, id, status, error);
    CREATE TABLE pruned_calls (run INTEGER NOT NULL, purpose TEXT NOT NULL, tool TEXT NOT NULL,
        operation TEXT NOT NULL, status INTEGER, error TEXT, calls INTEGER NOT NULL, checksum INTEGER);
    CREATE TABLE counters (run INTEGER NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, checksum INTEGER,
        PRIMARY KEY (run, name)) WITHOUT ROWID;
    CREATE TABLE nodes (run INTEGER NOT NULL, id TEXT NOT NULL, scenario TEXT NOT NULL, strategy TEXT NOT NULL,
        record TEXT NOT NULL, checksum INTEGER, PRIMARY KEY (run, id)) WITHOUT ROWID;
    CREATE TABLE facts (run INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, kept INTEGER NOT NULL,
        record TEXT NOT NULL, checksum INTEGER, PRIMARY KEY (run, id)) WITHOUT ROWID;
    CREATE TABLE scenarios (run INTEGER NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (run, id)) WITHOUT ROWID;
    CREATE TABLE solutions (run INTEGER NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (run, id)) WITHOUT ROWID;
    CREATE TABLE experiences (run INTEGER NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (run, id)) WITHOUT ROWID;
    CREATE TABLE trajectories (run INTEGER NOT NULL, id TEXT NOT NULL, record BLOB NOT NULL, checksum INTEGER,
        PRIMARY KEY (run, id)) WITHOUT ROWID;
    CREATE TABLE journal (run INTEGER NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (run, id));
    CREATE TABLE intents (run INTEGER NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (run, id));
    CREATE TABLE missed (run INTEGER NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, checksum INTEGER,
        PRIMARY KEY (run, id));
"""
"""The layout of 0.1.0, which no later version may change: what it wrote must open for ever."""
ROWS = {
    "runs (id, digest, settings, used, finished, summary, nonce, pruned, checksum)": (
        (1, "d", "{}", 1, 1, '{"calls": 1}', "48213907", 0),
        "id digest settings used finished summary nonce pruned",
    ),
    "calls (run, id, tool, operation, purpose, scenario, status, error, detail, url, arguments, headers, media_type,"
    " size, body, sampled, redirected, checksum)": (
        (1, "a", "t", "GET /x", "survey", None, 200, None, "", "u", "{}", "{}", "m", 2, '{"a":1}', 0, None),
        "id tool operation purpose scenario status error detail url arguments headers media_type size body sampled"
        " redirected run",
    ),
}
"""Rows of tables, each with the order in which its columns make its checksum."""


def first_version(folder: Path) -> None:
    """A file as 0.1.0 writes it, by hand."""
    db = sqlite3.connect(folder / "evidence.db")
    db.execute(f"PRAGMA application_id = {EVIDENCE.application_id}")
    db.execute("PRAGMA user_version = 1")
    db.executescript(FIRST_LAYOUT)
    for table, (row, order) in ROWS.items():
        names = table.partition("(")[2].rstrip(")").replace(" ", "").split(",")
        values = dict(zip(names, row, strict=False))
        sealed = (*row, checksum([values[name] for name in order.split()]))
        db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(sealed))})", sealed)
    db.commit()
    db.close()


def test_a_database_of_the_first_version_is_read_without_being_changed(tmp_path: Path) -> None:
    first_version(tmp_path)
    before = (tmp_path / "evidence.db").read_bytes()
    with warnings.catch_warnings(action="error"), Evidence.open(tmp_path, write=False) as evidence:
        assert [(one.id, one.body) for one in evidence.calls.select()] == [("a", {"a": 1})]
        assert evidence.counters() == {}
    assert (tmp_path / "evidence.db").read_bytes() == before


def test_a_database_of_the_first_version_is_written_to(tmp_path: Path) -> None:
    first_version(tmp_path)
    with warnings.catch_warnings(action="error"), Evidence.open(tmp_path, write=True) as evidence:
        run = evidence.runs()[-1]
        evidence.select(run)
        assert run.summary == {"calls": 1}
        evidence.calls.put(call("new"))
        evidence.count("wire")
    assert sorted(ids(tmp_path)) == ["a", "new"]


AS_NOBODY = """
import os, sys
from pathlib import Path
from docrev.errors import DamageWarning, DocrevError
from docrev.evidence import Evidence
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    with Evidence.open(Path(sys.argv[1]), write=sys.argv[2] == "w") as evidence:
        print(len(list(evidence.calls.select())))
except DocrevError as error:
    print(type(error).__name__, error.exit_code, error)
"""


def as_nobody(folder: Path, mode: str) -> str:
    """What somebody gets who has no right to write to `folder`."""
    command = [sys.executable, "-c", AS_NOBODY, str(folder), mode]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user can get to: pytest's own are private."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "out").mkdir()
        yield folder / "out"
        (folder / "out").chmod(0o755)


def test_a_read_only_folder_can_be_read_and_not_written(public: Path) -> None:
    with Evidence.open(public, write=True) as evidence:
        evidence.begin({})
        evidence.calls.put(call("a"))
    public.chmod(0o555)
    (public / "evidence.db").chmod(0o444)
    assert as_nobody(public, "r") == "1"
    assert as_nobody(public, "w").startswith("LockedError 2 ")
    public.chmod(0o755)
    (public / "evidence.lock").unlink()
    public.chmod(0o555)
    assert as_nobody(public, "w").startswith("LockedError 2 ")


def test_a_killed_run_in_a_read_only_folder_can_still_be_read(
    tmp_path: Path, public: Path, writer: subprocess.Popen[str]
) -> None:
    written = finished(writer, 50) + 1
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    for name in ("evidence.db", "evidence.db-wal"):
        shutil.copyfile(tmp_path / name, public / name)
    public.chmod(0o555)
    assert int(as_nobody(public, "r")) >= written


def test_a_folder_that_is_none_or_cannot_be_made_is_wrong_use(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for folder in (file, file / "below"):
        with pytest.raises(InputError, match="not a folder"):
            Evidence.open(folder, write=True)
    with pytest.raises(DocrevError) as caught:
        Evidence.open(Path("/proc/docrev"), write=True)
    assert caught.value.exit_code == 2
