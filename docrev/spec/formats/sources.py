"""The files that an import reads: JSON, each with the name of its folder; anything else is refused in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from docrev.errors import InputError
from docrev.records import Json
from docrev.spec import json_read
from docrev.spec.formats.imported import Imported
from docrev.storage.reading import read_text

MAX_SOURCE = 512 * 2**20
"""The largest file that is read, in bytes: the published instruction files have some 200 MB."""
MAX_NESTED = 48
"""How deep an entry may be nested: each level of a response is two of its schema."""

TABLE = "x-docrev-names"
"""What marks the file that `docrev export` writes beside its own: names and what they stand for."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file: its name, its data, and its folder below the folder that was named ("" if it has none)."""

    name: str
    path: Path
    tree: Json
    folder: str

    def at(self, *keys: str | int) -> str:
        """The place under `keys`, for a message."""
        return f"{self.name}: /{'/'.join(map(str, keys))}" if keys else self.name


def sources(paths: Sequence[Path | str], result: Imported) -> Iterator[SourceFile]:
    """The JSON files that `paths` name, folders searched for `.json`, in sorted order; tables of names left out.

    Files of a folder that cannot be read are left out, with a warning in `result`. Raises InputError with `file:line`
    if a path that was named is missing, unreadable, too large, or no JSON.
    """
    if not paths:
        raise InputError("no source given", fix="name a file or a folder")
    for given in map(Path, paths):
        if given.is_dir():
            yield from _in_folder(given, result)
        else:
            yield _read(given, given.parent.name if given.parent.parent.name == "tools" else "")


def _in_folder(given: Path, result: Imported) -> Iterator[SourceFile]:
    found = sorted(path for path in given.rglob("*.json") if path.is_file() and not path.name.startswith("."))
    if not found:
        raise InputError("the folder holds no .json file", where=str(given), fix="name another")
    outer = given.name if given.parent.name == "tools" else ""
    for path in found:
        try:
            source = _read(path, path.parent.name if path.parent != given else outer)
        except InputError as error:
            result.leave_out(error.where, error.what)
            continue
        if not (isinstance(source.tree, dict) and TABLE in source.tree):
            yield source


def _read(path: Path, folder: str) -> SourceFile:
    name = str(path)
    text = read_text(path, most=MAX_SOURCE)
    if not text.strip():
        raise InputError("the file is empty", where=f"{name}:1", fix="name another")
    tree = json_read.load(text, name)
    if isinstance(tree, dict) and ("openapi" in tree or "swagger" in tree):
        raise InputError("this is an OpenAPI document already", where=f"{name}:1", fix="use it as it is")
    return SourceFile(name, path, tree, folder)


def trouble(entry: object) -> str:
    """Why an entry cannot be written at all, or ""."""
    level = [entry]
    for _ in range(MAX_NESTED):
        level = [
            child
            for node in level
            if isinstance(node, (dict, list))
            for child in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            break
    else:
        return f"nested more than {MAX_NESTED} deep"
    try:
        json.dumps(entry, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return "a text with half a character"
    except ValueError:
        return "a number too large for any reader"
    return ""


def usable(
    source: SourceFile, listed: list[Json], at: tuple[str | int, ...], result: Imported, why_not: str = "no object"
) -> Iterator[tuple[str, dict[str, Json]]]:
    """The entries of a list that can be used, each with its place; the others are left out, with the reason."""
    for index, item in enumerate(listed):
        where, why = source.at(*(at if item is source.tree else (*at, index))), trouble(item)
        if why or not isinstance(item, dict):
            result.leave_out(where, why or why_not)
        else:
            yield where, item
