"""The documents of DRAFT and EasyTool as OpenAPI.

Both write ToolBench's records with a few other keys, alone by endpoint (RestBench) or under a tool's `tool_guidelines`
(ToolBench), in a list or by id. They are read as such: what is left of a record stands under `x-toolbench`, and
`formats.toolbench.api_names.apis` finds the operations again; the tool of lone endpoints is named by the file's stem.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import parse_qsl, urlsplit

from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.formats.imported import Imported
from docrev.spec.formats.names import legal, unique
from docrev.spec.formats.sources import SourceFile, trouble
from docrev.spec.formats.tool_lists import stem_of
from docrev.spec.formats.toolbench.api_names import ApiName
from docrev.spec.formats.toolbench.documents import ToolBenchTool, document, documents
from docrev.spec.formats.toolbench.operations import LISTS, METHODS, ApiAddress, addresses
from docrev.spec.meaning import string, truth

_USAGE = re.compile(rf"\s*({'|'.join(METHODS)})\s+(/\S*)\s*")
_BASE = re.compile(r"v?\d+(\.\d+)*|api|rest", re.IGNORECASE)
_OTHER_NAMES = {"tool_name": "name", "tool_description": "description"}


def read(found: Iterable[SourceFile], result: Imported) -> Imported:
    """A document for each file of endpoints and each tool with guidelines. Raises InputError if there is none."""
    tools: dict[tuple[str, str], ToolBenchTool] = {}
    for source in found:
        _read(source, tools, result)
    return documents(list(tools.values()), result).settled("tool of DRAFT or EasyTool")


def _read(source: SourceFile, tools: dict[tuple[str, str], ToolBenchTool], result: Imported) -> None:
    alone = ToolBenchTool("", stem_of(source, result))
    records = _records(source.tree)
    if not records:
        result.warnings.append(f"{source.name}: nothing in it")
    for key, item in records:
        where, why = source.at(key), trouble(item)
        name = string(mapping(item).get("tool_name"))
        if why or not name.strip():
            result.leave_out(where, why or "no tool_name")
        elif isinstance(item.get("tool_guidelines"), dict):
            _add_tool(item, name, tools)
        elif name in alone.apis:
            _add_again(alone.apis[name], _record(item, name), where, result)
        else:
            alone.apis[name] = _record(item, name)
    if alone.apis:
        result.documents[alone.name] = _endpoints(alone)


def _records(tree: object) -> list[tuple[str | int, Json]]:
    """The records of a file with their keys: of a list, of an object by id, or the file itself."""
    if isinstance(tree, list):
        return list(enumerate(tree))
    if not isinstance(tree, dict):
        return []
    return [("", tree)] if isinstance(tree.get("tool_name"), str) else list(tree.items())


def _add_again(there: dict[str, object], record: dict[str, object], where: str, result: Imported) -> None:
    if there == record:
        result.duplicates += 1
    else:
        result.leave_out(where, f"another {record['name']} comes before it")


def _add_tool(item: dict[str, Json], name: str, tools: dict[tuple[str, str], ToolBenchTool]) -> None:
    """A tool of ToolBench: each guideline is one of its APIs."""
    category = item.get("category")
    whose = category if isinstance(category, str) else ""
    tool = tools.setdefault((whose, name), ToolBenchTool(whose, name))
    used = {"tool_guidelines", "tool_name"} | ({"category"} if whose else set())
    tool.record |= {key: value for key, value in item.items() if key not in used}
    for key, told in item["tool_guidelines"].items():
        record = dict(told) if isinstance(told, dict) else {"guideline": told}
        api = record.get("name")
        tool.apis.setdefault(api if isinstance(api, str) and api.strip() else key, _ordered(record))


def _record(item: dict[str, object], name: str) -> dict[str, Json]:
    """One endpoint as ToolBench's record: its method and URL by what it is called or how it is used."""
    record = {_OTHER_NAMES.get(key, key): value for key, value in item.items()}
    usage = item.get("tool_usage")
    used = _USAGE.fullmatch(usage) if isinstance(usage, str) else _USAGE.fullmatch(name)
    method = name.partition("_")[0]
    if "url" not in record and (used or name.startswith("/")):
        record |= {"method": used[1] if used else "GET", "url": (used[2] if used else name).partition("?")[0]}
        record |= {LISTS[1]: _example_parameters(item)} if LISTS[1] not in record else {}
    elif "method" not in record:
        record["method"] = method if method in METHODS else "GET" if "url" in record else "POST"
    return _ordered(record)


def _ordered(record: dict[str, object]) -> dict[str, Json]:
    """The record without what only repeats in which of the two lists a parameter stands."""
    for key in LISTS:
        items = record.get(key)
        if isinstance(items, list):
            record[key] = [
                {name: value for name, value in item.items() if not _repeats(name, value, key)}
                if isinstance(item, dict)
                else item
                for item in items
            ]
    return record


def _repeats(name: str, value: object, key: str) -> bool:
    return name == "required" and isinstance(value, bool | str) and truth(value) == (key == LISTS[0])


def _example_parameters(item: dict[str, object]) -> list[Json]:
    """The query parameters that an example of EasyTool shows: it lists none."""
    parameters = mapping(mapping(item.get("Example")).get("Parameters"))
    used = _USAGE.fullmatch(string(parameters.get("input")))
    try:
        pairs = dict(parse_qsl(urlsplit(used[2]).query)) if used else {}
    except ValueError:
        pairs = {}
    return [{"name": name, "schema": {"type": "string", "examples": [value]}} for name, value in pairs.items()]


def _endpoints(tool: ToolBenchTool) -> dict[str, Json]:
    names = {name: name for name in tool.names()}
    ids = unique({name: legal(name.api) or "operation" for name in names}, names)
    return document(tool, ids, _rebased(addresses(tool.named())))


def _rebased(where: dict[ApiName, ApiAddress]) -> dict[ApiName, ApiAddress]:
    """The version that all paths begin with (`/3`, `/api/v1`) belongs to the server: so the specs have it."""
    paths = [spot.path.split("/")[1:] for spot in where.values()]
    base: list[str] = []
    for step in zip(*paths, strict=False):
        if len(set(step)) > 1 or not _BASE.fullmatch(step[0]) or any(len(path) == len(base) + 1 for path in paths):
            break
        base.append(step[0])
    before = "".join(f"/{step}" for step in base)
    if not before or not all(spot.server for spot in where.values()):
        return where
    return {
        name: replace(spot, path=spot.path[len(before) :], server=spot.server + before) for name, spot in where.items()
    }
