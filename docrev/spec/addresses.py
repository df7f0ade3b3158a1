"""Path parameters that take the whole address of a thing: `/v1/{name}` for `users/7`, `/{book_href}` for `/books/7/`.

Where such an address is known to begin, the operation gets the route that it would have if its path were written out:
`GET /v1/users/{…}`, in which the parameter is the segment of the argument that tells one thing from another. The
beginning is what the parameter's pattern says (`users/[^/]+`, as gRPC's transcoding writes it: google.api.http,
AIP-122), or the path of the list that has the same tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote

from docrev.grouping import grouped
from docrev.language.path_templates import PARAMETER
from docrev.language.words import words
from docrev.records import OperationKey
from docrev.spec.operation import Operation
from docrev.spec.route_places import ADDRESS

OPEN = "*"
"""What stands in an address for each segment that tells one thing from another."""
LINKING = frozenset({"href", "url", "uri", "link"})
"""Last words of names of what is the address of a thing."""
_ANY_SEGMENT = re.compile(r"\[\^/\]\+")
_PLAIN = re.compile(r"[\w.~-]+")
_MAX_DEPTH = 4
"""Things in things whose addresses are put together."""


def with_address_routes(operations: Sequence[Operation]) -> Iterator[Operation]:
    """The operations of one tool, those whose path takes whole addresses with their `address_route`."""
    linked = _Linked(operations)
    for operation in operations:
        path = operation.path if operation.rpc_route is None else ""
        for found in PARAMETER.finditer(path):
            address = _by_pattern(operation, found[1]) or linked.address(found[1], found.start())
            if address:
                path = path.replace(found[0], _written_out(address, found[1])).replace("//", "/")
        known = path in ("", operation.path)
        route = OperationKey(operation.tool, f"{operation.method} {path}")
        yield operation if known else replace(operation, address_route=route)


def _written_out(address: str, name: str) -> str:
    """An address with parameters of a route in its open segments."""
    beginning, *rest = address.split(OPEN)
    quoted = quote(address, safe=OPEN)
    parts = (f"{{{ADDRESS}:{number}:{quoted}:{name}}}{part}" for number, part in enumerate(rest))
    return beginning + "".join(parts)


def _by_pattern(operation: Operation, name: str) -> str:
    """The address that the pattern of a path parameter describes; "" if it describes none with a word in it."""
    parameter = operation.parameter(f"path:{name}")
    pattern = parameter.schema.pattern if parameter is not None else None
    if not pattern:
        return ""
    segments = _ANY_SEGMENT.sub(OPEN, pattern.removeprefix("^").removesuffix("$")).split("/")
    is_address = all(segment == OPEN or _PLAIN.fullmatch(segment) for segment in segments)
    alternate = segments[:1] != [OPEN] and segments[-1:] == [OPEN]
    return "/".join(segments) if is_address and alternate and len(segments) > 1 else ""


class _Linked:
    """The addresses that paths begin with: `{book_href}pages/`, in which `/books/*/` stands for the parameter."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._by_tag = grouped((tag, op) for op in operations for tag in op.tags)
        self._tags = {
            op.path[2:-1]: op.tags[0] for op in operations if len(op.tags) == 1 and _is_item(op.path)
        }  # the tag of the things that a parameter is an address of

    def address(self, name: str, start: int = 1, depth: int = 0) -> str:
        """The address that a parameter which begins a path takes; "" if that is not certain."""
        if name not in self._tags or start != 1 or depth > _MAX_DEPTH:
            return ""
        collection = self._collection(name)
        above = PARAMETER.match(collection, 1)
        if above is not None:
            outer = self.address(above[1], depth=depth + 1)
            collection = outer + collection[above.end() :] if outer else ""
        slash = "/" if collection.endswith("/") else ""
        return f"{collection.rstrip('/')}/{OPEN}{slash}" if collection and "{" not in collection else ""

    def _collection(self, name: str) -> str:
        """The path of the only list of the things that a parameter is an address of; "" if several may be it."""
        tagged, mine = self._by_tag[self._tags[name]], f"/{{{name}}}"
        others = {op.path for op in tagged if not op.path.startswith(mine)}
        listed = {op.path for op in tagged if op.method == "GET"} & others
        found = min(listed, key=lambda path: (len(path), path), default="")
        is_only = bool(found) and all(path.startswith(found) for path in others)
        return found if is_only and not _is_item(found) else ""


def _is_item(path: str) -> bool:
    """Whether a path is nothing but the address of a thing."""
    found = PARAMETER.fullmatch(path, 1)
    return found is not None and words(found[1])[-1:] != () and words(found[1])[-1] in LINKING
