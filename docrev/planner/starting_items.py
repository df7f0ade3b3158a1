"""The items that paths start with: those of the evidence that a name, a code or a selection of a list leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from docrev.conventions.fields import is_link
from docrev.conventions.ids import is_id_name
from docrev.graph.values import flat
from docrev.grouping import grouped
from docrev.planner.knowledge import Knowledge, Memo
from docrev.planner.operation_paths import OperationPath, find_hop_call
from docrev.planner.operation_views import OperationView, SuccessfulCall
from docrev.planner.response_items import MAX_ITEMS, ResponseItem
from docrev.records import Given, Json, OperationKey

MAX_STARTS = 12
"""Items that are tried for a path that starts with a name."""
MAX_MANY = 15
"""The most items of which all are asked for."""
Part = TypeVar("Part")


@dataclass(slots=True)
class PartialPath:
    """A path with values up to an operation: `item` is the one at hand, None if the evidence does not have it.

    `items` are all that its response has; `many`: all of them are meant. `givens` is what the text gives, and
    `call_givens` which of these each call is sent. `passed_on` are the values sent by hops, `arguments` those of the
    last hop's call, `listed_fields` what a list before already shows of the item, and `firsts` the operations of whose
    lists the first item is meant.
    """

    view: OperationView
    item: ResponseItem | None
    items: tuple[ResponseItem, ...] = ()
    givens: list[Given] = field(default_factory=list)
    call_givens: list[tuple[OperationKey, tuple[Given, ...]]] = field(default_factory=list)
    many: bool = False
    passed_on: list[Json] = field(default_factory=list)
    arguments: Mapping[str, Json] = field(default_factory=dict)
    listed_fields: set[str] = field(default_factory=set)
    firsts: set[OperationKey] = field(default_factory=set)


class StartingItems:
    """Finds the items that a path can start with; those that the exploration created are left out."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed
        self._pools: Memo[list[ResponseItem]] = knowledge.memo()
        self._returned: Memo[dict[str, ResponseItem]] = knowledge.memo()
        self._hopped: Memo[list[ResponseItem]] = knowledge.memo()

    def of(self, path: OperationPath, turn: int) -> Iterator[PartialPath]:
        """The starts of a path; `turn` rotates what they are about."""
        view = self._knowledge.views[path.start.key]
        if path.start.kind == "selection":
            return self._selected(path, view)
        return self._by_arguments(view, turn) if path.start.kind == "arguments" else self._named(path, view, turn)

    def _named(self, path: OperationPath, view: OperationView, turn: int) -> Iterator[PartialPath]:
        label = path.start.label
        anywhere = bool(path.start.location)
        place = (view.key, label, anywhere)
        pool = self._pools.get(place, lambda: self._gather(view, label, anywhere=anywhere))
        start = (turn * 7 + self._seed) % len(pool) if pool else 0
        followed = self._hopped.get((*place, path.hops[:1]), lambda: self._followed(path, pool))
        new: list[ResponseItem] = []
        if turn % 2:
            followed_ids = {id(item) for item in followed}
            new = rotate([item for item in pool if id(item) not in followed_ids], start)[:2]
        listed = set() if view.is_single else set(view.fields)
        for item in [*new, *rotate(followed, start), *rotate(pool, start)][:MAX_STARTS]:
            given = Given(label, item.fields[label], view.noun)
            yield PartialPath(view, self._as_returned(view, item, label), givens=[given], listed_fields=set(listed))

    def _gather(self, view: OperationView, label: str, *, anywhere: bool) -> list[ResponseItem]:
        """The items that have a name of their own: those of the plain list or, `anywhere`, of any response."""
        alike = [other for other in self._knowledge.views.values() if _reads_same(other, view)]
        calls = [call for other in alike for call in other.calls] if anywhere else _plain_calls(view)
        pool: dict[str, ResponseItem] = {}
        ambiguous: set[str] = set()
        for call in calls:
            for name, items in _by_name(call, label).items():
                pool.setdefault(name, items[0])
                if len(items) > 1:
                    ambiguous.add(name)
        return [item for name, item in pool.items() if name not in ambiguous and not self._was_created(item)]

    def _as_returned(self, view: OperationView, item: ResponseItem, label: str) -> ResponseItem:
        """The item as this operation returned it; if it did not yet, with the fields that it is known to return."""
        returned = self._returned.get((view.key, label), lambda: _first_by_name(view, label))
        found = returned.get(item.fields[label].casefold())
        if found is not None:
            return found
        return item._replace(fields={name: value for name, value in item.fields.items() if name in view.fields})

    def _followed(self, path: OperationPath, pool: list[ResponseItem]) -> list[ResponseItem]:
        """The items from which a call of the evidence made the first hop."""
        if not path.hops:
            return pool
        hop = path.hops[0]
        target = self._knowledge.views[hop.key]
        return [item for item in pool if find_hop_call(target, hop, item.fields.get(hop.field))]

    def _selected(self, path: OperationPath, view: OperationView) -> Iterator[PartialPath]:
        selection = path.start.selection
        assert selection is not None
        call = next(call for call in view.calls if tuple(call.arguments.items()) == selection.arguments)
        items = call.response.items
        if not any(self._was_created(item) for item in items):
            givens = [located_given(view, location, value) for location, value in selection.arguments]
            sent = [(view.key, tuple(givens))]
            yield PartialPath(view, items[0], items, givens, sent, listed_fields=set(view.fields))

    def _by_arguments(self, view: OperationView, turn: int) -> Iterator[PartialPath]:
        single = [call for call in _plain_calls(view) if len(call.response.items) == 1]
        for call in rotate(single, turn):
            if not any(str(value) in self._knowledge.created_ids for value in call.arguments.values()):
                givens = [located_given(view, location, value) for location, value in flat(call.arguments)]
                sent = [(view.key, tuple(givens))]
                yield PartialPath(view, call.response.items[0], givens=givens, call_givens=sent)

    def _was_created(self, item: ResponseItem) -> bool:
        """Whether the exploration itself created an item: it will be gone, and nobody would ask for it."""
        created = self._knowledge.created_ids
        return any(is_id_name(name) and str(value) in created for name, value in item.fields.items())


def is_complete(knowledge: Knowledge, view: OperationView, call: SuccessfulCall) -> bool:
    """Whether a list is complete: it is far shorter than what the tool, or this operation, returns at once."""
    count = len(call.response.items)
    if call.response.is_partial or not 2 <= count <= MAX_MANY:
        return False
    longest = max(other.longest_list for other in knowledge.views.values() if other.key.tool == view.key.tool)
    return count < min(view.longest_list, MAX_ITEMS) or 3 * count <= longest


def located_given(view: OperationView, location: str, value: object) -> Given:
    """A given that is sent as it stands at a location."""
    name = location.rpartition("/")[2] if location.startswith("body:") else location.partition(":")[2]
    return Given(name, value, view.noun, location)


def rotate(parts: Sequence[Part], start: int) -> list[Part]:
    """The parts from one of them on, the others after them."""
    at = start % len(parts) if parts else 0
    return [*parts[at:], *parts[:at]]


def _plain_calls(view: OperationView) -> list[SuccessfulCall]:
    """The calls without optional arguments."""
    required = set(view.required_locations())
    return [call for call in view.calls if set(call.arguments) <= required]


def _reads_same(other: OperationView, view: OperationView) -> bool:
    """Whether an operation reads items of the same kind from the same tool."""
    return other.noun == view.noun and other.key.tool == view.key.tool and other.is_safe


def _by_name(call: SuccessfulCall, label: str) -> dict[str, list[ResponseItem]]:
    """The items of a response by their name in lower case."""
    return grouped(
        (item.fields[label].casefold(), item) for item in call.response.items if _is_name(item.fields.get(label))
    )


def _first_by_name(view: OperationView, label: str) -> dict[str, ResponseItem]:
    """The item that an operation returned first of each name."""
    items = (item for call in reversed(view.calls) for item in reversed(call.response.items))
    return {item.fields[label].casefold(): item for item in items if _is_name(item.fields.get(label))}


def _is_name(value: object) -> bool:
    """Whether a value can be quoted in a text as a name."""
    return isinstance(value, str) and 2 <= len(value) <= 80 and not is_link(value) and "\n" not in value
