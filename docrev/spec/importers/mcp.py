"""What an MCP server answers to `tools/list`, as OpenAPI: the JSON-RPC answer, its result, or the bare list.

Titles are summaries; annotations, icons, `_meta` and whatever else a tool has stand under `x-mcp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.records import Json
from docrev.spec.importers.imported import Imported
from docrev.spec.importers.sources import Source
from docrev.spec.importers.tool_lists import Entry, distinct, document, originals, stem_of, taken, usable

EXTRA = "x-mcp"


def read(found: Iterable[Source], result: Imported) -> Imported:
    """One document a file. Raises InputError where no file has a tool."""
    for source in found:
        _read(source, result)
    return result.settled("tool")


def _read(source: Source, result: Imported) -> None:
    tree = source.tree
    around: dict[str, Json] = {}
    at: tuple[str, ...] = ("tools",)
    inner = tree.get("result") if isinstance(tree, dict) else None
    if isinstance(tree, dict) and isinstance(inner, dict) and isinstance(inner.get("tools"), list):
        left = {key: value for key, value in inner.items() if key != "tools"}
        around, listed, at = {"answer": tree | {"result": left}}, inner["tools"], ("result", "tools")
    elif isinstance(tree, dict) and isinstance(tree.get("tools"), list):
        left, listed = {key: value for key, value in tree.items() if key != "tools"}, tree["tools"]
        around = {"around": left} if left else {}
    elif isinstance(tree, list):
        left, listed, around, at = {}, tree, {"wrapped": "list"}, ()
    else:
        result.leave_out(source.name, "no answer to tools/list" + _error(tree))
        return
    if left.get("nextCursor"):
        result.warnings.append(f"{source.name}: the list goes on (nextCursor); import the other pages too")
    entries = distinct(_entries(source, listed, at, result), result)
    if entries:
        stem = stem_of(source, result)
        result.documents[stem] = document(stem, entries, extra=EXTRA, around=around)


def _error(tree: Json) -> str:
    """What the server answered in its place, shortly."""
    error = tree.get("error") if isinstance(tree, dict) else None
    return f", but an error: {str(error.get('message', ''))[:100]}" if isinstance(error, dict) else ""


def _entries(source: Source, listed: list[Json], at: tuple[str, ...], result: Imported) -> Iterator[tuple[str, Entry]]:
    names = originals(source)
    for where, item in usable(source, listed, at, result):
        record = dict(item)
        name = taken(record, "name")
        if not name.strip():
            result.leave_out(where, "no name")
            continue
        takes, gives = _schema(record, "inputSchema"), _schema(record, "outputSchema")
        title, description = taken(record, "title"), taken(record, "description")
        yield where, Entry(names.get(name, name), title, description, takes, gives, {}, record)


def _schema(record: dict[str, Json], key: str) -> Json:
    """A schema that is taken out of a record; where it is none, it stays there."""
    return record.pop(key) if isinstance(record.get(key), dict) else None
