"""How a chat server wants to be asked is found out with the first request, and remembered."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from chat_server import Abilities, Body, ChatServer, Reply

from docrev.errors import ModelError
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.chat import ChatBackend

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
ANSWER = '{"text": "Lists flights."}'
MESSAGES = ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "What does it do?"})


def request(prompt: str = "Text", **changes: Any) -> CompletionRequest:
    given: dict[str, Any] = {"messages": MESSAGES, "schema": SCHEMA, "max_tokens": 1000, **changes}
    return CompletionRequest(prompt=prompt, **given)


def complete(server: ChatServer, *requests: CompletionRequest, **settings: Any) -> list[Completion]:
    """The completions of requests, one after the other, by one backend."""

    async def run() -> list[Completion]:
        backend = ChatBackend("tiny", url=server.url, settings=CompletionSettings(backoff=0.01, **settings))
        try:
            return [await backend.complete(each) for each in requests]
        finally:
            await backend.close()

    return asyncio.run(run())


def mode(body: Body) -> str:
    return "schema" if "response_format" in body else "tool" if "tools" in body else "text"


def answer(body: Body) -> Reply:
    """As a server without structured output: prose, unless it is told in words what to write."""
    told = "JSON schema" in body["messages"][-1]["content"]
    return Reply(ANSWER if told else "It lists flights.")


def test_structured_output_is_asked_for_where_the_server_has_it() -> None:
    with ChatServer([Reply(ANSWER)]) as server:
        [completion] = complete(server, request())
    [asked] = server.asked
    assert completion.text == ANSWER
    assert asked["response_format"]["json_schema"] == {"name": "Text", "schema": SCHEMA, "strict": True}
    assert (asked["temperature"], asked["seed"], asked["max_tokens"]) == (0, 0, 1000)
    assert completion.tokens_in > 0
    assert completion.tokens_out > 0


@pytest.mark.parametrize("status", [400, 404, 422, 500])
@pytest.mark.parametrize("tools", ["yes", "refused"])
def test_refused_structured_output_is_given_up_once(status: int, tools: Any) -> None:
    with ChatServer([Reply(ANSWER)], Abilities(schema="refused", tools=tools, status=status)) as server:
        completions = complete(server, *[request()] * 3)
    assert [completion.text for completion in completions] == [ANSWER] * 3
    found = ["schema"] + (["tool"] if tools == "refused" else [])
    assert [mode(body) for body in server.asked] == found + ["tool" if tools == "yes" else "text"] * 3


def test_a_refusal_that_names_nothing_is_tried_without_everything_that_may_be_left_out() -> None:
    abilities = Abilities(schema="refused", tools="refused", refuses=("temperature",), vague=True)
    with ChatServer([Reply(ANSWER)], abilities) as server:
        complete(server, request(), request())
    assert [mode(body) for body in server.asked] == ["schema", "tool", "text", "text", "text"]
    assert "temperature" not in server.asked[-1]


@pytest.mark.parametrize("tools", ["yes", "ignored"])
def test_a_server_that_ignores_what_it_is_asked_for_is_noticed(tools: Any) -> None:
    def script(body: Body) -> Reply:
        return Reply(ANSWER) if tools == "yes" and "tools" in body else answer(body)

    with ChatServer(script, Abilities(schema="ignored", tools=tools)) as server:
        completions = complete(server, request(), request())
    assert [completion.text for completion in completions] == [ANSWER] * 2
    found = ["schema", "tool", "tool"] if tools == "yes" else ["schema", "tool", "text", "text"]
    assert [mode(body) for body in server.asked] == found
    # What was found out has cost tokens, and they are counted.
    assert completions[0].tokens_in > completions[1].tokens_in


def test_concurrent_requests_wait_until_one_has_found_out() -> None:
    async def run(server: ChatServer) -> None:
        backend = ChatBackend("tiny", url=server.url)
        await asyncio.gather(*(backend.complete(request()) for _ in range(8)))
        await backend.close()

    with ChatServer([Reply(ANSWER, after=0.02)], Abilities(schema="refused")) as server:
        asyncio.run(run(server))
    assert [mode(body) for body in server.asked] == ["schema"] + ["tool"] * 8


@pytest.mark.parametrize("name", ["temperature", "seed"])
def test_a_refused_parameter_is_left_out(name: str) -> None:
    with ChatServer([Reply(ANSWER)], Abilities(refuses=(name,))) as server:
        complete(server, request(), request())
    assert [name in body for body in server.asked] == [True, False, False]
    assert all("response_format" in body for body in server.asked)


def test_the_limit_goes_by_the_name_that_the_server_takes() -> None:
    with ChatServer([Reply(ANSWER)], Abilities(refuses=("max_tokens",))) as server:
        complete(server, request(), request())
    assert [body.get("max_completion_tokens") for body in server.asked] == [None, 1000, 1000]


def test_the_system_message_goes_to_the_user_where_there_is_no_system_role() -> None:
    with ChatServer([Reply(ANSWER)], Abilities(system=False)) as server:
        complete(server, request())
    assert server.asked[-1]["messages"] == [{"role": "user", "content": "Be brief.\n\nWhat does it do?"}]


def test_a_schema_that_the_server_does_not_take_is_put_in_words_for_that_prompt_alone() -> None:
    def script(body: Body) -> Reply:
        if mode(body) == "schema" and body["response_format"]["json_schema"]["name"] == "Odd":
            return Reply("Invalid schema for response_format 'Odd': 'oneOf' is not permitted.", 400)
        return Reply(ANSWER)

    with ChatServer(script) as server:
        complete(server, request("Odd"), request("Odd"), request())
    assert [mode(body) for body in server.asked] == ["schema", "text", "text", "schema"]


def test_what_nothing_helps_against_changes_nothing() -> None:
    replies = [Reply("The prompt offends our policy.", 400)] * 4 + [Reply(ANSWER)]
    with ChatServer(replies) as server:

        async def run() -> None:
            backend = ChatBackend("tiny", url=server.url)
            with pytest.raises(ModelError, match="offends our policy"):
                await backend.complete(request())
            await backend.complete(request())
            await backend.close()

        asyncio.run(run())
    assert mode(server.asked[-1]) == "schema"
    assert "temperature" in server.asked[-1]


def test_a_context_that_is_too_short_leaves_less_room_for_the_answer() -> None:
    def script(body: Body) -> Reply:
        full = Reply("This model's maximum context length is 2048 tokens.", 400, code="context_length_exceeded")
        return full if body["max_tokens"] > 600 else Reply(ANSWER)

    with ChatServer(script) as server:
        [completion] = complete(server, request())
    assert completion.text == ANSWER
    assert [body["max_tokens"] for body in server.asked] == [1000, 512]


def test_free_text_is_asked_for_as_it_is() -> None:
    with ChatServer([Reply("Lists flights.")]) as server:
        [completion] = complete(server, request(schema=None))
    assert completion.text == "Lists flights."
    assert server.asked[0]["messages"] == [dict(message) for message in MESSAGES]
    assert mode(server.asked[0]) == "text"


def test_the_seed_and_the_temperature_are_the_users() -> None:
    with ChatServer([Reply(ANSWER)]) as server:
        complete(server, request(), temperature=0.7, seed=41)
    assert (server.asked[0]["temperature"], server.asked[0]["seed"]) == (0.7, 41)
    assert json.dumps(server.asked[0]["messages"]) == json.dumps(list(MESSAGES))
