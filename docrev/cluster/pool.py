"""Where work is done: in this process, on workers of this machine, or on those of a scheduler elsewhere."""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from docrev.cluster.worker import TOPIC, Send, work_on, worked
from docrev.errors import UnreachableError, UsageError

_LOCAL = re.compile(r"local(?::(\d+))?")
_REMOTE = re.compile(r"(tcp|tls)://[^\s/]+:\d+")
UNITS_AT_ONCE = 8
"""Units that one process explores at once: each mostly waits for its host."""
_CONNECTING = 15
"""Seconds for which a scheduler is waited for."""
_TRACKER = "ignore::UserWarning:multiprocessing.resource_tracker"
"""A filter of warnings, as the environment has it."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """`workers` processes of this machine (0: none but this one), or those of the scheduler at `address`."""

    workers: int = 0
    address: str = ""

    @classmethod
    def parse(cls, text: str) -> Cluster:
        """Read `local[:N]` or `tcp://HOST:PORT`. Raises UsageError."""
        if (local := _LOCAL.fullmatch(text)) is not None:
            return cls(os.cpu_count() or 1 if local[1] is None else int(local[1]))
        if _REMOTE.fullmatch(text) is not None:
            return cls(address=text)
        raise UsageError(f"{text} is no cluster", where="--cluster", fix="give local, local:N or tcp://HOST:PORT")

    def run(
        self, work: str, tasks: Mapping[str, dict[str, object]], send: Send
    ) -> Iterator[tuple[str, dict[str, Any], bytes]]:
        """Do tasks by name with `module:function`: name, result and evidence of each as it ends.

        Progress goes to `send`. A task whose worker is lost is done by another. Raises UnreachableError if there is no
        scheduler.
        """
        if not self.workers and not self.address:
            yield from _in_threads(work, tasks, send)
            return
        with self._client() as client, client.as_current():
            client.subscribe_topic(TOPIC, lambda event: send(event[1]))
            submitted = (client.submit(work_on, work, json.dumps(task), pure=False) for task in tasks.values())
            futures = dict(zip(submitted, tasks, strict=True))
            distributed = _distributed()
            for future in distributed.as_completed(list(futures)):
                result, evidence = future.result()
                yield futures[future], json.loads(result), evidence
                future.release()

    @contextmanager
    def _client(self) -> Iterator[Any]:
        distributed = _distributed()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if self.address:
            try:
                client = distributed.Client(self.address, timeout=_CONNECTING, set_as_default=False)
            except OSError as error:
                fix = "start dask scheduler and dask worker"
                raise UnreachableError("no scheduler answers", where=self.address, fix=fix) from error
            with client:
                yield client
            return
        # Loopback alone, no dashboard; a worker that dies is started anew.
        with _quiet_tracker():
            local = distributed.LocalCluster(
                n_workers=self.workers,
                threads_per_worker=UNITS_AT_ONCE,
                processes=True,
                host="127.0.0.1",
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
        with local, distributed.Client(local, set_as_default=False) as client:
            yield client


@contextmanager
def _quiet_tracker() -> Iterator[None]:
    """Start processes without the words of Python's tracker of semaphores: it outlives a command that is interrupted,
    and would then name on the terminal what it cleans up."""
    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [before, _TRACKER]))
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


def _in_threads(
    work: str, tasks: Mapping[str, dict[str, object]], send: Send
) -> Iterator[tuple[str, dict[str, Any], bytes]]:
    """Do tasks in this process."""
    with ThreadPoolExecutor(UNITS_AT_ONCE) as pool:
        futures = {pool.submit(worked, work, task, send): name for name, task in tasks.items()}
        try:
            for future in as_completed(futures):
                result, evidence = future.result()
                yield futures[future], json.loads(result), evidence
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _distributed() -> Any:
    """The library. Raises UsageError with the line that installs it."""
    if find_spec("distributed") is None:
        raise UsageError("distributed is not installed", where="--cluster", fix="pip install 'docrev[cluster]'")
    return import_module("distributed")
