"""A chat server that is not ours: `transformers serve`, with a tiny model whose answers mean nothing."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from damaged import PROMPTS
from servers import free_port
from tiny_model import tiny_model

from docrev.errors import AnswerError, UnreachableError
from docrev.events import Event, ModelAsked
from docrev.models.asking import Asker
from docrev.models.backend import ModelSettings
from docrev.models.chat import ChatBackend

START_SECONDS = 90


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    port = free_port()
    command = [Path(sys.executable).with_name("transformers"), "serve", "--host", "127.0.0.1", "--port", str(port)]
    quiet = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    with subprocess.Popen(
        [*command, "--device", "cpu"],
        env={**os.environ, **quiet},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            _wait(f"http://127.0.0.1:{port}/health", process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            if httpx2.get(url, trust_env=False).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.1)
    raise AssertionError("transformers serve did not start")


def test_gibberish_of_a_real_server_is_a_named_error(served: str) -> None:
    events: list[Event] = []

    async def run() -> list[object]:
        settings = ModelSettings(max_tokens=8, timeout=60)
        backend = ChatBackend(str(tiny_model()), url=served, settings=settings)
        asker = Asker(backend, emit=events.append)
        prompts = [PROMPTS[name] for name in ("DescribeOperation", "SameExperience")]
        outcome = await asyncio.gather(*map(asker.ask, prompts), return_exceptions=True)
        await asker.close()
        assert backend.ways.mode == "text"
        return list(outcome)

    for outcome, name in zip(asyncio.run(run()), ("DescribeOperation", "SameExperience"), strict=True):
        assert isinstance(outcome, AnswerError)
        assert f"{name}: " in str(outcome)
    told = [event for event in events if isinstance(event, ModelAsked)]
    assert len(told) == 2
    assert all(event.tokens_in > 100 and event.tokens_out >= 8 and event.error for event in told)


def test_a_model_that_a_real_server_lacks_is_one_line(served: str) -> None:
    async def run() -> None:
        backend = ChatBackend("no/such-model", url=served, settings=ModelSettings(retries=0, max_tokens=8))
        try:
            await Asker(backend).ask(PROMPTS["SameExperience"])
        finally:
            await backend.close()

    with pytest.raises(UnreachableError) as caught:
        asyncio.run(run())
    assert "\n" not in str(caught.value)
    assert served in str(caught.value)
