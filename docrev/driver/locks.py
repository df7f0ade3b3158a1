"""Many readers or one writer: safe calls run side by side, an unsafe call runs alone."""

from __future__ import annotations

import asyncio
from collections import deque


class ReadWriteLock:
    """First come, first served between writers; a waiting writer holds up new readers."""

    def __init__(self) -> None:
        self._readers = 0
        self._writing = False
        self._waiting: deque[tuple[bool, asyncio.Future[None]]] = deque()

    async def read(self) -> None:
        if self._writing or self._waiting:
            await self._queue(writer=False)
        else:
            self._readers += 1

    def end_read(self) -> None:
        self._readers -= 1
        if not self._readers and self._waiting:
            self._admit()

    async def write(self) -> None:
        if self._writing or self._readers or self._waiting:
            await self._queue(writer=True)
        else:
            self._writing = True

    def end_write(self) -> None:
        self._writing = False
        self._admit()

    async def _queue(self, *, writer: bool) -> None:
        place = (writer, asyncio.get_running_loop().create_future())
        self._waiting.append(place)
        try:
            await place[1]
        except asyncio.CancelledError:
            if place[1].done() and not place[1].cancelled():
                # Admitted and cancelled in the same turn: the place goes to the next.
                self.end_write() if writer else self.end_read()
            else:
                self._waiting.remove(place)
                self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting and not self._writing:
            writer, place = self._waiting[0]
            if writer and self._readers:
                return
            self._waiting.popleft()
            if place.cancelled():
                continue
            if writer:
                self._writing = True
            else:
                self._readers += 1
            place.set_result(None)
