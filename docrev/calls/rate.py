"""When the next request may go out: a steady rate, and the pauses that a server asks for (RFC 9110 §10.2.3)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime


class Rate:
    """Spaces requests evenly, `per_second` at most; None: as fast as they come. One for all calls of a run."""

    def __init__(self, per_second: float | None = None) -> None:
        self._gap = 1.0 / per_second if per_second else 0.0
        self._next = 0.0
        self.paused = 0.0
        """Seconds for which servers asked that nothing goes out, in sum."""
        self.on_pause: Callable[[float], None] = lambda seconds: None
        """What is told of each pause of over a second."""

    async def turn(self) -> None:
        """Wait until the next request may go out."""
        if not self._next and not self._gap:
            return
        now = time.monotonic()
        start = max(now, self._next)
        if self._gap:
            self._next = start + self._gap
        elif start == now:
            self._next = 0.0
        while (wait := start - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    @property
    def free(self) -> bool:
        """Whether the next request need not wait."""
        return self._next <= time.monotonic()

    def pause(self, seconds: float) -> None:
        """Let nothing out for `seconds`: one 429 concerns every call, not only the one that met it."""
        start = max(self._next, time.monotonic())
        self._next = max(self._next, time.monotonic() + seconds)
        longer = self._next - start
        self.paused += longer
        if longer > 1:
            self.on_pause(longer)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a response asks to wait, from `retry-after` as a number or a date; None: it does not say.

    A date is compared with the server's own `date`, so that a wrong clock on either side does not matter.
    """
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        return float(text) if text[0].isdigit() else max(0.0, _until(text, headers.get("date", "")))
    except (ValueError, TypeError, OverflowError):
        return None


def _until(date: str, now: str) -> float:
    try:
        start = parsedate_to_datetime(now).timestamp()
    except (ValueError, TypeError, OverflowError):
        start = time.time()
    return parsedate_to_datetime(date).timestamp() - start
