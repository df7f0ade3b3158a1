"""Formats at the end of paths: `/users/{id}.json` is what `/users/{id}` is elsewhere.

Such an operation gets the route that it would have without the format, if nothing else has that. A single such path is
that of a file: `/openapi.json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from docrev.language.path_templates import FORMAT, shape_of
from docrev.records import OperationKey
from docrev.spec.operation import Operation


def with_bare_routes(operations: Iterable[Operation]) -> Iterator[Operation]:
    """The operations of one tool, those whose path ends in a format with their `bare_route`."""
    operations = list(operations)
    known = {(op.method, shape_of(op.path)) for op in operations}
    formatted = {op.path for op in operations if FORMAT.search(op.path)}
    for operation in operations:
        path = FORMAT.sub("", operation.path)
        is_format = operation.path in formatted and len(formatted) > 1 and not path.endswith("/")
        if is_format and (operation.method, shape_of(path)) not in known:
            yield replace(operation, bare_route=OperationKey(operation.tool, f"{operation.method} {path}"))
        else:
            yield operation
