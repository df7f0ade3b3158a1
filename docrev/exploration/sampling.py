"""Calls that a model may take names and values from when it writes a scenario."""

from __future__ import annotations

from docrev.graph.tool_graph import ToolGraph
from docrev.records import Call, OperationKey

OWN, RELATED, MOST = 3, 1, 10
"""Calls of the operation itself, of each one that feeds it or is fed by it, and in all."""


class Samples:
    """The first good calls of each operation, followed along the program: a resumed run shows the same."""

    def __init__(self, graph: ToolGraph) -> None:
        self._graph = graph
        self._calls: dict[OperationKey, list[Call]] = {}
        graph.watch(self._note)

    def __call__(self, key: OperationKey) -> tuple[Call, ...]:
        """Calls of `key`, then of what is most strongly related to it."""
        found = list(self._calls.get(key, ()))
        for other in self._graph.related(key):
            found += self._calls.get(other, ())[:RELATED]
        return tuple(found[:MOST])

    def _note(self, call: Call) -> None:
        kept = self._calls.setdefault(call.key, [])
        if call.ok and len(kept) < OWN:
            kept.append(call)
