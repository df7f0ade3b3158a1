"""The demo from a user's side: wall time and peak memory of the whole process tree."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from table import Row, render

INTERVAL = 0.05


def tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    found, waiting = [], [pid]
    while waiting:
        parent = waiting.pop()
        found.append(parent)
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                waiting += [int(child) for child in task.read_text().split()]
            except OSError:
                continue
    return found


def resident(pid: int) -> int:
    """Bytes of memory that a process has for itself, shared pages by their share (PSS)."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def watched(command: list[str], folder: str) -> tuple[float, int, int]:
    """Run a command; seconds, peak bytes of its tree, exit code."""
    started, peak = time.monotonic(), 0
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        peak = max(peak, sum(resident(pid) for pid in tree(process.pid)))
        time.sleep(INTERVAL)
    return time.monotonic() - started, peak, process.returncode


def main() -> str:
    docrev = os.path.join(os.path.dirname(sys.executable), "docrev")
    with tempfile.TemporaryDirectory() as folder:
        seconds, peak, code = watched([docrev, "demo"], folder)
    rows = [
        Row("exit code", str(code), "0", code == 0),
        Row("seconds, after set-up", f"{seconds:.1f}", "< 60", seconds < 60),
        Row("peak memory of the process tree, MB", f"{peak / 1e6:.0f}", "< 300", peak < 300e6),
    ]
    return render("Demo (docrev demo)", rows)
