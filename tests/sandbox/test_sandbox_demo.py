"""`docrev demo` as a user runs it: explored, revised, shown, and nothing left running."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
import yaml
from patience import HANGS

DEMO = [sys.executable, "-m", "docrev", "demo"]


def answers(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/status", timeout=HANGS).status_code == 200
    except httpx2.TransportError:
        return False


@pytest.mark.long
def test_the_demo_explores_revises_and_shows_the_difference(tmp_path: Path) -> None:
    done = subprocess.run(DEMO, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "docrev-demo"
    assert sorted(path.name for path in folder.iterdir()) == ["evidence", "revised", "specs"]
    before, after = (yaml.safe_load((folder / part / "atlas.yaml").read_text()) for part in ("specs", "revised"))
    assert "description" not in before["paths"]["/countries"]["get"]
    assert after["paths"]["/countries"]["get"]["description"]
    assert "34 of 35" in done.stdout
    assert "GET /airports/{iata}/weather" in done.stdout
    assert "\n+      description: " in done.stdout
    assert "docrev diff docrev-demo/specs docrev-demo/revised" in done.stdout
    for url in re.findall(r"http://127\.0\.0\.1:\d+", done.stdout.partition("The same by hand")[0]):
        assert not answers(url)


def test_the_demo_stops_the_services_when_interrupted(tmp_path: Path) -> None:
    process = subprocess.Popen(
        DEMO, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    urls = re.findall(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
    assert len(urls) == 2
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=HANGS)
    assert process.returncode == 130
    assert "Traceback" not in complaint
    assert not any(map(answers, urls))


@pytest.mark.parametrize("place", ["file/demo", "file"])
def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    done = subprocess.run([*DEMO, place], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "file" in done.stderr
