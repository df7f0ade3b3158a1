"""The bundled services for tests: both in one subprocess, on free loopback ports.

`from services import bundled_services` in a conftest, or `with running() as urls:` anywhere.
"""

from __future__ import annotations

import atexit
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


@cache
def whole_exploration() -> tuple[Path, Exploration, list[Event]]:
    """The evidence of both specs explored with everything allowed, only to be read; what came of it, and its events.

    It takes seconds, and is made once for all tests of a process.
    """
    out, heard = Path(tempfile.mkdtemp(prefix="docrev-whole-")), list[Event]()
    atexit.register(shutil.rmtree, out, ignore_errors=True)
    with running() as urls:
        bases = [f"{name}={url}" for name, url in urls.items()]
        done = explore(SPECS, base_urls=bases, out=out, allow=("POST,PUT,PATCH,DELETE",), on_event=heard.append)
    return out, done, heard


@pytest.fixture(scope="module")
def bundled_services() -> Iterator[dict[str, str]]:
    """Base URLs of `atlas` and `airfield`, fresh for each test module."""
    with running() as urls:
        yield urls
