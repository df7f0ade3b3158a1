"""Where probes of states may write and read: what the run created, ids that nobody has, ids that are chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from docrev.calls.content import content
from docrev.calls.journal import Journal
from docrev.calls.routes import Routes, only_path, without_path
from docrev.conventions.run_names import PROBES
from docrev.exploration.bodies import renamed_arguments
from docrev.exploration.path_shapes import fill, path_arguments
from docrev.facts.observations import Observations, unknown_id
from docrev.language.path_templates import heads_of, parameters_of, shape_of
from docrev.records import Call, JournalItem, Json, OperationKey
from docrev.spec import Operation

_MAX_SORTS = 5
"""Sorts of things of which one is made."""
_LEAST_PARTS = 2
"""Parameters of a path of which the last is of a thing inside another."""


class Places:
    """Path arguments for probes. `seen` are the calls that were made before them."""

    def __init__(self, journal: Journal, routes: Routes, seen: Mapping[OperationKey, Observations]) -> None:
        self._journal, self._routes, self._seen = journal, routes, seen
        self._number = 0
        self._aside: set[str] = set()

    def only_reads(self, operation: Operation) -> bool:
        """Whether a POST was shown to read."""
        return self._journal.readings.reads.get(operation.key, False)

    def place_to_write(self, operation: Operation) -> dict[str, Json] | None:
        """Path arguments for a write: nothing, what this run created last, or, to POST, what was accepted before."""
        if not parameters_of(operation.path):
            return {}
        created = self.created_place(operation)
        if created is None and operation.method == "POST":
            good = self._seen[operation.key].good
            return only_path(good[0].arguments) if good else None
        return created

    def created_place(self, operation: Operation) -> dict[str, Json] | None:
        """The path arguments of the newest item of this run that an operation is on, or under, in the form in which the
        operation takes them."""
        place = self.journal_place(operation)
        return place and (self._other_form(operation) or place)

    def journal_place(self, operation: Operation) -> dict[str, Json] | None:
        """The path arguments of the newest item that an operation is on, or under, as the journal has it."""
        heads = list(heads_of(operation.path))
        for item in self._newest_first(operation.tool) if heads else ():
            if item.confirmed and not item.deleted:
                values = fill(shape_of(heads[-1]), item.path)
                if values is not None:
                    return path_arguments(operation.path, values)
        return None

    def set_aside(self, item: JournalItem) -> None:
        """Take an item only where there is no other one: it may be closed by now."""
        self._aside.add(item.id)

    def _newest_first(self, tool: str) -> list[JournalItem]:
        """The items of a tool, the newest first, and those last that were set aside."""
        items = [item for item in reversed(self._journal.items) if item.tool == tool]
        return sorted(items, key=lambda item: item.id in self._aside)

    def created_places(self, operation: Operation) -> list[dict[str, Json]]:
        """The path arguments of all items of this run that an operation is on, the newest first."""
        there = (item for item in reversed(self._journal.items) if item.confirmed and not item.deleted)
        found = (fill(shape_of(operation.path), item.path) for item in there if item.tool == operation.tool)
        return [path_arguments(operation.path, values) for values in found if values is not None]

    def is_on_own(self, call: Call) -> bool:
        """Whether a call's path names something that this run made: it may be gone by now."""
        own = {str(value) for item in self._journal.items for value in item.arguments.values()}
        return not own.isdisjoint(map(str, only_path(call.arguments).values()))

    def takes_other_form(self, operation: Operation) -> bool:
        """Whether an operation takes things of this run by another ID than the journal has."""
        place = self.journal_place(operation)
        return place is not None and self.created_place(operation) != place

    def _other_form(self, operation: Operation) -> dict[str, Json] | None:
        """The path arguments that an operation accepted inside something of this run, if it takes its things by no ID
        that the journal has: they are known by their names there."""
        heads, good = list(heads_of(operation.path)), self._seen[operation.key].good
        items = [item for item in self._journal.items if item.tool == operation.tool and item.confirmed]
        ids = {str(value) for item in items for value in (*item.arguments.values(), item.path.rpartition("/")[2])}
        last = f"path:{parameters_of(operation.path)[len(heads) - 1]}"
        if len(heads) < _LEAST_PARTS or not {str(call.arguments.get(last)) for call in good}.isdisjoint(ids):
            return None
        inside = self._own_values(operation.tool, shape_of(heads[-2]))
        places = (only_path(call.arguments) for call in reversed(good))
        return next((there for there in places if tuple(map(str, there.values()))[: len(heads) - 1] in inside), None)

    def _own_values(self, tool: str, shape: str) -> set[tuple[str, ...]]:
        """The path values of the items of this run that are there, of one shape."""
        there = (item for item in self._journal.items if item.tool == tool and item.confirmed and not item.deleted)
        found = (fill(shape, item.path) for item in there)
        return {tuple(map(str, values)) for values in found if values is not None}

    def fresh_place(self, operation: Operation) -> dict[str, Json] | None:
        """Path arguments that end in an id that nobody has, below what this run created; it is noted as chosen."""
        names, heads = parameters_of(operation.path), list(heads_of(operation.path))
        upper: list[Json] = []
        if len(names) > 1:
            above = shape_of(heads[-2])
            items = [i for i in self._newest_first(operation.tool) if i.confirmed and not i.deleted]
            found = next((values for item in items if (values := fill(above, item.path))), None)
            if found is None:
                return None
            upper = list(found)
        self._number += 1
        last = unknown_id(self._ids(operation, names[-1]), self._number)
        place = path_arguments(operation.path, [*upper, last])
        self._journal.choose(operation, place)
        return place

    def places_of_other_sorts(self, operation: Operation, first: Call) -> Iterator[dict[str, Json]]:
        """Where a call would put things of the other sorts that the path names by documented values, each with an id
        that nobody has, noted as chosen: of `/rules/{kind}/{id}`, one place for each other kind."""
        *above, last = [f"path:{name}" for name in parameters_of(operation.path)]
        sorts = (parameter for parameter in map(operation.parameter, above) if parameter and parameter.schema.enum)
        for parameter in islice(sorts, 1):
            others = (value for value in parameter.schema.enum or () if value != first.arguments.get(parameter.key))
            for value in islice(others, _MAX_SORTS):
                known = first.arguments.get(last)
                place = only_path(first.arguments) | {parameter.key: value, last: self.chosen_id(known)}
                self._journal.choose(operation, place)
                yield place

    def unknown_id(self, operation: Operation, name: str) -> Json:
        """An id that nobody has, for one parameter of a path."""
        self._number += 1
        return unknown_id(self._ids(operation, name), self._number)

    def chosen_id(self, known: Json) -> Json:
        """An id that nobody has, of the form of a known one."""
        self._number += 1
        return unknown_id([known], self._number)

    def renamed(self, operation: Operation, arguments: dict[str, Json]) -> dict[str, Json]:
        """Arguments with names that nothing was given yet."""
        if content(operation, arguments) is None:
            return arguments
        self._number += 1
        return renamed_arguments(operation, arguments, self._journal, self._number, PROBES)

    def fullest_place(self, operation: Operation) -> dict[str, Json] | None:
        """The path arguments under which this run created most."""
        counts: dict[tuple[str, ...], int] = {}
        for item in self._journal.items:
            values = fill(shape_of(operation.path) + "/{}", item.path)
            if values is not None and item.tool == operation.tool and not item.deleted:
                parent = tuple(map(str, values[:-1]))
                counts[parent] = counts.get(parent, 0) + 1
        if not counts or not parameters_of(operation.path):
            return None
        most = max(counts.items(), key=lambda entry: (entry[1], entry[0]))
        return path_arguments(operation.path, most[0])

    def will_grow(self, operation: Operation) -> bool:
        """Whether this run creates what an operation lists: there will be more of it."""
        shape = f"{shape_of(operation.path)}/{{}}"
        return any(fill(shape, item.path) for item in self._journal.items if item.tool == operation.tool)

    def shape(self, item: JournalItem) -> str | None:
        """The path of an item's kind, with its parameters' names forgotten."""
        found = self._routes.address(item.tool, item.path)
        return shape_of(found[0].path) if found is not None else None

    def existing_items(self) -> set[str]:
        """The ids of the items of this run that are there."""
        return {item.id for item in self._journal.items if not item.deleted}

    def new_items(self, before: set[str]) -> list[JournalItem]:
        """The items of this run that are there now, and were not `before`."""
        return [item for item in self._journal.items if item.id not in before and not item.deleted]

    def _ids(self, operation: Operation, name: str) -> Iterator[Json]:
        for call in self._seen[operation.key].good:
            if f"path:{name}" in call.arguments:
                yield call.arguments[f"path:{name}"]


def rest_of(call: Call) -> dict[str, Json]:
    """The arguments of a call that are not in its path."""
    return without_path(call.arguments)
