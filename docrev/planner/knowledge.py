"""What the planner knows: a view of each operation, the tool graph's edges, and what was learned from calls.

Within a round of scenarios nothing is learned, so that a plan depends on the round's evidence and not on the order in
which searches run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

from docrev.conventions.ids import is_id_name
from docrev.graph.tool_graph import Edge, ToolGraph
from docrev.planner.operation_views import GENERIC_SEGMENTS, OperationView, documented_view
from docrev.planner.response_items import ResponseItem, ResponseItems, read_items
from docrev.records import Call, OperationKey
from docrev.spec import Catalog

LIKELY = 0.45
"""The score from which an edge of the tool graph is followed."""
MAX_EDGES = 12
MAX_RESPONSES = 4000
MIN_SHARED = 0.7
"""The share of fields from which an operation is about the things of another one."""

Value = TypeVar("Value")


class Memo(Generic[Value]):
    """Values by key, each computed once; at most `limit` of them are kept."""

    def __init__(self, limit: int = 100_000) -> None:
        self._limit = limit
        self._values: dict[Hashable, Value] = {}

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """The value for a key; `compute` is called if there is none."""
        if key in self._values:
            return self._values[key]
        if len(self._values) >= self._limit:
            self._values.clear()
        value = self._values[key] = compute()
        return value

    def clear(self) -> None:
        """Forget all values."""
        self._values.clear()


class Knowledge:
    """Views of all operations by key, and the edges between them.

    `created_ids` are the ids that the exploration's own POST and PUT requests got back.
    """

    def __init__(self, catalog: Catalog, graph: ToolGraph) -> None:
        self.graph = graph
        self.views = {operation.key: documented_view(operation) for operation in catalog.operations}
        self.created_ids: set[str] = set()
        self._memos: list[Memo[Any]] = []
        self._responses: Memo[ResponseItems] = Memo(MAX_RESPONSES)
        self._sources: Memo[dict[tuple[str, str], list[Edge]]] = self.memo()
        self._feeding: Memo[list[OperationKey]] = self.memo()
        self.fits: Memo[float] = self.memo()
        """How well the givens of a field and a noun fit a slot."""

    def memo(self, limit: int = 100_000) -> Memo[Any]:
        """A cache that is emptied whenever something is learned."""
        memo: Memo[Any] = Memo(limit)
        self._memos.append(memo)
        return memo

    def learn(self, calls: Iterable[Call]) -> None:
        """Take in calls in the given order, each once; then decide what the operations are about."""
        for call in calls:
            view = self.views.get(call.key)
            if view is None or call.error == "denied":
                continue
            if call.ok:
                self._learn_success(view, call)
            else:
                view.add_failure(call)
        for view in self.views.values():
            view.forget_conclusions()
        self._name_by_fields()
        for memo in self._memos:
            memo.clear()

    def response(self, call: Call) -> ResponseItems:
        """The items of a call's response."""
        return self._responses.get(call.id, lambda: read_items(call))

    def item_noun(self, key: OperationKey, item: ResponseItem | None = None) -> str:
        """What an item of this operation's responses is called."""
        if item is not None and item.noun and item.noun not in GENERIC_SEGMENTS:
            return item.noun
        return self.views[key].noun

    def alike(self, view: OperationView) -> list[OperationView]:
        """The other operations about the same kind of thing."""
        return [other for other in self.views.values() if other is not view and other.noun == view.noun]

    def best_edges(self, key: OperationKey, location: str) -> list[Edge]:
        """The best edges into a slot."""
        return self.graph.producers(key, location)[:MAX_EDGES]

    def edges_by_source(self, key: OperationKey, location: str) -> dict[tuple[str, str], list[Edge]]:
        """The best edges into a slot by the tool and the noun of what they come from."""
        return self._sources.get((key, location), lambda: self._group_edges(key, location))

    def feeding_operations(self, key: OperationKey) -> list[OperationKey]:
        """The operations that feed this one, by its likelier edges."""
        return self._feeding.get(key, lambda: self._find_feeding(key))

    def _group_edges(self, key: OperationKey, location: str) -> dict[tuple[str, str], list[Edge]]:
        groups: dict[tuple[str, str], list[Edge]] = {}
        for edge in self.best_edges(key, location):
            source = self.views.get(edge.source)
            if source is not None:
                groups.setdefault((edge.source.tool, source.noun), []).append(edge)
        return groups

    def _find_feeding(self, key: OperationKey) -> list[OperationKey]:
        edges = (edge for location in self.views[key].slots for edge in self.best_edges(key, location))
        return [*dict.fromkeys(edge.source for edge in edges if edge.score >= LIKELY and edge.source in self.views)]

    def _learn_success(self, view: OperationView, call: Call) -> None:
        response = self.response(call)
        view.add_success(call, response)
        if view.key.method in ("POST", "PUT"):
            fields = (field for item in response.items[:1] for field in item.fields.items())
            self.created_ids |= {str(value) for name, value in fields if is_id_name(name)}

    def _name_by_fields(self) -> None:
        """Give operations whose path names no thing (`/search`) the noun of the things that they return."""
        fields_by_noun: dict[str, set[str]] = {}
        for view in self.views.values():
            if view.fields and view.noun and view.is_safe and view.addresses_item:
                fields_by_noun.setdefault(view.noun, set()).update(view.fields)
        for view in self.views.values():
            if view.noun not in fields_by_noun and len(view.fields) >= 3 and view.is_safe:
                shares = ((len(fields & view.fields.keys()), noun) for noun, fields in sorted(fields_by_noun.items()))
                count, noun = max(shares, default=(0, ""), key=lambda share: share[0])
                if count / len(view.fields) >= MIN_SHARED:
                    view.noun = noun
