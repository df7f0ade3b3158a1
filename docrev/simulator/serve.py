"""Serving a world over HTTP: as an ASGI app, in this process until stopped, or in one of its own for a block."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from docrev.serving.asgi import App, Message, Receive, Send
from docrev.serving.processes import child, listen, require_server, url
from docrev.simulator.world import World, WorldReply
from docrev.spec import Catalog, load

LARGEST = 2 * 2**20


def simulate(spec: Catalog | Path | str, seed: int = 0) -> App:
    """The world of a spec as an ASGI app.

    Raises InputError without a spec, UsageError if there are several, or no operation.
    """
    world = World((spec if isinstance(spec, Catalog) else load(spec)).with_operations(), seed)

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await _send(send, _respond(world, scope, await _body(receive)))

    return app


def _respond(world: World, scope: Message, body: bytes | None) -> WorldReply:
    if body is None:
        return WorldReply(413, {}, b"")
    path = (scope.get("raw_path") or scope["path"].encode()).decode("latin-1")
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    return world.respond(scope["method"], path, scope["query_string"].decode("latin-1"), headers, body)


async def _body(receive: Receive) -> bytes | None:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


async def _send(send: Send, reply: WorldReply) -> None:
    headers = [(name.encode(), value.encode("utf-8")) for name, value in reply.headers.items()]
    if reply.status != 204 and "content-length" not in reply.headers:
        headers.append((b"content-length", str(len(reply.body)).encode()))
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.body})


def run(spec: Path | str, seed: int, sock: socket.socket, *, announce: Callable[[], None], child: bool = False) -> None:
    """Serve a spec's world on a socket until SIGINT or SIGTERM; a `child` ends when its standard input closes."""
    require_server("a simulated service")
    app = simulate(spec, seed)
    from docrev.serving.server import run_servers, stop_with_parent

    if child:
        stop_with_parent()
    run_servers({"world": (app, sock)}, announce)


@contextmanager
def serve_simulated(spec: Path | str, seed: int = 0) -> Iterator[str]:
    """Serve a spec's world in a subprocess for as long as the block lasts; yields its base URL.

    Raises InputError if the spec cannot be read, UsageError without the extra `sandbox`, UnreachableError if it
    does not start.
    """
    require_server("a simulated service")
    sock = listen()
    command = [
        sys.executable,
        "-m",
        "docrev.simulator",
        str(spec),
        "--seed",
        str(seed),
        "--inherited",
        str(sock.fileno()),
    ]
    base = url(sock)
    with child(command, [sock], "the simulated service"):
        yield base
