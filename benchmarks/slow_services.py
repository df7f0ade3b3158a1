"""Services that take their time: each on a port of its own, with one list and its items, all in one process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WORDS = "ka lo mi ru ta ve so ni pe da".split()


def noun(number: int) -> str:
    """A word that no two services share."""
    return "".join(WORDS[int(digit)] for digit in f"{number:03}") + "s"


@contextmanager
def served(folder: Path, count: int, latency: float) -> Iterator[tuple[Path, list[str]]]:
    """The specs and the base URLs of so many services, which run in a process of their own."""
    specs = folder / "specs"
    server = subprocess.Popen([sys.executable, __file__, str(count), str(latency)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        ports = json.loads(server.stdout.readline())
        yield specs, write_specs(specs, ports)
    finally:
        server.kill()
        server.wait()


def write_specs(folder: Path, ports: list[int]) -> list[str]:
    """Write the spec of the service on each port into a new folder; returns their base URLs by tool."""
    folder.mkdir()
    for number in range(len(ports)):
        (folder / f"{noun(number)}.json").write_text(json.dumps(_spec(noun(number))))
    return [f"{noun(number)}=http://127.0.0.1:{port}" for number, port in enumerate(ports)]


def _spec(name: str) -> dict[str, object]:
    answer = {"200": {"description": "ok"}}
    state = {"name": "state", "in": "query", "schema": {"type": "string"}}
    number = {"name": f"{name}_no", "in": "path", "required": True, "schema": {"type": "integer"}}
    paths = {
        f"/{name}": {"get": {"parameters": [state], "responses": answer}},
        f"/{name}/{{{name}_no}}": {"get": {"parameters": [number], "responses": answer}},
    }
    return {"openapi": "3.0.3", "info": {"title": name, "version": "1"}, "paths": paths}


async def start(count: int, latency: float) -> list[asyncio.Server]:
    """Start so many services in the running loop."""
    return [await asyncio.start_server(_handler(noun(number), latency), "127.0.0.1", 0) for number in range(count)]


def ports_of(servers: list[asyncio.Server]) -> list[int]:
    """The port of each service."""
    return [server.sockets[0].getsockname()[1] for server in servers]


async def serve(count: int, latency: float) -> None:
    """Serve so many services; prints their ports."""
    servers = await start(count, latency)
    print(json.dumps(ports_of(servers)), flush=True)
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
