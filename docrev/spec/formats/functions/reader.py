"""Function schemas as OpenAPI: those of OpenAI's chat and responses interfaces, bare ones, and Anthropic's.

{"type": "function", "function": {name, description, parameters, …}} · {"type": "function", name, …} · {name, …} ·
{name, input_schema, …}; alone, in a list, or under `tools` or `functions` of a request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from docrev.records import Json
from docrev.spec.formats.imported import Imported
from docrev.spec.formats.sources import SourceFile, usable
from docrev.spec.formats.tool_lists import ListedTool, ToolList, add_document, originals, taken

EXTRA = "x-functions"
LISTS = ("tools", "functions")


def read(found: Iterable[SourceFile], result: Imported) -> Imported:
    """One document a file. Raises InputError if no file has a function."""
    for source in found:
        listed = _find_list(source.tree)
        if listed is None:
            result.leave_out(source.name, "neither a function nor a list of functions")
        else:
            add_document(source, listed, _entries(source, listed, result), EXTRA, result)
    return result.settled("function")


def _find_list(tree: object) -> ToolList | None:
    """The list of functions in a file; None if there is none."""
    if isinstance(tree, list):
        return ToolList(tree)
    if not isinstance(tree, dict):
        return None
    key = next((name for name in LISTS if isinstance(tree.get(name), list)), "")
    if key:
        left = {name: value for name, value in tree.items() if name != key}
        return ToolList(tree[key], (key,), {"wrapped": key} | ({"around": left} if left else {}))
    return ToolList([tree], (), {"wrapped": "alone"}) if _is_function(tree) else None


def _is_function(record: dict[str, object]) -> bool:
    return isinstance(record.get("function"), dict) or isinstance(record.get("name"), str)


def _entries(source: SourceFile, listed: ToolList, result: Imported) -> Iterator[tuple[str, ListedTool]]:
    """The functions of a list; tools of other types are kept under `others` of what is around the list."""
    names = originals(source)
    for where, item in usable(source, listed.items, listed.at, result):
        if item.get("type", "function") != "function" and not isinstance(item.get("function"), dict):
            listed.around.setdefault("others", []).append(item)
            result.warnings.append(f"{where}: a tool of type {item['type']!s:.40}: kept, but no function")
            continue
        entry = _entry(item)
        if entry.name.strip():
            yield where, replace(entry, name=names.get(entry.name, entry.name))
        else:
            result.leave_out(where, "no name")


def _entry(item: dict[str, object]) -> ListedTool:
    inner = item.get("function")
    own: dict[str, Json] = {}
    if isinstance(inner, dict):
        record = dict(inner)
        outer = {key: value for key, value in item.items() if key not in ("type", "function")}
        own = {"outer": outer} if outer else {}
    else:
        record = {key: value for key, value in item.items() if key != "type"}
        own["form"] = "responses" if "type" in item else "anthropic" if "input_schema" in item else "bare"
    key = "input_schema" if own.get("form") == "anthropic" else "parameters"
    schema = record.pop(key) if isinstance(record.get(key), dict) else None
    return ListedTool(taken(record, "name"), "", taken(record, "description"), schema, None, own, record)
