"""A case: files in a folder, commands that are run there, and what an API answers. A found one is kept as JSON."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from damaged import PROMPTS
from servers import Answer, Server

from docrev.cli import run
from docrev.errors import AnswerError
from docrev.models.asking import parse

SECONDS = 20
"""A command may take so long: it is a guard against what does not end, on a machine that is busy."""
EXIT_CODES = frozenset({0, 1, 2, 3})


@dataclass
class Case:
    """`files` are texts, or bytes in base64 behind "base64:". `answers` are whole responses, one after the other.

    `store`: docrev's own files are damaged, so exit code 4 is right. `prompt` and `answer`: what a model answers.
    """

    files: dict[str, str] = field(default_factory=dict)
    commands: list[list[str]] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    store: bool = False
    prompt: str = ""
    answer: str = ""

    def to_json(self) -> str:
        return json.dumps({name: value for name, value in asdict(self).items() if value}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Case:
        return cls(**json.loads(text))


def packed(content: bytes) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = ""
    return text if text and not text.startswith("base64:") else f"base64:{base64.b64encode(content).decode()}"


def unpacked(text: str) -> bytes:
    return base64.b64decode(text[7:]) if text.startswith("base64:") else text.encode()


class TooLong(BaseException):
    """A command did not end in time. No Exception: docrev would tell of it in a line."""


def problems(case: Case) -> list[str]:
    """What does not hold of the guarantee; empty if all does."""
    if case.prompt:
        return [*_parsing(case)]
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name, _working_in(Path(name)), _server(case) as url:
        for file, content in case.files.items():
            path = Path(name, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(unpacked(content))
        return [
            line for words in case.commands for line in _running([word.replace("URL", url) for word in words], case)
        ]


def _running(words: list[str], case: Case) -> Iterator[str]:
    out, err = io.StringIO(), io.StringIO()
    started = time.monotonic()
    try:
        with _limited(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words)
    except TooLong:
        yield f"{words[0]}: not over after {SECONDS} s"
        return
    except BaseException as error:
        yield f"{words[0]}: {type(error).__name__}: {error}"
        return
    said = err.getvalue()
    if "a bug in docrev" in said or "Traceback" in said or "out of memory" in said:
        yield f"{words[0]}: {said.strip().splitlines()[-1][:300]}"
    elif code not in EXIT_CODES | ({4} if case.store else set()):
        yield f"{words[0]}: exit code {code}: {said.strip()[-300:]}"
    elif code >= 2 and (not said.endswith("\n") or not said.splitlines()[-1].startswith("docrev: ")):
        yield f"{words[0]}: exit code {code} without its line: {said.strip()[-300:]!r}"
    elif code >= 2 and sum(line.startswith("docrev: ") for line in said.splitlines()) > 1 + case.store:
        yield f"{words[0]}: more than one line: {said.strip()[-300:]!r}"
    if time.monotonic() - started > SECONDS:
        yield f"{words[0]}: took {time.monotonic() - started:.0f} s"


def _parsing(case: Case) -> Iterator[str]:
    try:
        with _limited():
            parse(case.answer, PROMPTS[case.prompt])
    except AnswerError:
        pass
    except TooLong:
        yield f"parse: not over after {SECONDS} s"
    except Exception as error:
        yield f"parse: {type(error).__name__}: {error}"


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def give_up(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _server(case: Case) -> Iterator[str]:
    """The URL of an API that gives the answers of a case, over and over."""
    if not case.answers:
        yield "http://127.0.0.1:9"
        return

    def answer(_: Any) -> Answer:
        return Answer(raw=unpacked(case.answers[len(server.requests) % len(case.answers)]))

    with Server({f"{method} *": answer for method in ("GET", "POST", "PUT", "PATCH", "DELETE")}) as server:
        yield server.url
