"""The bundled services for tests: both in one subprocess, on free loopback ports.

`from services import bundled_services` in a conftest, or `with running() as urls:` anywhere.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path

import pytest

from docrev import Exploration, explore
from docrev.events import Event
from docrev.sandbox import serve

SPECS = Path(__file__).resolve().parents[1] / "specs"


def running(*names: str) -> AbstractContextManager[dict[str, str]]:
    """Fresh services (all, or those named) for as long as the block lasts; yields base URLs by name."""
    return serve(names) if names else serve()


WHOLE = Path(tempfile.gettempdir()) / f"docrev-whole-{os.environ.get('DOCREV_TEST_RUN', os.getpid())}"
"""What the processes of one run of tests share; the first of them removes it (`conftest`)."""


@cache
def whole_exploration() -> tuple[Path, Exploration, list[Event]]:
    """The evidence of both specs explored with everything allowed, only to be read; what came of it, and its events.

    It takes seconds, and is made by the first process of a run of tests that asks for it.
    """
    WHOLE.mkdir(exist_ok=True)
    out, told = WHOLE / "evidence", WHOLE / "told"
    with (WHOLE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists():
            told.write_bytes(pickle.dumps(_explored(out)))
    done, heard = pickle.loads(told.read_bytes())
    return out, done, heard


def _explored(out: Path) -> tuple[Exploration, list[Event]]:
    shutil.rmtree(out, ignore_errors=True)
    heard = list[Event]()
    with running() as urls:
        bases = [f"{name}={url}" for name, url in urls.items()]
        done = explore(SPECS, base_urls=bases, out=out, allow=("POST,PUT,PATCH,DELETE",), on_event=heard.append)
    return done, heard


@pytest.fixture(scope="module")
def bundled_services() -> Iterator[dict[str, str]]:
    """Base URLs of `atlas` and `airfield`, fresh for each test module."""
    with running() as urls:
        yield urls
