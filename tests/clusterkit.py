"""Schedulers and workers of Dask on loopback, each a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from patience import HANGS


@contextmanager
def cluster_of(workers: int, **environment: str) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler with workers, each a process; they have `environment`, the test has not."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": {**os.environ, **environment}}
    with ExitStack() as stack:

        def started(*words: str) -> subprocess.Popen[bytes]:
            process = subprocess.Popen([sys.executable, "-m", *words], **quiet)  # type: ignore[call-overload]
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process  # type: ignore[no-any-return]

        folder = stack.enter_context(_folder())
        where = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(where)]
        started("distributed.cli.dask_scheduler", *options)
        end = time.monotonic() + HANGS
        while not where.is_file() or not where.read_text():
            assert time.monotonic() < end
            time.sleep(0.1)
        address = json.loads(where.read_text())["address"]
        options = [address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        yield address, [started("distributed.cli.dask_worker", *options) for _ in range(workers)]


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)
