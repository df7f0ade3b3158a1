"""`docrev mcp`, used by a client of the official SDK."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from servers import Server, reply
from services import running

from docrev.errors import UsageError
from docrev.events import Notice
from docrev.evidence import Evidence
from docrev.json_values.excerpts import beginning, select_fields
from docrev.sessions import mcp_server
from docrev.sessions.agent_tools import open_tools
from docrev.settings.serving import McpSettings

ATLAS = Path(__file__).resolve().parents[2] / "specs" / "atlas.yaml"


@pytest.fixture(scope="module")
def atlas() -> Iterator[str]:
    with running("atlas") as urls:
        yield urls["atlas"]


async def _result(client: Client, name: str, arguments: Mapping[str, Any]) -> tuple[Any, bool]:
    result = await client.call_tool(name, dict(arguments))
    text = result.content[0].text  # type: ignore[union-attr]
    return (text if result.is_error else json.loads(text)), result.is_error


def _in_process(settings: McpSettings, spec: Path, use: Any) -> Any:
    async def run() -> Any:
        async with open_tools(spec, settings) as tools, Client(mcp_server.server_of(tools)) as client:
            return await use(client)

    return asyncio.run(run())


def test_a_client_lists_and_calls_over_stdio_and_its_calls_teach(atlas: str, tmp_path: Path) -> None:
    out = tmp_path / "used"
    command = ["-m", "docrev", "mcp", str(ATLAS), "--base-url", atlas, "--out", str(out)]
    command += ["-H", "X-Client: env:MCP_CLIENT"]
    server = StdioServerParameters(
        command=sys.executable, args=command, env={**os.environ, "MCP_CLIENT": "hidden-by-name"}
    )

    async def use() -> None:
        async with Client(server) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert {"getCountry", "searchCountries"} <= tools.keys()
            # What adds or removes is not offered unless it is allowed.
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())
            assert tools["getCountry"].input_schema["required"] == ["code"]
            found, _ = await _result(client, "getCountry", {"code": "EE", "response_fields": ["name", "capital"]})
            assert found == {"name": "Estonia", "capital": "Tallinn"}
            for code in ("LV", "LT", "HU"):
                assert not (await _result(client, "getCountry", {"code": code}))[1]
            assert await _result(client, "getCountry", {"code": "Q0"}) == (
                await _result(client, "getCountry", {"code": "Q0"})
            )
            wrong, failed = await _result(client, "getCountry", {"kode": "EE"})
            assert failed
            assert "it takes code" in wrong

    asyncio.run(use())
    with Evidence.open(out, write=False) as evidence:
        assert {call.purpose for call in evidence.calls.select()} == {"observed"}
        shown = {(fact.kind, fact.location) for fact in evidence.facts()}
    assert {("field", "200:/capital"), ("type", "200:/capital")} <= shown


def test_a_client_searches_describes_and_calls_over_http(atlas: str) -> None:
    settings = McpSettings(base_urls=(atlas,), transport="http", listing="lazy")

    async def use() -> None:
        announced: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def say(event: object) -> None:
            if isinstance(event, Notice) and event.text.startswith("MCP: "):
                announced.set_result(event.text.removeprefix("MCP: "))

        serving = asyncio.create_task(mcp_server.serve(ATLAS, settings, on_event=say))
        async with Client(await announced) as client:
            assert [tool.name for tool in (await client.list_tools()).tools] == ["search", "describe", "call"]
            hits, _ = await _result(client, "search", {"text": "the currency of a country"})
            names = [hit["operation"] for hit in hits]
            assert "getCountry" in names
            [document], _ = await _result(client, "describe", {"operations": ["getCountry"]})
            assert await _result(client, "describe", {"operations": ["GET /countries/{code}"]}) == (
                [document],
                False,
            )
            assert document["inputSchema"]["required"] == ["code"]
            assert "capital" in document["responses"]["200"]["schema"]["properties"]
            called = {"operation": "getCountry", "arguments": {"code": "EE"}, "fields": ["currency_code"]}
            assert await _result(client, "call", called) == ({"currency_code": "EUR"}, False)
            for name, arguments in (("search", {}), ("describe", {"operations": ["x"]}), ("call", {"operation": 3})):
                assert (await _result(client, name, arguments))[1]
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(use())


def test_above_forty_operations_there_are_three_tools(tmp_path: Path) -> None:
    def listed(count: int) -> list[str]:
        paths = {f"/things{n}": {"get": {"responses": {"200": {"description": ""}}}} for n in range(count)}
        spec = tmp_path / f"many{count}.json"
        spec.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "M", "version": "1"}, "paths": paths}))

        async def use(client: Client) -> list[str]:
            return [tool.name for tool in (await client.list_tools()).tools]

        return list(_in_process(McpSettings(base_urls=("http://127.0.0.1:9",)), spec, use))

    assert len(listed(40)) == 40
    assert listed(41) == ["search", "describe", "call"]


def test_what_changes_is_offered_when_allowed_and_in_the_bounds_of_exploring(atlas: str) -> None:
    async def use(client: Client) -> tuple[set[str], Any, Any]:
        names = {tool.name for tool in (await client.list_tools()).tools if not tool.annotations}
        return (
            names,
            await _result(client, "createNote", {"text": "n"}),
            await _result(client, "deleteNote", {"id": "1"}),
        )

    settings = McpSettings(base_urls=(atlas,), allow=("POST,DELETE",))
    names, made, deleted = _in_process(settings, ATLAS, use)
    assert {"createNote", "deleteNote"} <= names
    assert not made[1] or "HTTP 4" in made[0]
    assert deleted[1]
    assert "denied" in deleted[0]


def test_credentials_of_the_environment_are_sent_and_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEY", "k-51f0c2aa9e7d")
    spec = tmp_path / "s.json"
    paths = {"/it": {"get": {"operationId": "get_it", "responses": {"200": {"description": ""}}}}}
    spec.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "S", "version": "1"}, "paths": paths}))
    with Server({"GET /it": reply({"echo": "k-51f0c2aa9e7d", "name": "a"})}) as server:

        async def use(client: Client) -> Any:
            return await _result(client, "get_it", {}), await _result(client, "get_it", {})

        settings = McpSettings(base_urls=(server.url,), headers=("X-Api-Key: env:SHOP_KEY",), out=str(tmp_path / "out"))
        answers = _in_process(settings, spec, use)
    # What is asked twice is sent twice: an agent asks how things are now.
    assert [request.headers["x-api-key"] for request in server.requests] == ["k-51f0c2aa9e7d"] * 2
    assert answers == (({"echo": "[redacted]", "name": "a"}, False),) * 2
    with Evidence.open(tmp_path / "out", write=False) as evidence:
        assert len(list(evidence.calls.select())) == 1


def test_texts_of_specs_and_responses_are_bounded_and_visible(tmp_path: Path) -> None:
    long = "word " * 1000
    operation = {
        "operationId": "get_it",
        "description": f"Gets\x1b[31m it\u202e. {long}",
        "parameters": [{"name": "q", "in": "query", "description": long, "schema": {"type": "string"}}],
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}},
    }
    spec = tmp_path / "s.json"
    tree = {"openapi": "3.1.0", "info": {"title": "T\x1b]0;x", "version": "1"}, "paths": {"/it": {"get": operation}}}
    spec.write_text(json.dumps(tree))
    items = [{"id": n, "name": "n" * 50} for n in range(500)]
    with Server({"GET /it": reply({"items": items})}) as server:

        async def use(client: Client) -> tuple[Any, Any, Any]:
            [tool] = (await client.list_tools()).tools
            cut = await client.call_tool("get_it", {})
            return tool, cut, await client.call_tool("get_it", {"response_fields": ["items[].id"]})

        settings = McpSettings(base_urls=(server.url,), answer=2000)
        tool, cut, chosen = _in_process(settings, spec, use)
    assert len(tool.description) <= 1000
    assert len(tool.input_schema["properties"]["q"]["description"]) <= 300
    assert "\x1b" not in tool.description
    assert "\u202e" not in tool.description
    text, note = (block.text for block in cut.content)
    assert len(text) <= 2000
    assert json.loads(text)["items"][0] == items[0]
    assert "of 500 items" in note
    assert len(json.loads(chosen.content[0].text)["items"]) > len(json.loads(text)["items"])


def test_without_the_extra_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_server, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'docrev\[mcp\]'"):
        asyncio.run(mcp_server.serve(ATLAS, McpSettings(base_urls=("http://127.0.0.1:9",))))


def test_fields_are_found_through_lists_and_below() -> None:
    value = {"data": [{"id": 1, "of": {"name": "a", "x": 2}}, {"id": 2}], "total": 2}
    assert select_fields(value, ["data.id", "total"]) == {"data": [{"id": 1}, {"id": 2}], "total": 2}
    assert select_fields(value, ["data[].of.name"]) == {"data": [{"of": {"name": "a"}}]}
    assert select_fields(value, ["name"]) == {"data": [{"of": {"name": "a"}}]}
    assert select_fields(value, ["nothing"]) is None


def test_a_beginning_keeps_the_form_and_names_what_is_cut() -> None:
    whole = {"a": [1, 2]}
    assert beginning(whole, 100) == (whole, [])
    part, cuts = beginning({"text": "x" * 5000, "rows": [{"n": n} for n in range(300)]}, 1500)
    assert set(part) == {"text", "rows"}
    assert any(cut.startswith("rows: ") and cut.endswith("of 300 items") for cut in cuts)
    assert any(cut.startswith("text: ") for cut in cuts)
    assert beginning([["x" * 50] * 50] * 50, 10)[0] is None
