"""Many services with latency, explored by one process and by workers of this machine.

`SERVICES` chooses how many (500). One process serves them all, each on a port of its own, 20 ms a request. Seconds are
of the clock and want a quiet machine; seconds of processor are those of the command and its workers.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from table import Row, render

SERVICES = int(os.environ.get("SERVICES", "500"))
LATENCY = 0.02
CALLS = 40
"""Requests to each service, at most."""
WORDS = "ka lo mi ru ta ve so ni pe da".split()
WANTED = 1.7


def noun(number: int) -> str:
    """A word that no two services share."""
    return "".join(WORDS[int(digit)] for digit in f"{number:03}") + "s"


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
        found = {name: explored(specs, bases, Path(folder, name), *more) for name, more in names.items()}
    rows = [
        Row(
            f"{name}: requests, seconds, requests a second, cores used",
            f"{one.requests:,}, {one.seconds:.0f}, {one.requests / one.seconds:.0f}, {one.processor / one.seconds:.2f}",
        )
        for name, one in found.items()
    ]
    rates = {name: one.requests / one.seconds for name, one in found.items()}
    for name in ("one process, all at once", "one process, in units"):
        ratio = rates["two workers"] / rates[name]
        rows.append(Row(f"two workers beside {name}: times as fast", f"{ratio:.2f}", f">= {WANTED}", ratio >= WANTED))
    return render(f"Cluster: {SERVICES} services, 20 ms a request, {os.cpu_count()} cores", rows)


def explored(specs: Path, bases: list[str], out: Path, *more: str) -> Explored:
    """Explore all services, with more options."""
    words = [word for base in bases for word in ("--base-url", base)]
    limit = str(CALLS * len(bases))
    command = [sys.executable, "-m", "docrev", "explore", str(specs), *words, "--out", str(out), "--max-calls", limit]
    started, before = time.monotonic(), os.times()
    done = subprocess.run([*command, *more, "--json"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    told = json.loads(done.stdout)
    return Explored(told["requests"], time.monotonic() - started, spent, told["seconds"])


@contextmanager
def served(folder: Path, count: int, latency: float) -> Iterator[tuple[Path, list[str]]]:
    """The specs and the base URLs of so many services, which run in a process of their own."""
    specs = folder / "specs"
    specs.mkdir()
    server = subprocess.Popen([sys.executable, __file__, str(count), str(latency)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        ports = json.loads(server.stdout.readline())
        for number in range(count):
            (specs / f"{noun(number)}.json").write_text(json.dumps(_spec(noun(number))))
        yield specs, [f"{noun(number)}=http://127.0.0.1:{port}" for number, port in enumerate(ports)]
    finally:
        server.kill()
        server.wait()


def _spec(name: str) -> dict[str, object]:
    answer = {"200": {"description": "ok"}}
    state = {"name": "state", "in": "query", "schema": {"type": "string"}}
    number = {"name": f"{name}_no", "in": "path", "required": True, "schema": {"type": "integer"}}
    paths = {
        f"/{name}": {"get": {"parameters": [state], "responses": answer}},
        f"/{name}/{{{name}_no}}": {"get": {"parameters": [number], "responses": answer}},
    }
    return {"openapi": "3.0.3", "info": {"title": name, "version": "1"}, "paths": paths}


async def serve(count: int, latency: float) -> None:
    """Serve so many services; prints their ports."""
    servers = []
    for number in range(count):
        servers.append(await asyncio.start_server(_handler(noun(number), latency), "127.0.0.1", 0))
    print(json.dumps([server.sockets[0].getsockname()[1] for server in servers]), flush=True)
    await asyncio.gather(*(server.serve_forever() for server in servers))


def _handler(name: str, latency: float):  # type: ignore[no-untyped-def]
    things = [{f"{name}_no": n, "weight": n * 1.5, "state": ["new", "old"][n % 2]} for n in range(1, 8)]

    def answer(target: str) -> tuple[int, object]:
        path, _, query = target.partition("?")
        item = path.removeprefix(f"/{name}").strip("/")
        if not item:
            return 200, [one for one in things if query in ("", f"state={one['state']}")]
        found = [one for one in things if str(one[f"{name}_no"]) == item]
        return (200, found[0]) if found else (404, {"error": f"no such {name}"})

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(latency)
                status, value = answer(head.split(b" ", 2)[1].decode())
                body = json.dumps(value).encode()
                line = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
                writer.write(line.encode() + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    return handle


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2])))
