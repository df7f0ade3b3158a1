"""What the driver of one task keeps its calls in: memory. The trajectory contains them when the task is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from docrev.driver.store import Intent
from docrev.records import Arguments, Call, JournalItem, Node, OperationKey


class MemoryStore:
    """A `drive.Store` for as long as one task takes. A task is done again from its start, so nothing need last."""

    def __init__(self) -> None:
        self._calls: dict[str, Call] = {}
        self._items: dict[str, JournalItem] = {}
        self._counters: Counter[str] = Counter()

    def call(self, id: str) -> Call | None:
        return self._calls.get(id)

    def calls(self, *, key: OperationKey | None = None, ok: bool | None = None) -> list[Call]:
        calls = self._calls.values()
        return [call for call in calls if key in (None, call.key) and ok in (None, call.ok)]

    def kept(self, id: str) -> bool:
        return id in self._calls

    def recall(self, id: str) -> Call | None:
        return self._calls.get(id)

    def put_call(self, call: Call) -> None:
        self._calls[call.id] = call

    def put_node(self, node: Node) -> None:
        """Nodes come back in the trajectory."""

    def put_intent(self, id: str, key: OperationKey, arguments: Arguments, *, consent: bool = False) -> None:
        """No run goes on from here, so none needs to know."""

    def intents(self) -> Sequence[Intent]:
        return ()

    def put_item(self, item: JournalItem, *, again: bool = False) -> None:
        self._items[item.id] = item

    def adopt(self, item: JournalItem) -> None:
        """No run goes on here, so none finds what an earlier process created."""

    def journal(self) -> list[JournalItem]:
        return list(self._items.values())

    def kept_journal(self) -> list[JournalItem]:
        return self.journal()

    def count(self, name: str, by: int = 1) -> None:
        self._counters[name] += by

    def counters(self) -> dict[str, int]:
        return dict(self._counters)
