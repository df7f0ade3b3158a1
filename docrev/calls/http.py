"""The wire: the only module that knows httpx2. One request, one bounded reply; what goes wrong is a value."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx2

from docrev.calls.limits import Limits

_DROPPED = frozenset(["connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"])
_STREAMS = frozenset({"text/event-stream", "multipart/x-mixed-replace"})
"""Media types of responses that need not end."""
_MAX_HEADERS = 100


@dataclass(slots=True)
class Reply:
    """What came back. `headers` have lower-case names; `status` None: no response; `sent`: it may have arrived.

    `endless`: its length was not stated. `cut`: it had not ended, and `content` is its first whole part.
    """

    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b""
    size: int = 0
    error: str | None = None
    detail: str = ""
    sent: bool = True
    cut: bool = False
    endless: bool = False


class Wire:
    """Connections to the base URLs: HTTP/1.1, kept alive; no proxies, cookies or settings from the environment."""

    def __init__(self, limits: Limits, *, concurrency: int, tls: bool) -> None:
        self._limits = limits
        # httpx2's default reads certifi's bundle, 30 ms; without any https URL an empty context does.
        self.context = httpx2.create_ssl_context(trust_env=False) if tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        # A pool looks at each of its connections twice a request, and closes those of one host for another: pools of
        # one connection, the one used last first, take neither time. Who asks sees to it that they are not too many.
        self._free: dict[tuple[bytes, bytes, int | None], list[httpx2.AsyncHTTPTransport]] = {}
        self._all: list[httpx2.AsyncHTTPTransport] = []
        self._turns = asyncio.Semaphore(concurrency)

    async def exchange(self, method: str, url: str, headers: list[tuple[str, str]], content: bytes) -> Reply:
        """Send one request and read its reply, in `limits.timeout` seconds and `limits.max_size` bytes."""
        reply = Reply()
        try:
            async with asyncio.timeout(self._limits.timeout):
                await self._exchange(httpx2.Request(method, url, headers=headers, content=content or None), reply)
        except TimeoutError:
            if reply.status is None:
                reply.error, reply.detail = "timeout", f"no answer in {self._limits.timeout:g} s"
            elif not _cut(reply):
                reply.error, reply.detail = "too-slow", f"not finished after {self._limits.timeout:g} s"
        except (httpx2.TransportError, httpx2.InvalidURL, OSError, ValueError) as error:
            reply.error, reply.detail, reply.sent = _why(error)
        return reply

    async def _exchange(self, request: httpx2.Request, reply: Reply) -> None:
        url = request.url
        free = self._free.setdefault((url.raw_scheme, url.raw_host, url.port), [])
        async with self._turns:
            transport = free.pop() if free else self._open()
            try:
                await self._over(transport, request, reply)
            finally:
                if _has_leftovers(transport):
                    # They would be taken for the response to the next request.
                    self._all.remove(transport)
                    await transport.aclose()
                else:
                    free.append(transport)

    def _open(self) -> httpx2.AsyncHTTPTransport:
        """A pool of one connection. The transport and not AsyncClient: cookies, redirects and decompression are ours
        to bound."""
        one = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=30)
        self._all.append(httpx2.AsyncHTTPTransport(verify=self.context, trust_env=False, limits=one, retries=0))
        return self._all[-1]

    async def _over(self, transport: httpx2.AsyncHTTPTransport, request: httpx2.Request, reply: Reply) -> None:
        response = await transport.handle_async_request(request)
        try:
            reply.headers = _headers(response.headers)
            reply.status = response.status_code
            reply.endless = "content-length" not in response.headers
            stated = response.headers.get("content-length", "")
            if stated.isdecimal() and int(stated) > self._limits.max_size and request.method != "HEAD":
                reply.size = int(stated)
                self._too_large(reply)
            else:
                await self._read(response, reply)
        finally:
            # Closing an unread response closes its connection: what is left is never downloaded.
            await response.aclose()

    async def _read(self, response: httpx2.Response, reply: Reply) -> None:
        coding = response.headers.get("content-encoding", "").strip().lower()
        if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            reply.error, reply.detail = "bad-encoding", f"content-encoding {coding}"
            return
        decode = _Inflate(self._limits.max_size) if coding not in ("", "identity") else None
        streams = _kind(reply) in _STREAMS
        chunks: list[bytes] = []
        try:
            async with asyncio.timeout(self._limits.stream_time if streams else None):
                await self._collect(response, decode, chunks, reply)
        except TimeoutError:
            reply.cut = True
        except zlib.error:
            reply.error, reply.detail = "bad-encoding", f"not {coding}"
            return
        finally:
            # Also where the time of the whole request is over: what has come may do.
            reply.content = chunks[0] if len(chunks) == 1 else b"".join(chunks)
        if reply.cut and not _cut(reply):
            self._too_large(reply)

    async def _collect(
        self, response: httpx2.Response, decode: _Inflate | None, chunks: list[bytes], reply: Reply
    ) -> None:
        """Read a response into `chunks`, to its end or to the bound of its size."""
        bound = self._limits.stream_size if _kind(reply) in _STREAMS else self._limits.max_size
        async for chunk in response.stream:  # type: ignore[union-attr]
            piece = decode.feed(chunk) if decode else chunk
            chunks.append(piece)
            reply.size += len(piece)
            if reply.size > bound:
                reply.cut = True
                return

    def _too_large(self, reply: Reply) -> None:
        reply.content, reply.cut = b"", False
        reply.error, reply.detail = "too-large", f"more than {self._limits.max_size} bytes"

    async def close(self) -> None:
        for transport in self._all:
            await transport.aclose()


class _Inflate:
    """Decompresses piece by piece and never past the bound: a gzip bomb costs no more than an honest response."""

    def __init__(self, bound: int) -> None:
        self._left = bound + 1
        # 47: zlib finds out itself whether it is gzip or zlib; -15 is for servers that send raw deflate.
        self._inflate, self._first = zlib.decompressobj(47), True

    def feed(self, data: bytes) -> bytes:
        try:
            piece = self._inflate.decompress(data, max(1, self._left))
        except zlib.error:
            if not self._first:
                raise
            self._inflate = zlib.decompressobj(-15)
            piece = self._inflate.decompress(data, max(1, self._left))
        self._first = False
        self._left -= len(piece)
        return piece


def _has_leftovers(transport: httpx2.AsyncHTTPTransport) -> bool:
    """Whether a connection has bytes behind the end of its last response. What arrives later httpx2 notices itself."""
    for connection in transport._pool.connections:
        state = getattr(getattr(connection, "_connection", None), "_h11_state", None)
        if state is not None and state.trailing_data[0]:
            return True
    return False


def _kind(reply: Reply) -> str:
    return reply.headers.get("content-type", "").partition(";")[0].strip().lower()


def _cut(reply: Reply) -> bool:
    """Make a response that did not end count as one: its first event or line is kept. False if that is nothing whole.

    How much has come by when is chance; the first part is the same each time.
    """
    kind, content = _kind(reply), reply.content
    first, end, _ = content.replace(b"\r\n", b"\n").partition(b"\n\n" if kind in _STREAMS else b"\n")
    if not reply.endless or (kind not in _STREAMS and not _is_whole(first, end, kind)):
        return False
    reply.content = first + end if end else b""
    reply.cut, reply.size = True, len(reply.content)
    reply.detail = "cut after its first part, as it did not end"
    return True


def _is_whole(line: bytes, end: bytes, kind: str) -> bool:
    """Whether the first line of a response that did not end says something by itself."""
    if "json" not in kind:
        return bool(end)
    try:
        return bool(end) and isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _headers(headers: httpx2.Headers) -> dict[str, str]:
    found: dict[str, str] = {}
    for raw_name, raw_value in headers.raw[:_MAX_HEADERS]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name not in _DROPPED:
            found[name] = f"{found[name]}, {value}" if name in found else value
    return found


_CAUSES: tuple[tuple[type[BaseException], str, str], ...] = (
    (ConnectionRefusedError, "refused", "connection refused"),
    (socket.gaierror, "network", "the host name is not known"),
)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what it came from, each once."""
    seen: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in seen:
        yield link
        seen.append(link)
        link = link.__cause__ or link.__context__


def _why(error: BaseException) -> tuple[str, str, bool]:
    """Reason, detail, and whether the request may have arrived."""
    chain = list(_causes(error))
    for link in chain:
        if isinstance(link, ssl.SSLError):
            return "tls", str(getattr(link, "verify_message", "") or link.reason or "handshake failed"), False
    for kind, reason, detail in _CAUSES:
        if any(isinstance(link, kind) for link in chain):
            return reason, detail, False
    if isinstance(error, httpx2.ConnectError):
        refused = any(words in str(error).lower() for words in ("refused", "all connection attempts failed"))
        return ("refused" if refused else "network"), str(error) or "no connection", False
    return "network", " ".join(str(error).split()) or type(error).__name__, True
