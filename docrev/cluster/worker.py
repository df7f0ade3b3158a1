"""What runs where the worker is: one unit, explored into a folder of that machine."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from docrev.errors import DocrevError, LockedError
from docrev.events import CallFinished, Event, Notice
from docrev.evidence.store import FILE_NAME
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

Send = Callable[[dict[str, Any]], None]


def explore_unit(task: str) -> tuple[str, bytes]:
    """Explore a unit: its result as JSON, and its evidence if the disk is another than that of who asked."""
    from distributed import get_worker

    worker = get_worker()
    return explored(json.loads(task), lambda message: worker.log_event(TOPIC, message))


def explored(task: dict[str, Any], send: Send) -> tuple[str, bytes]:
    """As `explore_unit`, of the `task` that `docrev.cluster.exploration` makes; progress goes to `send`."""
    folder = Path(task["folder"])
    token = folder.parent / TOKEN
    here = token.is_file() and token.read_text(encoding="ascii") == task["token"]
    with tempfile.TemporaryDirectory(prefix="docrev-") as specs:
        for name, text in task["documents"].items():
            path = Path(specs, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
        result = _outcome(task, specs, folder, _Counted(task["name"], send))
    kept = folder / FILE_NAME
    return json.dumps(result), b"" if here or not kept.is_file() else kept.read_bytes()


def _outcome(task: dict[str, Any], specs: str, folder: Path, progress: _Counted) -> dict[str, Any]:
    """The summary of a unit, or its failure."""
    settings = ExploreSettings.model_validate_json(json.dumps(task["settings"] | {"out": str(folder)}))
    end = time.monotonic() + _PATIENCE
    try:
        while True:
            with suppress(LockedError):
                done = asyncio.run(explore(specs, settings, on_event=progress, nonce=task["token"]))
                return {"summary": done.summary}
            if time.monotonic() > end:
                return {"error": {"what": "another process explores it", "where": str(folder), "fix": "", "exit": 2}}
            time.sleep(1)
    except DocrevError as error:
        return {"error": {"what": error.what, "where": error.where, "fix": error.fix, "exit": error.exit_code}}
    finally:
        progress.flush()


class _Counted:
    """A handler of a unit's events that sends notices, and counts of calls from time to time."""

    def __init__(self, name: str, send: Send) -> None:
        self._name, self._send = name, send
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
