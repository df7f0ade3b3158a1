"""SIGINT and SIGTERM end a command at once, or a moment later if it computes: with one line, and exit code 130."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clikit import after, calls, docrev, interrupted, spec
from patience import HANGS
from servers import Server, reply

from docrev.cli.interrupts import LINE

BODIES = {
    "computes in the loop": "asyncio.run(computes())",
    "searches in the loop": "asyncio.run(searches())",
    "ignores that it is cancelled": "asyncio.run(stubborn())",
    "waits for the network": "asyncio.run(waits())",
    "waits for a thread": "asyncio.run(asyncio.to_thread(time.sleep, 1000))",
    "computes without a loop": "while True: pass",
    "searches without a loop": "search()",
    "makes an error of it": "mistakes()",
}
SCRIPT = """
import asyncio, re, sys, time
import click
import docrev.cli as command_line

def search(): re.match(r"(a+)+$", "a" * 60 + "b")
async def computes():
    while True: pass
async def searches(): search()
def mistakes():
    try: search()
    except BaseException: raise TypeError("expected a message argument") from None
async def stubborn():
    while True:
        try: await asyncio.sleep(1000)
        except BaseException: pass
async def waits(): await asyncio.gather(*(asyncio.sleep(1000) for _ in range(5)))

@click.command()
def command():
    print("begun", flush=True)
    {body}

command_line.cli.get_command = lambda context, name: command
command_line.main(["anything"])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_command_ends_whatever_it_does(body: str, number: signal.Signals, tmp_path: Path) -> None:
    _ends(body, number, tmp_path, ["begun"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_import_is_not_left_by_an_exception(number: signal.Signals, tmp_path: Path) -> None:
    # The start of torch in C++ aborts the process then.
    lines = (
        "import os, time",
        "print('importing', flush=True)",
        "try: time.sleep(1000)",
        "except BaseException: os.abort()",
    )
    (tmp_path / "fragile.py").write_text("\n".join(lines))
    _ends("sys.path.insert(0, ''); import fragile", number, tmp_path, ["begun", "importing"])


def _ends(body: str, number: signal.Signals, folder: Path, said: list[str]) -> None:
    """Interrupt a command once it said some lines: it ends with the one line, and nothing else."""
    command = [sys.executable, "-c", SCRIPT.replace("{body}", body)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    try:
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in said] == [f"{line}\n" for line in said]
        process.send_signal(number)
        _, complaint = process.communicate(timeout=HANGS)
    finally:
        process.kill()
    assert process.returncode == 130
    assert complaint == f"docrev: {LINE}\n"


def test_sigterm_keeps_the_evidence(tmp_path: Path) -> None:
    with Server({"GET /items": reply([{"id": number} for number in range(9)]), "GET /items/*": reply({"id": 1})}) as it:
        words = ["explore", spec(tmp_path), "--base-url", it.url, "--out", tmp_path / "evidence", "--rate", "50"]
        done = interrupted(words, lambda _: len(it.requests) > 8, cwd=tmp_path, number=signal.SIGTERM)
        assert (done.code, done.err.splitlines()[-1]) == (130, f"docrev: {LINE}")
        assert calls(tmp_path / "evidence")
        assert docrev(*words[:-2]).code == 0


PHASES: dict[str, tuple[str, ...]] = {
    "lint": ("lint", "many.json"),
    "explore": ("explore", "many.json", "--base-url", "URL", "--out", "explored"),
    "divided": ("explore", "many.json", "--base-url", "URL", "--out", "divided", "--cluster", "local:1"),
    "check": ("check", "many.json", "--base-url", "URL", "--evidence", "none"),
    "collect": ("collect", "many.json", "--base-url", "URL", "--out", "collected"),
    "revise": ("revise", "many.json", "--evidence", "kept", "--edit", "contract"),
    "report": ("report", "kept", "-o", "page.html"),
    "import": ("import", "functions", "tools.json", "-o", "imported"),
    "observe": ("observe", "traffic.jsonl", "--spec", "many.json", "--out", "watched", "--base-url", "http://h"),
    "instructions": ("generate", "instructions", "many.json", "--count", "5000", "-o", "instructions.json"),
    "retriever": ("train", "retriever", "many.json", "-o", "retriever"),
}


_BEGUN = 0.6
"""Seconds of processor after which a slow machine has begun with each, and a fast one has not ended."""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A folder with much to do for every command, and the API."""
    folder = tmp_path_factory.mktemp("many")
    paths = [f"GET /{kind}{number}{rest}" for number in range(400) for kind in "abcdefgh" for rest in ("", "/{id}")]
    spec(folder, paths, name="many.json")
    functions = [{"name": f"f{number}", "description": "Gets it. " * 9, "parameters": {}} for number in range(60_000)]
    (folder / "tools.json").write_text(json.dumps(functions))
    line = {"method": "GET", "status": 200, "body": [{"id": number} for number in range(40)]}
    lines = (json.dumps({**line, "url": f"http://h/a{number % 400}?n={number}"}) for number in range(20_000))
    (folder / "traffic.jsonl").write_text("\n".join(lines))
    things = [{"id": number, "name": f"n{number}"} for number in range(40)]
    with Server({"GET *": reply(things)}) as server:
        words = ["explore", "many.json", "--base-url", server.url, "--out", "kept", "--max-calls", "1300"]
        assert docrev(*words, cwd=folder).code == 0
        yield folder, server.url


@pytest.mark.long
@pytest.mark.parametrize("phase", PHASES)
def test_every_long_phase_ends(many: tuple[Path, str], phase: str) -> None:
    folder, url = many
    number = signal.SIGTERM if len(phase) % 2 else signal.SIGINT
    words = [url if word == "URL" else word for word in PHASES[phase]]
    done = interrupted(words, after(_BEGUN), cwd=folder, number=number)
    assert done.code == 130, done.out[-300:] + done.err[-300:]
    assert done.err.splitlines()[-1] == f"docrev: {LINE}"
    assert "Traceback" not in done.err
