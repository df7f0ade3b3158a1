"""A chat server that is not ours: `transformers serve`, with a tiny model whose answers mean nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from clikit import docrev, spec
from damaged import PROMPTS
from model_server import model_server
from patience import HANGS
from servers import Server, reply
from tiny_model import tiny_model

from docrev.errors import AnswerError, UnreachableError
from docrev.events import Event, ModelAsked
from docrev.models.asking import Asker
from docrev.models.backend import CompletionSettings
from docrev.models.chat import ChatBackend

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with model_server() as url:
        yield url


def test_gibberish_of_a_real_server_is_a_named_error(served: str) -> None:
    events: list[Event] = []

    async def run() -> list[object]:
        settings = CompletionSettings(max_tokens=8, timeout=HANGS)
        backend = ChatBackend(str(tiny_model()), url=served, settings=settings)
        asker = Asker(backend, emit=events.append)
        prompts = [PROMPTS[name] for name in ("ReviseDescription", "SameExperience")]
        outcome = await asyncio.gather(*map(asker.ask, prompts), return_exceptions=True)
        await asker.close()
        assert backend.ways.mode == "text"
        return list(outcome)

    for outcome, name in zip(asyncio.run(run()), ("ReviseDescription", "SameExperience"), strict=True):
        assert isinstance(outcome, AnswerError)
        assert f"{name}: " in str(outcome)
    told = [event for event in events if isinstance(event, ModelAsked)]
    assert len(told) == 2
    assert all(event.tokens_in > 100 and event.tokens_out >= 8 and event.error for event in told)


def test_a_model_that_a_real_server_lacks_is_one_line(served: str) -> None:
    async def run() -> None:
        backend = ChatBackend("no/such-model", url=served, settings=CompletionSettings(retries=0, max_tokens=8))
        try:
            await Asker(backend).ask(PROMPTS["SameExperience"])
        finally:
            await backend.close()

    with pytest.raises(UnreachableError) as caught:
        asyncio.run(run())
    assert "\n" not in str(caught.value)
    assert served in str(caught.value)


def test_a_run_with_gibberish_ends_well(served: str, tmp_path: Path) -> None:
    explore_and_revise(tmp_path, "--model", f"openai:{tiny_model()}", "--model-url", served)


def test_a_run_with_gibberish_in_process_ends_well(tmp_path: Path) -> None:
    explore_and_revise(tmp_path, "--model", f"local:{tiny_model()}")


def explore_and_revise(folder: Path, *model: str) -> None:
    """Whatever a model says that cannot be used, the offline engine says instead, and nothing is lost."""
    file = spec(folder, ["GET /items"])
    out = folder / "evidence"
    model += ("--answer-tokens", "64")
    few = ("--max-model-calls", "6", "--max-calls", "30", "--json")
    with Server({"GET /items": reply([{"id": 1, "name": "anchor"}, {"id": 2, "name": "bell"}])}) as server:
        explored = docrev("explore", file, "--base-url", server.url, "--out", out, *model, *few)
    assert explored.code == 0, explored.err
    told = json.loads(explored.out)
    assert told["operations_2xx"] == 1
    assert told["model"]["fallbacks"] >= 1
    revised = docrev("revise", file, "--evidence", out, *model, "--max-model-calls", "2")
    assert revised.code == 0, revised.err
    assert "+" in revised.out
