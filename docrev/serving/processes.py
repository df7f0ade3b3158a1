"""Processes that serve: sockets on loopback that are bound here and handed down, and children that end with us."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec

from docrev.errors import UnreachableError, UsageError

PIP = "pip install 'docrev[sandbox]'"
READY = "ready"
"""The line that a child prints when it listens."""
START_SECONDS = 120
"""A guard against hanging alone: a machine with many times the work that it can do has taken more than twenty."""


def require_server(what: str) -> None:
    """Raise UsageError with the pip line if the extra `sandbox`, which `what` needs, is not installed."""
    if not all(find_spec(name) for name in ("starlette", "uvicorn")):
        raise UsageError(f"{what} needs starlette and uvicorn", fix=f"run: {PIP}")


def announce_ready() -> None:
    """Tell the parent process that this child listens."""
    print(READY, flush=True)


def listen(port: int = 0) -> socket.socket:
    """A listening socket on loopback; port 0 takes a free one. UsageError if the port is taken."""
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
    if line.strip() != READY.encode():
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
