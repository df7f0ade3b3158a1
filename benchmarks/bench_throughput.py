"""Requests per second of a whole exploration, beside a bare client loop on the same URLs, in the same run; and the time
of the processor that each takes for a request, which other work on the machine disturbs less.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import httpx2
from bench_cluster import CALLS, explored
from slow_services import served
from still_clock import waited
from table import Row, render

from docrev import api
from docrev.cli.garbage import few_collections
from docrev.events import CallFinished, Event
from docrev.sandbox import serve

CONCURRENCY = 16
ROUNDS = 7
WANTED = 0.65
SLOW_SERVICES, LATENCY = 60, 0.1
ALLOW = ("POST,PUT,PATCH,DELETE",)


class Cost(NamedTuple):
    """What a request costs in all, seconds by the clock and of processor."""

    clock: float
    processor: float


async def bare(urls: list[str]) -> Cost:
    """What requests cost in a loop that only gets and reads."""
    waiting = iter(urls)
    limits = httpx2.Limits(max_connections=CONCURRENCY, max_keepalive_connections=CONCURRENCY)
    async with httpx2.AsyncClient(limits=limits, trust_env=False) as client:

        async def work() -> None:
            for url in waiting:
                (await client.get(url)).read()

        started, before = time.perf_counter(), time.process_time()
        await asyncio.gather(*(work() for _ in range(CONCURRENCY)))
        return Cost((time.perf_counter() - started) / len(urls), (time.process_time() - before) / len(urls))


def once(urls: Mapping[str, str]) -> tuple[Cost, Cost]:
    """(explore, bare), one after the other against the same services."""
    sent: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, CallFinished) and event.wire and event.call.key.method == "GET":
            sent.append(event.call.url)

    with tempfile.TemporaryDirectory() as out:
        bases = [f"{tool}={url}" for tool, url in urls.items()]
        # As the command does it: in a process of its own.
        before = time.process_time()
        with few_collections():
            summary = api.explore(
                "specs", base_urls=bases, allow=ALLOW, out=out, concurrency=CONCURRENCY, on_event=note
            ).summary
            # The command ends without looking through what is left (`cli.main`).
            requests, processor = summary["requests"], time.process_time() - before
        return Cost(summary["seconds"] / requests, processor / requests), asyncio.run(bare(sent * 4))


def _latency(most: int | None = None) -> Row:
    """Requests per second of 60 services with latency, beside what the concurrency allows: with as many requests as by
    default, or with `most` to each service. Where so few end a run, fewer experiments are left than there is room for.
    """
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), SLOW_SERVICES, LATENCY) as (specs, bases):
        limit = ("--max-calls", str(most * len(bases))) if most else ()
        took = explored(specs, bases, Path(folder, "out"), "--concurrency", str(CONCURRENCY), *limit)
    share = took.requests / took.running / (CONCURRENCY / LATENCY)
    many = f"{most} requests each" if most else "as many as by default"
    what = f"{SLOW_SERVICES} services, {LATENCY * 1000:.0f} ms a request, {many}: share of what the concurrency allows"
    return Row(what, f"{share:.2f}", ">= 0.9", share >= 0.9)


def _latency_alone(most: int | None = None) -> Row:
    """The same by a clock that stands still while anything is computed."""
    requests = most * SLOW_SERVICES if most else None
    share = waited(SLOW_SERVICES, LATENCY, concurrency=CONCURRENCY, requests=requests).on_the_wire / CONCURRENCY
    many = f", {most} requests each" if most else ""
    return Row(f"the same by a clock that stands still while it computes{many}", f"{share:.2f}", ">= 0.9", share >= 0.9)


def _ratio(ours: Sequence[float], theirs: Sequence[float], how: str = "") -> Row:
    ratio = statistics.median(their / our for our, their in zip(ours, theirs, strict=True))
    return Row(f"ratio{how}, median of the runs", f"{ratio:.2f}", f">= {WANTED}", ratio >= WANTED)


def main() -> str:
    with serve() as urls:
        # The first round is not counted: it finds the services cold, and the bare loop after it would find them warm.
        _, *pairs = [once(urls) for _ in range(ROUNDS + 1)]
    ours, theirs = zip(*pairs, strict=True)
    processor = [[cost.processor * 1000 for cost in costs] for costs in (ours, theirs)]
    rows = [
        Row("explore, requests per second", f"{1 / statistics.median(cost.clock for cost in ours):.0f}"),
        Row("bare httpx2.AsyncClient loop", f"{1 / statistics.median(cost.clock for cost in theirs):.0f}"),
        _ratio([cost.clock for cost in ours], [cost.clock for cost in theirs]),
        Row("explore, milliseconds of processor a request", f"{statistics.median(processor[0]):.2f}"),
        Row("bare loop, milliseconds of processor a request", f"{statistics.median(processor[1]):.2f}"),
        _ratio(*processor, how=" of processor"),
    ]
    rows += [_latency(), _latency(CALLS), _latency_alone(), _latency_alone(CALLS)]
    return render(f"Throughput at concurrency {CONCURRENCY}, both bundled services", rows)
