"""What runs where the worker is: one piece of work, whose evidence is kept in a folder of that machine."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from docrev.errors import DocrevError, LockedError
from docrev.events import CallFinished, Event, Handler, Notice
from docrev.evidence.store import FILE_NAME
from docrev.records import Json
from docrev.sessions.exploration import explore
from docrev.settings.groups import ExploreSettings

TOPIC = "docrev"
"""The topic of the scheduler's events that progress goes over."""
TOKEN = "token"
"""The file by which a worker sees that it has the disk of the one who asked."""
_SECONDS = 0.25
"""How long counts are gathered before they are sent."""
_PATIENCE = 60
"""Seconds for which a worker waits until one that was lost lets go of its folder."""

Task = dict[str, Any]
"""What a worker is sent: `folder` to keep evidence in, the `token` of its disk, and what else the work needs."""
Send = Callable[[dict[str, Any]], None]
Work = Callable[[Task, Handler], Mapping[str, Json]]
"""What workers do with a task: a function of a module, named `module:function`. It returns JSON, and may raise."""


def work_on(work: str, task: str) -> tuple[str, bytes]:
    """Do a task on a worker of Dask: the result as JSON, and the evidence if the disk is another than the caller's."""
    from distributed import get_worker

    worker = get_worker()
    return worked(work, json.loads(task), lambda message: worker.log_event(TOPIC, message))


def worked(work: str, task: Task, send: Send) -> tuple[str, bytes]:
    """As `work_on`, in this process; progress goes to `send`."""
    module, _, name = work.partition(":")
    folder = Path(task["folder"])
    token = folder.parent / TOKEN
    here = token.is_file() and token.read_text(encoding="ascii") == task["token"]
    result = _outcome(getattr(import_module(module), name), task, _Counted(send))
    kept = folder / FILE_NAME
    return json.dumps(result), b"" if here or not kept.is_file() else kept.read_bytes()


def _outcome(work: Work, task: Task, progress: _Counted) -> Mapping[str, Any]:
    """What came of a task, or its failure."""
    end = time.monotonic() + _PATIENCE
    try:
        while True:
            try:
                return work(task, progress)
            except LockedError:
                if time.monotonic() > end:
                    raise
            time.sleep(1)
    except DocrevError as error:
        return {"error": {"what": error.what, "where": error.where, "fix": error.fix, "exit": error.exit_code}}
    finally:
        progress.flush()


def explore_unit(task: Task, emit: Handler) -> dict[str, Json]:
    """Explore the unit of a task that `docrev.cluster.exploration` makes."""
    settings = ExploreSettings.model_validate_json(json.dumps(task["settings"] | {"out": task["folder"]}))
    with specs_of(task) as specs:
        return {"summary": asyncio.run(explore(specs, settings, on_event=emit, nonce=task["token"])).summary}


@contextmanager
def specs_of(task: Task) -> Iterator[str]:
    """The folder of a unit's documents."""
    with tempfile.TemporaryDirectory(prefix="docrev-") as specs:
        for name, text in task["documents"].items():
            path = Path(specs, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        yield specs


class _Counted:
    """A handler of events that sends notices, and counts of calls from time to time."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._calls = self._good = 0
        self._sent = 0.0

    def __call__(self, event: Event) -> None:
        if isinstance(event, Notice):
            self._send({"notice": event.text})
        elif isinstance(event, CallFinished) and event.wire:
            self._calls += 1
            self._good += event.call.ok
            if time.monotonic() - self._sent > _SECONDS:
                self.flush()

    def flush(self) -> None:
        """Send what was counted since."""
        if self._calls:
            self._send({"calls": self._calls, "good": self._good})
        self._calls = self._good = 0
        self._sent = time.monotonic()
