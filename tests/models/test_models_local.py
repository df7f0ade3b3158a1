"""Local models: a real, tiny LLaMA with random weights, in this process."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from damaged import PROMPTS
from tiny_model import make, tiny_model

from docrev.errors import AnswerError, InputError, ModelError
from docrev.events import Event, ModelAsked
from docrev.models.asking import Asker
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.local import LocalBackend

TEXTS = ["What does it do?", "List the cities of a country by its code, the largest first.", "Hello"]


def request(text: str, *, most: int = 12) -> CompletionRequest:
    return CompletionRequest("Text", ({"role": "user", "content": text},), None, most)


def complete(path: Path, *requests: CompletionRequest, together: bool = True, **settings: Any) -> list[Completion]:
    async def run() -> list[Completion]:
        backend = LocalBackend(str(path), settings=CompletionSettings(**settings))
        try:
            if together:
                return list(await asyncio.gather(*map(backend.complete, requests)))
            return [await backend.complete(each) for each in requests]
        finally:
            await backend.close()

    return asyncio.run(run())


def test_requests_that_come_together_are_answered_as_those_that_come_alone() -> None:
    requests = [request(text) for text in TEXTS]
    together = complete(tiny_model(), *requests)
    assert together == complete(tiny_model(), *requests, together=False)
    assert len({completion.text for completion in together}) == 3
    assert [completion.tokens_out for completion in together] == [12, 12, 12]
    assert [completion.finish for completion in together] == ["length"] * 3


def test_above_temperature_0_the_draw_is_the_seeds() -> None:
    requests = [request(text) for text in TEXTS]
    first = complete(tiny_model(), *requests, temperature=1.0, seed=3)
    assert first == complete(tiny_model(), *reversed(requests), temperature=1.0, seed=3)[::-1]
    assert first != complete(tiny_model(), *requests, temperature=1.0, seed=4)


def test_gibberish_ends_in_a_named_error_and_one_event() -> None:
    events: list[Event] = []
    prompt = PROMPTS["ReviseDescription"]

    async def run() -> None:
        asker = Asker(LocalBackend(str(tiny_model()), settings=CompletionSettings(max_tokens=16)), emit=events.append)
        try:
            await asker.ask(prompt)
        finally:
            await asker.close()

    with pytest.raises(AnswerError, match=r"^local:.* ReviseDescription: the answer is cut at 64 tokens"):
        asyncio.run(run())
    [event] = events
    assert isinstance(event, ModelAsked)
    assert (event.prompt, event.attempts, event.error) == ("ReviseDescription", 2, "the answer is cut at 64 tokens")
    assert event.tokens_in > 100
    assert event.tokens_out == 16 + 64


def test_a_base_model_without_chat_template_and_with_padding_answers_too(tmp_path: Path) -> None:
    folder = make(tmp_path, template=None, pad=True)
    together = complete(folder, *[request(text) for text in TEXTS])
    assert together == complete(folder, *[request(text) for text in TEXTS], together=False)
    assert all(completion.text for completion in together)


def test_a_prompt_longer_than_the_context_is_an_error_of_its_own(tmp_path: Path) -> None:
    folder = make(tmp_path, context=128)

    async def run() -> list[Any]:
        backend = LocalBackend(str(folder))
        try:
            requests = [request("Hello"), request("Hello " * 200)]
            return list(await asyncio.gather(*map(backend.complete, requests), return_exceptions=True))
        finally:
            await backend.close()

    short, long = asyncio.run(run())
    assert isinstance(short, Completion)
    assert isinstance(long, ModelError)
    assert "too many for a model of 128" in str(long)


def test_a_template_that_knows_no_system_role_gets_the_text_from_the_user(tmp_path: Path) -> None:
    strict = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    folder = make(tmp_path, template=strict + "{{ messages[0]['content'] }}")
    messages = ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"})
    [completion] = complete(folder, CompletionRequest("Text", messages, None, 4))
    assert completion.tokens_out == 4


def test_an_adapter_is_loaded_over_its_base(tmp_path: Path) -> None:
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    base = AutoModelForCausalLM.from_pretrained(tiny_model())
    config = LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False, task_type="CAUSAL_LM")
    torch.manual_seed(1)
    get_peft_model(base, config).save_pretrained(tmp_path)
    assert complete(tmp_path, request("Hello"))[0].text != complete(tiny_model(), request("Hello"))[0].text


def test_what_is_no_model_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such model folder"):
        LocalBackend(str(tmp_path / "nothing"))
    with pytest.raises(InputError, match="not a model that transformers can load") as error:
        complete(tmp_path, request("Hello"))
    assert "\n" not in str(error.value)
    broken = tmp_path / "broken"
    shutil.copytree(tiny_model(), broken)
    (broken / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a model that transformers can load"):
        complete(broken, request("Hello"))
