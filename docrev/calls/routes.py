"""From arguments to paths and back: which operation, with which path arguments, a path belongs to."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, unquote

from docrev.calls.path_texts import encoded, last_segment, noun_of, plain
from docrev.calls.route_arguments import addressed, argument, key_of
from docrev.conventions.examples import example_body
from docrev.conventions.ids import names_owner, refers_to
from docrev.language.path_templates import FORMAT, PARAMETER, shape_of
from docrev.language.words import singular, words
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Json, OperationKey
from docrev.spec.route_places import place_of
from docrev.spec.schema import properties_of

if TYPE_CHECKING:
    from docrev.spec.operation import Operation, Parameter

# Characters of a path that are not encoded (RFC 3986 §3.3): templates keep their `:` and `,`, and a literal query.
_LITERAL = "/:@!$&'()*+,;=-._~%?"
_ON_ITEMS = ("GET", "DELETE", "PUT", "PATCH")
"""The methods by which an item is addressed, the one that says most of it first."""
_MAX_RESOLVED = 20_000
"""Paths of which it is remembered what they reach: the same few are asked for again and again."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path template, taken apart once: literals and parameter names in turn, the first and the last a literal.

    `slash` is the one at its end (`/users/{id}/`), which is sent and says nothing: the literals are without it.
    """

    literals: tuple[str, ...]
    names: tuple[str, ...]
    slash: str = ""

    @property
    def ends_in_parameter(self) -> bool:
        """Whether it addresses one item: its last segment is a parameter."""
        return bool(self.names) and "/" not in self.literals[-1]

    @property
    def collection(self) -> Path:
        """The path without its last segment."""
        return Path((*self.literals[:-2], self.literals[-2].rstrip("/")), self.names[:-1])

    @property
    def around(self) -> Path:
        """The path without the word at its end: `/jobs` of `/jobs/next`."""
        return Path((*self.literals[:-1], self.literals[-1].rpartition("/")[0]), self.names)

    @property
    def word_before(self) -> str:
        """The word before parameters that lie side by side to its end: `repos` of `/repos/{owner}/{name}`; "" if they
        do not."""
        beside = self.ends_in_parameter and all(literal == "/" for literal in self.literals[1:-1])
        return last_segment(self.literals[0].rstrip("/")) if beside else ""

    def head(self, count: int) -> Path:
        """The path up to its parameter number `count`, counted from 1: that of an item."""
        return Path((*self.literals[:count], ""), self.names[:count])

    def fill(self, arguments: Arguments, whole: Container[str] = ()) -> str:
        """The path with its arguments percent-encoded, without a slash at the end. KeyError for a missing one.

        Those of the parameters in `whole` are paths themselves, whose slashes stay.
        """
        if not self.names:
            return self.literals[0]
        parts = [self.literals[0]]
        for name, literal in zip(self.names, self.literals[1:], strict=True):
            value = argument(arguments, name)
            parts += (quote(plain(value).lstrip("/"), safe=_LITERAL) if name in whole else encoded(value), literal)
        return "".join(parts)

    def item(self, arguments: Arguments) -> str | None:
        """The path up to its last parameter: that of the item it addresses or lies under. None without one."""
        if not self.names:
            return None
        filled = self.fill(arguments)
        tail = self.literals[-1]
        return filled[: len(filled) - len(tail)] if tail else filled


@lru_cache(maxsize=4096)
def template(path: str) -> Path:
    """Take a path template apart. A fragment is dropped: some specs tell operations apart by it."""
    path = path.partition("#")[0]
    slash = "/" if path.endswith("/") and "?" not in path and path.strip("/") else ""
    path = path[: len(path) - len(slash)]
    pieces = PARAMETER.split(path if path.startswith("/") else "/" + path)
    return Path(tuple(quote(piece, safe=_LITERAL) for piece in pieces[::2]), tuple(pieces[1::2]), slash)


def addresses_of(operation: Operation) -> frozenset[str]:
    """The path parameters of an operation that take the whole address of a thing."""
    if operation.address_route is None:
        return frozenset()
    places = map(place_of, template(operation.route.path).names)
    return frozenset(at.name for at in places if at.address)


def least_sent(operation: Operation) -> dict[str, Json]:
    """What an operation of RPC style is sent in any case: what its body requires."""
    schema = operation.body_schema if operation.rpc_route is not None else None
    return {} if schema is None else {"body:": example_body(schema, lambda pointer, part: [])}


class Routes:
    """All operations of a catalog by method and path.

    `scopes` are what the run's own things were made with and are found by, by tool and query parameter: `user_id`.
    """

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._patterns: dict[tuple[str, str], list[tuple[tuple[int, ...], re.Pattern[str], Path, Operation]]] = {}
        self._paths: dict[OperationKey, Path] = {}
        self._under: dict[OperationKey, Operation | None] = {}
        self._reached: dict[tuple[str, str, str], tuple[Operation, dict[str, Json]] | None] = {}
        self._scoping: dict[OperationKey, list[str]] = {}
        self.operations = tuple(operations)
        self.scopes: dict[tuple[str, str], Json] = {}
        for operation in self.operations:
            path = self._paths[operation.key] = template(operation.route.path)
            # Links may have the format at their end, and may not.
            formatted = operation.bare_route == operation.route and FORMAT.search(operation.path)
            ending = "(?:\\.json)?/?" if formatted else "/?"
            pattern = re.compile("([^/]+?)".join(map(re.escape, path.literals)) + ending)
            # A literal segment wins over a parameter, from the left (OpenAPI 3.1 §4.8.8).
            rank = tuple(int("{" in segment) for segment in operation.route.path.split("/"))
            place = operation.tool, operation.route.method
            self._patterns.setdefault(place, []).append((rank, pattern, path, operation))
        self._by_literals: dict[tuple[str, tuple[str, ...]], list[Operation]] = {}
        for (tool, _), found in self._patterns.items():
            # What makes several things has the route of what makes one, which comes first.
            found.sort(key=lambda entry: (entry[0], entry[3].rpc_route is not None))
            for _, _, path, operation in found:
                self._by_literals.setdefault((tool, path.literals), []).append(operation)

    def path(self, key: OperationKey) -> Path:
        """The taken-apart path of an operation."""
        return self._paths[key]

    def resolve(self, tool: str, method: str, target: str) -> tuple[Operation, dict[str, Json]] | None:
        """The operation that a path (with its query) reaches, and its arguments; None if the catalog has none."""
        path, _, query = target.partition("?")
        found = self._reach(tool, method, path)
        if found is None:
            return None
        operation, values = found
        arguments = addressed(least_sent(operation), values)
        if query:
            arguments.update({f"query:{n}": v for n, v in parse_qsl(query, keep_blank_values=True)})
        return operation, self.scoped(operation, arguments)

    def _reach(self, tool: str, method: str, path: str) -> tuple[Operation, dict[str, Json]] | None:
        """The operation that a path without a query reaches, and what the path says, looked for once."""
        place = tool, method, path
        if place not in self._reached:
            if len(self._reached) >= _MAX_RESOLVED:
                self._reached.clear()
            self._reached[place] = self._match(tool, method, path)
        return self._reached[place]

    def _match(self, tool: str, method: str, path: str) -> tuple[Operation, dict[str, Json]] | None:
        for _, pattern, parts, operation in self._patterns.get((tool, method), ()):
            if match := pattern.fullmatch(path):
                values = zip(parts.names, match.groups(), strict=True)
                return operation, {key_of(name): unquote(value) for name, value in values}
        return None

    def scoped(self, operation: Operation, arguments: Mapping[str, Json], sent: object = None) -> dict[str, Json]:
        """The arguments with what the query must have: as it is in `sent`, the body of what makes the thing that is
        looked for, or as the run's own things were made with.
        """
        found = dict(arguments)
        for parameter in operation.parameters:
            if is_required_query(parameter) and parameter.key not in found:
                known = sent.get(parameter.name) if isinstance(sent, dict) else None
                value = self.scopes.get((operation.tool, parameter.name)) if known is None else known
                if value is not None:
                    found[parameter.key] = value
        return found

    def scoping(self, creation: Operation) -> list[str]:
        """The members of a creation's body that whatever goes to its collection, or to what is in it, requires in the
        query: `user_id` of `POST /sessions`, for `GET /sessions?user_id=`.
        """
        if creation.key not in self._scoping:
            place, schema = _place(creation), creation.body_schema
            members = properties_of(schema)
            noun = noun_of(place.replace("/{}", ""))
            wanted = (name for name in self._required_below(creation.tool, place) if name in members)
            self._scoping[creation.key] = [name for name in wanted if names_owner(name) and not refers_to(name, noun)]
        return self._scoping[creation.key]

    def _required_below(self, tool: str, place: str) -> list[str]:
        """The names of what operations at a place, or below it, require in the query."""
        there = (op for op in self.operations if op.tool == tool and _place(op).startswith(place))
        return list(dict.fromkeys(p.name for op in there for p in filter(is_required_query, op.parameters)))

    def get(self, tool: str, target: str) -> Invoke | None:
        """The GET of a path; None if the catalog has none, or if it calls the item otherwise than what removes it does:
        then it shows nothing of what is at the path.
        """
        found = self.resolve(tool, "GET", target)
        if found is None or self.names_items_apart(found[0]):
            return None
        return Invoke(found[0].key, found[1])

    def address(self, tool: str, path: str) -> tuple[Operation, dict[str, Json]] | None:
        """An operation on the item at a path, and the arguments that address it; None if the catalog has none."""
        for method in _ON_ITEMS:
            found = self.resolve(tool, method, path)
            if found is not None and self._paths[found[0].key].ends_in_parameter:
                return found
        return None

    def address_arguments(self, tool: str, path: str) -> dict[str, Json]:
        """The path arguments that address the item at a path; none if the catalog has no operation on it."""
        found = self.address(tool, path)
        return only_path(found[1]) if found is not None else {}

    def twin(self, key: OperationKey, method: str) -> Operation | None:
        """The operation with another method on the same path."""
        return self.on_path(key.tool, self._paths[key], method)

    def item_under(self, key: OperationKey) -> Operation | None:
        """The operation of one item of the collection that `key` addresses, whatever its method; GET first."""
        if key not in self._under:
            self._under[key] = self.item_of(key.tool, self._paths[key])
        return self._under[key]

    def item_of(self, tool: str, collection: Path) -> Operation | None:
        """The operation of one item of the collection at a path, whatever its method; GET first, but where a DELETE
        calls the item otherwise: by what removes it, it is the run's own."""
        found = self._on_items(tool, collection)
        order = [method for method in (*_ON_ITEMS, "HEAD") if method in found]
        if self._calls_apart(tool, collection):
            order.insert(0, "DELETE")
        return next((found[method] for method in order), None)

    def _calls_apart(self, tool: str, collection: Path) -> bool:
        """Whether a GET calls an item of a collection by something else than a DELETE does: `/agents/{agent_name}` and
        `/agents/{agent_id}`."""
        found = self._on_items(tool, collection)
        names = [words(self._paths[found[method].key].names[-1]) for method in ("GET", "DELETE") if method in found]
        # An identifier is an ID; that it may be a name, too, changes nothing of that.
        return len({tuple("id" if word == "identifier" else word for word in name) for name in names}) > 1

    def names_items_apart(self, operation: Operation) -> bool:
        """Whether a GET calls an item by something else than what removes it does."""
        path = self._paths[operation.key]
        return path.ends_in_parameter and self._calls_apart(operation.tool, path.collection)

    def _on_items(self, tool: str, collection: Path) -> dict[str, Operation]:
        """The operations on one item of the collection at a path, by their method."""
        *before, last = collection.literals
        found = self._on(tool, (*before, last.rstrip("/") + "/", ""))
        return {operation.route.method: operation for operation in found}

    def on_path(self, tool: str, path: Path, method: str) -> Operation | None:
        """The operation with a method on a path, whatever its parameters are called."""
        found = self._on(tool, path.literals)
        return next((operation for operation in found if operation.route.method == method), None)

    def _on(self, tool: str, literals: tuple[str, ...]) -> list[Operation]:
        return self._by_literals.get((tool, literals), [])

    def item_reader(self, operation: Operation) -> Operation | None:
        """The GET of one item of a list, under its path or elsewhere."""
        below = self.item_under(operation.key)
        item = self.twin(below.key, "GET") if below is not None else None
        item = item or self.elsewhere(operation.tool, last_segment(operation.path))
        return item if item is not None and item.route.method == "GET" else None

    def elsewhere(self, tool: str, word: str, above: int = 0) -> Operation | None:
        """The item operation `/WORD/{id}` with one parameter, for things created under another path; or that of the
        word in the singular, where nothing is at its path without the ID. With `above`, `/WORD/{a}/{id}`, which names
        as many things that it lies in first.
        """
        found = self._at_word(tool, word, above)
        return found or self._at_word(tool, singular(word), above, only_items=True)

    def _at_word(self, tool: str, word: str, above: int, *, only_items: bool = False) -> Operation | None:
        for method in _ON_ITEMS:
            for _, _, path, operation in self._patterns.get((tool, method), ()):
                is_item = len(path.names) == above + 1 and path.word_before == word
                if is_item and not (only_items and self._on(tool, path.collection.literals)):
                    return operation
        return None


def _place(operation: Operation) -> str:
    """The shape of the path to which an operation goes, with a slash at its end."""
    return f"{shape_of(operation.route.path).rstrip('/')}/"


def is_required_query(parameter: Parameter) -> bool:
    """Whether a parameter must be in the query."""
    return parameter.required and parameter.location == "query"


def only_path(arguments: Mapping[str, object]) -> dict[str, Json]:
    """The path arguments among `arguments`."""
    return {location: value for location, value in arguments.items() if location.startswith("path:")}


def without_path(arguments: Mapping[str, object]) -> dict[str, Json]:
    """The arguments that are not in the path."""
    return {location: value for location, value in arguments.items() if not location.startswith("path:")}
