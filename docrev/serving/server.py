"""uvicorn, quiet and with sockets that are bound already. The only module that needs it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import threading
from collections.abc import Callable, Mapping
from typing import Any

import uvicorn


class _Server(uvicorn.Server):
    """A server that leaves the signals to whoever runs several."""

    def capture_signals(self) -> Any:
        return contextlib.nullcontext()


def run_servers(services: Mapping[str, tuple[Any, socket.socket]], ready: Callable[[], None] = lambda: None) -> None:
    """Serve every app on its socket in one event loop, until SIGINT or SIGTERM; `ready` is called when all listen."""
    asyncio.run(serve(services, ready))


async def serve(services: Mapping[str, tuple[Any, socket.socket]], ready: Callable[[], None] = lambda: None) -> None:
    """As `run_servers`, in the event loop that runs."""
    servers = {name: _Server(_config(app)) for name, (app, _) in services.items()}

    def stop() -> None:
        for server in servers.values():
            server.should_exit = True

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    tasks = [asyncio.create_task(server.serve([services[name][1]])) for name, server in servers.items()]
    while not all(server.started for server in servers.values()):
        await asyncio.sleep(0.005)
    ready()
    await asyncio.gather(*tasks)


def _config(app: Any) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        lifespan="off",
        log_level="error",
        access_log=False,
        ws="none",
        server_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=1,
    )


def stop_with_parent() -> None:
    """End this process when standard input closes, which it does when the parent dies, however it dies."""

    def watch() -> None:
        while os.read(0, 1024):  # not sys.stdin: its lock, held at exit, is a fatal error
            pass
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
