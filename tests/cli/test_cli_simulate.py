"""`docrev simulate` as a user runs it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from patience import HANGS

from docrev.cli import run

LIBRARY = Path(__file__).parents[1] / "library.yaml"


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from docrev.cli import main; main()", "simulate", *arguments]


def test_it_serves_until_interrupted() -> None:
    process = subprocess.Popen(command(str(LIBRARY), "--seed", "9"), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        base = process.stdout.readline().strip()
        assert base.startswith("http://127.0.0.1:")
        assert httpx2.get(f"{base}/books?limit=1", timeout=HANGS).json()["limit"] == 1
        process.send_signal(signal.SIGINT)
        assert process.wait(HANGS) == 0
    finally:
        process.kill()
        process.communicate()


def test_a_missing_spec_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["simulate", str(tmp_path / "none.yaml")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_port_that_is_taken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["simulate", str(LIBRARY), "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot listen on port" in capsys.readouterr().err
