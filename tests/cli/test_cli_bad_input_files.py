"""Files that are not what they should be, through every command that reads them: one line, exit code 2, in no time."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from clikit import LIST_AND_ITEM, Done, after, docrev, interrupted, spec
from revisekit import SPEC, experience, explored, origin
from servers import Server, closed_port, reply

GOOD = json.dumps(document(LIST_AND_ITEM), indent=1)
BOMB = "openapi: 3.0.3\na: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 10)}]\n" for n in range(9)
)
BAD: dict[str, tuple[str | bytes, str]] = {
    "no-yaml.yaml": ("openapi: 3.0.3\npaths: [1,\n x: {", "no-yaml.yaml:3: this is not YAML"),
    "no-json.json": ('{"openapi": "3.0.3",\n "paths": tru}', "no-json.json:2: this is not JSON"),
    "text.yaml": ("hello world", "text.yaml: this is neither JSON nor YAML"),
    "other.json": ('{"name": "x"}', "other.json:1: not an OpenAPI document"),
    "cut.json": (GOOD[:300], f"cut.json:{GOOD[:300].count(chr(10)) + 1}: this is not JSON"),
    "bytes.yaml": (b"openapi: 3.0.3\ninfo: \xff\n", "bytes.yaml:2: this is not UTF-8: byte 21"),
    "deep.json": ('{"a": ' + "[" * 10_000 + "]" * 10_000 + "}", "deep.json:1: nested more than 1,000 deep"),
    "deeper.json": ("[" * 100_000, "deeper.json:1: nested more than 1,000 deep"),
    "deep.yaml": ("a: " + "[" * 10_000, "deep.yaml:1: nested more than 1,000 deep"),
    "deeper.yaml": ("- " * 100_000 + "1", "deeper.yaml:1: nested more than 1,000 deep"),
    "bomb.yaml": (BOMB, "aliases blow this file up to over 1,000,000 nodes"),
    "large.json": (
        json.dumps({**document(LIST_AND_ITEM), "x-pad": "y" * 21 * 2**20}),
        "this file is over 20 MB; raise --max",
    ),
    "missing.yaml": ("", "missing.yaml: no such file; check the path"),
    "empty": ("", "empty: "),
}
FAULTY = {
    "nowhere": ("#/components/schemas/No", "unresolved-ref"),
    "itself": ("#/components/schemas/Loop", "circular-ref"),
    "outside": ("../../../../../etc/hostname", "unresolved-ref"),
    "remote": ("http://127.0.0.1:PORT/x.json#/a", "remote-ref"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All the bad files, a good one, and evidence."""
    here = tmp_path_factory.mktemp("bad")
    for name, (content, _) in BAD.items():
        if content:
            (here / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (here / "empty").mkdir()
    explored(here, facts=[origin()], lessons=[experience()])
    (here / "good.json").write_text(GOOD)
    return here


def every(commands: list[list[str | Path]], cwd: Path) -> list[Done]:
    with ThreadPoolExecutor(3) as pool:
        return list(pool.map(lambda words: docrev(*words, cwd=cwd), commands))


@pytest.mark.parametrize("command", ["lint", "diff", "revise", "explore"])
def test_bad_files_are_one_line(folder: Path, command: str) -> None:
    # The slow commands share their reading with lint: a few of each kind show that they do.
    few = ("no-yaml.yaml", "other.json", "missing.yaml", "empty")
    names = list(BAD) if command in ("lint", "diff") else list(few)
    more: dict[str, list[str]] = {
        "diff": ["good.json"],
        "revise": ["--evidence", "evidence", "-o", "out"],
        "explore": ["--base-url", "http://127.0.0.1:9", "--out", "kept"],
    }
    for name, done in zip(
        names, every([[command, name, *more.get(command, [])] for name in names], folder), strict=True
    ):
        line = done.failed(2, BAD[name][1])
        assert len(line) < 300
        assert ";" in line, f"it does not say what to do: {line}"
        assert done.peak < 200
    assert not (folder / "out").exists()
    assert not (folder / "kept").exists()


def test_a_larger_file_is_read_where_that_is_asked_for(folder: Path) -> None:
    commands: list[list[str | Path]] = [
        ["lint", "large.json", "--max-spec-size", "30"],
        ["lint", "good.json", "--max-spec-size", "1000000000"],
    ]
    for done in every(commands, folder):
        assert done.code in (0, 1)
        assert done.err == ""
        assert len(done.out) > 100
    commands = [[command, "good.json", "--max-spec-size", "0.0001"] for command in ("explore", "revise")]
    for done in every(commands, folder):
        done.failed(2, "good.json: this file is over", "raise --max-spec-size")


def faulty(ref: str) -> dict[str, Any]:
    found = document(LIST_AND_ITEM)
    found["paths"]["/items"]["get"]["responses"]["200"]["content"]["application/json"] = {"schema": {"$ref": ref}}
    if "Loop" in ref:
        found["components"] = {"schemas": {"Loop": {"$ref": ref}}}
    return found


@pytest.mark.parametrize("name", list(FAULTY))
def test_references_that_lead_nowhere_are_findings_and_nothing_is_fetched(tmp_path: Path, name: str) -> None:
    with Server({"GET /*": reply({"a": {"type": "object"}})}) as server:
        ref, id = FAULTY[name]
        ref = ref.replace("PORT", str(server.port))
        file = tmp_path / "in" / "side" / "shop.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(faulty(ref), indent=1))
        done = docrev("lint", file, "--json")
        assert server.requests == []
    assert done.code == 1
    found = [finding for finding in done.json["findings"] if finding["id"] == id]
    assert found
    at = next(f for f in found if f["pointer"].endswith("application~1json/schema/$ref"))
    assert file.read_text().splitlines()[at["line"] - 1].strip() == f'"$ref": "{ref}"'
    assert at["fix"]


THING = {"id": 1, "colour": "blue"}


def test_a_spec_with_faults_is_explored_and_revised_all_the_same(tmp_path: Path) -> None:
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "shop.json").write_text(json.dumps(faulty("#/components/schemas/No")))
    (specs / "cut.json").write_text(GOOD[:300])
    (specs / "package.json").write_text('{"name": "no spec"}')
    with Server({"GET /items": reply({"items": [THING]}), "GET /items/1": reply(THING)}) as server:
        done = docrev("explore", specs, "--base-url", server.url, "--out", tmp_path / "evidence", "--json")
    assert done.code == 0
    assert done.json["operations_2xx"] == 2
    told = done.err.splitlines()
    assert "cut.json:" in told[0]
    assert "this is not JSON" in told[0]
    assert told[1] == "1 reference leads nowhere in the specs: docrev lint shows where"
    assert "package.json" not in done.err
    revised = docrev("revise", specs, "--evidence", tmp_path / "evidence", "-o", tmp_path / "out")
    assert revised.code == 0
    assert "cut.json:" in revised.err
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["docrev.lock", "shop.json"]


def test_what_docrev_wrote_itself_is_not_taken_for_specs(tmp_path: Path) -> None:
    """Evidence beside the specs, and output that would be read as specs the next time."""
    spec(tmp_path)
    with Server({"GET /items": reply([{"id": 1}]), "GET /items/1": reply({"id": 1})}) as server:
        words = ["explore", ".", "--base-url", server.url, "--json"]
        first = docrev(*words, cwd=tmp_path)
        docrev("revise", ".", "-o", "revised", cwd=tmp_path).failed(2, "revised: ", "choose a folder outside")
        docrev("revise", "shop.json", "-o", ".", cwd=tmp_path).failed(2, "--in-place")
        before = (tmp_path / "shop.json").read_bytes()
        assert docrev("revise", ".", "-o", ".revised", cwd=tmp_path).code == 0
        again = docrev(*words, "--out", "plain-evidence", cwd=tmp_path)
    assert (tmp_path / "shop.json").read_bytes() == before
    assert first.json["operations"] == again.json["operations"] == 2


def test_names_with_spaces_and_letters_of_all_kinds_and_a_spec_given_twice(tmp_path: Path) -> None:
    file = spec(tmp_path / "my specs ü", name="Läden & Co.json")
    with Server({"GET /items": reply([THING]), "GET /items/1": reply(THING)}) as server:
        env = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
        out = tmp_path / "o u t"
        done = docrev("explore", file, file.parent, "--base-url", server.url, "--out", out, env=env)
        assert done.code == 0, done.err
    assert "operations answered   2 of 2" in done.out
    # Fit to be pasted into a shell, spaces and all.
    following = done.out.splitlines()[-1].removeprefix("Next: ")
    pasted = subprocess.run(
        ["bash", "-c", f"{following.replace('docrev', '$DOCREV', 1)} --json"],
        env={
            **os.environ,
            "DOCREV": "python -m docrev",
            "PATH": f"{Path(os.sys.executable).parent}:{os.environ['PATH']}",
        },
        capture_output=True,
    )
    assert pasted.returncode == 0, pasted.stderr
    assert json.loads(pasted.stdout.splitlines()[0])["file"] == str(file)
    assert docrev("lint", file, "--json", env=env).json["findings"][0]["file"] == str(file)


# Where the output goes


@pytest.fixture
def library(tmp_path: Path) -> Path:
    explored(tmp_path, facts=[origin()], lessons=[experience()])
    return tmp_path


def test_output_below_a_file(library: Path) -> None:
    (library / "file").write_text("mine")
    below = library / "file" / "x"
    revise = ["revise", library / "specs", "--evidence", library / "evidence", "-o", below]
    docrev(*revise).failed(2, str(below), "choose another folder with -o")
    with closed_port() as url:
        explore = ["explore", library / "specs", "--base-url", url, "--out", below]
        docrev(*explore).failed(2, str(below), "choose another folder with --out")
    assert (library / "file").read_text() == "mine"


def _mounted(folder: Path, *options: str) -> bool:
    folder.mkdir(exist_ok=True)
    return subprocess.run(["mount", *options, str(folder)], capture_output=True).returncode == 0


@pytest.fixture
def mounts() -> Iterator[list[Path]]:
    found: list[Path] = []
    yield found
    for folder in reversed(found):
        subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


def test_a_read_only_place(library: Path, mounts: list[Path]) -> None:
    shut = library / "shut"
    if not _mounted(shut, "-t", "tmpfs", "-o", "size=1m,ro", "tmpfs"):
        shut.mkdir(exist_ok=True)
        shut.chmod(0o555)
        if os.access(shut, os.W_OK):
            pytest.skip("root without the right to mount may write everywhere")
    else:
        mounts.append(shut)
    revise = ["revise", library / "specs", "--evidence", library / "evidence", "-o", shut]
    docrev(*revise).failed(2, "read-only", "choose another folder with -o")
    with closed_port() as url:
        # The current folder itself is such a place, and the default output goes there.
        explore = ["explore", library / "specs", "--base-url", url]
        docrev(*explore, cwd=shut).failed(2, ".docrev", "choose another folder with --out")
    assert docrev("lint", library / "specs", cwd=shut).code in (0, 1)


def test_a_full_disk(library: Path, mounts: list[Path]) -> None:
    small = library / "small"
    if not _mounted(small, "-t", "tmpfs", "-o", "size=256k", "tmpfs"):
        pytest.skip("only root may mount a small disk")
    mounts.append(small)
    rows = [{"id": number, "text": os.urandom(400).hex()} for number in range(40)]
    routes = {"GET /items": reply(rows), "GET /items/*": lambda _: reply({"rows": os.urandom(9000).hex()})}
    with Server(routes) as server:
        operations = (*LIST_AND_ITEM, *(f"GET /items/{{id}}/{number}" for number in range(40)))
        words = ["explore", spec(library, operations), "--base-url", server.url, "--out", small / "evidence"]
        done = docrev(*words)
    assert done.code == 4, done.err
    assert "make room" in done.err.splitlines()[-1]
    assert "Traceback" not in done.err
    kept = docrev("evidence", small / "evidence", "--json")
    assert (kept.code, len(kept.lines) > 0) == (0, True)
    subprocess.run(["bash", "-c", f"head -c 1000000 /dev/zero > {small}/zeros"], capture_output=True)
    revise = ["revise", library / "specs", "--evidence", library / "evidence", "-o", small / "out"]
    docrev(*revise).failed(4, "the disk is full; nothing was changed")
    assert not list((small).glob("out/*"))


# Evidence that is not what it should be


def test_evidence_that_is_damaged_or_of_another_version(library: Path) -> None:
    import sqlite3

    database = library / "evidence" / "evidence.db"
    sound = database.read_bytes()
    damages: dict[str, tuple[int, str]] = {"newer": (4, "upgrade docrev"), "foreign": (4, "not a docrev evidence file")}
    damages |= {"junk": (4, "move the file away"), "cut": (4, "move the file away")}
    for kind, (code, words) in damages.items():
        for beside in database.parent.glob("evidence.db-*"):
            beside.unlink()
        database.write_bytes({"junk": b"no database at all " * 500, "cut": sound[:6000]}.get(kind, sound))
        if kind in ("newer", "foreign"):
            pragma = {"newer": "user_version = 99", "foreign": "application_id = 7"}[kind]
            with sqlite3.connect(database) as connection:
                connection.execute(f"PRAGMA {pragma}")
            connection.close()
        before = database.read_bytes()
        with closed_port() as url:
            commands: list[list[str | Path]] = [
                ["revise", "specs", "--evidence", "evidence", "--in-place"],
                ["explore", "specs", "--base-url", url, "--out", "evidence"],
            ]
            # Both open it in the same way: one kind is enough to show it.
            for done in every(commands if kind == "newer" else commands[1:], library):
                done.failed(code, "evidence.db: ", words)
        assert database.read_bytes() == before
    assert (library / "specs/library.yaml").read_text() == SPEC


# Interrupted anywhere


def test_interrupted_at_any_moment_of_a_revision(library: Path) -> None:
    """What is there afterwards is the original or the whole revision, and nothing else."""
    file = library / "specs" / "library.yaml"
    words = ["revise", "specs", "--evidence", "evidence", "--in-place"]
    docrev(*words, cwd=library)
    whole = file.read_text()
    assert whole != SPEC
    for moment in (0.07, 0.4, 0.55, 0.6, 0.65):
        file.write_text(SPEC)
        done = interrupted(words, after(moment), cwd=library)
        if done.code == 130 and done.out:
            # All was written and told before: only the end of the process was interrupted.
            assert "wrote specs/library.yaml" in done.out
            assert "interrupted" in done.err.splitlines()[-1]
            assert file.read_text() == whole
        elif done.code == 130:
            done.failed(130, "interrupted")
        else:
            assert done.code == 0
            assert file.read_text() == whole
        assert file.read_text() in (SPEC, whole)
        assert sorted(path.name for path in file.parent.iterdir()) == ["docrev.lock", "library.yaml"]
