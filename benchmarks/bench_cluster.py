"""Many services with latency, explored by one process and by workers of this machine.

`SERVICES` chooses how many (500). One process serves them all, each on a port of its own, 20 ms a request. Seconds are
of the clock and want a quiet machine; seconds of processor are those of the command and its workers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from slow_services import served
from still_clock import waited
from table import Row, render

SERVICES = int(os.environ.get("SERVICES", "500"))
LATENCY = 0.02
CALLS = 40
"""Requests to each service, at most."""
DEFAULT_CONCURRENCY = 8
WANTED = 1.7


@dataclass(frozen=True)
class Explored:
    """What exploring all services took, by the clock and of processor; `running` is without start and reading."""

    requests: int
    seconds: float
    processor: float
    running: float


def main() -> str:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), SERVICES, LATENCY) as (specs, bases):
        names = {"one process, all at once": [], "one process, in units": ["--cluster", "local:0"]}
        names |= {"one worker": ["--cluster", "local:1"], "two workers": ["--cluster", "local:2"]}
        limit = ("--max-calls", str(CALLS * SERVICES))
        found = {name: explored(specs, bases, Path(folder, name), *limit, *more) for name, more in names.items()}
    rows = [
        Row(
            f"{name}: requests, seconds, requests a second, cores used, ms of processor a request",
            f"{one.requests:,}, {one.seconds:.0f}, {one.requests / one.seconds:.0f},"
            f" {one.processor / one.seconds:.2f}, {one.processor / one.requests * 1000:.2f}",
        )
        for name, one in found.items()
    ]
    alone = waited(SERVICES, LATENCY, concurrency=DEFAULT_CONCURRENCY, requests=CALLS * SERVICES)
    rows.append(
        Row(
            "one process by a clock that stands still while it computes: seconds, on the wire, cores",
            f"{alone.seconds:.0f}, {alone.on_the_wire:.1f}, {alone.processor / alone.seconds:.2f}",
        )
    )
    rates = {name: one.requests / one.seconds for name, one in found.items()}
    for name in ("one process, all at once", "one process, in units"):
        ratio = rates["two workers"] / rates[name]
        rows.append(Row(f"two workers beside {name}: times as fast", f"{ratio:.2f}", f">= {WANTED}", ratio >= WANTED))
    return render(f"Cluster: {SERVICES} services, 20 ms a request, {os.cpu_count()} cores", rows)


def explored(specs: Path, bases: list[str], out: Path, *more: str) -> Explored:
    """Explore all services, with more options."""
    words = [word for base in bases for word in ("--base-url", base)]
    command = [sys.executable, "-m", "docrev", "explore", str(specs), *words, "--out", str(out)]
    started, before = time.monotonic(), os.times()
    done = subprocess.run([*command, *more, "--json"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    told = json.loads(done.stdout)
    return Explored(told["requests"], time.monotonic() - started, spent, told["seconds"])


if __name__ == "__main__":
    print(main())
