"""Explorations by a clock that stands still while anything is computed: what they wait for, on any machine.

The services run in the loop of the exploration, whose clock goes on to the next thing that is due whenever nothing is
ready. So the seconds are those of the latency alone, the same in each run, however slow or busy the machine is.
"""

from __future__ import annotations

import asyncio
import selectors
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from slow_services import ports_of, start, write_specs

from docrev import api

_ARRIVING = 0.001
"""Seconds, by the real clock, in which what was written to a socket of this machine arrives."""
_STUCK = 1.0
"""No service takes as long: where nothing else is due, something is still on its way, and is waited for as long."""


class _StillSelector(selectors.DefaultSelector):
    """Waits for nothing but sockets; `now` is when what is due next is due."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(_ARRIVING if timeout < _STUCK else _STUCK)
        if not ready:
            self.now += timeout
        return ready


class StillLoop(asyncio.SelectorEventLoop):
    """A loop whose clock stands still while anything is computed."""

    def __init__(self) -> None:
        self._selected = _StillSelector()
        super().__init__(self._selected)

    def time(self) -> float:
        return self._selected.now


@dataclass(frozen=True)
class Waited:
    """An exploration by such a clock; seconds of processor are those of the services, too."""

    requests: int
    seconds: float
    processor: float
    latency: float

    @property
    def on_the_wire(self) -> float:
        """Requests on the wire at a time."""
        return self.requests * self.latency / self.seconds


def waited(services: int, latency: float, *, concurrency: int, requests: int | None = None) -> Waited:
    """Explore so many services with a latency, by at most so many requests; None: as many as by default."""
    with asyncio.Runner(loop_factory=StillLoop) as runner:
        return runner.run(_explored(services, latency, concurrency, requests))


async def _explored(services: int, latency: float, concurrency: int, requests: int | None) -> Waited:
    servers = await start(services, latency)
    with tempfile.TemporaryDirectory() as folder:
        specs = Path(folder, "specs")
        bases = write_specs(specs, ports_of(servers))
        loop, before = asyncio.get_running_loop(), time.process_time()
        started = loop.time()
        found = await api.aexplore(
            specs, base_urls=bases, out=Path(folder, "out"), concurrency=concurrency, max_calls=requests
        )
        seconds, processor = loop.time() - started, time.process_time() - before
    for server in servers:
        server.close()
    return Waited(found.summary["requests"], seconds, processor, latency)
