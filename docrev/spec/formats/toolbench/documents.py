"""ToolBench's tools as OpenAPI documents: one document for each tool."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from docrev.records import Json
from docrev.spec.formats.imported import Imported
from docrev.spec.formats.names import function_name, slug, unique
from docrev.spec.formats.toolbench.api_names import CATEGORY, ApiName
from docrev.spec.formats.toolbench.operations import ApiAddress, addresses, default_paths, operation_of
from docrev.spec.formats.toolbench.parameters import EXTRA, kept


@dataclass
class ToolBenchTool:
    """A tool, as all sources together describe it: `record` is about the tool itself, `apis` are its APIs by name."""

    category: str
    name: str
    record: dict[str, Json] = field(default_factory=dict)
    apis: dict[str, dict[str, Json]] = field(default_factory=dict)

    def names(self) -> list[ApiName]:
        """The names of its APIs."""
        return [ApiName(self.category, self.name, api) for api in self.apis]

    def named(self) -> dict[ApiName, dict[str, Json]]:
        """Its APIs' records, by name."""
        return dict(zip(self.names(), self.apis.values(), strict=True))


def documents(tools: list[ToolBenchTool], result: Imported) -> Imported:
    """The documents of tools, put into `result`; a tool without an API has none."""
    tools = [tool for tool in tools if tool.apis]
    names = {name: name for tool in tools for name in tool.names()}
    ids = unique({name: function_name(name.api, name.tool) for name in names}, names)
    stems = _stems(tools)
    for tool in sorted(tools, key=lambda tool: stems[tool.category, tool.name]):
        result.documents[stems[tool.category, tool.name]] = document(tool, ids, addresses(tool.named()))
    return result


def _stems(tools: list[ToolBenchTool]) -> dict[tuple[str, str], str]:
    """A file stem for each tool by category and name; tools of one name also get their category in theirs."""
    plain = {(tool.category, tool.name): slug(tool.name) or "tool" for tool in tools}
    counts = Counter(plain.values())
    for key, stem in plain.items():
        if counts[stem] > 1 and slug(key[0]):
            plain[key] = f"{stem}_for_{slug(key[0])}"
    return unique(plain, {key: key for key in plain}, limit=100)


def document(tool: ToolBenchTool, ids: dict[ApiName, str], where: dict[ApiName, ApiAddress]) -> dict[str, Json]:
    """The document of one tool: `ids` are the operationIds, `where` says where each API is served."""
    records = tool.named()
    made = default_paths(list(records))
    server = next((spot.server for spot in where.values() if spot.server), "")
    paths: dict[str, dict[str, Json]] = {}
    for name, spot in where.items():
        operation = operation_of(name, records[name], spot, made=made[name], operation_id=ids[name])
        if spot.server not in ("", server):
            operation = {"servers": [{"url": spot.server}]} | operation
        paths.setdefault(spot.path, {})[spot.method.lower()] = operation
    return _head(tool, server) | {"paths": paths}


def _head(tool: ToolBenchTool, server: str) -> dict[str, Json]:
    """All of a document but its paths."""
    rest = {key: value for key, value in tool.record.items() if key != "tool_name"}
    info: dict[str, Json] = {"title": tool.name, "version": "1"}
    if isinstance(text := rest.get("tool_description"), str):
        info |= {"description": text} if text else {}
        del rest["tool_description"]
    for key, usual in (("title", tool.name), ("standardized_name", slug(tool.name))):
        if rest.get(key) == usual:
            del rest[key]
    head: dict[str, Json] = {"openapi": "3.1.0", "info": info}
    if tool.category:
        head |= {CATEGORY: tool.category, "tags": [{"name": tool.category}]}
    head |= {EXTRA: {"tool_name": tool.name} | kept(rest)}
    return head | ({"servers": [{"url": server}]} if server else {})
