"""How much of an API's time, bytes and patience docrev takes, and how much of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on every call. Times are in seconds, sizes in bytes after decompression.

    `timeout` is for one request with its whole response, `max_wait` the longest wait for a server that asks for one
    (Retry-After), and `max_paused` all these waits together: after that, what such a server answers counts. `refusals`
    and `failures` are how many calls in a row may be refused for their credentials, or not be answered at all, before
    the run stops. `stream_time` and `stream_size` are for responses that need not end.
    """

    timeout: float = 30.0
    max_size: int = 5 * 2**20
    stream_time: float = 2.0
    stream_size: int = 2**16
    max_depth: int = 100
    redirects: int = 5
    retries: int = 3
    max_wait: float = 60.0
    max_paused: float = 300.0
    refusals: int = 10
    failures: int = 5
