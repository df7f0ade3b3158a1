"""Lists of tools that have a name and a schema but no path: function schemas and MCP's `tools/list`.

Each becomes `POST /NAME` with a JSON body: that is how proxies put such tools on HTTP, and a hint that a tool only
reads is no promise that it is safe to call. A list is one tool of docrev, named by its file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import InputError
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.files import numbered
from docrev.spec.formats.fitted_schemas import fitted
from docrev.spec.formats.imported import Imported
from docrev.spec.formats.names import legal, unique
from docrev.spec.formats.sources import TABLE, SourceFile, trouble
from docrev.spec.plain_data import same

JSON_TYPE = "application/json"


@dataclass(frozen=True)
class ListedTool:
    """One tool of a list: what becomes of its parts. `own` is what docrev notes, `rest` what is left of the record."""

    name: str
    title: str = ""
    description: str = ""
    input: Json = None
    output: Json = None
    own: dict[str, Json] = field(default_factory=dict)
    rest: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolList:
    """The list of tools in a file: its `items`, the keys that lead to it (`at`), and what it was wrapped in."""

    items: list[Json]
    at: tuple[str | int, ...] = ()
    around: dict[str, Json] = field(default_factory=dict)


def add_document(
    source: SourceFile, listed: ToolList, entries: Iterable[tuple[str, ListedTool]], extra: str, result: Imported
) -> None:
    """Add the document of a file's list, if it has an entry that can be used."""
    if not listed.items:
        result.warnings.append(f"{source.at(*listed.at)}: an empty list")
    found = distinct(entries, result)
    if found:
        stem = stem_of(source, result)
        result.documents[stem] = document(stem, found, extra=extra, around=listed.around)


def schema_pointer(path: str, *, output: bool = False) -> str:
    """Where the schema of what goes in, or comes out, stands in the document."""
    keys = ("responses", "200") if output else ("requestBody",)
    return pointers.join("paths", path, "post", *keys, "content", JSON_TYPE, "schema")


def taken(record: dict[str, object], key: str) -> str:
    """Take a text out of a record, and return it; anything but a text stays in the record ("" is returned)."""
    return str(record.pop(key)) if isinstance(record.get(key), str) else ""


def distinct(entries: Iterable[tuple[str, ListedTool]], result: Imported) -> list[ListedTool]:
    """Each tool once. A different tool of the same name is left out, with a warning (`where` is its place)."""
    found: dict[str, ListedTool] = {}
    for where, entry in entries:
        there = found.setdefault(entry.name, entry)
        if there is entry:
            continue
        if same(_plain(there), _plain(entry)):
            result.duplicates += 1
        else:
            result.leave_out(where, f"another {entry.name} comes before it")
    return list(found.values())


def _plain(entry: ListedTool) -> Json:
    return [entry.title, entry.description, entry.input, entry.output, entry.own, entry.rest]


def document(stem: str, entries: list[ListedTool], *, extra: str, around: dict[str, object]) -> dict[str, Json]:
    """The document of a list; `around` is what the list was wrapped in."""
    names = unique(
        {entry.name: legal(entry.name) or "function" for entry in entries},
        {entry.name: (entry.name,) for entry in entries},
    )
    paths: dict[str, Json] = {
        f"/{names[entry.name]}": {"post": _operation(entry, names[entry.name], extra)} for entry in entries
    }
    head: dict[str, Json] = {"openapi": "3.1.0", "info": {"title": stem, "version": "1"}}
    return head | ({extra: around} if around else {}) | {"paths": paths}


def _operation(entry: ListedTool, name: str, extra: str) -> dict[str, Json]:
    path = f"/{name}"
    operation: dict[str, Json] = {"operationId": name}
    operation |= {"summary": entry.title} if entry.title else {}
    operation |= {"description": entry.description} if entry.description else {}
    rest = dict(entry.rest)
    if isinstance(entry.input, dict):
        schema = fitted(entry.input, schema_pointer(path))
        needed = bool(entry.input.get("required"))
        operation["requestBody"] = {"required": needed, "content": {JSON_TYPE: {"schema": schema}}}
    answer: dict[str, Json] = {"description": ""}
    if isinstance(entry.output, dict):
        schema = fitted(entry.output, schema_pointer(path, output=True))
        answer["content"] = {JSON_TYPE: {"schema": schema}}
    operation["responses"] = {"200": answer}
    own: dict[str, Json] = {"name": entry.name} if entry.name != name else {}
    own |= entry.own
    if rest:
        own["rest"] = rest
    return operation | ({extra: own} if own else {})


def stem_of(source: SourceFile, result: Imported) -> str:
    """A name for the document of a file that no other has yet, whatever their case."""
    stem = legal(source.path.stem)[:100] or "tools"
    taken = {name.casefold() for name in result.documents}
    free = numbered(stem.casefold(), taken)
    return stem + free[len(stem) :]


def originals(source: SourceFile) -> Mapping[str, str]:
    """The names that an export had to change, by what it made of them: read from the table that lies beside it."""
    found: dict[str, str] = {}
    for path in (source.path.with_name("_names.json"), source.path.with_name(f"{source.path.stem}.names.json")):
        table = _table(path)
        for name, told in table.items():
            original = told.get("name") if isinstance(told, dict) else None
            if isinstance(original, str) and original and not trouble(original):
                found[name] = original
    return found


def _table(path: Path) -> dict[str, Json]:
    try:
        tree = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise InputError("the table of names cannot be read", where=f"{path}:1", fix="remove it, or mend it") from error
    table = tree.get(TABLE) if isinstance(tree, dict) else None
    return mapping(table)
