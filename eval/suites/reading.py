"""Reading the files of suites: what is wrong with them is an InputError with file and line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from docrev.errors import InputError, UsageError
from docrev.records import Json
from docrev.storage.reading import read_text

from .fetching import fetched

_OWN = "give the suite's own file"


def folder_of(data: Path | None, suite: str) -> Path:
    """The folder (or file) of a suite's data, or what was fetched before; UsageError if there is neither.

    Raises InputError if what is given is not there.
    """
    data = data if data is not None else fetched(suite)
    if data is None:
        raise UsageError(
            f"the data of {suite} is not part of docrev",
            fix="give its folder with --data DIR, or fetch it once with --fetch",
        )
    if not data.exists():
        raise InputError("there is no such file or folder", where=str(data), fix="give the folder of the suite's data")
    return data


def find(data: Path | None, name: str, suite: str) -> Path:
    """The file of a name in a suite's folder, at any depth; raises as `folder_of`, and InputError without the file."""
    place = folder_of(data, suite)
    folder = place if place.is_dir() else place.parent
    files = sorted(folder.rglob(name), key=lambda path: (len(path.parts), str(path)))
    if not files:
        raise InputError(f"there is no {name}", where=str(folder), fix=f"give the folder of the data of {suite}")
    return files[0]


def read_json(path: Path) -> Json:
    """The JSON value of a file."""
    return parse_json(read_text(path), str(path))


def parse_json(text: str, where: str, first_line: int = 1) -> Json:
    """A JSON value; InputError with the line if it is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise InputError(f"is not JSON: {error.msg}", where=f"{where}:{line}", fix=_OWN) from error
    except RecursionError as error:
        raise InputError("is nested too deep", where=where, fix=_OWN) from error


def read_lines(path: Path) -> list[Json]:
    """The JSON values of a file of JSON lines; empty lines are skipped."""
    return [row for row, _ in _lines(read_text(path), path)]


def read_rows(path: Path) -> Iterator[tuple[Json, str]]:
    """(row, where it stands) of a file of rows: a JSON list, or JSON lines."""
    text = read_text(path)
    if text.lstrip()[:1] == "[":
        return ((row, f"{path}#/{at}") for at, row in enumerate(parse_json(text, str(path))))
    return _lines(text, path)


def _lines(text: str, path: Path) -> Iterator[tuple[Json, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield parse_json(line, str(path), number), f"{path}:{number}"


def rows(value: object, where: str) -> list[Mapping[str, Json]]:
    """A list of objects, or InputError."""
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise InputError("is not a list of objects", where=where, fix=_OWN)
    return value


def query_of(row: Mapping[str, object], where: str) -> str:
    """The query that a row must have, or InputError."""
    value = row.get("query")
    if not isinstance(value, str) or not value.strip():
        raise InputError("has no query", where=where, fix=_OWN)
    return value
