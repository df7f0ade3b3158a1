"""Rooms: a fresh service for each name in the path, so that what one task writes is never seen by another.

One process serves them all. `/ROOM/TOOL/countries` goes to the service TOOL as ROOM knows it; a room is made when it is
first entered, and the one that was left alone longest is torn down where there are too many.
"""

from __future__ import annotations

import argparse
import socket
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from docrev.errors import DocrevError
from docrev.language.characters import escaped
from docrev.sandbox.serve import SERVICES, load_app
from docrev.serving.asgi import App, Message, Receive, Send
from docrev.serving.processes import announce_ready, child, listen, require_server, url

MOST = 256
"""Rooms that are kept; far more than tasks are done at a time."""


class Rooms:
    """An ASGI app that makes a service of its own for each room: `makers` are by tool."""

    def __init__(self, makers: Mapping[str, Callable[[], App]]) -> None:
        self._makers = makers
        self._rooms: OrderedDict[tuple[str, str], App] = OrderedDict()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        _, _, rest = scope["path"].partition("/")
        room, _, rest = rest.partition("/")
        tool, _, _ = rest.partition("/")
        if tool not in self._makers:
            await _nothing(send)
            return
        prefix = f"/{room}/{tool}"
        inner = {
            **scope,
            "path": scope["path"][len(prefix) :] or "/",
            "raw_path": _without(scope.get("raw_path"), prefix),
        }
        await self._enter(room, tool)(inner, receive, send)

    def _enter(self, room: str, tool: str) -> App:
        app = self._rooms.get((room, tool))
        if app is None:
            app = self._rooms[room, tool] = self._makers[tool]()
            if len(self._rooms) > MOST:
                self._rooms.popitem(last=False)
        self._rooms.move_to_end((room, tool))
        return app


def _without(raw: bytes | None, prefix: str) -> bytes | None:
    return raw if raw is None else raw[len(prefix) :] or b"/"


async def _nothing(send: Send) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


@contextmanager
def serve_bundled_rooms(names: Sequence[str] = SERVICES) -> Iterator[str]:
    """Serve the bundled services in rooms, in a subprocess for as long as the block lasts; yields the URL before ROOM.

    Raises UsageError without the extra `sandbox`, UnreachableError where it does not start.
    """
    with _serve([*(f"--service={name}" for name in names)]) as base:
        yield base


@contextmanager
def serve_simulated_rooms(specs: Mapping[str, Path], seed: int = 0) -> Iterator[str]:
    """Serve worlds of specs, by tool, in rooms; raises as `serve_bundled_rooms`, and InputError for a bad spec."""
    with _serve([*(f"--spec={tool}={path}" for tool, path in sorted(specs.items())), f"--seed={seed}"]) as base:
        yield base


@contextmanager
def _serve(options: Sequence[str]) -> Iterator[str]:
    require_server("a service for each task")
    sock = listen()
    base = url(sock)
    command = [sys.executable, "-m", "docrev.eval.rooms", *options, f"--inherited={sock.fileno()}"]
    with child(command, [sock], "the rooms"):
        yield base


def _bundled(name: str) -> Callable[[], App]:
    return lambda: cast(App, load_app(name))


def _maker(spec: Path, seed: int) -> Callable[[], App]:
    from docrev.simulator import simulate
    from docrev.spec import load

    catalog = load(spec)
    return lambda: simulate(catalog, seed)


def main() -> None:
    """`python -m docrev.eval.rooms`: serve, say `ready`, and end when standard input closes."""
    parser = argparse.ArgumentParser(prog="python -m docrev.eval.rooms")
    parser.add_argument("--service", action="append", default=[])
    parser.add_argument("--spec", action="append", default=[], metavar="TOOL=PATH")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--inherited", type=int, required=True)
    options = parser.parse_args()
    makers: dict[str, Callable[[], App]] = {}
    try:
        for name in options.service:
            makers[name] = _bundled(name)
        for text in options.spec:
            tool, _, path = text.partition("=")
            makers[tool] = _maker(Path(path), options.seed)
    except DocrevError as error:
        print(escaped(str(error)), file=sys.stderr)
        sys.exit(error.exit_code)
    from docrev.serving.server import run_servers, stop_with_parent

    stop_with_parent()
    sock = socket.socket(fileno=options.inherited)
    run_servers({"rooms": (Rooms(makers), sock)}, announce_ready)


if __name__ == "__main__":
    main()
