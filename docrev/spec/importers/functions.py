"""Function schemas as OpenAPI: those of OpenAI's chat and responses interfaces, bare ones, and Anthropic's.

{"type": "function", "function": {name, description, parameters, …}} · {"type": "function", name, …} · {name, …} ·
{name, input_schema, …}; alone, in a list, or under `tools` or `functions` of a request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.records import Json
from docrev.spec.importers.imported import Imported
from docrev.spec.importers.sources import Source
from docrev.spec.importers.tool_lists import Entry, distinct, document, originals, stem_of, taken, usable

EXTRA = "x-functions"
LISTS = ("tools", "functions")


def read(found: Iterable[Source], result: Imported) -> Imported:
    """One document a file. Raises InputError where no file has a function."""
    for source in found:
        _read(source, result)
    return result.settled("function")


def _read(source: Source, result: Imported) -> None:
    tree = source.tree
    key = next((name for name in LISTS if isinstance(tree, dict) and isinstance(tree.get(name), list)), "")
    around: dict[str, Json] = {}
    if isinstance(tree, dict) and key:
        listed = tree[key]
        around = {"wrapped": key} | ({"around": left} if (left := {n: v for n, v in tree.items() if n != key}) else {})
    elif isinstance(tree, dict) and _is_function(tree):
        listed, around = [tree], {"wrapped": "alone"}
    elif isinstance(tree, list):
        listed = tree
    else:
        result.leave_out(source.name, "neither a function nor a list of functions")
        return
    others: list[Json] = []
    entries = distinct(_entries(source, listed, (key,) if key else (), others, result), result)
    around |= {"others": others} if others else {}
    if entries:
        stem = stem_of(source, result)
        result.documents[stem] = document(stem, entries, extra=EXTRA, around=around)


def _is_function(record: dict[str, Json]) -> bool:
    return isinstance(record.get("function"), dict) or isinstance(record.get("name"), str)


def _entries(
    source: Source, listed: list[Json], at: tuple[str | int, ...], others: list[Json], result: Imported
) -> Iterator[tuple[str, Entry]]:
    names = originals(source)
    for where, item in usable(source, listed, at, result):
        if "type" in item and item["type"] != "function" and not isinstance(item.get("function"), dict):
            others.append(item)
            result.warnings.append(f"{where}: a tool of type {item['type']!s:.40}: kept, but no function")
            continue
        entry = _entry(item)
        if not entry.name.strip():
            result.leave_out(where, "no name")
            continue
        original = names.get(entry.name, entry.name)
        yield where, Entry(original, "", entry.description, entry.input, None, entry.own, entry.rest)


def _entry(item: dict[str, Json]) -> Entry:
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
    return Entry(taken(record, "name"), "", taken(record, "description"), schema, None, own, record)
