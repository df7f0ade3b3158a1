"""What an ask costs over the bare openai client, in the same run, and how many damaged answers survive.

The server is the scripted one, in a process of its own, which takes 20 ms for an answer as a fast real one might; the
figures without that latency are printed too, and nothing is wanted of them: there the client's own time is all.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from damaged import PROMPTS, corpus, read, wanted
from openai import AsyncOpenAI
from table import Row, render

from docrev.models.asking import Asker
from docrev.models.backend import CompletionSettings
from docrev.models.chat import ChatBackend
from docrev.models.rendering import answer_schema, messages

PROMPT = PROMPTS["NextPlan"]
ANSWER = {"thought": "Read it.", "operation": "atlas GET /countries/{code}", "arguments": [], "answer": None}
LATENCY = 0.02
ROUNDS = 11
Ask = Callable[[], Awaitable[object]]


@contextmanager
def server(latency: float) -> Iterator[str]:
    """The URL of a scripted server in a process of its own."""
    command = [sys.executable, str(Path(__file__)), str(latency)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def serve(latency: float) -> None:
    """Run the scripted server until standard input closes."""
    from chat_server import ChatServer, Reply

    with ChatServer([Reply(json.dumps(ANSWER), after=latency)]) as running:
        print(running.url, flush=True)
        sys.stdin.read()


def bare(client: AsyncOpenAI) -> Ask:
    """The same request by the bare client: messages and schema are made beforehand, nothing is read."""
    told: Any = messages(PROMPT)
    shape: Any = {"name": "NextPlan", "schema": answer_schema(PROMPT), "strict": True}

    async def ask() -> object:
        return await client.chat.completions.create(
            model="tiny",
            messages=told,
            temperature=0,
            seed=0,
            max_tokens=2048,
            response_format={"type": "json_schema", "json_schema": shape},
        )

    return ask


async def seconds(ask: Ask, count: int, concurrency: int) -> float:
    """The time for one of `count` asks, `concurrency` of them at a time."""
    waiting = iter(range(count))

    async def work() -> None:
        for _ in waiting:
            await ask()

    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(concurrency)))
    return (time.perf_counter() - started) / count


class Pair(NamedTuple):
    """Seconds an ask, of docrev and of the bare client, and the ratio of the two: medians of rounds."""

    ours: float
    bare: float
    ratio: float


async def compare(url: str, count: int, concurrency: int) -> Pair:
    """Both in turn, round by round, so that what else the machine does slows both; a first round is not counted."""
    client = AsyncOpenAI(base_url=url, api_key="none", max_retries=0)
    asker = Asker(ChatBackend("tiny", url=url, settings=CompletionSettings(concurrency=concurrency)))

    async def ours() -> object:
        return await asker.ask(PROMPT)

    theirs = bare(client)
    rounds = [
        (await seconds(ours, count, concurrency), await seconds(theirs, count, concurrency)) for _ in range(ROUNDS + 1)
    ][1:]
    await asker.close()
    await client.close()
    times = [statistics.median(column) for column in zip(*rounds, strict=True)]
    return Pair(*times, statistics.median(a / b for a, b in rounds))


def rows_of(latency: float, *, count: bool) -> list[Row]:
    """Overhead at concurrency 1 and throughput at 16; `count`: something is wanted of them."""
    with server(latency) as url:
        one = asyncio.run(compare(url, 25, 1))
        many = asyncio.run(compare(url, 128, 16))
    overhead, share, at = one.ratio - 1, 1 / many.ratio, f"{latency * 1000:.0f} ms server"
    return [
        Row(f"one ask, {at}", f"{one.ours * 1000:.1f} ms"),
        Row("  bare openai client", f"{one.bare * 1000:.1f} ms"),
        Row("  overhead", f"{overhead:.1%}", "<= 15 %" if count else "", overhead <= 0.15 if count else None),
        Row(f"asks per second at 16, {at}", f"{1 / many.ours:.0f}"),
        Row("  bare openai client", f"{1 / many.bare:.0f}"),
        Row("  share of it", f"{share:.0%}", ">= 80 %" if count else "", share >= 0.8 if count else None),
    ]


def survival() -> list[Row]:
    """How much of the corpus is read as it was meant; the rest must be named errors."""
    cases = corpus()
    read_right = [case for case in cases if case.answer is not None and read(case) == wanted(case)]
    named = [case for case in cases if case.answer is None and read(case) is None]
    share = len(read_right) / len(cases)
    return [
        Row("damaged answers read as meant", f"{len(read_right)} of {len(cases)}", ">= 95 %", share >= 0.95),
        Row("  named errors among the rest", f"{len(named)} of {len(cases) - len(read_right)}"),
    ]


def main() -> str:
    rows = [*rows_of(LATENCY, count=True), *rows_of(0.0, count=False), *survival()]
    return render("Asking a model over HTTP", rows)


if __name__ == "__main__":
    serve(float(sys.argv[1]))
