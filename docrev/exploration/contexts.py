"""Which path arguments belong together: `/buckets/{bucket_id}/collections/{id}` wants a collection of that bucket.

Known tuples are kept by the shape of the path (parameter names forgotten, since `{id}` of one path is `{bucket_id}` of
the next): from calls that were answered 2xx, from lists, and from what the run created.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from docrev.conventions.ids import is_called
from docrev.conventions.lists import list_of
from docrev.graph.tool_graph import ToolGraph
from docrev.json_values.leaves import values_at
from docrev.records import Call, JournalItem, Json, OperationKey
from docrev.spec import Catalog

MAX_TUPLES = 30
_PARAMETER = re.compile(r"\{([^{}]+)\}")


def parameters_of(path: str) -> list[str]:
    """The names of the path parameters, in order."""
    return _PARAMETER.findall(path)


def path_arguments(path: str, values: Sequence[Json]) -> dict[str, Json]:
    """Path arguments from their values, in the order of the path; values may be missing at the end."""
    return {f"path:{name}": value for name, value in zip(parameters_of(path), values, strict=False)}


def shape_of(path: str) -> str:
    """The path with its parameter names forgotten: `/buckets/{}/groups/{}`."""
    return _PARAMETER.sub("{}", path).rstrip("/")


def heads_of(path: str) -> Iterator[str]:
    """The shorter paths that end in a parameter, the path itself included if it does: shortest first."""
    parts = path.rstrip("/").split("/")
    for count in range(1, len(parts) + 1):
        if "{" in parts[count - 1]:
            yield "/".join(parts[:count])


class Contexts:
    """Known tuples of path arguments by (tool, shape), in the order in which they became known."""

    def __init__(self, catalog: Catalog, graph: ToolGraph) -> None:
        self._graph = graph
        self._known: dict[tuple[str, str], dict[tuple[Json, ...], None]] = {}
        self._owned: dict[tuple[str, str], dict[tuple[Json, ...], None]] = {}
        self._children: dict[tuple[str, str], list[OperationKey]] = {}
        for operation in catalog.operations:
            for head in heads_of(operation.path):
                self._known.setdefault((operation.tool, shape_of(head)), {})
                collection = shape_of(head).rpartition("/")[0]
                self._children.setdefault((operation.tool, collection), []).append(operation.key)

    def observe(self, call: Call) -> None:
        """Learn from a 2xx call: its own path arguments, and the ids of the list that it returned."""
        if not call.ok or call.key.method == "DELETE":
            return
        values = tuple(call.arguments.get(f"path:{name}") for name in parameters_of(call.key.path))
        for head in heads_of(call.key.path):
            self._add(self._known, call.key.tool, shape_of(head), values[: len(parameters_of(head))])
        if call.key.method == "GET":
            self._learn_items(call, values)

    def _learn_items(self, call: Call, values: tuple[Json, ...]) -> None:
        """The ids in a list, by the field that best feeds the parameter after the list's path."""
        shape = shape_of(call.key.path)
        found = list_of(call)
        items = f"{call.status}:{found.pointer}/0" if found is not None else ""
        for child in self._children.get((call.key.tool, shape), ()):
            location = f"path:{parameters_of(child.path)[len(values)]}"
            edges = [edge for edge in self._graph.producers(child, location) if edge.source == call.key]
            if edges:
                best = next((edge for edge in edges if edge.pointer.startswith(items)), edges[0])
                pointer = best.pointer.partition(":")[2]
                for value in values_at(call.body, pointer, items=MAX_TUPLES, inner=MAX_TUPLES):
                    self._add(self._known, call.key.tool, f"{shape}/{{}}", (*values, value))
                return

    def learn_created(self, item: JournalItem) -> None:
        """Learn what the run created: it comes before everything else, and is all that unsafe calls may touch."""
        for tool, shape in list(self._known):
            if tool == item.tool and (values := fill(shape, item.path)) is not None:
                self._add(self._owned, tool, shape, values)

    def suppose(self, tool: str, path: str, value: Json) -> None:
        """Take it that a value is good for a path with one parameter."""
        self._add(self._known, tool, shape_of(path), (value,))

    def forget(self, item: JournalItem) -> None:
        """Forget what was deleted."""
        parts = item.path.rstrip("/").split("/")
        for kept in (self._owned, self._known):
            for (tool, shape), tuples in kept.items():
                if tool == item.tool:
                    for values in [v for v in tuples if _filled(shape, v)[: len(parts)] == parts]:
                        del tuples[values]

    def shapes(self, tool: str) -> list[str]:
        """The shapes with one parameter for which something is known."""
        return [
            shape for (name, shape), known in self._known.items() if name == tool and known and shape.count("{}") == 1
        ]

    def tuples(self, tool: str, path: str, *, owned: int = 0) -> list[tuple[Json, ...]]:
        """Known tuples for all parameters of a path: what the run created first, newest first among those.

        Only those whose first `owned` values are of something that the run created.
        """
        key, heads = (tool, shape_of(path)), list(heads_of(path))
        mine = list(reversed(self._owned.get(key, {})))
        others = [values for values in self._known.get(key, {}) if values not in self._owned.get(key, {})]
        if not owned:
            return mine + others
        parents = self._owned.get((tool, shape_of(heads[owned - 1])), {}) if owned <= len(heads) else {}
        return mine + [values for values in others if tuple(map(str, values[:owned])) in parents]

    def own_ids(self, tool: str, name: str) -> list[Json]:
        """The ids of what the run created of the kind that a parameter or a member is called after, newest first."""
        return [
            values[-1]
            for (owner, shape), tuples in self._owned.items()
            if owner == tool and is_called(name, shape.rpartition("/")[0].rpartition("/")[2])
            for values in reversed(tuples)
        ]

    def _add(
        self, kept: dict[tuple[str, str], dict[tuple[Json, ...], None]], tool: str, shape: str, values: tuple[Json, ...]
    ) -> None:
        tuples = kept.setdefault((tool, shape), {})
        if len(tuples) < MAX_TUPLES and all(isinstance(value, (str, int, float)) for value in values):
            tuples.setdefault(values)


def fill(shape: str, path: str) -> tuple[str, ...] | None:
    """The arguments with which `shape` gives the concrete `path`, or None."""
    wanted_parts, parts = shape.split("/"), path.rstrip("/").split("/")
    if len(wanted_parts) != len(parts):
        return None
    values = []
    for wanted, part in zip(wanted_parts, parts, strict=True):
        if wanted == "{}":
            values.append(unquote(part))
        elif wanted != part:
            return None
    return tuple(values)


def _filled(shape: str, values: tuple[Json, ...]) -> list[str]:
    remaining = iter(values)
    return [str(next(remaining, "")) if part == "{}" else part for part in shape.split("/")]
