"""What is still there after the run deleted it, or tried to: of such things few are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from docrev.calls.creation_answers import CreationAnswer
from docrev.calls.effects import Effects
from docrev.calls.path_texts import item_path, last_segment
from docrev.conventions.ids import is_drawn
from docrev.conventions.run_names import carries_made_up
from docrev.conventions.statuses import NOT_FOUND, is_client_error
from docrev.records import JournalItem, Json, OperationKey

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

MOST_KEPT = 12
"""Things of one kind that may be there where what is deleted stays: about as many as all experiments need."""
MOST_BARRED = 4
"""The same where deletions are refused whatever the thing: for want of rights, or since there is no such method."""
_BARRING = (401, 403, 405, 501)
_SHOWN = 2
"""Deletions of a kind that show that what is deleted stays."""


def is_still_own(id: str, thing: Json) -> bool:
    """Whether what has the ID of something that the run made is that thing, and none that was given its ID again."""
    return carries_made_up([id, thing]) or is_drawn(id)


class KeptThings:
    """The run's own things, by (tool, path), on which each removing operation was called, and those that stayed.

    Some services only mark as deleted, or refuse to delete what was used. What a list no longer shows is gone.
    """

    def __init__(self, effects: Effects, items: Callable[[], Sequence[JournalItem]]) -> None:
        self._effects, self._items = effects, items
        self._removals: dict[tuple[str, str], OperationKey] = {}
        self._stayed: set[tuple[str, str]] = set()
        self._barred: set[tuple[str, str]] = set()

    def note_removal(self, answer: CreationAnswer, path: str) -> None:
        """The thing at a path was deleted, or could not be."""
        place = answer.operation.tool, path
        refused = answer.status in _BARRING or (is_client_error(answer.status) and answer.status not in NOT_FOUND)
        own = any((item.tool, item.path) == place and item.confirmed for item in self._items())
        if own and (answer.ok or refused):
            self._removals[place] = answer.operation.key
            (self._barred.add if answer.status in _BARRING else self._barred.discard)(place)
            (self._stayed.add if refused else self._stayed.discard)(place)

    def see(self, tool: str, path: str, thing: Json) -> None:
        """An answer showed a thing at a path."""
        if (tool, path) in self._removals and is_still_own(last_segment(path), thing):
            self._stayed.add((tool, path))

    def see_list(self, tool: str, collection: str, listed: Iterable[tuple[Json, Json, frozenset[str]]]) -> None:
        """A list of a collection showed things by their IDs, and no others."""
        around = tool, collection.rstrip("/")
        removed = [place for place in self._removals if (place[0], place[1].rpartition("/")[0]) == around]
        # Most lists show nothing that was to be removed.
        shown = {item_path(collection, id): thing for id, thing, _ in listed if id is not None} if removed else {}
        for place in removed:
            if place[1] in shown:
                self.see(*place, shown[place[1]])
            else:
                self._stayed.discard(place)

    def keeps(self, operation: Operation) -> bool:
        """Whether there is enough of what an operation creates: what was deleted stayed, not seldomer than it went."""
        creates = self._effects.of(operation).kind == "creation"
        item = self._effects.item_operation(operation) if creates else operation
        removal = self._effects.routes.twin(item.key, "DELETE") if item is not None else None
        called = [place for place, key in self._removals.items() if removal is not None and key == removal.key]
        stayed = sum(place in self._stayed for place in called)
        if removal is None or stayed < max(_SHOWN, len(called) - stayed):
            return False
        most = MOST_BARRED if self._barred.issuperset(called) else MOST_KEPT
        return sum(self._is_there(item, removal.key) for item in self._items()) >= most

    def _is_there(self, item: JournalItem, removal: OperationKey) -> bool:
        """Whether an item that an operation removes is there."""
        if not item.confirmed or (item.deleted and (item.tool, item.path) not in self._stayed):
            return False
        found = self._effects.routes.resolve(item.tool, "DELETE", item.path)
        return found is not None and found[0].key == removal
