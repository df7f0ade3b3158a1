"""The items that a run created, or may have created, by the path that each has behind its tool's base URL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from docrev.calls.creation_answers import CreationAnswer
from docrev.calls.path_texts import above, noun_of, plain
from docrev.calls.route_arguments import argument
from docrev.calls.routes import Path, Routes
from docrev.calls.seen_things import is_unique_id
from docrev.conventions.ids import names_no_kind
from docrev.language.urls import split_url
from docrev.language.words import words
from docrev.records import Arguments, JournalItem, Json, OperationKey
from docrev.spec.route_places import called

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


def names_of(item: JournalItem) -> list[str]:
    """What an item is called by the documentation: after its collection, and by the parameter of its own path, if that
    says of what it is the ID or the name."""
    parameters = (at.partition(":")[2] for at in [*item.arguments][-1:])
    return [noun_of(item.path.rpartition("/")[0]), *(name for name in parameters if not names_no_kind(name))]


WITH_PARENT = "it lay in what was removed"
"""The reason of an item that nobody removed by itself: whether it went too is for a look to show."""


class JournalItems:
    """Items by tool and path, in order of creation. A path is the identity of an item.

    `prefixes` are the paths of the base URLs by tool, for Location headers.
    """

    def __init__(self, routes: Routes, prefixes: Mapping[str, str] | None = None) -> None:
        self.routes = routes
        self.routes.scopes.clear()
        self._prefixes = dict(prefixes or {})
        self._accepted: set[OperationKey] = set()
        self._items: dict[tuple[str, str], JournalItem] = {}

    @property
    def items(self) -> tuple[JournalItem, ...]:
        """All of them, also those that are deleted or not certainly the run's own."""
        return tuple(self._items.values())

    def at(self, tool: str, path: str) -> JournalItem | None:
        """What is known of the item at a path; None if the run never had one there."""
        return self._items.get((tool, path))

    def made(self, tool: str, path: str) -> bool:
        """Whether this run created what has this path, and did not delete it."""
        return self.was_created(tool, path, deleted=False)

    def was_created(self, tool: str, path: str, deleted: bool | None = None) -> bool:
        """Whether this run created what has this path; with `deleted`, whether it deleted it since, or did not."""
        item = self._items.get((tool, path))
        return item is not None and item.confirmed and deleted in (None, item.deleted)

    def own_above(self, tool: str, place: str) -> str | None:
        """The nearest thing of this run that a path lies in; None if there is none, or if something between is gone."""
        for parent in above(place):
            if self.was_created(tool, parent):
                return parent if self.made(tool, parent) else None
        return None

    def addressed_elsewhere(self, tool: str, head: Path, arguments: Arguments) -> bool:
        """Whether all that a path names is what the run called one of its things and the things around that.

        `/shares/{owner}/{server_name}` by the values of `/users/{name}/servers/{server_name}`: the last parameter is
        called the same, and nothing else has such IDs.
        """
        named = [plain(argument(arguments, name)) for name in head.names]
        return (
            len(named) > 1
            and all(map(is_unique_id, named))
            and any(
                [*map(plain, item.arguments.values())] == named
                and words(called([*item.arguments][-1].partition(":")[2])) == words(called(head.names[-1]))
                for item in self.items
                if item.tool == tool and item.arguments and self.made(tool, item.path)
            )
        )

    def unknown(self, tool: str, collection: str) -> JournalItem | None:
        """The entry for what may be in a collection without anybody knowing its id; None if there is none."""
        item = self._items.get((tool, f"{collection}/?"))
        return item if item is not None and not item.deleted else None

    def left(self) -> list[JournalItem]:
        """What is still there, in the order of removal: children before parents, the newest first."""
        there = [item for item in self._items.values() if not item.deleted][::-1]
        return sorted(there, key=lambda item: -item.path.count("/"))

    def restore(self, items: Iterable[JournalItem]) -> None:
        """Take over items of an earlier process, for clean-up alone."""
        for item in items:
            self._items.setdefault((item.tool, item.path), item)
            for location, value in item.scope.items():
                self.routes.scopes.setdefault((item.tool, location.partition(":")[2]), value)

    def correct(self, item: JournalItem) -> None:
        """Put an item in the place of what it was taken to be."""
        self._items[item.tool, item.path] = item

    # What operations address

    def path(self, operation: Operation, arguments: Arguments) -> str | None:
        """The path of the item that a call addresses, or lies under; None without path parameters."""
        return self.routes.path(operation.key).item(arguments)

    def item(self, operation: Operation, arguments: Arguments) -> JournalItem | None:
        """The item of this run that a call addresses or lies directly under, unless it is deleted."""
        path = self.path(operation, arguments)
        found = self._items.get((operation.tool, path)) if path is not None else None
        return found if found is not None and not found.deleted else None

    def had(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the call goes to an item that this run created and that is gone by now."""
        return self.was_created(operation.tool, self.path(operation, arguments) or "", deleted=True)

    def below_own(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the item that a call goes to, or adds, would lie under one that this run created and still has."""
        place = self.path(operation, arguments) or ""
        adds = not self.routes.path(operation.key).ends_in_parameter
        return self.own_above(operation.tool, f"{place}/" if adds else place) is not None

    def located(self, answer: CreationAnswer) -> str | None:
        """The path of the item that the `Location` of an answer names: of that alone nobody knows whose it is."""
        return self.addressed(answer.operation.tool, split_url(answer.headers.get("location", "")).path)

    def addressed(self, tool: str, link: str) -> str | None:
        """The path of the item that the path of a link leads to; None if it leads to none."""
        path = self.local(tool, link)
        return path if self.routes.address(tool, path) is not None else None

    def local(self, tool: str, path: str) -> str:
        """A path of a server without that of the tool's base URL, and without the slash at its end: items have none."""
        prefix = self._prefixes.get(tool, "")
        return (path[len(prefix) :] if prefix and path.startswith(prefix + "/") else path).rstrip("/")

    def accepted(self, operation: Operation) -> bool:
        """Whether an operation has made, or may have made, what this run cannot remove: once is enough."""
        return operation.key in self._accepted

    # Keeping

    def record(
        self, tool: str, path: str, call: str, *, confirmed: bool = True, reason: str = "", inside: str = ""
    ) -> JournalItem:
        """Note an item that a call created, or with `confirmed` False may have created.

        `inside` is the path of what it was added to, where its own path does not say that.
        """
        item = JournalItem(
            id=f"{tool} {path}",
            tool=tool,
            path=path,
            arguments=self.routes.address_arguments(tool, path),
            call=call,
            confirmed=confirmed,
            parent=self._parent(tool, f"{inside}/" if inside else path),
            reason=reason,
            scope=self._scope(tool, path),
        )
        self._items.pop((tool, path), None)
        self._items[tool, path] = item
        return item

    def _scope(self, tool: str, path: str) -> dict[str, Json]:
        """What the query must have of requests to the item at a path, as far as that is known."""
        found = [self.routes.resolve(tool, method, path) for method in ("GET", "DELETE")]
        sent = [entry for resolved in found if resolved is not None for entry in resolved[1].items()]
        return {location: value for location, value in sent if location.startswith("query:")}

    def _parent(self, tool: str, path: str) -> str | None:
        for parent in above(path):
            found = self._items.get((tool, parent))
            if found is not None and not found.deleted:
                return found.id
        return None

    def accept(self, key: OperationKey) -> None:
        """Note that an operation has made, or may have made, what this run cannot remove."""
        self._accepted.add(key)

    def mark_deleted(self, place: tuple[str, str], reason: str = "") -> JournalItem:
        """Note that the item at (tool, path) is gone."""
        item = self._items[place] = replace(self._items[place], deleted=True, reason=reason)
        return item

    def record_move(self, tool: str, old: str, new: str, call: str) -> list[JournalItem]:
        """Note that an item has another path, and what lies in it too."""
        items = []
        for place, item in list(self._items.items()):
            inside = item.path == old or item.path.startswith(old + "/")
            if item.tool == tool and inside and not item.deleted:
                path = new + item.path[len(old) :]
                items += [self.mark_deleted(place), replace(item, path=path)]
        return [
            item if item.deleted else self.record(item.tool, item.path, call, confirmed=item.confirmed)
            for item in items
        ]

    def remove(self, tool: str, paths: set[str], within: str | None) -> list[JournalItem]:
        """Mark what has one of these paths, or lies `within` a path, as deleted: of the latter that is a guess."""
        inside = self._within(tool, within) - paths if within else set()
        gone = [p for p in self._items if p[0] == tool and p[1] in paths | inside and not self._items[p].deleted]
        return [self.mark_deleted(place, WITH_PARENT if place[1] in inside else "") for place in gone]

    def _within(self, tool: str, within: str) -> set[str]:
        """The paths of the items that lie `within` a path, and of those that were added to it or to one of these."""
        inside = {path for name, path in self._items if name == tool and path.startswith(within)}
        parents = {f"{tool} {path}" for path in (*inside, within.rstrip("/"))}
        return inside | {item.path for item in self._items.values() if item.parent in parents}
