"""RestBench (Song et al. 2023, arXiv:2306.06624): queries on TMDB and Spotify with gold paths, on simulated worlds."""

from __future__ import annotations

from pathlib import Path

from docrev.errors import InputError
from docrev.records import OperationKey, Task
from docrev.settings.choices import ALL_METHODS
from docrev.storage.reading import read_text

from .patches import Patch, mend
from .reading import find, query_of, read_json, rows
from .suite import Kind, Loaded, Serving, checked


class RestBench:
    """One of the two parts of RestBench; `part` is "tmdb" or "spotify"."""

    kind: Kind = "agents"
    source = "https://github.com/Yifan-Song793/RestGPT (MIT)"

    def __init__(self, part: str, title: str, *, writes: bool) -> None:
        self.name, self.title = f"restbench-{part}", title
        self._part = part
        self._allow = ALL_METHODS if writes else ()

    def load(self, data: Path | None = None, *, mended: bool = True) -> Loaded:
        """All queries in the published order, numbered from 1; the tool is the spec's file name (`tmdb_oas`)."""
        queries = find(data, f"{self._part}.json", self.name)
        spec = find(data, f"{self._part}_oas.json", self.name)
        tasks: list[Task] = []
        applied: list[Patch] = []
        for number, row in enumerate(rows(read_json(queries), str(queries)), 1):
            where = f"{queries} [{number - 1}]"
            path = row.get("solution")
            if not isinstance(path, list) or not all(isinstance(step, str) for step in path):
                raise InputError("has no solution", where=where, fix="a solution is a list of operations")
            task = f"{self._part}-{number:03}"
            if mended:
                path, patches = mend(self.name, task, path)
                applied += patches
            gold = tuple(OperationKey(spec.stem, step) for step in path)
            tasks.append(Task(id=task, text=query_of(row, where), gold=(gold,), group=self._part))
        return checked(
            Loaded(
                self.name,
                tuple(tasks),
                specs={spec.name: read_text(spec)},
                serving=Serving("simulated", allow=self._allow),
                patches=tuple(applied),
            )
        )
