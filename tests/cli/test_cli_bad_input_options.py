"""Wrong use and odd surroundings: options that are none, closed streams, a foreign terminal, an early interrupt."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from clikit import DOCREV, after, docrev, interrupted, spec, started
from patience import HANGS
from servers import Server, reply

from docrev.cli.interrupts import LINE

URL = ["--base-url", "http://127.0.0.1:9"]
EXPLORE: dict[str, tuple[list[str], str]] = {
    "allow": (["--allow", "POTS", *URL], "--allow: POTS is no method"),
    "allow-one": (["--allow", "POST /itemz", *URL], "--allow: the specs have no operation POST /itemz"),
    "header-value": (["-H", "X-Key: s3cret\nvalue", *URL], "-H X-Key: the value is empty or has characters"),
    "port": (["--base-url", "http://127.0.0.1:99999"], "--base-url: not a URL; give http"),
    "password": (
        ["--base-url", "http://me:s3cret@127.0.0.1/"],
        "--base-url: credentials in the URL; give them with -H",
    ),
    "tool": (["--base-url", "shoop=http://127.0.0.1:9"], "no tool named shoop; the specs have shop"),
    "no-url": ([], "--base-url: no base URL for shop; give --base-url shop=URL"),
}
CLICK: dict[str, tuple[list[str], str]] = {
    "option": (["explore", "shop.json", "--basurl", "x"], "no such option '--basurl'. Did you mean '--base-url'"),
    "choice": (["explore", "shop.json", "--strategy", "dfs"], "'dfs' is not one of 'bfs', 'dfsdt', 'react'"),
    "number": (["explore", "shop.json", "--max-calls", "none"], "'none' is not a valid integer"),
    "argument": (["revise"], "missing argument 'SPECS...'"),
    "value": (["diff", "a", "b", "--format"], "requires an argument"),
    "command": (["nonsense"], "no such command 'nonsense'; see docrev --help"),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a spec and with evidence of it."""
    here = tmp_path_factory.mktemp("shop")
    spec(here)
    with Server({"GET /items": reply([{"id": 1}]), "GET /items/1": reply({"id": 1})}) as server:
        assert docrev("explore", "shop.json", "--base-url", server.url, "--out", "kept", cwd=here).code == 0
    return here


def test_wrong_options_are_one_line_and_nothing_is_begun(shop: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        ended = pool.map(lambda case: docrev("explore", "shop.json", *case[0], cwd=shop), EXPLORE.values())
        for (_, words), done in zip(EXPLORE.values(), ended, strict=True):
            line = done.failed(2, words)
            assert "s3cret" not in line
            assert ";" in line
        ended = pool.map(lambda case: docrev(*case[0], cwd=shop), CLICK.values())
        for (_, words), done in zip(CLICK.values(), ended, strict=True):
            done.failed(2, words, "; see docrev ", "--help")
    assert not (shop / ".docrev").exists()


def test_without_a_command_the_help_is_shown() -> None:
    done = docrev()
    assert done.code == 2
    assert "Usage: docrev" in done.err
    assert "explore" in done.err
    assert "Traceback" not in done.err


def test_a_guard_that_guards_nothing_is_told(shop: Path) -> None:
    with Server({"GET /items": reply([{"id": 1}])}) as server:
        words = ["explore", "shop.json", "--base-url", server.url, "--deny", "GET /itemz*", "--out", "deny"]
        done = docrev(*words, cwd=shop)
    assert done.code == 0
    assert done.err.splitlines()[0] == "--deny: no operation is like GET /itemz*"


def shell(text: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", text.replace("docrev", " ".join(DOCREV))]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=HANGS)


@pytest.mark.parametrize("words", ["evidence kept --json", "lint shop.json", "diff shop.json shop.json", "explore -h"])
def test_a_reader_that_stops_reading_is_no_trouble(shop: Path, words: str) -> None:
    done = shell(f"docrev {words} | true; echo ${{PIPESTATUS[0]}}", shop)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize("words", ["evidence kept", "lint shop.json", "diff shop.json shop.json"])
def test_closed_and_full_streams(shop: Path, words: str) -> None:
    closed = shell(f"docrev {words} >&-", shop)
    assert (closed.returncode in (0, 1), closed.stderr) == (True, "")
    silent = shell(f"docrev {words} 2>&-", shop)
    assert (silent.returncode in (0, 1), silent.stdout != "") == (True, True)
    full = shell(f"docrev {words} >/dev/full", shop)
    assert full.returncode == 4
    assert full.stderr.startswith("docrev: the output cannot be written: no space left on device;")
    assert full.stderr.count("\n") == 1


@pytest.mark.long
def test_exploring_where_nobody_listens_to_its_progress(shop: Path) -> None:
    with Server({"GET /items": reply([{"id": 1}]), "GET /items/1": reply({"id": 1})}) as server:
        for number, stream in enumerate(("2>&-", "2>/dev/full", "2> >(true)")):
            done = shell(f"docrev explore shop.json --base-url {server.url} --out silent{number} --json {stream}", shop)
            assert (done.returncode, '"operations_2xx": 2' in done.stdout) == (0, True)
    assert shell("docrev lint missing.yaml 2>&-", shop).returncode == 2
    assert shell("docrev lint missing.yaml 2>/dev/full", shop).returncode == 2


def test_a_terminal_that_knows_ascii_alone(shop: Path) -> None:
    folder = shop / "Läden"
    spec(folder, name="ünï.json")
    env = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "LANG": "C"}
    files = [folder / "ünï.json", "shop.json"]
    commands = [["lint", folder], ["diff", *files], ["evidence", "kept"], ["lint", "fehlt-ü.json"]]
    for words, code in zip(commands, (1, 0, 0, 2), strict=True):
        done = started(*words, cwd=shop, env=env)
        assert (done.code, "Traceback" in done.err) == (code, False)
    done.failed(2, "fehlt-ü.json: no such file")


@pytest.mark.parametrize("words", [["lint", "shop.json"], ["explore", "shop.json", *URL]], ids=["lint", "explore"])
def test_interrupted_while_it_starts(shop: Path, words: list[str]) -> None:
    # Before that it is Python itself that starts.
    for moment in (0.07, 0.2, 0.35):
        done = interrupted(words, after(moment), cwd=shop)
        if done.code == 130:
            assert done.err.count(f"docrev: {LINE}\n") == 1
        assert "Traceback" not in done.err
        assert done.code in (130, 0, 1, 3)
