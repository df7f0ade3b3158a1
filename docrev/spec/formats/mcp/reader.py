"""What an MCP server answers to `tools/list`, as OpenAPI: the JSON-RPC answer, its result, or the bare list.

Titles are summaries; annotations, icons, `_meta` and whatever else a tool has stand under `x-mcp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.formats.imported import Imported
from docrev.spec.formats.sources import SourceFile, usable
from docrev.spec.formats.tool_lists import ListedTool, ToolList, add_document, originals, taken

EXTRA = "x-mcp"


def read(found: Iterable[SourceFile], result: Imported) -> Imported:
    """One document a file. Raises InputError if no file has a tool."""
    for source in found:
        listed = _find_list(source.tree)
        if listed is None:
            result.leave_out(source.name, "no answer to tools/list" + _error(source.tree))
            continue
        if _goes_on(listed.around):
            result.warnings.append(f"{source.name}: the list goes on (nextCursor); import the other pages too")
        add_document(source, listed, _entries(source, listed, result), EXTRA, result)
    return result.settled("tool")


def _find_list(tree: Json) -> ToolList | None:
    """The list of tools in a file; None if there is none."""
    if isinstance(tree, list):
        return ToolList(tree, (), {"wrapped": "list"})
    inner = mapping(mapping(tree).get("result"))
    if isinstance(inner.get("tools"), list):
        left = {key: value for key, value in inner.items() if key != "tools"}
        return ToolList(inner["tools"], ("result", "tools"), {"answer": tree | {"result": left}})
    if isinstance(tree, dict) and isinstance(tree.get("tools"), list):
        left = {key: value for key, value in tree.items() if key != "tools"}
        return ToolList(tree["tools"], ("tools",), {"around": left} if left else {})
    return None


def _goes_on(around: dict[str, object]) -> bool:
    """Whether the server has more pages of the list than this one."""
    page = mapping(mapping(around.get("answer")).get("result")) or mapping(around.get("around"))
    return bool(page.get("nextCursor"))


def _error(tree: object) -> str:
    """What the server answered in its place, shortly."""
    error = tree.get("error") if isinstance(tree, dict) else None
    return f", but an error: {str(error.get('message', ''))[:100]}" if isinstance(error, dict) else ""


def _entries(source: SourceFile, listed: ToolList, result: Imported) -> Iterator[tuple[str, ListedTool]]:
    names = originals(source)
    for where, item in usable(source, listed.items, listed.at, result):
        record = dict(item)
        name = taken(record, "name")
        if not name.strip():
            result.leave_out(where, "no name")
            continue
        takes, gives = _schema(record, "inputSchema"), _schema(record, "outputSchema")
        title, description = taken(record, "title"), taken(record, "description")
        yield where, ListedTool(names.get(name, name), title, description, takes, gives, {}, record)


def _schema(record: dict[str, object], key: str) -> Json:
    """Take a schema out of a record, and return it; anything but a schema stays in the record (None is returned)."""
    return record.pop(key) if isinstance(record.get(key), dict) else None
