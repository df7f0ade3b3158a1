"""The bundled services for tests: both in one subprocess, on free loopback ports.

`from services import bundled_services` in a conftest, or `with running() as urls:` anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from docrev.sandbox import serve


def running(*names: str) -> AbstractContextManager[dict[str, str]]:
    """Fresh services (all, or those named) for as long as the block lasts; yields base URLs by name."""
    return serve(names) if names else serve()


@pytest.fixture(scope="module")
def bundled_services() -> Iterator[dict[str, str]]:
    """Base URLs of `atlas` and `airfield`, fresh for each test module."""
    with running() as urls:
        yield urls
