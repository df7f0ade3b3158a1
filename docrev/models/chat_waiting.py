"""How long to wait before a request is sent again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_WAIT = 60.0
"""Seconds: no wait is longer, whatever the server asks for."""


def asked_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a server asks to wait by Retry-After (RFC 9110 §10.2.3: seconds, or a date); None: it does not."""
    text = headers.get("retry-after", "").strip()
    try:
        if milliseconds := headers.get("retry-after-ms", "").strip():
            return max(0.0, float(milliseconds) / 1000)
        return max(0.0, float(text)) if text else None
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - (now or datetime.now(UTC))).total_seconds())


class Waits:
    """The waits of one server's requests: doubled each time, with jitter, and never before it wants to be asked again.

    What one request is told by Retry-After holds for all: in a storm the others would only be refused too.
    """

    def __init__(self, backoff: float, seed: int) -> None:
        self._backoff = backoff
        self._random = random.Random(seed)
        self._until = 0.0

    async def turn(self) -> None:
        """Wait until the server may be asked."""
        loop = asyncio.get_running_loop()
        while (left := self._until - loop.time()) > 0:
            # Not all at the same moment again.
            await asyncio.sleep(left * self._random.uniform(1.0, 1.25))

    async def after(self, attempt: int, asked: float | None) -> None:
        """Wait after failed attempt number `attempt` (from 0), `asked` seconds if the server asked for it."""
        if asked is not None:
            wait = min(asked, MAX_WAIT)
            self._until = max(self._until, asyncio.get_running_loop().time() + wait)
            await self.turn()
            return
        await asyncio.sleep(min(self._backoff * 2**attempt, MAX_WAIT) * self._random.uniform(0.5, 1.0))
