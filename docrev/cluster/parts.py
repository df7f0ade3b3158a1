"""Work in parts: tasks that have nothing in common are done by workers, and what came of each is returned by name."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docrev.cluster.pool import Cluster
from docrev.cluster.worker import TOKEN
from docrev.errors import DocrevError, UnreachableError, UsageError
from docrev.events import Handler, Notice, UnitAdvanced, UnitsStarted
from docrev.evidence.store import FILE_NAME
from docrev.json_values.canonical import digest

UNITS = "units"
"""The folder, beside the evidence, of what was done apart."""
PARTS = 16
"""Parts that a list of equal things is cut into, with any number of workers: a lost part is no great loss."""


def count_parts(base_urls: Sequence[str]) -> int:
    """How many parts a list of tasks is cut into. Limits on requests hold for a host, so one worker has a live API."""
    return 1 if base_urls else PARTS


def in_parts(
    cluster: Cluster, work: str, tasks: Mapping[str, dict[str, Any]], folder: Path, emit: Handler
) -> dict[str, dict[str, Any]]:
    """What came of each task by its name, or its `error`; evidence that was kept elsewhere is in `folder` then."""
    token = (folder / TOKEN).read_text(encoding="ascii")
    whole = {name: task | {"folder": str(folder / name), "token": token} for name, task in tasks.items()}
    results: dict[str, dict[str, Any]] = {}
    # Messages come from several threads, and make one stream; several workers notice the same.
    turn, noticed = threading.Lock(), set[str]()

    def take(message: Mapping[str, Any]) -> None:
        with turn:
            if "notice" not in message:
                emit(UnitAdvanced(message["calls"], message["good"], 0))
            elif message["notice"] not in noticed:
                noticed.add(message["notice"])
                emit(Notice(message["notice"]))

    emit(UnitsStarted(len(tasks)))
    for name, result, evidence in cluster.run(work, whole, take):
        results[name] = result
        if evidence:
            (folder / name).mkdir(exist_ok=True)
            (folder / name / FILE_NAME).write_bytes(evidence)
        with turn:
            emit(UnitAdvanced(0, 0, 1))
    return results


def shared_out(
    cluster: Cluster, work: str, request: Mapping[str, object], out: Path, emit: Handler, *, parts: int
) -> dict[Path, dict[str, Any]]:
    """What came of the parts of a request by their folders: each worker takes every `parts`-th of what there is to do.

    A part is told by `part`: which, and of how many. Raises the error of the first that failed, once all are done.
    """
    folder = marked(out.resolve() / UNITS / digest([work, request, parts], 16), secrets.token_hex(8))
    tasks = {f"{place:02}": {**request, "part": [place, parts]} for place in range(parts)}
    results = in_parts(cluster, work, tasks, folder, emit)
    raise_first(results, {name: f"part {name}" for name in tasks})
    return {folder / name: results[name] for name in tasks}


def marked(folder: Path, token: str) -> Path:
    """A folder with the mark by which workers of this machine see that it is here."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / TOKEN).write_text(token, encoding="ascii")
    return folder


def raise_first(results: Mapping[str, Mapping[str, Any]], places: Mapping[str, str]) -> None:
    """Raise the error of the first of `places` that failed."""
    failed = [(place, results[name]["error"]) for name, place in places.items() if "error" in results[name]]
    if not failed:
        return
    place, error = failed[0]
    more = f" ({len(failed)} of {len(places)} units failed; the same command goes on with them)"
    kind = {2: UsageError, 3: UnreachableError}.get(error["exit"], DocrevError)
    raise kind(error["what"] + more, where=error["where"] or place, fix=error["fix"])
