"""Questions that come together are answered together, in one thread: the weights serve one batch at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")

GATHER = 0.005
"""Seconds that a question waits for others to be answered with it."""


class Batches(Generic[Question, Answer]):
    """Hands what waits to `answer`, which returns an answer or an error for each question of a batch.

    A batch has at most `most` questions, all of which are `alike` to the first that waits. One event loop may use it.
    """

    def __init__(
        self,
        answer: Callable[[list[Question]], Sequence[Answer | Exception]],
        most: int,
        alike: Callable[[Question], object] = lambda question: None,
    ) -> None:
        self._answer, self._most, self._alike = answer, most, alike
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="docrev-local")
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Answer:
        """The answer to a question. Raises the error that stands in its place."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await future

    async def close(self) -> None:
        """End the thread."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.wait([self._worker])
        await asyncio.to_thread(self._thread.shutdown)

    async def _work(self) -> None:
        """Answer what waits, batch by batch, until nothing does."""
        await asyncio.sleep(GATHER)
        loop = asyncio.get_running_loop()
        while batch := self._batch():
            done: Sequence[Answer | Exception]
            try:
                done = await loop.run_in_executor(self._thread, self._answer, [question for question, _ in batch])
            except Exception as error:
                done = [error] * len(batch)
            except BaseException:
                for _, future in batch:
                    future.cancel()
                raise
            for (_, future), outcome in zip(batch, done, strict=True):
                if future.done():
                    continue
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)

    def _batch(self) -> list[tuple[Question, asyncio.Future[Answer]]]:
        """The first that waits and those like it. Who was cancelled meanwhile waits no more."""
        self._waiting = [one for one in self._waiting if not one[1].done()]
        kind = self._alike(self._waiting[0][0]) if self._waiting else None
        batch = [one for one in self._waiting if self._alike(one[0]) == kind][: self._most]
        self._waiting = [one for one in self._waiting if one not in batch]
        return batch
