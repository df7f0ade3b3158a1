"""Processes that run the command line as if it were typed, forked from one that has imported docrev already.

Importing takes a second of processor time, and hundreds of tests run a command. What is forked has its own streams,
folder, environment, signals and exit code. What is about imports, the start, or the seed of hashes needs a new
interpreter: `python -m docrev`.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

from docrev.cli import COMMANDS

_IMPORTED = (
    *(f"docrev.cli.{'import_' if name == 'import' else name}" for name in COMMANDS),
    "docrev.api",
    "docrev.facts.kinds",
    "docrev.sessions.checking",
    "docrev.sessions.exploration",
    "docrev.sessions.report",
    "docrev.sessions.revision",
    "docrev.templates",
    "openapi_spec_validator",
)


def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_IMPORTED))
    return context


_CONTEXT = _context()
# Processes that end are looked for by whoever starts the next, and by whoever waits: not both at once.
_LOCK = threading.Lock()


class Forked:
    """A command that runs; `streams` are the files, or a terminal, that it reads and writes."""

    def __init__(
        self, words: Sequence[str | Path], streams: tuple[str, str, str], cwd: Path | None, env: Mapping[str, str]
    ) -> None:
        arguments = ([*map(str, words)], streams, str(cwd or Path.cwd()), dict(env))
        self._process: ForkServerProcess = _CONTEXT.Process(target=_run, args=arguments)
        with _LOCK:
            self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def wait(self, seconds: float = 0) -> int | None:
        """Its exit code once it has ended, as `subprocess` has it; None if it has not after so many seconds."""
        with _LOCK:
            self._process.join(seconds)
            return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()


def _run(words: list[str], streams: tuple[str, str, str], cwd: str, env: dict[str, str]) -> None:
    for number, (file, flags) in enumerate(zip(streams, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
        opened = os.open(file, flags)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stdout.reconfigure(line_buffering=sys.stdout.isatty())
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["docrev", *words]
    from docrev.__main__ import main

    main()
