"""A reverse proxy that counts: what was asked of a service, and what it answered, seen from outside."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from patience import HANGS


class Watch:
    """Is told how far each request is; what raises ConnectionError there drops the connection."""

    def arrived(self, method: str) -> int:
        """A request arrived and was not passed on; returns a number for it."""
        return 0

    def performed(self, number: int) -> None:
        """The service answered the request, and its answer was not passed on."""

    def answered(self, number: int) -> None:
        """The client has the answer."""


@dataclass
class Counted:
    """Requests in the order in which they were answered: method, target, status."""

    url: str = ""
    requests: list[tuple[str, str, int]] = field(default_factory=list)


@contextmanager
def counting(upstream: str, watch: Watch | None = None) -> Iterator[Counted]:
    """A proxy in front of `upstream` (http, loopback) in a thread of its own; `url` is the base URL through it."""
    watch = watch or Watch()
    parts = urlsplit(upstream)
    counted = Counted()
    ready, loop = threading.Event(), asyncio.new_event_loop()

    async def serve() -> asyncio.Server:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await _relay(reader, writer, parts.hostname or "", parts.port or 80, counted, watch)
            except (ConnectionError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(handle, "127.0.0.1", 0, limit=2**24)
        port = server.sockets[0].getsockname()[1]
        counted.url = f"http://127.0.0.1:{port}{parts.path}"
        ready.set()
        return server

    def run() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(serve())
        loop.run_forever()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(HANGS)
    try:
        yield counted
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


async def _relay(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    host: str,
    port: int,
    counted: Counted,
    watch: Watch,
) -> None:
    """Pass requests of one connection on over one connection, until either side closes."""
    up_reader, up_writer = await asyncio.open_connection(host, port, limit=2**24)
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
            request = head + await _body(reader, head)
            number = watch.arrived(method)
            up_writer.write(request)
            await up_writer.drain()
            answer = await up_reader.readuntil(b"\r\n\r\n")
            status = int(answer.split(b" ", 2)[1])
            empty = method == "HEAD" or status in (204, 304)
            whole = answer + (b"" if empty else await _body(up_reader, answer, until_close=True))
            counted.requests.append((method, target, status))
            watch.performed(number)
            writer.write(whole)
            await writer.drain()
            watch.answered(number)
            if b"connection: close" in answer.lower():
                return
    finally:
        up_writer.close()


async def _body(reader: asyncio.StreamReader, head: bytes, *, until_close: bool = False) -> bytes:
    """The body that a head announces: by length, in chunks, or, in an answer, until the connection closes."""
    headers = head.lower()
    if b"\r\ntransfer-encoding: chunked" in headers:
        found = b""
        while True:
            line = await reader.readuntil(b"\r\n")
            chunk = await reader.readexactly(int(line.split(b";")[0], 16) + 2)
            found += line + chunk
            if chunk == b"\r\n":
                return found
    if b"\r\ncontent-length:" in headers:
        return await reader.readexactly(int(headers.split(b"\r\ncontent-length:")[1].split(b"\r\n")[0]))
    return await reader.read() if until_close else b""
