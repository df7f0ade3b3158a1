"""Documents that DRAFT and its kind write: one text an operation, in a JSON file, read into statements."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from docrev.errors import InputError
from docrev.eval.statements import TextStatement
from docrev.eval.text_statements import operation_text, parameter_text
from docrev.records import Json, OperationKey
from docrev.spec import Catalog, Operation


def documents(file: Path, catalog: Catalog) -> tuple[list[TextStatement], set[OperationKey]]:
    """What the texts of a file say, and the operations of the catalog that they are on.

    The file maps ids to `{tool_name, description, url, required_parameters, optional_parameters}`; the text of an
    operation and of each parameter is read, their schemas are not: they were given to the author. Raises InputError
    where the file is no such thing.
    """
    try:
        entries = json.loads(file.read_text("utf-8"))
        listed = list(entries.values()) if isinstance(entries, Mapping) else list(entries)
    except (OSError, ValueError, TypeError) as error:
        raise InputError("not a file of documents", where=str(file), fix="give JSON by DRAFT") from error
    found: dict[tuple[OperationKey, str, str, str], TextStatement] = {}
    matched = set()
    for entry in listed:
        operation = _operation(entry, catalog)
        if operation is not None:
            matched.add(operation.key)
            for statement in _read(entry, operation):
                found.setdefault(statement.place, statement)
    return list(found.values()), matched


def _operation(entry: Mapping[str, Json], catalog: Catalog) -> Operation | None:
    """The operation whose path ends the document's URL and whose method begins its name."""
    method = str(entry.get("tool_name", "")).partition("_")[0].upper() or "GET"
    path = urlsplit(str(entry.get("url", ""))).path
    fitting = [one for one in catalog.operations if one.method == method and path.endswith(one.path)]
    return max(fitting, key=lambda one: len(one.path), default=None)


def _read(entry: Mapping[str, Json], operation: Operation) -> Iterator[TextStatement]:
    yield from operation_text(operation, str(entry.get("description", "")))
    for kind in ("required_parameters", "optional_parameters"):
        for parameter in entry.get(kind) or ():
            known = [one for one in operation.parameters if one.name == parameter.get("name")]
            for one in known[:1]:
                yield from parameter_text(operation.key, one.key, str(parameter.get("description", "")))
