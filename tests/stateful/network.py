"""Serves a generated service on loopback, in the event loop of whoever uses it: no thread, no process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from stateful.app import App
from stateful.handling import Reply

_REASONS = {status.value: status.phrase for status in HTTPStatus}


@asynccontextmanager
async def serving(app: App) -> AsyncIterator[str]:
    """The base URL, path included, of a service that answers as long as the block lasts."""
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(app), "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{app.service.prefix}"
    finally:
        server.close()


class _Connection(asyncio.Protocol):
    """One connection: requests with a Content-Length, one after the other (RFC 9112)."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (request := self._next()) is not None:
            method, target, headers, body = request
            reply = self._app.respond(method, target, body, headers)
            self._transport.write(_encoded(reply, head=method == "HEAD"))

    def _next(self) -> tuple[str, str, dict[str, str], bytes] | None:
        """The next whole request that was received, if there is one."""
        head, ended, rest = self._received.partition(b"\r\n\r\n")
        if not ended:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", "0"))
        if len(rest) < length:
            return None
        self._received = rest[length:]
        method, target, _ = first.split(" ")
        return method, target, headers, rest[:length]


def _encoded(reply: Reply, *, head: bool) -> bytes:
    body = b"" if reply.body is None else json.dumps(reply.body).encode()
    lines = [f"HTTP/1.1 {reply.status} {_REASONS.get(reply.status, '')}"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    if body:
        lines.append("Content-Type: application/json")
    if reply.status != 204:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + (b"" if head else body)
