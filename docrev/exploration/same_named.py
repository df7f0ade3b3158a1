"""Values that fields of a parameter's name have in other responses: what a filter may choose by, documented or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest

from docrev.calls.routes import template
from docrev.conventions.parameters import Role, role_of
from docrev.exploration.probe_bench import Bench
from docrev.facts.shape import format_of
from docrev.facts.wire_values import key_of
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import values_at
from docrev.json_values.pointer import last
from docrev.language.words import words
from docrev.prompts.steps import Invoke, Steps
from docrev.records import Json, OperationKey

_SUFFIXES = ("", "_id", "Id", "_code", "Code")
_MAX_VALUES = 8
_FEW = 3
"""Values from which on no further items are read."""
_MAX_TIMES = 2
"""Times that are not shown by which a list may be sorted, in either direction."""
_MAX_READ = 8
"""Further items that are read for one parameter."""


class SameNamed:
    """Finds the values of the fields that a parameter may be about by its name."""

    def __init__(self, graph: ToolGraph) -> None:
        self._graph = graph
        self._read: dict[tuple[OperationKey, str], list[Json]] = {}

    def values(self, bench: Bench, location: str) -> list[Json]:
        """Distinct values in other responses of the tool; `customer` may also be what `customer_id` is elsewhere.

        What sorts is given names, not values: lists are also sorted by times that only other responses show.
        """
        if role_of(location.partition(":")[2]) is Role.SORT:
            shown = {name for item in bench.items for name in mapping(item)}
            times = [name for name in self._times(bench.operation.key.tool) if name not in shown]
            return [sign + name for name in times[:_MAX_TIMES] for sign in ("", "-")]
        places, key = self._places(bench.operation.key, location), bench.operation.key
        seen = (self._graph.values.samples(source, pointer) for source, pointer in places)
        return _distinct(chain(self._read.get((key, location), ()), *seen))[:_MAX_VALUES]

    def _times(self, tool: str) -> list[str]:
        """The names of the fields of a tool that are times, those that most operations return first."""
        seen = self._graph.values
        fields = [at for at in seen.places(tool) if format_of(seen.samples(*at[0])) == "date-time"]
        return [last(at[0][1]) for at in sorted(fields, key=lambda at: -len({key for key, _ in at}))]

    def read_more(self, bench: Bench, location: str) -> Steps[None]:
        """Read further items of the kinds whose own GET shows such a field with hardly any values.

        A list may leave out, where nothing is sent, all that has another value: other operations name those items.
        """
        for source, pointer in self._places(bench.operation.key, location):
            if "{" in source.path and source.method == "GET" and len(self.values(bench, location)) < _FEW:
                steps = [Invoke(source, arguments, "survey") for arguments in self._unread(bench, source)]
                calls = (yield steps) if steps else []
                path = pointer.partition(":")[2]
                read = [value for call in calls if call.ok for value in values_at(call.body, path)]
                self._read.setdefault((bench.operation.key, location), []).extend(read)

    def _unread(self, bench: Bench, source: OperationKey) -> list[dict[str, Json]]:
        """Arguments that address items which nobody read yet and the list does not have."""
        *parents, last = (f"path:{name}" for name in template(source.path).names)
        if not bench.arguments.keys() >= set(parents):
            return []
        known = {key_of(value) for value, _ in self._graph.values.accepted(source, last)}
        known |= {key_of(value) for item in bench.items if isinstance(item, dict) for value in item.values()}
        held = {parent: bench.arguments[parent] for parent in parents}
        fresh = [value for value in _distinct(self._ids(bench, source, last)) if key_of(value) not in known]
        return [{**held, last: value} for value in fresh[:_MAX_READ]]

    def _ids(self, bench: Bench, source: OperationKey, location: str) -> Iterator[Json]:
        """What other operations return for a path parameter, of each in turn."""
        edges = [edge for edge in self._graph.producers(source, location) if edge.source != bench.operation.key]
        samples = [reversed(self._graph.values.samples(edge.source, edge.pointer)) for edge in edges]
        return (value for turn in zip_longest(*samples) for value in turn)

    def _places(self, key: OperationKey, location: str) -> list[tuple[OperationKey, str]]:
        name = location.partition(":")[2]
        names = dict.fromkeys((name, "".join(words(name)), "_".join(words(name))))
        for suffix in _SUFFIXES:
            found = [place for one in names for place in self._graph.values.named(key.tool, f"{one}{suffix}")]
            if found:
                return [place for place in found if place[0] != key or "/0/" in place[1]]
        return []


def _distinct(values: Iterable[Json]) -> list[Json]:
    found = {key_of(value): value for value in values if value not in (None, "")}
    return list(found.values())
