"""The settings of serving operations to agents, and of learning from traffic."""

from __future__ import annotations

from docrev.settings.base import PathText, Texts, setting
from docrev.settings.choices import Listing, Transport
from docrev.settings.groups import CallSettings, SpecSettings


class McpSettings(CallSettings, SpecSettings):
    """How to serve operations to MCP clients."""

    transport: Transport = setting("stdio", "How clients connect: standard input and output, or streamable HTTP.")
    port: int = setting(0, "Port on loopback for --transport http; a free one by default.", ge=0, le=65535)
    listing: Listing = setting(
        "auto",
        "How operations are offered. flat: one tool for each; lazy: three tools (search, describe, call), so that an "
        "agent pays for what it reads; auto: lazy above 40 operations.",
    )
    out: PathText | None = setting(
        None, "Folder to keep the calls in, as evidence; by default they are not kept.", metavar="DIR"
    )
    answer: int = setting(
        8000, "Maximum number of characters of a response to show an agent; what is cut is named.", ge=200, metavar="N"
    )
    max_calls: int | None = setting(None, "Maximum number of requests; by default no limit.", ge=1)
    timeout: float = setting(15.0, "Timeout of one request, in seconds.", ge=0.1, metavar="S")


class ObserveSettings(SpecSettings):
    """How to learn from traffic."""

    base_urls: Texts = setting(
        (),
        "URL before the paths of a spec, as it stands in the traffic; may be repeated, with the name of each tool. By "
        "default the servers of the spec, or any host if it names none.",
        name="base-url",
        metavar="[TOOL=]URL",
    )
    out: PathText = setting(".docrev", "Folder to keep the evidence in.", metavar="DIR")
