"""The tool graph: operation → operation when a response field feeds a parameter.

Edges come from names, types and path structure (`match.py`) before the first call, and from values as evidence comes
in: a value seen in a response that another operation accepted. RESTler calls these producers and consumers.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from docrev.conventions.ids import compared_field
from docrev.graph.match import FieldMatch, Named, field_name, match, path_nouns, resource_noun
from docrev.graph.values import Values, flat, is_distinctive
from docrev.grouping import grouped
from docrev.language.words import words
from docrev.records import Call, OperationKey
from docrev.spec import Catalog, Operation

MAX_FIELDS = 300
"""Response fields of an operation that static matching looks at; TMDB's largest schema has about 250."""

MAX_PRODUCERS = 250
"""Edges that feed a parameter, the best ones: `{owner}` of 1,223 operations could be one of 5,000 fields, three million
edges in all. The largest of the smaller APIs looked at, with 128 operations, has 215."""

REFERRING = frozenset({"id", "ids", "pk", "uuid", "guid", "code", "slug", "key", "iata", "icao", "isbn", "sku"})


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


_Place: TypeAlias = tuple[OperationKey, str]
"""A response field: the operation, and the pointer."""


class _Alike(NamedTuple):
    """Parameters that the same fields feed: what the matcher sees, their tool, and how many values a path takes."""

    named: Named
    tool: str
    depth: int


class _Fed(NamedTuple):
    """A parameter that a field may feed, with all edges that feed it, best first."""

    target: OperationKey
    location: str
    alike: _Alike
    match: FieldMatch
    edges: list[Edge]


class _Best:
    """The best fields for parameters that are alike, best first."""

    def __init__(self, places: list[_Place]) -> None:
        self._ranks = {place: rank for rank, place in enumerate(places)}
        self._own: Mapping[OperationKey, int] = Counter(source for source, _ in places)

    def of(self, place: _Place, fed: list[tuple[int, _Fed]]) -> Iterable[tuple[int, _Fed]]:
        """Those of the parameters of which a field may be among the best, however many are of their own operations."""
        if place not in self._ranks:
            return []
        beyond = self._ranks[place] - MAX_PRODUCERS
        return fed if beyond < 0 else [one for one in fed if beyond < self._own.get(one[1].target, 0)]


class ToolGraph:
    """Edges between the operations of a catalog, static from the start and by value from `observe` on."""

    def __init__(self, catalog: Catalog) -> None:
        # By source, then target: the edges between two operations. Mostly a few, so that a list is looked through.
        self._out = defaultdict[OperationKey, dict[OperationKey, list[Edge]]](dict)
        # By target, then location: the edges that feed a parameter, best first.
        self._into = defaultdict[OperationKey, defaultdict[str, list[Edge]]](lambda: defaultdict(list))
        self.values = Values()
        self._fed: dict[Named, list[_Fed]] = {}
        self._related: dict[OperationKey, list[OperationKey]] = {}
        self._consumers: dict[str, list[tuple[OperationKey, str, _Alike]]] = {}
        self._linked: set[tuple[OperationKey, str]] = set()
        self._watchers: list[Callable[[Call], None]] = []
        self._operations = {operation.key: operation for operation in catalog.operations}
        self._link_statically()

    def producers(self, key: OperationKey, location: str) -> list[Edge]:
        """The edges that feed a parameter, best first."""
        return list(self._into[key][location])

    def consumers(self, key: OperationKey) -> list[Edge]:
        """The edges that an operation's responses feed, best first."""
        return sorted(chain.from_iterable(self._out[key].values()), key=_rank)

    def edges(self) -> list[Edge]:
        """All edges, in a stable order."""
        found = (edge for targets in self._out.values() for between in targets.values() for edge in between)
        return sorted(found, key=lambda edge: (edge.target, edge.location, _rank(edge)))

    def related(self, key: OperationKey) -> list[OperationKey]:
        """The operations that feed this one or are fed by it, the most strongly related first."""
        found = self._related.get(key)
        if found is None:
            best: dict[OperationKey, float] = {}
            feeding = ((edge.source, edge.score) for edges in self._into[key].values() for edge in edges)
            fed = ((edge.target, edge.score) for between in self._out[key].values() for edge in between)
            for other, score in chain(feeding, fed):
                best[other] = max(best.get(other, 0.0), score)
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
            if (call.key, pointer) not in self._linked:
                self._linked.add((call.key, pointer))
                self._link(call.key, pointer, self._fed_by(_named(call.key, pointer, None)))

    def watch(self, watcher: Callable[[Call], None]) -> None:
        """Tell `watcher` of every call that is observed from now on, also of failed ones, in the same order.

        What is learned along the program, and not read from the store, is the same when a run is resumed.
        """
        self._watchers.append(watcher)

    def add(self, edge: Edge) -> None:
        """Keep an edge if it is among the best into its place; of two between the same places the better one stays."""
        name, edges = (edge.pointer, edge.location), self._into[edge.target][edge.location]
        between = self._out[edge.source].get(edge.target, [])
        at = next((at for at, one in enumerate(between) if (one.pointer, one.location) == name), None)
        if at is not None:
            if between[at].score >= edge.score:
                return
            edges.remove(between[at])
            between[at] = edge
        elif len(edges) == MAX_PRODUCERS and _rank(edge) > _rank(edges[-1]):
            return
        else:
            self._out[edge.source].setdefault(edge.target, between).append(edge)
        insort(edges, edge, key=_rank)
        if len(edges) > MAX_PRODUCERS:
            worst = edges.pop()
            self._out[worst.source][worst.target].remove(worst)
            self._related.pop(worst.source, None)
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
        """Link the documented response fields to the parameters that their names suggest."""
        documented: dict[_Place, Named] = {}
        for operation in self._operations.values():
            for location, parameter in _consumers(operation):
                alike = _Alike(parameter, operation.tool, _depth(operation.key))
                for word in {*parameter.words, parameter.noun}:
                    self._consumers.setdefault(word, []).append((operation.key, location, alike))
            documented.update(_documented(operation))
        self._linked.update(documented)
        best = self._best_fields(documented)
        likely = {field: self._by_likeness(field) for field in set(documented.values())}
        for place, field in documented.items():
            chosen = (best[alike].of(place, fed) for alike, fed in likely[field].items())
            self._link(*place, [one for _, one in sorted(chain.from_iterable(chosen))])

    def _by_likeness(self, field: Named) -> dict[_Alike, list[tuple[int, _Fed]]]:
        """The parameters that a field may feed, those together that are alike, each with its place among all."""
        return grouped((one.alike, (at, one)) for at, one in enumerate(self._fed_by(field)))

    def _best_fields(self, documented: Mapping[_Place, Named]) -> dict[_Alike, _Best]:
        """The fields that may be among the best of a parameter: of many parameters alike they are looked for once."""
        fields = defaultdict[Named, list[_Place]](list)
        for place, field in documented.items():
            fields[field].append(place)
        ranked = defaultdict[_Alike, list[tuple[float, int, OperationKey, str]]](list)
        for field, places in fields.items():
            for alike, found in {one.alike: one.match for one in self._fed_by(field)}.items():
                scored = ((_score(found, *place, alike), place) for place in places)
                ranked[alike] += ((-score, _depth(place[0]), *place) for score, place in scored)
                if len(ranked[alike]) > 8 * MAX_PRODUCERS:
                    ranked[alike] = nsmallest(2 * MAX_PRODUCERS, ranked[alike])
        # An operation does not feed itself, so that more are looked at than are kept.
        best = {alike: nsmallest(2 * MAX_PRODUCERS, found) for alike, found in ranked.items()}
        return {alike: _Best([(source, pointer) for *_, source, pointer in found]) for alike, found in best.items()}

    def _link(self, source: OperationKey, pointer: str, fed: Iterable[_Fed]) -> None:
        """Link a response field to parameters."""
        for target, location, alike, found, edges in fed:
            if target != source and not (len(edges) == MAX_PRODUCERS and found.score < edges[-1].score):
                score = _score(found, source, pointer, alike)
                self.add(Edge(source, pointer, target, location, found.kind, score))

    def _fed_by(self, field: Named) -> list[_Fed]:
        """The parameters that a field's name suggests; many operations return the same fields."""
        if field not in self._fed:
            named = (each for word in (*field.words, field.noun) for each in self._consumers.get(word, ()))
            matches = ((*each, match(field, each[2].named)) for each in dict.fromkeys(named))
            self._fed[field] = [
                _Fed(target, location, alike, found, self._into[target][location])
                for target, location, alike, found in matches
                if found is not None
            ]
        return self._fed[field]


def _named(source: OperationKey, pointer: str, kind: str | None) -> Named:
    """A response field as the matcher sees it."""
    parts, noun = field_name(pointer, resource_noun(source.path))
    return Named(parts, noun, kind)


def _score(found: FieldMatch, source: OperationKey, pointer: str, fed: _Alike) -> float:
    """What a match is worth: lists of the same tool, above in the path, know more ids."""
    factor = 1.0 if source.tool == fed.tool else 0.6
    if source.method != "GET" or _depth(source) > fed.depth:
        factor *= 0.8
    return round(found.score * (factor if "/0/" in pointer or pointer.endswith("/id") else factor * 0.9), 4)


def _rank(edge: Edge) -> tuple[float, int, OperationKey, str]:
    return (-edge.score, _depth(edge.source), edge.source, edge.pointer)


@lru_cache(maxsize=16384)
def _depth(key: OperationKey) -> int:
    """How many values a path takes."""
    return key.path.count("{")


def _documented(operation: Operation) -> dict[_Place, Named]:
    """The single values of the documented response to success, by their place."""
    found: dict[_Place, Named] = {}
    success = operation.success
    if success is not None and success.schema is not None:
        for pointer, schema in islice(success.schema.walk(), MAX_FIELDS):
            if pointer and schema.type not in ("object", "array"):
                place = (operation.key, f"{success.status}:{pointer}")
                found.setdefault(place, _named(*place, schema.type))
    return found


def _consumers(operation: Operation) -> list[tuple[str, Named]]:
    """The parameters and body properties that a value may come from elsewhere for: what pages or sorts does not."""
    nouns = dict(path_nouns(operation.path))
    found = [
        (each.key, Named(words(compared_field(each.name)), nouns.get(each.name, ""), each.schema.type_of_one))
        for each in operation.parameters
        if each.location == "path" or (each.location == "query" and _refers(each.name))
    ]
    if (body := operation.body_schema) is not None:
        for pointer, schema in islice(body.walk(), MAX_FIELDS):
            name = pointer.rpartition("/")[2]
            if _refers(name) and schema.type not in ("object", "array"):
                found.append((f"body:{pointer}", Named(words(compared_field(name)), "", schema.type)))
    return found


def _refers(name: str) -> bool:
    """Whether a value under this name refers to something else by an ID or a code."""
    return not REFERRING.isdisjoint(words(compared_field(name))[-1:])
