"""SIGINT and SIGTERM end a command at once, or a moment later if it computes: with one line, and exit code 130."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from clikit import calls, docrev, interrupted, spec
from patience import HANGS
from servers import Server, reply

BODIES = {
    "computes in the loop": "asyncio.run(computes())",
    "searches in the loop": "asyncio.run(searches())",
    "ignores that it is cancelled": "asyncio.run(stubborn())",
    "waits for the network": "asyncio.run(waits())",
    "waits for a thread": "asyncio.run(asyncio.to_thread(time.sleep, 1000))",
    "computes without a loop": "while True: pass",
    "searches without a loop": "search()",
}
SCRIPT = """
import asyncio, re, sys, time
import click
import docrev.cli as command_line

def search(): re.match(r"(a+)+$", "a" * 60 + "b")
async def computes():
    while True: pass
async def searches(): search()
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
def test_a_command_ends_whatever_it_does(body: str, number: signal.Signals) -> None:
    command = [sys.executable, "-c", SCRIPT.replace("{body}", body)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(number)
        _, complaint = process.communicate(timeout=HANGS)
    finally:
        process.kill()
    assert process.returncode == 130
    assert complaint == "docrev: interrupted; all evidence is kept\n"


def test_sigterm_keeps_the_evidence(tmp_path: Path) -> None:
    with Server({"GET /items": reply([{"id": number} for number in range(9)]), "GET /items/*": reply({"id": 1})}) as it:
        words = ["explore", spec(tmp_path), "--base-url", it.url, "--out", tmp_path / "evidence", "--rate", "50"]
        done = interrupted(words, lambda _: len(it.requests) > 8, cwd=tmp_path, number=signal.SIGTERM)
        assert (done.code, done.err.splitlines()[-1]) == (130, "docrev: interrupted; all evidence is kept")
        assert calls(tmp_path / "evidence")
        assert docrev(*words[:-2]).code == 0
