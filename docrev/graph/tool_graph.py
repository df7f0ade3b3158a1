"""The tool graph: operation → operation when a response field feeds a parameter.

Edges come from names, types and path structure (`match.py`) before the first call, and from values as evidence comes
in: a value seen in a response that another operation accepted. RESTler calls these producers and consumers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from docrev.conventions.ids import compared_field
from docrev.graph.match import Named, field_name, match, path_nouns, resource_noun
from docrev.graph.values import Values, flat, is_distinctive
from docrev.language.words import words
from docrev.records import Call, OperationKey
from docrev.spec import Catalog, Operation

MAX_FIELDS = 300
"""Response fields of an operation that static matching looks at; TMDB's largest schema has about 250."""

REFERRING = frozenset({"id", "ids", "uuid", "guid", "code", "slug", "key", "iata", "icao", "isbn", "sku"})


@dataclass(frozen=True, slots=True)
class Edge:
    """`pointer` of `source`'s response can be sent as `location` of `target`.

    `kind` is name, path, foreign-key or value; `score` is between 0 and 1, higher is likelier; `calls` show an edge by
    value: the response that had the value, and the call that accepted it.
    """

    source: OperationKey
    pointer: str
    target: OperationKey
    location: str
    kind: str
    score: float
    calls: tuple[str, ...] = ()


_Adjacent = defaultdict[OperationKey, dict[OperationKey, dict[tuple[str, str], Edge]]]


class ToolGraph:
    """Edges between the operations of a catalog, static from the start and by value from `observe` on."""

    def __init__(self, catalog: Catalog) -> None:
        # By source, then target, and the other way round: the edges between two operations by pointer and location.
        self._out: _Adjacent = defaultdict(dict)
        self._into: _Adjacent = defaultdict(dict)
        self.values = Values()
        self._producers: dict[tuple[OperationKey, str], list[Edge]] = {}
        self._related: dict[OperationKey, list[OperationKey]] = {}
        self._consumers: dict[str, list[tuple[OperationKey, str, Named]]] = {}
        self._linked: set[tuple[OperationKey, str]] = set()
        self._watchers: list[Callable[[Call], None]] = []
        self._operations = {operation.key: operation for operation in catalog.operations}
        self._link_statically()

    def producers(self, key: OperationKey, location: str) -> list[Edge]:
        """The edges that feed a parameter, best first."""
        found = self._producers.get((key, location))
        if found is None:
            edges = (edge for between in self._into[key].values() for edge in between.values())
            found = sorted((edge for edge in edges if edge.location == location), key=_rank)
            self._producers[(key, location)] = found
        return found

    def consumers(self, key: OperationKey) -> list[Edge]:
        """The edges that an operation's responses feed, best first."""
        return sorted((edge for between in self._out[key].values() for edge in between.values()), key=_rank)

    def edges(self) -> list[Edge]:
        """All edges, in a stable order."""
        found = (edge for targets in self._out.values() for between in targets.values() for edge in between.values())
        return sorted(found, key=lambda edge: (edge.target, edge.location, _rank(edge)))

    def related(self, key: OperationKey) -> list[OperationKey]:
        """The operations that feed this one or are fed by it, the most strongly related first."""
        found = self._related.get(key)
        if found is None:
            best: dict[OperationKey, float] = {}
            for other, between in (*self._into[key].items(), *self._out[key].items()):
                best[other] = max(best.get(other, 0.0), *(edge.score for edge in between.values()))
            best.pop(key, None)
            found = self._related[key] = sorted(best, key=lambda other: (-best[other], other))
        return found

    def observe(self, call: Call) -> None:
        """Take in a call: its response values, and the edges by value that its accepted arguments show."""
        for watcher in self._watchers:
            watcher(call)
        if not call.ok or call.key not in self._operations:
            return
        for location, value in flat(call.arguments):
            self._link_by_value(call, location, value)
        self.values.observe(call)
        for pointer in self.values.fields(call.key):
            self._link_field(call.key, pointer, None)

    def watch(self, watcher: Callable[[Call], None]) -> None:
        """Tell `watcher` of every call that is observed from now on, also of failed ones, in the same order.

        What is learned along the program, and not read from the store, is the same when a run is resumed.
        """
        self._watchers.append(watcher)

    def add(self, edge: Edge) -> None:
        """Keep an edge; of two between the same places the better one stays."""
        name = (edge.pointer, edge.location)
        between = self._out[edge.source].setdefault(edge.target, {})
        if name in between and between[name].score >= edge.score:
            return
        between[name] = edge
        self._into[edge.target][edge.source] = between
        self._producers.pop((edge.target, edge.location), None)
        self._related.pop(edge.source, None)
        self._related.pop(edge.target, None)

    def _link_by_value(self, call: Call, location: str, value: object) -> None:
        path = location.startswith("path:")
        if isinstance(value, (bool, float, list, dict)) or value is None:
            return
        if not path and not is_distinctive(value):
            return
        for seen in self.values.sightings(value):
            if seen.key == call.key or (not path and seen.pointer.count("/") == 0):
                continue
            likely = self._plausible(seen.key, seen.pointer, call.key, location)
            if not is_distinctive(value) and likely < 0.5:
                continue  # the id 7 is also somebody's page count
            score = 0.7 + 0.3 * likely
            self.add(Edge(seen.key, seen.pointer, call.key, location, "value", score, (seen.call, call.id)))

    def _plausible(self, source: OperationKey, pointer: str, target: OperationKey, location: str) -> float:
        """How well the names fit, between 0 and 1: it orders edges by value that otherwise look the same."""
        field_words, noun = field_name(pointer, resource_noun(source.path))
        own = location.partition(":")[2]
        parameter = Named(words(own), dict(path_nouns(target.path)).get(own, resource_noun(target.path)), None)
        found = match(Named(field_words, noun, None), parameter)
        return found.score if found else 0.0

    def _link_statically(self) -> None:
        for operation in self._operations.values():
            for location, named in _consumers(operation):
                for word in {*named.words, named.noun}:
                    self._consumers.setdefault(word, []).append((operation.key, location, named))
        for operation in self._operations.values():
            success = operation.success
            if success is None or success.schema is None:
                continue
            for pointer, schema in islice(success.schema.walk(), MAX_FIELDS):
                if pointer and schema.type not in ("object", "array"):
                    self._link_field(operation.key, f"{success.status}:{pointer}", schema.type)

    def _link_field(self, source: OperationKey, pointer: str, kind: str | None) -> None:
        """Link a response field to every parameter that its name suggests, once."""
        if (source, pointer) in self._linked:
            return
        self._linked.add((source, pointer))
        parts, noun = field_name(pointer, resource_noun(source.path))
        field, seen = Named(parts, noun, kind), set[tuple[OperationKey, str]]()
        for word in dict.fromkeys((*parts, noun)):
            for target, location, named in self._consumers.get(word, ()):
                if target != source and (target, location) not in seen:
                    seen.add((target, location))
                    found = match(field, named)
                    if found is not None:
                        score = found.score * _likelihood(source, pointer, target)
                        self.add(Edge(source, pointer, target, location, found.kind, round(score, 4)))


def _likelihood(source: OperationKey, pointer: str, target: OperationKey) -> float:
    """What an equal match of names is worth: lists of the same tool, above in the path, know more ids."""
    factor = 1.0 if source.tool == target.tool else 0.6
    if source.method != "GET" or source.path.count("{") > target.path.count("{"):
        factor *= 0.8
    return factor if "/0/" in pointer or pointer.endswith("/id") else factor * 0.9


def _rank(edge: Edge) -> tuple[float, int, OperationKey, str]:
    return (-edge.score, edge.source.path.count("{"), edge.source, edge.pointer)


def _consumers(operation: Operation) -> list[tuple[str, Named]]:
    """The parameters and body properties that a value may come from elsewhere for: what pages or sorts does not."""
    nouns = dict(path_nouns(operation.path))
    found = [
        (each.key, Named(words(compared_field(each.name)), nouns.get(each.name, ""), each.schema.type))
        for each in operation.parameters
        if each.location == "path" or (each.location == "query" and _refers(each.name))
    ]
    if operation.body is not None and operation.body.schema is not None:
        for pointer, schema in islice(operation.body.schema.walk(), MAX_FIELDS):
            name = pointer.rpartition("/")[2]
            if _refers(name) and schema.type not in ("object", "array"):
                found.append((f"body:{pointer}", Named(words(compared_field(name)), "", schema.type)))
    return found


def _refers(name: str) -> bool:
    """Whether a value under this name refers to something else by an ID or a code."""
    return not REFERRING.isdisjoint(words(compared_field(name))[-1:])
