"""The wire: one request, one bounded reply; what goes wrong is a value."""

from __future__ import annotations

import asyncio
import errno
import json
import re
import socket
import ssl
import zlib
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from urllib.parse import quote, urljoin, urlsplit

import h11

from docrev.calls.connection import Connection, NotConnectedError
from docrev.calls.limits import Limits
from docrev.language.media_types import essence

_DROPPED = frozenset(["connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"])
_BINARY = ("audio/", "video/", "image/", "application/octet-stream")
"""The beginnings of media types whose content has no lines, and of which nothing is kept."""
_STREAMS = frozenset({"text/event-stream", "multipart/x-mixed-replace"})
"""Media types of responses that need not end."""
_MAX_HEADERS = 100
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})
"""Methods whose requests state the length of their content also where there is none (RFC 9110 §8.6)."""
_PORTS = {"http": 80, "https": 443}
_SAFE = "%/:?#[]@!$&'()*+,;=-._~"
_SENDABLE = re.compile(rf"(?:[\w{re.escape(_SAFE.replace('%', ''))}]|%[0-9A-Fa-f]{{2}})*", re.ASCII)
_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


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

    @property
    def media_type(self) -> str:
        """The media type of `content`, without parameters."""
        return essence(self.headers.get("content-type", ""))


class Wire:
    """Connections to the base URLs: HTTP/1.1, kept alive; no proxies, cookies or settings from the environment."""

    def __init__(self, limits: Limits, *, concurrency: int, tls: bool) -> None:
        self._limits = limits
        self.context = _trusting_context() if tls else None
        # The one used last first: the others may go cold.
        self._free: dict[tuple[str, str, int], list[Connection]] = {}
        self._all: set[Connection] = set()
        self._turns = asyncio.Semaphore(concurrency)

    async def exchange(self, method: str, url: str, headers: list[tuple[str, str]], content: bytes) -> Reply:
        """Send one request and read its reply, in `limits.timeout` seconds and `limits.max_size` bytes."""
        reply = Reply()
        try:
            async with asyncio.timeout(self._limits.timeout):
                await self._exchange(method, url, headers, content, reply)
        except TimeoutError:
            if reply.status is None:
                reply.error, reply.detail = "timeout", f"no answer in {self._limits.timeout:g} s"
            elif not _cut(reply):
                reply.error, reply.detail = "too-slow", f"not finished after {self._limits.timeout:g} s"
        except (h11.ProtocolError, OSError, ValueError) as error:
            reply.error, reply.detail, reply.sent = _why(error)
        return reply

    async def _exchange(
        self, method: str, url: str, headers: list[tuple[str, str]], content: bytes, reply: Reply
    ) -> None:
        place, target = _place(url)
        if content or method in _WITH_BODY:
            headers = [*headers, ("content-length", str(len(content)))]
        async with self._turns:
            connection = self._kept(place) or await self._open(place)
            try:
                response = await connection.request(method, target, headers, content)
                reply.headers, reply.status = _headers(response.headers), response.status_code
                await self._over(connection, method, dict(response.headers), reply)
            finally:
                if connection.is_over:
                    self._free.setdefault(place, []).append(connection)
                else:
                    self._drop(connection)

    def _kept(self, place: tuple[str, str, int]) -> Connection | None:
        """A connection to a place that is free; those that the server closed meanwhile are dropped."""
        free = self._free.get(place, [])
        while free:
            if (connection := free.pop()).is_free:
                return connection
            self._drop(connection)
        return None

    async def _open(self, place: tuple[str, str, int]) -> Connection:
        scheme, host, port = place
        connection = await Connection.open(host, port, self.context if scheme == "https" else None)
        self._all.add(connection)
        return connection

    def _drop(self, connection: Connection) -> None:
        self._all.discard(connection)
        connection.abort()

    async def _over(self, connection: Connection, method: str, headers: dict[bytes, bytes], reply: Reply) -> None:
        """Read the content of a response, unless its stated length is too large."""
        stated = headers.get(b"content-length", b"")
        reply.endless = not stated
        if stated.isdigit() and int(stated) > self._limits.max_size and method != "HEAD":
            reply.size = int(stated)
            self._too_large(reply)
        else:
            coding = headers.get(b"content-encoding", b"").decode("latin-1").strip().lower()
            await self._read(connection, coding, reply)

    async def _read(self, connection: Connection, coding: str, reply: Reply) -> None:
        if coding not in ("", "identity", "gzip", "x-gzip", "deflate"):
            reply.error, reply.detail = "bad-encoding", f"content-encoding {coding}"
            return
        decode = _Inflate(self._limits.max_size) if coding not in ("", "identity") else None
        streams = reply.media_type in _STREAMS
        chunks: list[bytes] = []
        try:
            async with asyncio.timeout(self._limits.stream_time) if streams else nullcontext():
                await self._collect(connection, decode, chunks, reply)
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
        self, connection: Connection, decode: _Inflate | None, chunks: list[bytes], reply: Reply
    ) -> None:
        """Read a response into `chunks`, to its end or to the bound of its size."""
        bound = self._limits.stream_size if reply.media_type in _STREAMS else self._limits.max_size
        while (chunk := await connection.piece()) is not None:
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
        """Close all connections."""
        for connection in self._all:
            await connection.close()


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


def _trusting_context() -> ssl.SSLContext:
    """What TLS is checked against: the certificates that the system trusts, whatever the environment says."""
    # Read for https alone: it takes 100 ms.
    import httpx2

    return httpx2.create_ssl_context(trust_env=False)


def _place(url: str) -> tuple[tuple[str, str, int], str]:
    """(scheme, host, port) of a URL, and the path with its query as they are sent (RFC 9112 §3.2.1).

    Raises ValueError for what is no URL.
    """
    parts = urlsplit(url)
    path = parts.path or "/"
    if "/." in path:
        path = urljoin("/", path)
    target = f"{path}?{parts.query}" if parts.query else path
    if not _SENDABLE.fullmatch(target):
        target = quote(_PERCENT.sub("%25", target), safe=_SAFE)
    return _authority(parts.scheme, parts.netloc), target


@lru_cache(maxsize=256)
def _authority(scheme: str, authority: str) -> tuple[str, str, int]:
    """(scheme, host, port) of what stands before the path of a URL. Raises ValueError."""
    parts = urlsplit(f"{scheme}://{authority}")
    return scheme, parts.hostname or "", parts.port or _PORTS[scheme]


def _cut(reply: Reply) -> bool:
    """Make a response that did not end count as one: its first event or line is kept, and nothing of sounds and
    pictures. False if that is nothing whole.

    How much has come by when is chance; the first part is the same each time.
    """
    kind, content = reply.media_type, reply.content
    if reply.endless and content and kind.startswith(_BINARY):
        reply.content, reply.cut, reply.size, reply.detail = b"", True, 0, "cut, as it did not end"
        return True
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


def _headers(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for raw_name, raw_value in islice(headers, _MAX_HEADERS):
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if name not in _DROPPED:
            found[name] = f"{found[name]}, {value}" if name in found else value
    return found


_CAUSES: tuple[tuple[type[BaseException], str, str], ...] = (
    (ConnectionRefusedError, "refused", "connection refused"),
    (socket.gaierror, "network", "the host name is not known"),
)

_TLS_CAUSES = {"WRONG_VERSION_NUMBER": "the server speaks no TLS"}
"""What OpenSSL says, in other words: it reads the first bytes of a response without TLS as a version."""


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
            why = str(getattr(link, "verify_message", "") or link.reason or "handshake failed")
            return "tls", _TLS_CAUSES.get(why, why), False
    for kind, reason, detail in _CAUSES:
        if any(isinstance(link, kind) for link in chain):
            return reason, detail, False
    if isinstance(error, NotConnectedError):
        # Where a host has several addresses, there is one text for all of them.
        refused = f"[Errno {errno.ECONNREFUSED}]" in str(error)
        return ("refused" if refused else "network"), str(error) or "no connection", False
    return "network", " ".join(str(error).split()) or type(error).__name__, True
