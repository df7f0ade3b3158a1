"""`docrev mcp`: the operations of specs as tools for agents."""

from __future__ import annotations

import asyncio

import click

from docrev.cli.options import settings_options, specs
from docrev.cli.progress import Progress
from docrev.settings.serving import McpSettings


@click.command("mcp")
@specs
@settings_options(McpSettings, "mcp")
def command(specs: tuple[str, ...], settings: McpSettings) -> None:
    """Serve the operations of SPECS (files, or folders of files) to agents, by the Model Context Protocol.

    Each operation is a tool with the limits of --profile mcp; above 40 operations there are three tools instead:
    search, describe (whose answer is the document of an operation), and call. Only GET is offered unless --allow says
    more, in the bounds of docrev explore. Responses are cut by structure, and agents choose fields of them.

    \b
      docrev mcp specs --base-url https://api.example.org
      docrev mcp specs --base-url https://api.example.org --transport http --port 8765

    A client starts the first by itself, as a command; the second serves http://127.0.0.1:8765/mcp until Ctrl-C.
    With --out, the calls are kept, and docrev facts and docrev revise use them. Credentials come from the environment:
    -H 'Authorization: env:TOKEN'. Needs the extra: pip install 'docrev[mcp]'
    """
    from docrev.sessions.mcp_server import serve

    asyncio.run(serve(specs, settings, on_event=Progress()))
