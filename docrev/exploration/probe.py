"""Probing: few, purposeful calls that show what parameters take and do, each with one argument changed.

An operation is called as it worked before; then one argument at a time gets another value, chosen by what the answers
so far say. What is inferred from these calls is shown again by fresh ones before the probing of the operation ends, so
that nothing the run itself writes comes between. Where documentation is poorest comes first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from docrev.calls.routes import Routes
from docrev.conventions.error_hints import hints_about
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import ORDERING, Role, role_in, role_of
from docrev.evidence import Evidence
from docrev.exploration.experiments import Experiment
from docrev.exploration.first_tries import FirstTries
from docrev.exploration.item_details import ItemDetails
from docrev.exploration.probe_bench import Bench, Known, bases
from docrev.exploration.probe_hints import try_bounds
from docrev.exploration.probe_places import Places
from docrev.exploration.probe_properties import body_bench, probe_property, subjects
from docrev.exploration.probe_reader import Reader
from docrev.exploration.probe_worth import (
    expected_of_choice,
    expected_of_property,
    parameter_experiments,
)
from docrev.exploration.probed_facts import Probed, Replayer
from docrev.exploration.same_named import SameNamed
from docrev.exploration.second_looks import SecondLooks
from docrev.facts.kinds.sorts import MIN_SORTED
from docrev.facts.trials import UNKNOWN
from docrev.facts.wire_values import number
from docrev.graph.tool_graph import ToolGraph
from docrev.grouping import grouped
from docrev.prompts.steps import Steps
from docrev.records import Json, OperationKey
from docrev.spec import Catalog, Operation, Parameter

_FIRST_LISTS = 3
"""Lists of a service that are called with unknown parameters early."""
_FULL_LIST = f"{UNKNOWN} of a list with items"
_COMPARED = 4.0
"""Facts that such a parameter shows of a list whose items are compared."""
_EARLY = frozenset([*ORDERING, Role.PAGE_SIZE])
_LATER = 0.3
_EARLY_PATH, _EARLY_HEADER, _EARLY_PAGING = (3, 1.0, _LATER), (2, 1.0, _LATER), (2, 4.0, 1.0)
"""Operations of a service on which such a parameter is tried early, and what its facts are worth on these and later."""
_LONGEST = 3
"""The same of a parameter that many operations share: one of the longest lists may be a log, which grows by each
call."""
_FIRST = 3.0
"""How much more what pages and sorts, and what nobody declared, is worth yet on one list of a service: who calls any
list needs to know it, before the states of things."""
_EARLY_READ = 2
"""Operations of a service on which a property of a POST that reads is tried early."""
_SHORT, _EMPTY = 0.4, 0.2
"""The share of these facts that a short list shows, and an empty one into which nothing will come."""
_ENOUGH = 16
"""Operations of a service that are asked for unknown parameters; what further ones do is no news."""
_MAX_FAILED = 40
_UNTOUCHED = frozenset(["authorization", "accept", "content-type", "cookie", "host", "user-agent"])


class Prober:
    """Offers the experiments on parameters and properties; `reached` are arguments with which each operation worked.

    `places` knows where this run created something that is still there; `looks` see whether a GET changed what it read.
    """

    def __init__(
        self,
        catalog: Catalog,
        graph: ToolGraph,
        evidence: Evidence,
        reached: Mapping[OperationKey, dict[str, Json]],
        places: Places,
        looks: SecondLooks,
    ) -> None:
        self._catalog, self._graph, self._evidence, self._looks = catalog, graph, evidence, looks
        self._reached, self._places = reached, places
        self._same_named, self._routes = SameNamed(graph), Routes(catalog.operations)
        self._users = Counter(p.place for operation in catalog.operations for p in operation.parameters)
        self._parts: list[Probed] = []
        self._firsts = FirstTries()

    @property
    def probed(self) -> Probed:
        """What was found so far."""
        found = Probed()
        for part in self._parts:
            found.add(part)
        return found

    def experiments(self) -> Iterator[Experiment]:
        """One for each parameter and each property, and one for parameters that nobody declared."""
        operations = [self._catalog[key] for key in self._reached if key in self._catalog]
        reading = {operation.key: known for operation in operations if (known := self._known(operation)) is not None}
        longest = self._longest(reading)
        for operation in operations:
            if operation.key in reading:
                yield from self._reading(operation, reading[operation.key], longest)
            elif operation.method in ("POST", "PUT", "PATCH"):
                yield from self._writing(operation)

    def _known(self, operation: Operation) -> Known | None:
        """What earlier calls of an operation offer; None if it does not only read, or has nothing to be varied."""
        if operation.method not in SAFE_METHODS or not self._chosen(operation):
            return None
        return bases(self._evidence, operation, self._reached[operation.key])

    def _chosen(self, operation: Operation) -> list[Parameter]:
        return [parameter for parameter in operation.parameters if self._probable(operation, parameter)]

    def _longest(self, reading: Mapping[OperationKey, Known]) -> dict[tuple[str, str], list[OperationKey]]:
        """The operations that take a parameter, by tool and location, those with the longest lists first.

        A long list shows best how many items a page has, and in which order they are.
        """
        takers = grouped(
            ((key.tool, parameter.key), key)
            for key in sorted(reading, key=lambda key: -(reading[key].size or 0))
            for parameter in self._chosen(self._catalog[key])
            if parameter.location == "query" and (reading[key].size or 0) >= MIN_SORTED
        )
        return takers

    def _reading(
        self, operation: Operation, known: Known, longest: Mapping[tuple[str, str], Sequence[OperationKey]]
    ) -> Iterator[Experiment]:
        chosen = self._chosen(operation)
        if chosen:
            short = known.size is not None and known.size < MIN_SORTED
            grows = short and self._places.will_grow(operation)
            bench = Bench(operation, known)
            reader = Reader(
                bench,
                self._graph,
                self._same_named,
                self._looks,
                ItemDetails.of(bench, self._routes, self._evidence),
                self._evidence,
                partial(self._places.fullest_place, operation) if grows else None,
            )
            self._parts.append(reader.probed)
            if any(parameter.location == "query" for parameter in chosen):
                yield self._unknown(operation, reader, known.size)
            early = self._early(operation, chosen, known.size, longest)
            share = _SHORT if grows else _EMPTY if known.size == 0 else 1.0
            yield from parameter_experiments(operation, chosen, reader, share, early)

    def _unknown(self, operation: Operation, reader: Reader, size: int | None) -> Experiment:
        """A parameter that nobody declared, sent to an operation that has such a number of items."""
        is_enough = not self._firsts.is_among(_ENOUGH, operation.tool, UNKNOWN)
        compares = bool(size) and self._firsts.is_among(_FIRST_LISTS, operation.tool, _FULL_LIST)
        facts = _COMPARED if compares else _LATER if is_enough else 1
        facts *= self._first(operation, UNKNOWN) if compares else 1
        return Experiment(operation.key, UNKNOWN, facts, 3.5, partial(reader.unknown, compares=compares))

    def _early(
        self,
        operation: Operation,
        chosen: Sequence[Parameter],
        size: int | None,
        longest: Mapping[tuple[str, str], Sequence[OperationKey]],
    ) -> dict[str, float]:
        """What the facts on some parameters are worth more, or less: what pages and sorts one list of a service does so
        in most, and who calls one needs to know it first; what the path of one takes, that of others does; and what is
        written once for many operations is read by the callers of all."""
        found = {}
        by_place = {"path": _EARLY_PATH, "header": _EARLY_HEADER}
        for parameter in chosen:
            if parameter.location in by_place:
                first, early, later = by_place[parameter.location]
                is_early = self._firsts.is_among(first, operation.tool, parameter.key)
                found[parameter.key] = early if is_early else later
            elif (size or 0) >= MIN_SORTED:
                first = _LONGEST if self._users[parameter.place] > 1 else _EARLY_PAGING[0]
                is_early = operation.key in longest.get((operation.tool, parameter.key), ())[:first]
                found[parameter.key] = self._in_query(parameter, is_early=is_early)
                if is_early and role_in(parameter) in _EARLY:
                    found[parameter.key] *= self._first(operation, parameter.key)
        return found

    def _first(self, operation: Operation, subject: str) -> float:
        """How much more a subject is worth if no operation of a service was offered for it yet."""
        return _FIRST if self._firsts.is_among(1, operation.tool, f"first {subject}") else 1.0

    def _in_query(self, parameter: Parameter, *, is_early: bool) -> float:
        users = self._users[parameter.place]
        early, later = _EARLY_PAGING[1:] if role_in(parameter) in _EARLY else (1.0, 1.0)
        if users == 1:
            return early if is_early else later
        return max(early, users**0.5) if is_early else _LATER

    def _probable(self, operation: Operation, parameter: Parameter) -> bool:
        """Whether calls can show anything of a parameter: of one in the path, that it is a number or one of a few."""
        if parameter.location == "path":
            whole = number(self._reached[operation.key].get(parameter.key)) is not None
            return whole or self._chooses(operation, parameter)
        return parameter.location in ("query", "header") and not _untouchable(parameter)

    def _chooses(self, operation: Operation, parameter: Parameter) -> bool:
        """Whether an error named the values that a path parameter may have."""
        failed = islice(self._evidence.calls.select(key=operation.key, ok=False), _MAX_FAILED)
        statements = (s for call in failed for s in hints_about(call, parameter.name, "path"))
        return any(s.kind == "allowed-values" and s.name == parameter.name for s in statements)

    def _writing(self, operation: Operation) -> Iterator[Experiment]:
        bench = body_bench(self._evidence, operation)
        if bench is not None:
            writer = Writer(bench, self._same_named, partial(self._places.created_place, operation))
            self._parts.append(writer.probed)
            for location, value in subjects(operation, bench.arguments["body:"]):
                facts, calls = self._of_property(operation, location)
                run = partial(writer.property, location, value)
                yield Experiment(operation.key, location, facts, calls, run, writes=True)

    def _of_property(self, operation: Operation, location: str) -> tuple[float, float]:
        """Facts and calls that are expected of a property: of a POST that reads as of a parameter that is called so."""
        if self._places.only_reads(operation):
            facts, calls = expected_of_choice(operation, location)
            is_early = self._firsts.is_among(_EARLY_READ, operation.tool, location)
            early = _EARLY_PAGING[1] if role_of(location.rpartition("/")[2]) in _EARLY else 1.0
            return facts * (early if is_early else _LATER), calls
        return expected_of_property(operation, location)


class Writer:
    """The probing of the body of one operation, a property at a time."""

    def __init__(self, bench: Bench, same_named: SameNamed, place: Callable[[], dict[str, Json] | None]) -> None:
        self._bench, self._place = bench, place
        self._shown = Replayer(bench, same_named)
        self._ready: bool | None = None

    @property
    def probed(self) -> Probed:
        return self._shown.probed

    def property(self, location: str, value: Json) -> Steps[None]:
        """Send other values for one property, and show again what they show."""
        if self._ready is None:
            self._bench.move(self._place() or {})
            self._ready = yield from self._bench.start()
        if self._ready and not self._bench.spent:
            yield from probe_property(self._bench, location, value)
            yield from try_bounds(self._bench, location)
            yield from self._shown.again(location)


def _untouchable(parameter: Parameter) -> bool:
    name = parameter.name.lower()
    return parameter.location == "header" and (name in _UNTOUCHED or name.startswith("if-") or "key" in name)
