"""Starting the bundled services: in this process until stopped, or in one of their own for as long as a block lasts."""

from __future__ import annotations

import importlib
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from docrev.errors import UsageError
from docrev.serving.processes import announce_ready, child, listen, require_server, url

SERVICES = ("airfield", "atlas")
"""What is started where nothing is named."""
NAMES = (*SERVICES, "depot")


def run(sockets: dict[str, socket.socket], *, announce: Callable[[], None] = lambda: None, child: bool = False) -> None:
    """Serve one fresh service on each socket, until SIGINT or SIGTERM; `announce` is called when all are ready.

    A `child` says so on standard output, and ends when its standard input closes.
    """
    apps = {name: (load_app(name), sock) for name, sock in sockets.items()}
    from docrev.serving.server import run_servers, stop_with_parent

    if child:
        stop_with_parent()
    run_servers(apps, announce_ready if child else announce)


def load_app(name: str) -> object:
    """A fresh ASGI app of the service `name`."""
    if name not in NAMES:
        raise UsageError(f"no bundled service {name!r}", fix=f"choose from {', '.join(NAMES)}")
    require_server("a bundled service")
    app: object = importlib.import_module(f"docrev.sandbox.{name}.app").app()
    return app


@contextmanager
def serve(names: Sequence[str] = SERVICES, ports: Sequence[int] | int = 0) -> Iterator[dict[str, str]]:
    """Run services in one subprocess for as long as the block lasts; yields the base URL of each by name.

    `ports`: one for each name, or 0 for free ones. The sockets are bound here and handed down, so no other process can
    take a port in between. Raises UsageError without the extra `sandbox`, UnreachableError if they do not start.
    """
    require_server("a bundled service")
    chosen = [ports] * len(names) if isinstance(ports, int) else list(ports)
    sockets = {name: listen(port) for name, port in zip(names, chosen, strict=True)}
    inherited = [f"{name}={sock.fileno()}" for name, sock in sockets.items()]
    urls = {name: url(sock) for name, sock in sockets.items()}
    command = [sys.executable, "-m", "docrev.sandbox", "--inherited", *inherited]
    with child(command, list(sockets.values()), "the bundled services"):
        yield urls
