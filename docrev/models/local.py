"""`local:PATH`: a causal language model of transformers, in this process (extra `local`)."""

from __future__ import annotations

import asyncio
import importlib.util
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docrev.errors import InputError, UsageError
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.system_messages import with_schema

if TYPE_CHECKING:
    from docrev.models.local_engine import Engine

PIP = "pip install 'docrev[local]'"
GATHER = 0.005
"""Seconds that a request waits for others to be generated with it."""
MAX_BATCH = 8


def require() -> None:
    """Raise UsageError with the pip line if the extra `local` is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "accelerate")):
        raise UsageError("local models need torch, transformers and accelerate", fix=f"run: {PIP}")


@dataclass
class _Waiting:
    request: CompletionRequest
    answer: asyncio.Future[Completion]


class LocalBackend:
    """A folder of weights, or a folder of a PEFT adapter; `name` is `local:PATH`.

    The weights are loaded with the first request. Requests that come together are generated together, in a thread, at
    most `MAX_BATCH` at a time. At temperature 0 the answers are the model's likeliest; those of one batch may differ
    from those alone in the last bits of a sum, so if two words are as likely as each other within rounding the
    batch may decide. Above, the draw depends on the seed and on the request, each being generated alone.
    """

    def __init__(self, path: str, *, settings: CompletionSettings | None = None) -> None:
        require()
        if not Path(path).is_dir():
            raise InputError("no such folder of a model", where=path, fix="name the folder that holds config.json")
        self.name = f"local:{path}"
        self.settings = settings or CompletionSettings()
        self._path = Path(path)
        self._engine: Engine | None = None
        # One thread: the weights serve one batch at a time.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="docrev-local")
        self._waiting: list[_Waiting] = []
        self._worker: asyncio.Task[None] | None = None

    async def complete(self, request: CompletionRequest) -> Completion:
        """The model's answer. Raises ModelError if the prompt does not fit, InputError for a broken folder."""
        waiting = _Waiting(request, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await waiting.answer

    async def close(self) -> None:
        """Let go of the weights."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.wait([self._worker])
        await asyncio.to_thread(self._thread.shutdown)
        self._engine = None

    async def _work(self) -> None:
        """Generate what waits, batch by batch, until nothing does."""
        await asyncio.sleep(GATHER)
        while batch := self._batch():
            loop = asyncio.get_running_loop()
            try:
                done = await loop.run_in_executor(self._thread, self._generate, [each.request for each in batch])
            except BaseException as error:
                for each in batch:
                    if not each.answer.done():
                        each.answer.set_exception(error) if isinstance(error, Exception) else each.answer.cancel()
                if not isinstance(error, Exception):
                    raise
                continue
            for each, outcome in zip(batch, done, strict=True):
                if each.answer.done():
                    continue
                if isinstance(outcome, Completion):
                    each.answer.set_result(outcome)
                else:
                    each.answer.set_exception(outcome)

    def _batch(self) -> list[_Waiting]:
        """The first that waits and those like it. Who was cancelled meanwhile waits no more."""
        self._waiting = [each for each in self._waiting if not each.answer.done()]
        if not self._waiting:
            return []
        most = MAX_BATCH if self.settings.temperature == 0 else 1
        room = self._waiting[0].request.max_tokens
        batch = [each for each in self._waiting if each.request.max_tokens == room][:most]
        self._waiting = [each for each in self._waiting if each not in batch]
        return batch

    def _generate(self, requests: list[CompletionRequest]) -> list[Completion | Exception]:
        from docrev.models.local_engine import Engine

        if self._engine is None:
            self._engine = Engine(self._path)
        told = [with_schema(request.messages, request.schema) for request in requests]
        return self._engine.generate(told, requests[0].max_tokens, self.settings.temperature, self.settings.seed)
