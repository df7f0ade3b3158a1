"""Starting and stopping the bundled services, and the demo around them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from patience import HANGS
from services import running

from docrev.errors import UsageError
from docrev.sandbox import serve
from docrev.sandbox.demo import block, run_demo


def answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/status", timeout=HANGS).status_code == 200
    except httpx2.TransportError:
        return False


def gone(url: str, seconds: float = HANGS) -> bool:
    """Whether nothing answers at a URL any more, some seconds later at the latest."""
    end = time.monotonic() + seconds
    while answers(url) and time.monotonic() < end:
        time.sleep(0.05)
    return not answers(url)


def create(url: str) -> list[str]:
    http = httpx2.Client(base_url=url, timeout=HANGS)
    ids = [http.post("/watchlists", json={"name": name}).json()["id"] for name in ("one", "two")]
    return [*ids, http.post(f"/watchlists/{ids[0]}/items", json={"iata": "CDG"}).json()["item_id"]]


def test_services_answer_within_the_block_and_are_gone_after_it() -> None:
    with running() as urls:
        assert sorted(urls) == ["airfield", "atlas"]
        assert all(map(answers, urls.values()))
    assert not any(map(answers, urls.values()))


def test_services_stop_when_the_block_fails() -> None:
    with pytest.raises(ZeroDivisionError), running("atlas") as urls:
        raise ZeroDivisionError
    assert not answers(urls["atlas"])


def test_the_same_requests_get_the_same_ids_from_a_fresh_service() -> None:
    seen = []
    for _ in range(2):
        with running("airfield") as urls:
            seen.append(create(urls["airfield"]))
    assert seen == [["wl_0001", "wl_0002", "wi_0001"]] * 2


def test_a_taken_port_is_a_usage_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen on port {port}"), serve(["atlas"], port):
            raise AssertionError("not reached")


def test_services_do_not_outlive_a_killed_parent() -> None:
    code = "from docrev.sandbox import serve\nwith serve(['atlas']) as u:\n print(u['atlas'], flush=True); input()"
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    url = parent.stdout.readline().strip()
    assert answers(url)
    parent.kill()
    parent.communicate()
    assert gone(url)


def test_the_module_serves_until_interrupted() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "docrev.sandbox", "atlas"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    name, url = process.stdout.readline().split()
    assert name == "atlas"
    assert answers(url)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=HANGS)
    assert (process.returncode, complaint) == (0, "")


def test_the_module_refuses_an_unknown_service_in_one_line() -> None:
    process = subprocess.run([sys.executable, "-m", "docrev.sandbox", "gazetteer"], capture_output=True, text=True)
    assert process.returncode == 2
    assert process.stderr.splitlines() == ["no bundled service 'gazetteer'; choose from airfield, atlas, depot"]


class Recorder:
    """Stands in for the two commands: notes what it is told, and whether the services answer meanwhile."""

    def __init__(self, folder: Path, code: int = 0) -> None:
        self.folder, self.code = folder, code
        self.commands: list[list[str]] = []
        self.urls: list[str] = []

    def explore(self, arguments: list[str]) -> int:
        self.commands.append(arguments)
        self.urls = [part.partition("=")[2] for part in arguments if "=http://" in part]
        assert all(map(answers, self.urls))
        key = {"X-Api-Key": os.environ["ATLAS_API_KEY"]}
        atlas = next(part.partition("=")[2] for part in arguments if part.startswith("atlas="))
        assert httpx2.get(f"{atlas}/reports/density", headers=key, timeout=HANGS).status_code == 200
        return self.code

    def revise(self, arguments: list[str]) -> int:
        self.commands.append(arguments)
        (self.folder / "revised").mkdir()
        old = (self.folder / "specs" / "atlas.yaml").read_text()
        new = old.replace("description: Region code.", "description: Name of a region.")
        (self.folder / "revised" / "atlas.yaml").write_text(new)
        return 0


def test_the_demo_runs_both_commands_shows_what_changed_and_stops_the_services(tmp_path: Path) -> None:
    recorder, lines = Recorder(tmp_path), list[str]()
    assert run_demo(tmp_path, recorder.explore, recorder.revise, lines.append) == 0
    assert [command[0] for command in recorder.commands] == ["explore", "revise"]
    assert sorted(path.name for path in (tmp_path / "specs").iterdir()) == ["airfield.json", "atlas.yaml"]
    text = "\n".join(lines)
    assert "-          description: Region code." in text
    assert "+          description: Name of a region." in text
    assert f"docrev diff {tmp_path}/specs {tmp_path}/revised" in text
    assert len(recorder.urls) == 2
    assert not any(map(answers, recorder.urls))


def test_the_demo_ends_with_the_code_of_the_command_that_failed(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, code=3)
    assert run_demo(tmp_path, recorder.explore, recorder.revise, lambda line: None) == 3
    assert len(recorder.commands) == 1
    assert not any(map(answers, recorder.urls))


def test_the_demo_without_the_extra_prints_the_pip_line(tmp_path: Path) -> None:
    code = "import sys; sys.modules['uvicorn'] = None\nfrom docrev.cli import main\nmain(['demo'])"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert process.returncode == 2
    assert "pip install 'docrev[sandbox]'" in process.stderr
    assert len(process.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_block_is_one_path_of_a_spec() -> None:
    text = "paths:\n  /a:\n    get: {}\n  /a/b:\n    get: {x: 1}\n\ncomponents: {}\n"
    assert block(text, "/a") == ["  /a:", "    get: {}"]
    assert block(text, "/a/b") == ["  /a/b:", "    get: {x: 1}"]
    assert block(text, "/c") == []
