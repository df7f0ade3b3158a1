"""HTTP servers on loopback for tests: small ones that behave, and ones that misbehave in every way we know.

    with Server(routes) as server: ... server.url, server.requests

`routes` maps "GET /path" (query left out) or a path prefix ending in "*" to an `Answer`, or to a function of the
`Received` request that returns one.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Received:
    """A request as it arrived; `path` is not decoded, `headers` have lower-case names."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.target).query, keep_blank_values=True)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """What to answer. `chunks` are written one by one (they may sleep) without a length, until the client is gone;
    `raw` replaces the whole response, status line included."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: Iterable[bytes] | None = None
    raw: bytes | None = None


Route = Answer | Callable[[Received], Answer]


def reply(value: Any, status: int = 200, **headers: str) -> Answer:
    """A JSON answer; `x_total=…` becomes the header X-Total."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json", **named})


class Server:
    """Answers `routes` on a free port of loopback until the block ends; keeps what it was sent in `requests`."""

    def __init__(self, routes: Mapping[str, Route]) -> None:
        self.routes = dict(routes)
        self.requests: list[Received] = []
        self._http = _Http(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def seen(self) -> list[str]:
        """`METHOD target` of every request, in order of arrival."""
        return [f"{request.method} {request.target}" for request in self.requests]

    @property
    def changes(self) -> list[str]:
        """`METHOD target` of every request that does not merely read."""
        return [line for line in self.seen if not line.startswith(("GET ", "HEAD ", "OPTIONS "))]

    def route(self, request: Received) -> Route:
        exact = self.routes.get(f"{request.method} {request.path}")
        if exact is not None:
            return exact
        starts = [n for n in self.routes if n.endswith("*") and f"{request.method} {request.path}".startswith(n[:-1])]
        return self.routes[max(starts, key=len)] if starts else reply({"error": "not found"}, 404)

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some tests are about."""


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = 65536

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Received(self.command, self.path, headers, self.rfile.read(length))
            server.requests.append(request)
            route = server.route(request)
            self.write(route if isinstance(route, Answer) else route(request))

        do_GET = do_HEAD = do_OPTIONS = do_POST = do_PUT = do_PATCH = do_DELETE = answer

        def write(self, answer: Answer) -> None:
            if answer.raw is not None:
                self.wfile.write(answer.raw)
                self.close_connection = True
                return
            # Not `send_response`: it would add a Date of its own.
            self.send_response_only(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if answer.chunks is None:
                if "Content-Length" not in answer.headers:
                    self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(answer.body)
                return
            self.send_header("Connection", "close")
            self.end_headers()
            with suppress(OSError):
                for chunk in answer.chunks:
                    self.wfile.write(chunk)
                    self.wfile.flush()
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Silent."""

    return Handler


@contextmanager
def closed_port() -> Iterator[str]:
    """A URL where nobody listens, for as long as the block lasts."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


@contextmanager
def silent_port() -> Iterator[str]:
    """A URL where connections are accepted by the system and nobody ever answers."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen(64)
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


def free_port() -> int:
    """A port that was free a moment ago, for a server that cannot be handed a socket."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])
