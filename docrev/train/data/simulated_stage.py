"""Where calls go that are made for data: to base URLs, or to simulated worlds made of the specs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from docrev.eval.agents.stages import Stage, staged
from docrev.eval.suites.suite import Loaded, Serving
from docrev.spec import Catalog

ALL = ("POST,PUT,PATCH,DELETE",)
"""What may be called in a world, which is thrown away."""


@contextmanager
def simulated(catalog: Catalog, seed: int) -> Iterator[Stage]:
    """Worlds of a catalog's specs for as long as the block lasts: the same for a seed, fresh in each room.

    Raises UsageError without the extra `sandbox`, UnreachableError if they do not start.
    """
    documents = [(tool, catalog.documents[file]) for tool, file in catalog.files.items()]
    specs = {f"{tool}.{'json' if doc.format == 'json' else 'yaml'}": doc.text for tool, doc in documents}
    with staged(Loaded("data", (), specs, Serving("simulated", allow=ALL)), seed) as stage:
        yield stage
