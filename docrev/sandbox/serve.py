"""Starting the bundled services: in this process until stopped, or in one of their own for as long as a block lasts."""

from __future__ import annotations

import importlib
import importlib.util
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from docrev.errors import UnreachableError, UsageError

SERVICES = ("airfield", "atlas")
PIP = "pip install 'docrev[sandbox]'"
START_SECONDS = 20


def require() -> None:
    """Raise UsageError with the pip line where the extra `sandbox` is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("starlette", "uvicorn")):
        raise UsageError("the bundled services need starlette and uvicorn", fix=f"run: {PIP}")


def listen(port: int = 0) -> socket.socket:
    """A listening socket on loopback; port 0 takes a free one. UsageError where the port is taken."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(("127.0.0.1", port))
    except OSError as error:
        sock.close()
        raise UsageError(f"cannot listen on port {port}: {error.strerror}", fix="choose another port") from error
    sock.listen(512)
    return sock


def url(sock: socket.socket) -> str:
    """The base URL of what listens on the socket."""
    return f"http://127.0.0.1:{sock.getsockname()[1]}"


def run(sockets: dict[str, socket.socket], *, announce: Callable[[], None] = lambda: None, child: bool = False) -> None:
    """Serve one fresh service on each socket, until SIGINT or SIGTERM; `announce` is called when all are ready.

    A `child` says so on standard output, and ends when its standard input closes.
    """
    apps = {name: (load_app(name), sock) for name, sock in sockets.items()}
    from docrev.sandbox.server import run_servers, stop_with_parent

    if child:
        stop_with_parent()
    run_servers(apps, _ready if child else announce)


def _ready() -> None:
    print("ready", flush=True)


def load_app(name: str) -> object:
    """A fresh ASGI app of the service `name`."""
    if name not in SERVICES:
        raise UsageError(f"no bundled service {name!r}", fix=f"choose from {', '.join(SERVICES)}")
    require()
    app: object = importlib.import_module(f"docrev.sandbox.{name}.app").app()
    return app


@contextmanager
def serve(names: Sequence[str] = SERVICES, ports: Sequence[int] | int = 0) -> Iterator[dict[str, str]]:
    """Run services in one subprocess for as long as the block lasts; yields the base URL of each by name.

    `ports`: one for each name, or 0 for free ones. The sockets are bound here and handed down, so no other process can
    take a port in between. Raises UsageError without the extra `sandbox`, UnreachableError where they do not start.
    """
    require()
    chosen = [ports] * len(names) if isinstance(ports, int) else list(ports)
    sockets = {name: listen(port) for name, port in zip(names, chosen, strict=True)}
    inherited = [f"{name}={sock.fileno()}" for name, sock in sockets.items()]
    urls = {name: url(sock) for name, sock in sockets.items()}
    command = [sys.executable, "-m", "docrev.sandbox", "--inherited", *inherited]
    with child(command, list(sockets.values()), "the bundled services"):
        yield urls


@contextmanager
def child(command: Sequence[str], sockets: Sequence[socket.socket], what: str) -> Iterator[None]:
    """A server in a process of its own for as long as the block lasts; it inherits `sockets`, which are closed here.

    It says "ready" on its standard output, and ends when its standard input closes. Raises UnreachableError where
    `what` does not start.
    """
    process = subprocess.Popen(
        command,
        pass_fds=[sock.fileno() for sock in sockets],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    for sock in sockets:
        sock.close()
    try:
        _wait(process, what)
        yield
    finally:
        _stop(process)


def _wait(process: subprocess.Popen[bytes], what: str) -> None:
    assert process.stdout is not None
    timer = threading.Timer(START_SECONDS, process.kill)
    timer.start()
    line = process.stdout.readline()
    timer.cancel()
    if line.strip() != b"ready":
        raise UnreachableError(f"{what} did not start", fix="see the lines above")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
