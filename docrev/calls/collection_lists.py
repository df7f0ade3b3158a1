"""Where the items of a collection are, and the call that lists them: at its own path, or by a POST that reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrev.calls.effects import Effects
from docrev.calls.path_texts import last_segment
from docrev.calls.readings import Readings
from docrev.calls.route_arguments import addressed, argument, key_of
from docrev.calls.routes import Routes
from docrev.prompts.steps import Invoke
from docrev.records import Arguments

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


class CollectionLists:
    """Which POSTs list is shown by trials of the run: `readings`."""

    def __init__(self, routes: Routes, effects: Effects, readings: Readings) -> None:
        self._routes, self._effects, self._readings = routes, effects, readings

    def listing(self, tool: str, collection: str) -> Invoke | None:
        """The call that lists the collection at a path: a GET, or a POST that trials have shown to read; else None."""
        look = self._routes.get(tool, collection or "/")
        posted = self.posted_listing(tool, collection) if look is None else None
        return look if posted is None else Invoke(posted[0].key, posted[1])

    def posted_listing(self, tool: str, collection: str) -> tuple[Operation, Arguments] | None:
        """The POST that lists the collection at a path, with what it is sent for all that is there."""
        for key, reads in self._readings.reads.items():
            word = last_segment(self._routes.path(key).literals[-1])
            found = self._routes.resolve(tool, "POST", f"{collection}/{word}") if reads and key.tool == tool else None
            if found is not None and found[0].key == key and self._effects.posted_listing(found[0]) is not None:
                return found[0], {**found[1], "body:": {}}
        return None

    def items_of(self, operation: Operation, arguments: Arguments) -> tuple[Operation | None, str]:
        """An operation on one item of what a call lists or adds to, and the path under which the items are."""
        posted = self._effects.posted_listing(operation)
        if posted is not None:
            return posted[0], posted[1].fill(arguments)
        item, path = self._effects.item_operation(operation), self._routes.path(operation.key)
        if item is not None and self._routes.item_under(operation.key) is None:
            above = self._routes.path(item.key).collection
            given = {key_of(at): argument(arguments, name) for at, name in zip(above.names, path.names, strict=False)}
            return item, above.fill(addressed({}, given)).rstrip("/")
        return item, path.fill(arguments).rstrip("/")
