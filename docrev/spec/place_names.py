"""Names of places that hold in a document's next version: JSON pointers with parameters by location and name.

`/paths/~1countries/get/parameters/query:limit/description` means the same when the order of the parameters changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from docrev.grouping import only
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping
from docrev.language.path_templates import shape_of
from docrev.records import Json
from docrev.spec.keywords import METHODS


def place_name(tree: object, pointer: str) -> str:
    """The name of the place at a pointer, in plain text."""
    named: list[str] = []
    node = tree
    for part in pointers.split(pointer):
        node = _step(node, part)
        name = parameter_name(node) if part.isdecimal() else None
        named.append(name or part)
    return pointers.join(*named).encode("utf-8", "backslashreplace").decode().replace("\x7f", "\\x7f")


def parameter_name(node: object) -> str | None:
    """`query:limit`, for the object of a parameter; None for any other value."""
    return f"{node['in']}:{node['name']}" if isinstance(node, dict) and "name" in node and "in" in node else None


def find_place(tree: Json, name: str) -> str | None:
    """The pointer to the place of this name; None if the tree has none."""
    node, path = tree, list[str]()
    for part in pointers.split(name):
        key = _item(node, part) if isinstance(node, list) else part
        node = _step(node, key) if key is not None and (isinstance(node, list) or part in (node or ())) else _NOTHING
        if node is _NOTHING or key is None:
            return None
        path.append(key)
    return pointers.join(*path)


def operation_of(tree: object, pointer: str) -> tuple[str, str] | None:
    """(`GET /path`, operationId or "") of the operation that a pointer leads into; None if it leads elsewhere."""
    parts = pointers.split(pointer)
    if parts[:1] != ["paths"] or len(parts) < 3 or parts[2] not in METHODS:
        return None
    operation = _step(_step(_step(tree, "paths"), parts[1]), parts[2])
    named = operation.get("operationId") if isinstance(operation, dict) else None
    return f"{parts[2].upper()} {parts[1]}", named if isinstance(named, str) else ""


def moved_operation(tree: object, operation: str, operation_id: str) -> str | None:
    """The pointer to an operation that lies elsewhere now: by its operationId, or by its path with other names in it.

    None if there is none, or several could be meant.
    """
    method, _, path = operation.partition(" ")
    shape = shape_of(path)
    named, alike = list[str](), list[str]()
    for pointer, found in _operations(tree):
        _, at, verb = pointers.split(pointer)
        if operation_id and found.get("operationId") == operation_id:
            named.append(pointer)
        elif verb == method.lower() and shape_of(at) == shape:
            alike.append(pointer)
    return only(named or alike)


_NOTHING = object()


def _operations(tree: object) -> Iterator[tuple[str, dict[str, Json]]]:
    paths = tree.get("paths") if isinstance(tree, dict) else None
    for path, item in mapping(paths).items():
        for verb, operation in mapping(item).items():
            if verb in METHODS and isinstance(operation, dict):
                yield pointers.join("paths", path, verb), operation


def _item(items: list[Json], part: str) -> str | None:
    """The index of the item that a part names: a parameter by its name, anything else by its number."""
    named = (str(place) for place, item in enumerate(items) if parameter_name(item) == part)
    return part if pointers.index(part, len(items)) is not None else next(named, None)


def _step(node: object, part: str) -> Json:
    if isinstance(node, dict):
        return node.get(part)
    return node[int(part)] if isinstance(node, list) and part.isdecimal() and int(part) < len(node) else None
