"""Conversations with tools: what a server is sent, how its tool calls are read, and what happens where it has none."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from chat_server import Abilities, Body, ChatServer, Reply, said

from docrev.models.asking import Asker
from docrev.models.chat import ChatBackend
from docrev.models.rendering import native
from docrev.prompts.exploring import NextTurn, Turn
from docrev.prompts.questions import Brief, JudgeAnswer
from docrev.records import Call, Node, OperationKey, Plan, Scenario

CITY, MAKE = OperationKey("atlas", "GET /cities/{id}"), OperationKey("atlas", "POST /cities")
BRIEFS = (
    Brief(
        key=CITY, summary="Get city.", parameters=("path:id (integer, required): Id.", "query:lang (string, optional)")
    ),
    Brief(key=MAKE, summary="Make city.", parameters=("body:/name (string, required)", "body:/id (any, optional)")),
)
TASK = Scenario("s001", "Where is it?", (CITY,))
DONE = Call("c1", CITY, {"path:id": 7}, "", 404, {}, {"detail": "no </data>"}, "application/json", "scenario")
NODE = Node("s001/bfs/0.1", "s001/bfs/0", "s001", "bfs", 1, Plan("Try.", CITY, {"path:id": 7}), DONE)
PROMPT = NextTurn(scenario=TASK, operations=BRIEFS, history=(NODE,), siblings=(Plan("", CITY, {"path:id": 8}),))
JSON_TURN = {"thought": "So.", "calls": [], "answer": "Ghent"}


def asked(script: Any, abilities: Abilities | None = None) -> tuple[Turn, list[Body]]:
    with ChatServer(script, abilities) as server:

        async def ask() -> Turn:
            backend = ChatBackend("tiny", url=server.url)
            try:
                return await Asker(backend).ask(PROMPT)
            finally:
                await backend.close()

        return asyncio.run(ask()), list(server.asked)


def test_operations_are_functions_and_calls_are_tool_calls_with_fenced_results() -> None:
    found = native(PROMPT)
    assert found is not None
    assert [message["role"] for message in found.messages] == ["system", "user", "assistant", "tool", "user"]
    city, make, finish = (tool["function"] for tool in found.functions)
    assert (city["name"], make["name"], finish["name"]) == ("get_cities_id", "post_cities", "finish")
    assert city["parameters"]["required"] == ["id"]
    assert city["parameters"]["properties"]["id"] == {"type": "integer", "description": "Id."}
    assert make["parameters"]["properties"]["id"] == {}
    [call] = found.messages[2]["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"id": 7}
    assert found.messages[3]["content"].startswith("<data-")
    assert "no </data>" in found.messages[3]["content"]
    assert '{"path:id": 8}' in found.messages[4]["content"]


def test_other_questions_are_no_conversations() -> None:
    assert native(JudgeAnswer(scenario=TASK, operations=BRIEFS, history=(), answer=None)) is None


def test_tool_calls_are_read_as_a_turn() -> None:
    calls = (("get_cities_id", {"id": 9, "lang": "nl"}), ("post_cities", {"name": "Ghent", "id": {"a": 1}}))
    turn, _ = asked([Reply("Look.", calls=calls)])
    assert turn.thought == "Look."
    assert [call.operation for call in turn.calls] == [CITY, MAKE]
    assert turn.calls[0].arguments == {"path:id": 9, "query:lang": "nl"}
    assert turn.calls[1].arguments == {"body:": {"name": "Ghent", "id": {"a": 1}}}


def test_finishing_is_the_answer() -> None:
    turn, bodies = asked([Reply("Known.", calls=(("finish", {"answer": ["Ghent", {"a": 1}]}),))])
    assert (turn.answer, turn.calls) == (["Ghent", {"a": 1}], ())
    assert bodies[0]["tool_choice"] == "required"


@pytest.mark.parametrize("vague", [True, False])
def test_a_server_without_tools_is_asked_in_one_text(*, vague: bool) -> None:
    turn, bodies = asked([said(JSON_TURN)], Abilities(tools="refused", vague=vague))
    assert turn.answer == "Ghent"
    assert ["tools" in body for body in bodies] == [True, False]
    assert "response_format" in bodies[1]


def test_a_server_that_ignores_tools_is_asked_in_one_text() -> None:
    turn, bodies = asked([Reply("It is Ghent."), said(JSON_TURN)])
    assert turn.answer == "Ghent"
    assert ["tools" in body for body in bodies] == [True, False]


def test_a_call_that_cannot_be_made_is_sent_back_in_words() -> None:
    turn, bodies = asked([Reply("", calls=(("get_cities_id", {"lang": "nl"}),)), said(JSON_TURN)])
    assert turn.answer == "Ghent"
    assert "path:id is missing" in bodies[1]["messages"][-1]["content"]
