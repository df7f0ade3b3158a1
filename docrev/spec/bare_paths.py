"""Paths without what says nothing of a thing: formats at their end, and parameters that can have one value alone.

`/users/{id}.json` is what `/users/{id}` is elsewhere, and `/users/{id}/runs` where `id` is always `~` is about no one
user. Such an operation gets the route that it would have without that, if nothing else has that. A single path with a
format is that of a file: `/openapi.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import quote

from docrev.language.path_templates import FORMAT, shape_of
from docrev.records import Json, OperationKey
from docrev.spec.operation import Operation


def with_bare_routes(operations: Iterable[Operation]) -> Iterator[Operation]:
    """The operations of one tool, those whose path has a format or a parameter of one value with their `bare_route`."""
    operations = list(operations)
    known = {(op.method, shape_of(op.path)) for op in operations}
    fixed = [_with_values(operation) for operation in operations]
    formatted = {path for path in fixed if FORMAT.search(path)}
    for operation, path in zip(operations, fixed, strict=True):
        bare = _without_format(path) if len(formatted) > 1 else path
        if bare != operation.path and (operation.method, shape_of(bare)) not in known:
            yield replace(operation, bare_route=OperationKey(operation.tool, f"{operation.method} {bare}"))
        else:
            yield operation


def _without_format(path: str) -> str:
    bare = FORMAT.sub("", path)
    return path if bare.endswith("/") else bare


def fixed_arguments(operation: Operation) -> dict[str, Json]:
    """The path arguments that an operation always has: texts of the parameters that can have one value alone."""
    found: dict[str, Json] = {}
    for parameter in operation.parameters:
        allowed = parameter.schema.enum if parameter.location == "path" else None
        if allowed is not None and len(allowed) == 1 and isinstance(allowed[0], str) and allowed[0]:
            found[parameter.key] = allowed[0]
    return found


def _with_values(operation: Operation) -> str:
    path = operation.path
    for key, value in fixed_arguments(operation).items():
        path = path.replace(f"{{{key.removeprefix('path:')}}}", quote(str(value), safe=""))
    return path
