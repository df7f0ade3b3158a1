"""A chat server that fails: what passes is waited for, what does not is one line that says what to do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from chat_server import Abilities, Body, ChatServer, Reply
from servers import Answer, Server, closed_port, reply

from docrev.errors import CredentialsError, DocrevError, ModelError, UnreachableError, UsageError
from docrev.models.backend import Completion, CompletionRequest, CompletionSettings
from docrev.models.chat import ChatBackend, asked_wait
from docrev.models.chat_client import find_key

ANSWER = '{"text": "Lists flights."}'
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ASKED = CompletionRequest("Text", ({"role": "user", "content": "What does it do?"},), SCHEMA, 100)
GOOD = Reply(ANSWER)


def complete(url: str, times: int = 1, *, key: str | None = None, **settings: Any) -> list[Completion]:
    """The completions of as many requests side by side, after one that is alone."""

    async def run() -> list[Completion]:
        backend = ChatBackend("tiny", url=url, key=key, settings=CompletionSettings(**{"backoff": 0.01, **settings}))
        try:
            first = await backend.complete(ASKED)
            return [first, *await asyncio.gather(*(backend.complete(ASKED) for _ in range(times - 1)))]
        finally:
            await backend.close()

    return asyncio.run(run())


@contextmanager
def failing(kind: type[DocrevError], match: str) -> Iterator[None]:
    with pytest.raises(kind, match=match) as caught:
        yield
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "bad",
    [Reply("Overloaded", 503), Reply("", 500, raw=b"<html>"), Reply("Slow down", 429), Reply("", 408), Reply(cut=True)],
    ids=["503", "500", "429", "408", "cut"],
)
def test_what_passes_is_tried_again(bad: Reply) -> None:
    with ChatServer([bad, GOOD]) as server:
        [completion] = complete(server.url)
    assert completion.text == ANSWER
    assert len(server.asked) == 2


def test_a_body_that_ends_early_is_tried_again_once_the_server_is_known() -> None:
    with ChatServer([GOOD, Reply(raw=b'{"choices": [{"index"'), GOOD]) as server:
        completions = complete(server.url, 2)
    assert [completion.text for completion in completions] == [ANSWER] * 2
    assert len(server.asked) == 3


@pytest.mark.long
def test_a_slow_answer_is_tried_again_and_then_given_up() -> None:
    with ChatServer([Reply(ANSWER, after=4), GOOD]) as server:
        [completion] = complete(server.url, timeout=2)
        assert completion.text == ANSWER
    with ChatServer([Reply(ANSWER, after=0.4)]) as server, failing(UnreachableError, "did not answer within 0.1 s"):
        complete(server.url, timeout=0.1, retries=1)


@pytest.mark.long
def test_slowness_of_one_answer_among_others_is_of_that_answer_alone() -> None:
    with ChatServer([GOOD, Reply(ANSWER, after=4)]) as server, failing(ModelError, "did not answer within 2 s"):
        complete(server.url, 2, timeout=2, retries=0)


def test_a_storm_of_429_is_sat_out_by_all_for_as_long_as_the_server_asks() -> None:
    opened = time.perf_counter() + 0.6

    def script(body: Body) -> Reply:
        late = time.perf_counter() >= opened
        return GOOD if late else Reply("Slow down", 429, headers={"Retry-After": "0.7"})

    with ChatServer(script) as server:
        completions = complete(server.url, 12, concurrency=4)
    assert [completion.text for completion in completions] == [ANSWER] * 12
    # The first was told to wait, and the others waited with it.
    assert len(server.asked) <= 14
    assert server.most <= 4


def test_retry_after_is_read_as_seconds_milliseconds_and_date() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert asked_wait({"retry-after": "7"}) == 7
    assert asked_wait({"retry-after-ms": "250"}) == 0.25
    date = format_datetime(now, usegmt=True)
    for seconds, wait in ((30, 30), (-30, 0)):
        until = format_datetime(now + timedelta(seconds=seconds), usegmt=True)
        assert asked_wait({"retry-after": until, "date": date}) == wait
    assert asked_wait({"retry-after": "soon"}) is None
    assert asked_wait({}) is None


def test_retries_end() -> None:
    with ChatServer([Reply("Slow down", 429)]) as server, failing(UnreachableError, "takes no more requests.*Slow"):
        complete(server.url, retries=2)
    assert len(server.asked) == 3
    with ChatServer([Reply("Boom", 500)]) as server, failing(UnreachableError, "server fails: HTTP 500: Boom"):
        complete(server.url, retries=1)
    with ChatServer([GOOD, Reply("Boom", 500)]) as server, failing(ModelError, "refuses this request: HTTP 500"):
        complete(server.url, 2, retries=1)


def test_a_spent_quota_is_not_waited_for() -> None:
    spent = Reply("You exceeded your current quota.", 429, code="insufficient_quota")
    with ChatServer([spent]) as server, failing(UnreachableError, "current quota"):
        complete(server.url)
    assert len(server.asked) == 1


def test_nobody_there_is_one_line_with_the_address() -> None:
    with closed_port() as url, failing(UnreachableError, f"{url}/v1: no model's server answers"):
        complete(f"{url}/v1")


def test_the_key_goes_to_the_server_and_into_no_message() -> None:
    with ChatServer([GOOD], Abilities(key="sk-right")) as server:
        complete(server.url, key="sk-right")
        with pytest.raises(CredentialsError, match=r"refuses the key: HTTP 401.*\[key\]") as caught:
            complete(server.url, key="sk-wrong-key")
        assert "sk-wrong" not in str(caught.value)
        with failing(CredentialsError, "wants a key.*OPENAI_API_KEY"):
            complete(server.url)
    assert "authorization" not in server.headers[-1]


def test_nothing_of_the_environment_is_sent_to_a_server_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "hidden-1234")
    with ChatServer([GOOD]) as server:
        complete(server.url)
    assert "hidden-1234" not in str(server.headers)


def test_a_redirect_is_not_followed() -> None:
    with ChatServer([GOOD]) as other:
        away = Answer(307, headers={"Location": f"{other.url}/chat/completions"})
        with Server({"POST /v1/chat/completions": away}) as server, failing(UnreachableError, "HTTP 307"):
            complete(f"{server.url}/v1", key="sk-right")
    assert other.asked == []


def test_an_address_that_is_no_chat_server_is_named() -> None:
    page = Answer(200, b"<html>hello</html>", {"Content-Type": "text/html"})
    with Server({"POST /chat/completions": page}) as server:
        with failing(UnreachableError, "not as an OpenAI-compatible server.*/v1"):
            complete(server.url)
        with failing(UnreachableError, "no chat completions here: HTTP 404"):
            complete(f"{server.url}/v2")
    with Server({"POST /chat/completions": reply({"hello": 1})}) as server, failing(UnreachableError, "not as an Open"):
        complete(server.url)


def test_an_unknown_model_is_named() -> None:
    unknown = Reply("The model 'tiny' does not exist.", 404, code="model_not_found")
    with ChatServer([unknown]) as server, failing(UnreachableError, "has no model tiny"):
        complete(server.url)


def test_refusal_truncation_and_emptiness_are_told_apart() -> None:
    replies = [
        GOOD,
        Reply("", refusal="I can't help with that."),
        Reply("", finish="content_filter"),
        Reply('{"text": "Li', finish="length"),
        Reply(""),
        Reply(ANSWER, usage=False),
    ]
    with ChatServer(replies) as server:
        completions = complete(server.url, len(replies), concurrency=1)
    assert [completion.finish for completion in completions] == ["stop", "refused", "refused", "length", "stop", "stop"]
    assert completions[1].refusal == "I can't help with that."
    assert (completions[5].tokens_in, completions[5].tokens_out) == (0, 0)


def test_an_error_inside_a_good_status_is_an_error() -> None:
    inside = b'{"error": {"message": "Provider returned error", "code": 502}}'
    with ChatServer([GOOD, Reply(raw=inside)]) as server, failing(ModelError, "Provider returned error"):
        complete(server.url, 2)


def test_no_more_requests_are_under_way_than_allowed() -> None:
    with ChatServer([Reply(ANSWER, after=0.02)]) as server:
        complete(server.url, 20, concurrency=3)
    assert server.most == 3


@pytest.mark.parametrize(
    "url", ["https://api.openai.com/v1", "http://192.0.2.1:8000/v1", "https://localhost.evil.test"]
)
def test_tests_reach_no_model_on_the_network(url: str) -> None:
    with pytest.raises(UsageError, match="DOCREV_NO_NETWORK_MODELS forbids"):
        ChatBackend("gpt", url=url)


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1/v1", "127.0.0.1:8000", "http://me:secret@127.0.0.1/v1", "http://[::1"]
)
def test_an_address_that_cannot_be_one_is_wrong_use(url: str) -> None:
    with pytest.raises(UsageError, match="--model-url") as caught:
        ChatBackend("gpt", url=url)
    assert "secret" not in str(caught.value)


def test_a_key_is_looked_for_where_it_may_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one")
    assert find_key("https://api.openai.com/v1") == "sk-one"
    assert find_key("http://127.0.0.1:8000/v1") == "sk-one"
    assert find_key("http://models.example:8000/v1") is None
