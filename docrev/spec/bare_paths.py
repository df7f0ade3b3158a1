"""Paths without what says nothing of a thing: formats at their end, parameters that can have one value alone, and the
word that what follows is an ID.

`/users/{id}.json` and `/users/id/{id}` are what `/users/{id}` is elsewhere, and `/users/{id}/runs` where `id` is always
`~` is about no one user. Such an operation gets the route that it would have without that, if nothing else has that. A
single path with a format is that of a file: `/openapi.json`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from urllib.parse import quote

from docrev.language.path_templates import FORMAT, PARAMETER, shape_of
from docrev.language.words import words
from docrev.records import Json, OperationKey
from docrev.spec.operation import Operation

_SELECTORS = (("id",), ("by", "id"), ("uuid",), ("by", "uuid"))
"""Segments before an ID that say no more than that it is one."""


def with_bare_routes(operations: Iterable[Operation]) -> Iterator[Operation]:
    """The operations of one tool, those whose path has a format or a parameter of one value with their `bare_route`."""
    operations = list(operations)
    known = {(op.method, shape_of(op.path)) for op in operations}
    shapes = {beginning for _, shape in known for beginning in _beginnings(shape)}
    fixed = [_without_selectors(_with_values(operation), shapes) for operation in operations]
    formatted = {path for path in fixed if FORMAT.search(path)}
    for operation, path in zip(operations, fixed, strict=True):
        bare = _without_format(path) if len(formatted) > 1 else path
        if bare != operation.path and (operation.method, shape_of(bare)) not in known:
            yield replace(operation, bare_route=OperationKey(operation.tool, f"{operation.method} {bare}"))
        else:
            yield operation


def _beginnings(shape: str) -> Iterator[str]:
    """A shape, and all that it begins with."""
    parts = shape.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts) + 1))


def _without_selectors(path: str, shapes: Container[str]) -> str:
    """A path without the words that say of what follows that it is an ID, unless a path has something else there."""
    kept: list[str] = []
    parts = path.split("/")
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        selects = words(part) in _SELECTORS and PARAMETER.fullmatch(following) is not None
        if not (selects and kept[1:] and f"{shape_of('/'.join(kept))}/{{}}" not in shapes):
            kept.append(part)
    return "/".join(kept)


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
