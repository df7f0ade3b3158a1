"""`docrev explore` from outside: a whole run, cut off, gone on with, repeated, and at any concurrency."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
import pytest
from clikit import DOCREV, Done, docrev, started
from counting_proxy import Counted, counting
from patience import HANGS
from services import running

from docrev.cli.interrupts import LINE

ROOT = Path(__file__).resolve().parents[2]
SPECS = ROOT / "specs"
ALLOW = ["--allow", "POST,PUT,PATCH,DELETE"]
ATLAS = SPECS / "atlas.yaml"


def done(result: Done) -> Done:
    """It ended well."""
    assert result.code == 0, f"{result.code}: {result.out[-2000:]} {result.err[-2000:]}"
    return result


def words(specs: Path, out: Path, urls: Sequence[str], *arguments: str) -> list[str]:
    bases = [part for url in urls for part in ("--base-url", url)]
    return ["explore", str(specs), *bases, "--out", str(out), "--json", *arguments]


def listed(command: str, out: Path) -> list[dict[str, Any]]:
    return done(docrev(command, out, "--json")).lines


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """One whole run with everything allowed, at concurrency 16."""
    out = tmp_path_factory.mktemp("whole")
    with running() as urls:
        bases = [f"{tool}={url}" for tool, url in urls.items()]
        told = done(docrev(*words(SPECS, out, bases, *ALLOW, "--concurrency", "16"))).json
    return out, told


def test_a_run_ends_with_one_object_that_tells_what_came_of_it(whole: tuple[Path, dict[str, Any]]) -> None:
    out, told = whole
    names = ["operations", "operations_2xx", "calls", "calls_2xx", "scenarios", "solved", "experiences", "seconds"]
    assert set(names) <= set(told)
    calls = listed("evidence", out)
    assert told["calls"] == len(calls)
    assert told["calls_2xx"] == sum(200 <= (call["status"] or 0) < 300 for call in calls)
    assert told["operations"] == 35
    missed = {(row["tool"], row["operation"]) for row in told["missed"]}
    assert missed == {("airfield", "GET /airports/{iata}/weather"), ("atlas", "GET /reports/density")}
    assert told["operations_2xx"] == 33
    assert told["solved"] >= 0.9 * told["scenarios"] > 30
    assert told["experiences"] > 0
    assert told["left"] == []


@pytest.mark.long
def test_concurrency_changes_no_byte(whole: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    out, told = whole
    with running() as urls:
        # The base URLs are part of what is asked, so the answers are compared without them.
        bases = [f"{tool}={url}" for tool, url in urls.items()]
        # Another interpreter has another seed of hashes.
        alone = done(started(*words(SPECS, tmp_path, bases, *ALLOW, "--concurrency", "1"))).json
    told, alone = dict(told), dict(alone)
    del told["seconds"], alone["seconds"]
    assert alone == told
    first, second = listed("facts", out), listed("facts", tmp_path)
    for fact in first + second:
        del fact["calls"], fact["replays"]
    assert first == second
    assert len(first) > 300


def test_a_finished_run_calls_nothing_and_says_the_same(tmp_path: Path) -> None:
    with running("atlas") as urls, counting(urls["atlas"]) as proxy:
        arguments = [f"atlas={proxy.url}"]
        first = _only_atlas(tmp_path, arguments)
        count = len(proxy.requests)
        assert _only_atlas(tmp_path, arguments) == first
        assert len(proxy.requests) == count == first["requests"]


def test_a_larger_budget_goes_on(tmp_path: Path) -> None:
    with running("atlas") as urls, counting(urls["atlas"]) as proxy:
        small = _only_atlas(tmp_path, [f"atlas={proxy.url}"], "--max-calls", "40")
        assert small["budget_spent"]
        assert len(proxy.requests) == 40
        large = _only_atlas(tmp_path, [f"atlas={proxy.url}"], "--max-calls", "900")
        assert not large["budget_spent"]
        assert len(proxy.requests) == large["requests"] <= 900
        assert len(set(_gets(proxy))) > 40


@pytest.mark.long
def test_killed_it_goes_on_and_repeats_no_finished_call(tmp_path: Path) -> None:
    with running("atlas") as urls, counting(urls["atlas"]) as proxy:
        command = _command(tmp_path, [f"atlas={proxy.url}"], *ALLOW, "--rate", "150")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _until(lambda: len(proxy.requests) >= 80)
        process.send_signal(signal.SIGKILL)
        process.wait(HANGS)
        before = {call["id"] for call in listed("evidence", tmp_path)}
        count = len(proxy.requests)
        told = _only_atlas(tmp_path, [f"atlas={proxy.url}"], *ALLOW)
        calls = listed("evidence", tmp_path)
    assert before
    assert before <= {call["id"] for call in calls}
    # What was on the wire when it was killed, and the look whether the server still has what was made.
    assert len(proxy.requests) - count <= told["calls"] - len(before) + 2
    assert told["left"] == []
    assert told["operations_2xx"] >= 16


def test_interrupted_it_says_so_and_keeps_everything(tmp_path: Path) -> None:
    with running("atlas") as urls, counting(urls["atlas"]) as proxy:
        command = _command(tmp_path, [f"atlas={proxy.url}"], "--rate", "50")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        _until(lambda: len(proxy.requests) >= 20)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=HANGS)
        kept = listed("evidence", tmp_path)
    assert process.returncode == 130
    assert said.splitlines()[-1] == f"docrev: {LINE}"
    assert "Traceback" not in said
    assert len(kept) >= 15


def test_two_processes_do_not_share_one_evidence(tmp_path: Path) -> None:
    with running("atlas") as urls, counting(urls["atlas"]) as proxy:
        command = _command(tmp_path, [f"atlas={proxy.url}"], "--rate", "20")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _until(lambda: len(proxy.requests) >= 3)
            second = docrev(*words(ATLAS, tmp_path, [f"atlas={proxy.url}"], "--rate", "20"))
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(HANGS)
    second.failed(2, str(process.pid))


@pytest.mark.long
def test_a_server_that_forgot_is_noticed(tmp_path: Path) -> None:
    port = _free_port()
    with _service(port), counting(f"http://127.0.0.1:{port}") as proxy:
        first = [f"atlas={proxy.url}"]
        command = _command(tmp_path, first, "--allow", "POST", "--rate", "100")
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _until(lambda: any(method == "POST" and status == 201 for method, _, status in proxy.requests))
        time.sleep(0.2)
        process.send_signal(signal.SIGKILL)
        process.wait(HANGS)
        with _restarted(port):
            docrev(*words(ATLAS, tmp_path, first, "--allow", "POST")).failed(2, "--fresh")
            done(docrev(*words(ATLAS, tmp_path, first, "--allow", "POST", "--fresh")))


@pytest.mark.long
def test_what_may_not_be_deleted_is_listed_and_cleaned_later_for_all_runs_of_the_folder(tmp_path: Path) -> None:
    with running("atlas") as urls:
        base = [f"atlas={urls['atlas']}"]
        first = _only_atlas(tmp_path, base, "--allow", "POST")["left"]
        second = _only_atlas(tmp_path, base, "--allow", "POST", "--fresh")["left"]
        assert all(any("/notes/" in item["path"] for item in left) for left in (first, second))
        result = docrev(*words(ATLAS, tmp_path, base, "--allow", "POST,DELETE"), "--clean")
        items = [item["path"] for item in (*first, *second)]
        assert all(httpx2.get(urls["atlas"] + path).status_code == 404 for path in items)
        assert done(result).json == {"left": [], "unseen": 0}


def test_a_dry_run_calls_nothing(tmp_path: Path) -> None:
    with running("atlas") as urls, counting(urls["atlas"]) as proxy:
        result = done(docrev("explore", ATLAS, "--base-url", proxy.url, "--dry-run"))
        assert proxy.requests == []
    assert "atlas GET /countries" in result.out
    assert "POST is not allowed; give --allow POST" in result.out
    assert not (tmp_path / "evidence").exists()


def test_without_a_base_url_the_servers_of_the_spec_are_read_only(tmp_path: Path) -> None:
    with running("atlas") as urls, counting(urls["atlas"]) as proxy:
        text = (SPECS / "atlas.yaml").read_text().replace("http://127.0.0.1:8101", proxy.url)
        (tmp_path / "atlas.yaml").write_text(text)
        result = done(docrev("explore", tmp_path, "--out", tmp_path / "evidence", *ALLOW))
        assert {method for method, _, _ in proxy.requests} == {"GET"}
    assert result.err.splitlines()[0].startswith("no --base-url: using the servers that the specs name")
    assert proxy.url in result.err.splitlines()[0]


def _command(out: Path, urls: Sequence[str], *arguments: str) -> list[str]:
    return [*DOCREV, *words(ATLAS, out, urls, *arguments)]


def _only_atlas(out: Path, urls: Sequence[str], *arguments: str) -> dict[str, Any]:
    told = done(docrev(*words(ATLAS, out, urls, *arguments))).json
    assert isinstance(told, dict)
    return told


def _gets(proxy: Counted) -> list[str]:
    return [target for method, target, _ in proxy.requests if method == "GET"]


def _until(holds: Any, seconds: float = HANGS) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def _free_port() -> int:
    import socket

    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


class _service:
    """Atlas on a given port, in a process of its own; `_restarted` stops it and starts another on the same port."""

    current: subprocess.Popen[bytes]

    def __init__(self, port: int) -> None:
        self.port = port

    def __enter__(self) -> None:
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "docrev.sandbox", "atlas", "--port", str(self.port)]
        type(self).current = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
        import urllib.request

        def up() -> bool:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/status", timeout=1).close()
            except OSError:
                return False
            return True

        _until(up)

    def __exit__(self, *_: object) -> None:
        type(self).current.terminate()
        type(self).current.wait(HANGS)


class _restarted(_service):
    def __enter__(self) -> None:
        _service.current.terminate()
        _service.current.wait(HANGS)
        super().__enter__()
        _service.current = _restarted.current
