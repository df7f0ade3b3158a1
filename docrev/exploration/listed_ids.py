"""The IDs in a list, or an object, for the paths below its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from docrev.calls.path_texts import noun_of
from docrev.calls.route_arguments import key_of
from docrev.conventions.ids import own_id
from docrev.conventions.lists import ListFound
from docrev.exploration.path_answers import MAX_IDS, named_parts, pointers_inside
from docrev.graph.tool_graph import Edge, ToolGraph
from docrev.json_values.leaves import values_at
from docrev.language.path_templates import parameters_of, shape_of
from docrev.records import Call, Json, OperationKey
from docrev.spec.route_places import called

_MAX_FIELDS = 3
"""Fields of a list's items that may be what a path wants."""


class ListedIds:
    """Reads lists by the `routes` of operations, and by what feeds their parameters."""

    def __init__(self, routes: Mapping[OperationKey, OperationKey], graph: ToolGraph) -> None:
        self._routes, self._graph = routes, graph

    def of(
        self, call: Call, listed: ListFound | None, children: Iterable[OperationKey], count: int
    ) -> Iterator[tuple[Json, bool]]:
        """The keys of a map; the ids in a list, by the field that best feeds the parameter after the list's path; where
        none is known to, by what they look like. Each with whether its thing has a likelier one.

        `children` are the operations on paths below that of the list, which has `count` parameters.
        """
        yield from ((key, False) for key in (listed.keys if listed is not None else ()))
        noun = noun_of(shape_of(self._routes[call.key].path))
        for child in children:
            name = parameters_of(self._routes[child].path)[count]
            if key_of(name) == name:
                things = listed.things if listed is not None else []
                yield from ((own_id(thing, called(name), noun), False) for thing in things)
            elif edges := [one for one in self._graph.producers(child, f"path:{name}") if one.source == call.key]:
                yield from _fed(call, listed, edges, f"path:{name}")
                return
        yield from ((value, False) for value in named_parts(call, listed, noun))


def _fed(call: Call, listed: ListFound | None, edges: Sequence[Edge], location: str) -> Iterator[tuple[Json, bool]]:
    """The values of the fields that feed a location, those of the best one first."""
    items = f"{call.status}:{listed.pointer}/0" if listed is not None else ""
    for number, pointer in enumerate(pointers_inside(edges, items, listed, location)[:_MAX_FIELDS]):
        values = values_at(call.body, pointer.partition(":")[2], items=MAX_IDS, inner=MAX_IDS)
        yield from ((value, number > 0) for value in values)
