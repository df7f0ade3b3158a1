"""The operations of a catalog on the Model Context Protocol: standard input and output, or streamable HTTP."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from docrev.errors import UsageError
from docrev.events import Handler, Notice, ignore
from docrev.sessions.agent_tools import AgentTools, ToolAnswer, open_tools
from docrev.sessions.opening import Specs
from docrev.settings.serving import McpSettings

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

_PATH = "/mcp"


async def serve(specs: Specs, settings: McpSettings, *, on_event: Handler = ignore) -> None:
    """Serve until the client closes standard input, or, over HTTP, until SIGINT or SIGTERM. Raises DocrevError."""
    if find_spec("mcp") is None:
        raise UsageError("the official SDK of MCP is not installed", fix="pip install 'docrev[mcp]'")
    async with open_tools(specs, settings, on_event=on_event) as tools:
        if tools.left_out:
            on_event(Notice(f"{tools.left_out} operations are not offered, as they are not allowed: see --allow"))
        server = server_of(tools)
        if settings.transport == "stdio":
            await _serve_stdio(server)
        else:
            await _serve_http(server, settings.port, on_event)


def server_of(tools: AgentTools) -> Server[Any]:
    """The tools as a server of the official SDK."""
    from mcp.server.lowlevel import Server
    from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

    async def list_tools(context: Any, params: Any) -> Any:
        return ListToolsResult(tools=[Tool.model_validate(record) for record in tools.listed()])

    async def call_tool(context: Any, params: Any) -> Any:
        answer: ToolAnswer = await tools.call(params.name, params.arguments or {})
        texts = [TextContent(type="text", text=text) for text in (answer.text, *answer.notes)]
        return CallToolResult(content=[*texts], is_error=answer.failed)

    return Server("docrev", instructions=tools.instructions, on_list_tools=list_tools, on_call_tool=call_tool)


async def _serve_stdio(server: Server[object]) -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _serve_http(server: Server[object], port: int, emit: Handler) -> None:
    from docrev.serving.processes import listen, url
    from docrev.serving.server import serve as serve_apps

    sock = listen(port)
    app = server.streamable_http_app(streamable_http_path=_PATH)
    async with server.session_manager.run():
        await serve_apps({"mcp": (app, sock)}, lambda: emit(Notice(f"MCP: {url(sock)}{_PATH}")))
