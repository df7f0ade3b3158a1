"""Where the calls of tasks go: services that are thrown away afterwards, or an API that runs already."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from docrev.calls.bases import Base
from docrev.calls.creations import Creation
from docrev.calls.credentials import Header, parse_header
from docrev.calls.journal import Journal
from docrev.calls.paths import missing
from docrev.calls.policy import Policy
from docrev.calls.proofs import Proof
from docrev.records import Arguments
from docrev.spec import Operation

from ..suites.suite import Loaded, Urls, serving


class Anything(Policy):
    """Permits every call that has its path arguments. Never for a service that anybody else uses."""

    def permits(self, operation: Operation) -> str | None:
        return None

    def verdict(
        self,
        operation: Operation,
        arguments: Arguments,
        journal: Journal,
        *,
        base: Base | None = None,
        proven: bool = False,
    ) -> str | None:
        name = missing(operation, arguments)
        return None if name is None else f"no value for path parameter {name}"

    def proofs(self, operation: Operation, arguments: Arguments, journal: Journal) -> list[Proof]:
        return []

    def creation(self, operation: Operation, arguments: Arguments, journal: Journal) -> Creation | None:
        return None


_UNSAFE = re.compile(r"[^\w.-]", re.ASCII)
"""What a room's name has that a URL would write otherwise: `react@5`."""


@dataclass(frozen=True)
class Stage:
    """Base URLs for the calls of a task, what may be called there, and what every request carries.

    `name` says in tables, and in the identity of results, what was called.
    """

    name: str
    urls: Urls
    policy: Policy
    headers: tuple[Header, ...] = ()
    given: tuple[str, ...] = ()
    """The headers as they were given, for an exploration of the same services."""
    thrown_away: bool = False
    """Whether nobody sees what a task leaves behind."""

    def bases(self, room: str) -> Mapping[str, str]:
        """The base URL of every tool, in a room of its own if the services are made for it."""
        return self.urls(_UNSAFE.sub(lambda match: f"_{ord(match[0]):x}", room))


@contextmanager
def staged(loaded: Loaded, seed: int = 0) -> Iterator[Stage]:
    """Serve a suite for as long as the block lasts; raises as `suites.suite.serving`."""
    served = loaded.serving
    thrown_away = served.service in ("bundled", "simulated")
    name = {"bundled": "the bundled services", "simulated": f"simulated worlds (seed {seed})"}.get(served.service)
    headers = tuple(parse_header(text) for text in served.headers)
    with tempfile.TemporaryDirectory(prefix="docrev-") as folder, serving(loaded, Path(folder), seed) as urls:
        yield Stage(
            name or ", ".join(f"{tool}={url}" for tool, url in sorted(served.urls.items())) or "nothing",
            urls,
            Anything() if thrown_away else Policy.parse(served.allow),
            headers,
            served.headers,
            thrown_away,
        )
