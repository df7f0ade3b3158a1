"""The whole command line from outside, in a process of its own, with what it took."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from callkit import document
from forked import Forked
from patience import HANGS

from docrev.cli import run

DOCREV = [sys.executable, "-m", "docrev"]
LIST_AND_ITEM = ("GET /items", "GET /items/{id}")


@dataclass(frozen=True)
class Done:
    """How a process ended. `peak` is the memory it had at most, in MB, where that is looked at."""

    code: int
    out: str
    err: str
    peak: float = 0

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]

    def failed(self, code: int, *words: str) -> str:
        """It ended with this code and exactly one line, on standard error, that holds these words; the line."""
        assert self.code == code, f"{self.code}: {self.out[-500:]} {self.err[-2000:]}"
        assert self.out == ""
        return self.said(*words)

    def said(self, *words: str) -> str:
        """Standard error is one line of docrev's that holds these words."""
        assert self.err.count("\n") == 1, self.err
        assert self.err.startswith("docrev: ")
        for word in words:
            assert word in self.err, f"{word!r} not in {self.err}"
        return self.err


def docrev(
    *words: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    on_start: Callable[[int], None] = lambda pid: None,
) -> Done:
    """Run it to its end; `on_start` gets its number."""
    end, peak = time.monotonic() + HANGS, 0.0
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
        process = Forked(words, (os.devnull, out.name, err.name), cwd, plain_environment() | dict(env or {}))
        on_start(process.pid)
        while (code := process.wait(0.01)) is None:
            peak = max(peak, peak_memory(process.pid))
            if time.monotonic() > end:
                process.kill()
        return Done(code, out.read().decode(), err.read().decode(), peak)


def started(*words: str | Path, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Done:
    """Run `python -m docrev …` to its end: for what is about its start, or should not hang on the seed of hashes."""
    command = [*DOCREV, *map(str, words)]
    environment = plain_environment() | dict(env or {})
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=HANGS)
    return Done(done.returncode, done.stdout, done.stderr)


def plain_environment() -> dict[str, str]:
    """That of the tests, with docrev as users have it."""
    return {name: value for name, value in os.environ.items() if name != "DOCREV_DEBUG"}


def here(*words: str | Path, env: Mapping[str, str] | None = None) -> Done:
    """The whole command line in this process: what it does outside of it is tested elsewhere."""
    before = dict(os.environ)
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        os.environ.update(env or {})
        try:
            code = run([*map(str, words)])
        finally:
            os.environ.clear()
            os.environ.update(before)
    return Done(code, out.getvalue(), err.getvalue())


def interrupted(
    words: Sequence[str | Path], when: Callable[[int], bool], *, cwd: Path, times: int = 1, number: int = signal.SIGINT
) -> Done:
    """Run it, and send a signal as soon as `when` holds of its process, `times` times in a row."""
    started = time.monotonic()
    process = subprocess.Popen(
        [*DOCREV, *map(str, words)], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not when(process.pid) and process.poll() is None and time.monotonic() - started < HANGS:
        time.sleep(0.005)
    for _ in range(times):
        process.send_signal(number)
        time.sleep(0.03)
    out, err = process.communicate(timeout=HANGS)
    return Done(process.returncode, out, err)


def after(seconds: float) -> Callable[[int], bool]:
    """Holds when a process has worked for so long: in its own time, however busy the machine is."""

    def holds(pid: int) -> bool:
        try:
            times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return True
        return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK") >= seconds

    return holds


def spec(folder: Path, operations: Sequence[str] = LIST_AND_ITEM, name: str = "shop.json", **extras: Any) -> Path:
    """An OpenAPI file of `METHOD /path` lines."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document(operations, **extras), indent=1))
    return file


def calls(out: Path) -> list[dict[str, Any]]:
    """All calls that the evidence in `out` holds: it is readable."""
    done = docrev("evidence", out, "--json")
    assert (done.code, done.err) == (0, "")
    return done.lines


def peak_memory(pid: int) -> float:
    """The memory that a running process had at most so far, in MB; 0 if it is gone."""
    # What getrusage tells of a child counts its parent's memory at the fork.
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0.0)
