"""One connection of HTTP/1.1: a request is written, and its response read piece by piece; h11 reads and checks both."""

from __future__ import annotations

import asyncio
import select
import ssl
import time
from functools import lru_cache

import h11

_MAX_HEAD = 100 * 1024
"""Bytes of status line and headers, or of a chunk's size: more is no HTTP."""
_MAX_AHEAD = 256 * 1024
"""Bytes that are taken from the socket before anybody asks for them."""
_MAX_IDLE = 30.0
"""Seconds after which a kept connection is not used again: servers close them after a while."""
_ADDRESS_DELAY = 0.25
"""Seconds before the next address of a host is tried beside the one before (RFC 8305 §5)."""


@lru_cache(maxsize=1024)
def _checked(headers: tuple[tuple[str, str], ...]) -> h11.Request:
    """A request with these headers, which h11 has checked: those of most requests to a host are the same."""
    return h11.Request(method="GET", target="/", headers=[*headers])


class NotConnectedError(OSError):
    """There is no connection, so nothing was sent."""


class Connection(asyncio.Protocol):
    """A connection, kept alive for one request after the other. Raises OSError and h11.ProtocolError.

    It is written on the protocol and not on streams: those lose what a server had answered before it hung up.
    """

    def __init__(self) -> None:
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        self._received = bytearray()
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._closed = asyncio.get_running_loop().create_future()
        self._ended = self._paused = False
        self._error: Exception | None = None
        self._since = 0.0

    @classmethod
    async def open(cls, host: str, port: int, context: ssl.SSLContext | None) -> Connection:
        """Connect, with TLS if there is a context. Raises NotConnectedError."""
        loop = asyncio.get_running_loop()
        try:
            _, connection = await loop.create_connection(
                cls, host, port, ssl=context, happy_eyeballs_delay=_ADDRESS_DELAY
            )
        except (OSError, UnicodeError) as error:
            raise NotConnectedError(str(error) or "no connection") from error
        return connection

    @property
    def is_over(self) -> bool:
        """Whether the last request is over, and the server has neither hung up nor sent more so far."""
        return not self._ended and not self._received and self._http.our_state is h11.IDLE

    @property
    def is_free(self) -> bool:
        """Whether another request may be sent now.

        What arrives behind the end of a response would be taken for the response to the next request.
        """
        if self._transport is None or not self.is_over or time.monotonic() - self._since >= _MAX_IDLE:
            return False
        return not self._is_readable(self._transport)

    @staticmethod
    def _is_readable(transport: asyncio.Transport) -> bool:
        """Whether the socket has something to say that the loop has not come to: bytes, or its end."""
        number = transport.get_extra_info("socket").fileno()
        poll = select.poll()
        poll.register(number, select.POLLIN)
        return number < 0 or bool(poll.poll(0))

    async def request(self, method: str, target: str, headers: list[tuple[str, str]], content: bytes) -> h11.Response:
        """Send a request; its response, without the content."""
        assert self._transport is not None
        event = h11.Request(method=method, target=target, headers=_checked(tuple(headers)).headers)
        sent = [self._http.send(event)]
        if content:
            sent.append(self._http.send(h11.Data(data=content)))
        sent.append(self._http.send(h11.EndOfMessage()))
        self._transport.write(b"".join(data for data in sent if data))
        while not isinstance(response := await self._next(), h11.Response):
            pass
        return response

    async def piece(self) -> bytes | None:
        """The next piece of the content; None at its end."""
        event = await self._next()
        if isinstance(event, h11.Data):
            return bytes(event.data)
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE and not self._http.trailing_data[0]:
            self._http.start_next_cycle()
            self._since = time.monotonic()
        return None

    def abort(self) -> None:
        """Hang up at once: what is left of a response is never downloaded."""
        if self._transport is not None:
            self._transport.abort()

    async def close(self) -> None:
        """Hang up, and wait until the socket is closed."""
        self.abort()
        await self._closed

    async def _next(self) -> h11.Event | type[h11.PAUSED]:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            data = await self._more()
            if not data and self._http.their_state is h11.SEND_RESPONSE:
                raise ConnectionResetError("Server disconnected without sending a response.")
            self._http.receive_data(data)
        return event  # type: ignore[return-value]

    async def _more(self) -> bytes:
        """What came from the socket since; nothing at its end."""
        while not self._received and not self._ended:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        data = bytes(self._received)
        self._received.clear()
        if not data and self._error is not None:
            raise self._error
        if self._paused and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        return data

    # What the loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Keep what came for whoever waits for it."""
        self._received += data
        if len(self._received) > _MAX_AHEAD and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        """The server sends no more."""
        self._ended = True
        self._wake()

    def connection_lost(self, error: Exception | None) -> None:
        """The socket is closed, by whomever."""
        self._ended, self._error = True, error
        self._wake()
        if not self._closed.done():
            self._closed.set_result(None)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
