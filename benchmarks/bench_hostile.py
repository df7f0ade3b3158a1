"""Hostile answers: the memory and time that commands take for responses made to take much of both.

A campaign is one exploration at default settings of 20 operations, each of which returns another kind of 5 MB; then
`revise` on what it kept. Interrupts are sent while a response of 5 MB is worked on.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from clikit import DOCREV, peak_memory
from table import Row, render

from docrev.models.parsing_blocks import read_values

SIZE = 5_000_000
MAX_MEMORY, MAX_SECONDS, MAX_END, MAX_CONTRACT = 512, 60, 2.0, 3.0
OPERATIONS = 20
BIG: dict[str, Callable[[int], Any]] = {
    "objects": lambda count: [
        {"id": n, "name": f"item {n}", "price": n * 1.5, "tags": ["a", "b"]} for n in range(count)
    ],
    "small objects": lambda count: [{"a": 1}] * count,
    "empty objects": lambda count: [{}] * count,
    "numbers": lambda count: list(range(count)),
    "nested objects": lambda count: [
        {"id": n, "lines": [{"sku": line, "of": {"id": n}} for line in range(5)]} for n in range(count)
    ],
    "map of objects": lambda count: {f"k{n}": {"id": n, "name": "x"} for n in range(count)},
    "members": lambda count: {f"k{n}": n for n in range(count)},
    "long texts": lambda count: [{"id": n, "text": "lorem ipsum " * 800} for n in range(count)],
}


def grown(name: str, size: int) -> bytes:
    """As many things of a kind as make up `size` bytes of JSON."""
    count = 500
    for _ in range(4):
        text = json.dumps(BIG[name](count))
        count = int(count * size / len(text))
    return json.dumps(BIG[name](count)).encode()


def main() -> str:
    rows = [*_answers(), *_contract(), *_small(), *_campaign(), *_interrupts()]
    return render(f"Hostile answers, up to {SIZE / 1e6:.0f} MB each", rows)


def _answers() -> Iterator[Row]:
    """The parser of models' answers."""
    started = time.perf_counter()
    for text in ("{" + " " * 60_000 + '. "open', '{"a":1' + "," * 60_000 + '. "open', '{"a": ' + '"b" ' * 15_000):
        list(read_values(text))
    seconds = time.perf_counter() - started
    yield Row("three answers of 60,000 blanks and commas, seconds", f"{seconds:.1f}", "<= 1", seconds <= 1)


def _contract() -> Iterator[Row]:
    """A spec of 90 kB that is revised together with its contract: it is validated before and after."""
    bodies = {f"/things-{n}": json.dumps([{"id": n, "name": f"n{n}", "of": {"id": 1}}]).encode() for n in range(60)}
    with _served(bodies) as (url, spec), tempfile.TemporaryDirectory() as out:
        document = json.loads(Path(spec).read_text())
        for path in bodies:
            document["paths"][path]["get"]["description"] = f"Things of {path}. " + "Nobody needs to know more. " * 40
        Path(spec).write_text(json.dumps(document))
        subprocess.run([*DOCREV, "explore", spec, "--base-url", url, "--out", out], check=True, capture_output=True)
        size = Path(spec).stat().st_size / 1000
        started = _children_seconds()
        words = [*DOCREV, "revise", spec, "--evidence", out, "--edit", "contract"]
        subprocess.run(words, check=True, capture_output=True)
        took = _children_seconds() - started
        what = f"revise --edit contract, a spec of {size:.0f} kB, seconds of the processor"
        yield Row(what, f"{took:.1f}", "<= 3", took <= MAX_CONTRACT)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _small() -> Iterator[Row]:
    """A list of objects of 622 kB and one of 5 MB, one operation each."""
    for size in (622_000, SIZE):
        with _served({"/objects": grown("objects", size)}) as (url, spec), tempfile.TemporaryDirectory() as out:
            what = f"a list of objects of {size / 1e6:.1f} MB"
            yield _row(f"explore, {what}", "explore", spec, "--base-url", url, "--out", out)
            yield _row(f"revise, {what}", "revise", spec, "--evidence", out)


def _campaign() -> Iterator[Row]:
    names = [f"/{list(BIG)[number % len(BIG)].replace(' ', '-')}-{number}" for number in range(OPERATIONS)]
    bodies = {name: grown(list(BIG)[number % len(BIG)], SIZE) for number, name in enumerate(names)}
    with _served(bodies) as (url, spec), tempfile.TemporaryDirectory() as out:
        yield _row(f"explore, {OPERATIONS} operations", "explore", spec, "--base-url", url, "--out", out, seconds=600)
        yield _row(f"facts, {OPERATIONS} operations", "facts", out)
        yield _row(f"revise, {OPERATIONS} operations", "revise", spec, "--evidence", out)


def _interrupts() -> Iterator[Row]:
    with _served({"/objects": grown("objects", SIZE)}) as (url, spec):
        for name, number in (("Ctrl-C", signal.SIGINT), ("SIGTERM", signal.SIGTERM)):
            ended = [_ended(number, after, url, spec) for after in (1.0, 2.0, 3.5, 5.0)]
            yield Row(f"explore ends after {name}, seconds at most", f"{max(ended):.1f}", "<= 2", max(ended) <= MAX_END)


def _row(what: str, *words: str, seconds: float = MAX_SECONDS) -> Row:
    started = time.monotonic()
    process = subprocess.Popen([*DOCREV, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, peak_memory(process.pid))
        time.sleep(0.02)
    took = time.monotonic() - started
    met = process.returncode == 0 and peak <= MAX_MEMORY and took <= seconds
    return Row(f"{what}: MB, seconds", f"{peak:.0f}, {took:.1f}", f"<= {MAX_MEMORY}, {seconds:.0f}", met)


def _ended(number: int, after: float, url: str, spec: str) -> float:
    with tempfile.TemporaryDirectory() as out:
        words = [*DOCREV, "explore", spec, "--base-url", url, "--out", out]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(after)
        started = time.monotonic()
        process.send_signal(number)
        process.wait()
        return time.monotonic() - started


@contextmanager
def _served(answers: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """(base URL, spec) of a service that returns these bodies by path, whatever is asked."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = answers.get(self.path.partition("?")[0], b'{"error": "not found"}')
            self.send_response(200 if body in answers.values() else 404)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "big.json")
        file.write_text(json.dumps(_spec(answers)))
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", os.fspath(file)
        finally:
            server.shutdown()
            server.server_close()


def _spec(paths: Any) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "query", "schema": {"type": kind}}
        for name, kind in (("limit", "integer"), ("q", "string"))
    ]
    answer = {"200": {"description": "ok"}}
    operations = {path: {"get": {"parameters": parameters, "responses": answer}} for path in paths}
    return {"openapi": "3.0.3", "info": {"title": "big", "version": "1"}, "paths": operations}
