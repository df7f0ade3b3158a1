"""A prompt asked of a chat server: read, sent back with what is wrong, given up by name; one event each."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from chat_server import Abilities, Body, ChatServer, Reply, said, wanted
from damaged import CITIES, COUNTRY, PROMPTS
from servers import closed_port

from docrev.errors import AnswerError, ModelError, UnreachableError
from docrev.events import Event, ModelAsked
from docrev.models.asking import Asker
from docrev.models.backend import CompletionSettings
from docrev.models.chat import ChatBackend
from docrev.records import Plan

PROMPT = PROMPTS["ReviseDescription"]
GOOD = said({"text": "Lists the cities of a country by its `code`."})


def ask(server: ChatServer, *prompts: Any, **settings: Any) -> tuple[list[Any], list[ModelAsked]]:
    """What came of each prompt, an answer or an error, and the events."""
    events: list[Event] = []

    async def run() -> list[Any]:
        backend = ChatBackend("tiny", url=server.url, settings=CompletionSettings(**{"backoff": 0.01, **settings}))
        asker = Asker(backend, emit=events.append)
        try:
            return list(await asyncio.gather(*map(asker.ask, prompts), return_exceptions=True))
        finally:
            await asker.close()

    outcome = asyncio.run(run())
    return outcome, [event for event in events if isinstance(event, ModelAsked)]


def test_a_good_answer_is_typed_and_told() -> None:
    plan = {"thought": "Read it.", "operation": str(COUNTRY), "arguments": [{"location": "path:code", "value": "BE"}]}
    with ChatServer([said({**plan, "answer": None})]) as server:
        [answer], [event] = ask(server, PROMPTS["NextPlan"])
    assert answer == Plan("Read it.", COUNTRY, {"path:code": "BE"})
    assert wanted(server.asked[0]) == "NextPlan"
    assert (event.model, event.prompt, event.role, event.key) == ("openai:tiny", "NextPlan", "plan", None)
    assert (event.attempts, event.cached, event.error) == (1, False, "")
    assert event.tokens_in > 100
    assert event.seconds > 0


@pytest.mark.parametrize(
    ("prompt", "key"), [("ReviseDescription", CITIES), ("ConstructCall", CITIES), ("DesignScenario", COUNTRY)]
)
def test_the_event_names_the_operation_that_was_asked_about(prompt: str, key: Any) -> None:
    with ChatServer([Reply("", refusal="No.")]) as server:
        _, [event] = ask(server, PROMPTS[prompt])
    assert event.key == key


def test_a_wrong_answer_is_sent_back_with_what_is_wrong() -> None:
    plan = {"thought": "Read it.", "arguments": [], "answer": None}
    wrong, right = ({**plan, "operation": name} for name in ("atlas GET /capitals", str(COUNTRY)))
    with ChatServer([said(wrong), said(right)]) as server:
        [answer], [event] = ask(server, PROMPTS["NextPlan"])
    assert answer.key == COUNTRY
    first, second = (body["messages"] for body in server.asked)
    assert second[: len(first)] == first
    assert [message["role"] for message in second[len(first) :]] == ["assistant", "user"]
    assert "GET /capitals" in second[-2]["content"]
    assert "there is no operation" in second[-1]["content"]
    assert str(COUNTRY) in second[-1]["content"]
    assert event.attempts == 2


def test_an_answer_is_sent_back_twice_and_then_given_up_by_name() -> None:
    # Not JSON: the server shows that it ignores what it is asked for, and is asked in words.
    with ChatServer([Reply("It lists cities.")], Abilities(schema="refused", tools="refused")) as server:
        [error], [event] = ask(server, PROMPT)
    assert isinstance(error, AnswerError)
    assert str(error).startswith("openai:tiny ReviseDescription: there is no JSON object in the answer")
    assert event.attempts == 3
    assert event.error == "there is no JSON object in the answer"
    assert "JSON schema" in server.asked[-1]["messages"][-1]["content"]


def test_a_cut_answer_gets_more_room_once() -> None:
    cut = Reply('{"text": "Lists the cit', finish="length")
    with ChatServer([cut, GOOD]) as server:
        [answer], _ = ask(server, PROMPT, max_tokens=100)
    assert answer.text.startswith("Lists")
    assert [body["max_tokens"] for body in server.asked] == [100, 400]
    with ChatServer([cut]) as server:
        [error], _ = ask(server, PROMPT, max_tokens=100)
    assert isinstance(error, AnswerError)
    assert "cut at 400 tokens" in str(error)
    assert len(server.asked) == 2


def test_what_follows_a_whole_answer_may_be_cut() -> None:
    with ChatServer([Reply('{"same": true}\nAnd now, let us ', finish="length")]) as server:
        [answer], _ = ask(server, PROMPTS["SameExperience"])
    assert answer.same is True
    assert len(server.asked) == 1


def test_a_refusal_is_not_argued_with() -> None:
    with ChatServer([Reply("", refusal="I can't help with that.")]) as server:
        [error], [event] = ask(server, PROMPT)
    assert isinstance(error, AnswerError)
    assert "refuses: I can't help with that." in str(error)
    assert (len(server.asked), event.attempts) == (1, 1)


def test_errors_of_one_prompt_leave_the_others_alone() -> None:
    def script(body: Body) -> Reply:
        return GOOD if wanted(body) == "ReviseDescription" else Reply("The prompt offends our policy.", 400)

    with ChatServer(script) as server:
        outcome, events = ask(server, PROMPT, PROMPTS["SameExperience"], PROMPT)
    assert [type(each).__name__ for each in outcome] == ["Text", "ModelError", "Text"]
    assert isinstance(outcome[1], ModelError)
    assert "openai:tiny SameExperience: " in str(outcome[1])
    assert [event.error != "" for event in sorted(events, key=lambda event: event.prompt)] == [False, False, True]


def test_a_server_that_is_gone_ends_it() -> None:
    events: list[Event] = []

    async def run(url: str) -> None:
        await Asker(ChatBackend("tiny", url=url, settings=CompletionSettings(backoff=0.01)), emit=events.append).ask(
            PROMPT
        )

    with closed_port() as url, pytest.raises(UnreachableError, match="no model's server answers"):
        asyncio.run(run(url))
    [event] = events
    assert isinstance(event, ModelAsked)
    assert (event.attempts, event.error != "") == (0, True)
