"""Requests that are on the wire: who asks for the same one meanwhile waits for its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Flights:
    """The requests on the wire, by the ID of their calls."""

    def __init__(self) -> None:
        self._flights: dict[str, asyncio.Future[None]] = {}

    async def landed(self, id: str) -> None:
        """Wait until no such request is on the wire; raises what went wrong with it."""
        while (flight := self._flights.get(id)) is not None:
            await asyncio.wait((flight,))
            if not flight.cancelled() and (error := flight.exception()) is not None:
                raise error

    @contextmanager
    def flying(self, id: str) -> Iterator[None]:
        """Have a request on the wire."""
        flight = self._flights[id] = asyncio.get_running_loop().create_future()
        try:
            yield
        except BaseException as error:
            flight.cancel() if isinstance(error, asyncio.CancelledError) else flight.set_exception(error)
            # Nobody may be waiting for it; asked for once, it is not reported as forgotten.
            _ = flight.cancelled() or flight.exception()
            raise
        finally:
            del self._flights[id]
        flight.set_result(None)
