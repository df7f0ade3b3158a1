"""One connection after the other request: when it serves again, and what a server may do to it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from h11 import LocalProtocolError

from docrev.calls.connection import Connection, NotConnectedError
from docrev.calls.http import _place

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
Peer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def fetched(connection: Connection, method: str = "GET", content: bytes = b"") -> tuple[int, bytes]:
    headers = [("host", "x"), ("content-length", str(len(content)))]
    response = await connection.request(method, "/", headers, content)
    pieces = []
    while (piece := await connection.piece()) is not None:
        pieces.append(piece)
    return response.status_code, b"".join(pieces)


def with_peer(peer: Peer, use: Callable[[Connection], Awaitable[None]]) -> None:
    async def run() -> None:
        server = await asyncio.start_server(peer, "127.0.0.1", 0)
        async with server:
            connection = await Connection.open("127.0.0.1", server.sockets[0].getsockname()[1], None)
            try:
                await use(connection)
            finally:
                await connection.close()

    asyncio.run(run())


def answering(*answers: bytes) -> Peer:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)
        await writer.drain()
        await reader.read()
        writer.close()

    return peer


def test_a_connection_serves_one_request_after_the_other() -> None:
    async def use(connection: Connection) -> None:
        for _ in range(2):
            assert await fetched(connection) == (200, b"{}")
            assert connection.is_free

    with_peer(answering(OK, OK), use)


@pytest.mark.parametrize(
    "answer",
    [OK + b"HTTP/1.1 200 OK\r\n\r\n", OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n")],
    ids=["with bytes left over", "that is its last"],
)
def test_a_connection_does_not_serve_again_after_a_response(answer: bytes) -> None:
    async def use(connection: Connection) -> None:
        assert await fetched(connection) == (200, b"{}")
        assert not connection.is_free

    with_peer(answering(answer), use)


def test_a_connection_is_not_free_once_the_server_has_hung_up() -> None:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        writer.close()

    async def use(connection: Connection) -> None:
        assert await fetched(connection) == (200, b"{}")
        await connection._closed
        assert not connection.is_free

    with_peer(peer, use)


def test_a_connection_is_not_free_while_its_response_is_unread() -> None:
    async def use(connection: Connection) -> None:
        await connection.request("GET", "/", [("host", "x")], b"")
        assert not connection.is_free

    with_peer(answering(OK), use)


def test_what_was_answered_before_the_server_hung_up_is_read() -> None:
    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"HTTP/1.1 413 No\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig")
        writer.close()

    async def use(connection: Connection) -> None:
        assert await fetched(connection, "POST", b"x" * 20_000) == (413, b"big")

    with_peer(peer, use)


def test_a_response_faster_than_its_reader_waits_in_the_socket() -> None:
    large = b"x" * 5_000_000

    async def use(connection: Connection) -> None:
        await connection.request("GET", "/", [("host", "x")], b"")
        await asyncio.sleep(0.05)
        assert len(connection._received) < 1_000_000
        total = 0
        while (piece := await connection.piece()) is not None:
            total += len(piece)
        assert total == len(large)

    with_peer(answering(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(large) + large), use)


def test_a_header_that_would_end_the_headers_is_not_sent() -> None:
    async def use(connection: Connection) -> None:
        with pytest.raises(LocalProtocolError):
            await connection.request("GET", "/", [("host", "x"), ("x-a", "1\r\nx-b: 2")], b"")

    with_peer(answering(OK), use)


def test_no_connection() -> None:
    with pytest.raises(NotConnectedError):
        asyncio.run(Connection.open("127.0.0.1", 9, None))


@pytest.mark.parametrize(
    ("url", "place", "target"),
    [
        ("http://h", ("http", "h", 80), "/"),
        ("https://h:8/a%2Fb?c=%20", ("https", "h", 8), "/a%2Fb?c=%20"),
        ("http://[::1]:5/a/../b", ("http", "::1", 5), "/b"),
        ("http://h/a b\r\nx: y", ("http", "h", 80), "/a%20bx:%20y"),
        ("http://h/100%/ü", ("http", "h", 80), "/100%25/%C3%BC"),
    ],
)
def test_where_a_url_is_sent(url: str, place: tuple[str, str, int], target: str) -> None:
    assert _place(url) == (place, target)
