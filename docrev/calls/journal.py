"""What this run created: the only things that it may change or delete."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from docrev.calls.account import Accounts
from docrev.calls.routes import Routes, encoded, only_path, plain
from docrev.conventions.ids import created_object, own_id
from docrev.conventions.lists import ListFound, all_lists, find_list
from docrev.conventions.paging import may_go_on
from docrev.conventions.run_names import is_made_up
from docrev.conventions.statuses import NOT_FOUND, is_client_error
from docrev.language.words import singular
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Call, JournalItem, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


@dataclass(frozen=True, slots=True)
class CreationAnswer:
    """The part of a call that the journal reads; a carried request of a batch has one too."""

    operation: Operation
    arguments: Arguments
    call: str
    status: int
    headers: Mapping[str, str]
    body: Json

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


class Journal:
    """The items this run created, by the concrete path each has behind its tool's base URL.

    `prefixes` are the paths of the base URLs, for Location headers. A path is the identity of an item: operations may
    name their parameters as they like (`/buckets/{id}`, `/buckets/{bucket_id}/groups`). Items come in order of
    creation. A resumed run begins with an empty journal and is shown its old calls again.
    """

    def __init__(self, routes: Routes, prefixes: Mapping[str, str] | None = None) -> None:
        self.routes = routes
        self.accounts = Accounts()
        self._prefixes = dict(prefixes or {})
        self._items: dict[tuple[str, str], JournalItem] = {}
        self._chosen: set[tuple[str, str]] = set()
        self._seen: set[tuple[str, str]] = set()

    # What the policy asks

    def path(self, operation: Operation, arguments: Arguments) -> str | None:
        """The path of the item that a call addresses, or lies under; None without path parameters."""
        return self.routes.path(operation.key).item(arguments)

    def item(self, operation: Operation, arguments: Arguments) -> JournalItem | None:
        """The item of this run that a call addresses or lies directly under, unless it is deleted."""
        path = self.path(operation, arguments)
        found = self._items.get((operation.tool, path)) if path is not None else None
        return found if found is not None and not found.deleted else None

    def owns(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the call goes to an item that this run created."""
        return self.item(operation, arguments) is not None

    def had(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the call goes to an item that this run created and that is gone by now."""
        found = self._items.get((operation.tool, self.path(operation, arguments) or ""))
        return found is not None and found.confirmed and found.deleted

    def below_own(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the item that a call goes to would lie under one that this run created and that is there."""
        path = self.path(operation, arguments) or ""
        return any(
            (found := self._items.get((operation.tool, path[:end]))) is not None and not found.deleted
            for end, letter in enumerate(path)
            if letter == "/" and end
        )

    def choose(self, operation: Operation, arguments: Arguments) -> None:
        """Note that the id in `arguments` was made up by docrev, for a PUT that creates."""
        path = self.path(operation, arguments)
        if path is not None:
            self._chosen.add((operation.tool, path))

    def chosen(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether the id was made up by docrev (noted, or named so), and never seen in an answer."""
        place = (operation.tool, self.path(operation, arguments) or "")
        return self._made_up(place) and not self._was_there(place)

    def _made_up(self, place: tuple[str, str]) -> bool:
        return place in self._chosen or is_made_up(place[1].rpartition("/")[2])

    def only_own(self, operation: Operation, call: Call) -> str | None:
        """Why a listing does not show items of this run and nothing else; None if it does.

        A listing that goes on elsewhere, or that may be cut at a page's size, shows nothing.
        """
        found = find_list(call.body, call.key.path)
        if not call.ok or found is None or not found.items or found.keys:
            return "its GET twin does not list items of this run"
        if _other_items(call.body, found):
            return "its GET twin lists more than one kind of items"
        collection = self.routes.path(operation.key).fill(call.arguments)
        if not all(self._is_there(call.key.tool, self._under(operation, collection, item)) for item in found.items):
            return "its GET twin lists an item that this run did not create"
        more = may_go_on(call.body, call.headers, len(found.items), call.key.path)
        return "its GET twin may be one page of many" if more else None

    def _is_there(self, tool: str, path: str) -> bool:
        """Whether this run created what has this path, and did not delete it."""
        item = self._items.get((tool, path))
        return item is not None and not item.deleted

    # What the run learns

    def observe(self, operation: Operation, call: Call, carried: Iterable[CreationAnswer] = ()) -> list[JournalItem]:
        """Take in an answered call; the items that are new or changed by it come back, to be kept."""
        if call.status is None:
            return []
        answer = CreationAnswer(operation, call.arguments, call.id, call.status, call.headers, call.body)
        changed = self._observe(answer)
        for inner in carried:
            changed += self._observe(inner)
        return changed

    def intend(self, operation: Operation, arguments: Arguments, call: str) -> list[JournalItem]:
        """Before a PUT to a chosen id is sent: an item that may come to be, unconfirmed."""
        if operation.method != "PUT" or not self.chosen(operation, arguments) or self.owns(operation, arguments):
            return []
        return [self._record(operation, arguments, call, confirmed=False)]

    def left(self) -> list[JournalItem]:
        """What is still there, in the order of removal: children before parents, the newest first."""
        there = [item for item in self._items.values() if not item.deleted][::-1]
        return sorted(there, key=lambda item: -item.path.count("/"))

    def restore(self, items: Iterable[JournalItem]) -> None:
        """Take over items of an earlier process, for clean-up alone."""
        for item in items:
            self._items.setdefault((item.tool, item.path), item)

    def removal(self, item: JournalItem) -> Invoke | None:
        """The call that removes an item, or None if the API has none."""
        found = self.routes.resolve(item.tool, "DELETE", item.path)
        return Invoke(found[0].key, found[1], purpose="clean-up") if found else None

    @property
    def items(self) -> tuple[JournalItem, ...]:
        return tuple(self._items.values())

    # Reading answers

    def _observe(self, answer: CreationAnswer) -> list[JournalItem]:
        method = answer.operation.method
        if method == "GET":
            if answer.ok:
                self.accounts.observe(answer.operation, answer.body)
                self._note(answer)
            return []
        if method == "DELETE":
            return self._deleted(answer)
        if method == "PUT":
            return self._put(answer)
        if method == "PATCH":
            return self._revived(answer)
        if method == "POST" and (answer.ok or (answer.status in (301, 302, 303) and "location" in answer.headers)):
            return self._posted(answer)
        return []

    def _note(self, answer: CreationAnswer) -> None:
        """Remember what was there before: an id that an answer showed was not created by a later request."""
        tool, path = answer.operation.tool, self.routes.path(answer.operation.key)
        filled = path.fill(answer.arguments)
        if path.ends_in_parameter:
            collection, _, last = filled.rpartition("/")
            self._see(tool, collection, unquote(last))
            return
        under = self.routes.item_under(answer.operation.key)
        if under is None:
            return
        name = self.routes.path(under.key).names[-1]
        for found in all_lists(answer.body):
            for item in found.items:
                self._see(tool, filled, item if isinstance(item, str) else own_id(item, name, _noun(filled)))

    def _see(self, tool: str, collection: str, value: Json) -> None:
        place = (tool, f"{collection.rstrip('/')}/{plain(value)}")
        if value is not None and place not in self._items:
            self._seen.add(place)

    def _was_there(self, place: tuple[str, str]) -> bool:
        """Whether an answer showed this item before this run created it."""
        collection, _, last = place[1].rpartition("/")
        return (place[0], f"{collection}/{unquote(last)}") in self._seen

    def _posted(self, answer: CreationAnswer) -> list[JournalItem]:
        found = self._located(answer) or (self._named(answer) if answer.ok else None)
        if found is None:
            return []
        operation, arguments = found
        place = (operation.tool, self.path(operation, arguments) or "")
        # A POST may answer with what was there already ("get or create"): that is not ours.
        known = self._items.get(place)
        if self._was_there(place) or (known is not None and not known.deleted):
            return []
        if answer.status == 200 and self._asked_for(answer, place) and not self._made_up(place):
            return []
        return [self._record(operation, arguments, answer.call)]

    def _put(self, answer: CreationAnswer) -> list[JournalItem]:
        place = (answer.operation.tool, self.path(answer.operation, answer.arguments) or "")
        item = self._items.get(place)
        settled = item is not None and item.confirmed and not item.deleted
        if settled or not self.routes.path(answer.operation.key).ends_in_parameter:
            return []
        if not answer.ok:
            refused = item is not None and not item.confirmed and is_client_error(answer.status)
            return [self._mark(place, deleted=True)] if refused else []
        if (answer.status == 201 or self._made_up(place)) and not self._was_there(place):
            return [self._record(answer.operation, answer.arguments, answer.call)]
        return self._revived(answer)

    def _revived(self, answer: CreationAnswer) -> list[JournalItem]:
        """What was deleted and is there again, since a change of it was accepted."""
        item = self.routes.path(answer.operation.key).ends_in_parameter
        if answer.ok and item and self.had(answer.operation, answer.arguments):
            return [self._record(answer.operation, answer.arguments, answer.call)]
        return []

    def _deleted(self, answer: CreationAnswer) -> list[JournalItem]:
        """What a DELETE removed: an item with what lies under it, or the items that its answer lists."""
        path = self.routes.path(answer.operation.key)
        filled = path.fill(answer.arguments)
        if path.ends_in_parameter:
            gone = answer.ok or answer.status in NOT_FOUND
            return self._remove(answer.operation.tool, {filled}, filled + "/") if gone else []
        if not answer.ok:
            return []
        found = find_list(answer.body, answer.operation.path)
        listed = {self._under(answer.operation, filled, item) for item in (found.items if found else ())}
        queried = any(location.startswith("query:") for location in answer.arguments)
        return self._remove(answer.operation.tool, listed, None if queried else filled.rstrip("/") + "/")

    def _remove(self, tool: str, paths: set[str], within: str | None) -> list[JournalItem]:
        """Mark what has one of these paths, or lies `within` a path, as deleted."""
        gone = [p for p in self._items if p[0] == tool and (p[1] in paths or (within and p[1].startswith(within)))]
        return [self._mark(place, deleted=True) for place in gone if not self._items[place].deleted]

    # Finding the path of what a POST created

    def _located(self, answer: CreationAnswer) -> tuple[Operation, dict[str, Json]] | None:
        location = answer.headers.get("location", "")
        if not location:
            return None
        tool = answer.operation.tool
        path, prefix = urlsplit(location).path, self._prefixes.get(tool, "")
        if prefix and path.startswith(prefix + "/"):
            path = path[len(prefix) :]
        for method in ("GET", "DELETE", "PUT", "PATCH"):
            found = self.routes.resolve(tool, method, path)
            if found and self.routes.path(found[0].key).ends_in_parameter:
                return found
        return None

    def _named(self, answer: CreationAnswer) -> tuple[Operation, dict[str, Json]] | None:
        tool, path = answer.operation.tool, self.routes.path(answer.operation.key)
        collection = path.fill(answer.arguments).rstrip("/")
        operation = self.routes.item_under(answer.operation.key)
        if operation is None:
            operation = self.routes.elsewhere(tool, collection.rpartition("/")[2])
            if operation is None:
                return None
            collection = self.routes.path(operation.key).literals[0].rstrip("/")
        name = self.routes.path(operation.key).names[-1]
        item = created_object(answer.body)
        value = own_id(item, name, _noun(collection))
        # An answer that shows the parent (`POST /users/1/loans` with the user) is not about what was created.
        if value is None or plain(value) in {plain(given) for given in only_path(answer.arguments).values()}:
            return None
        found = self.routes.resolve(tool, operation.method, f"{collection}/{_segment(value)}")
        return None if found is None else (operation, only_path(found[1]))

    def _asked_for(self, answer: CreationAnswer, place: tuple[str, str]) -> bool:
        """Whether the request itself named the id that came back."""
        value = own_id(created_object(answer.arguments.get("body:")), "id")
        return value is not None and place[1].endswith("/" + _segment(value))

    def _under(self, operation: Operation, collection: str, item: Json) -> str:
        found = self.routes.item_under(operation.key)
        name = self.routes.path(found.key).names[-1] if found else "id"
        value = item if isinstance(item, str | int) else own_id(item, name, _noun(collection))
        return "" if value is None else f"{collection.rstrip('/')}/{_segment(value)}"

    # Keeping

    def _record(self, operation: Operation, arguments: Arguments, call: str, *, confirmed: bool = True) -> JournalItem:
        path = self.path(operation, arguments) or ""
        item = JournalItem(
            id=f"{operation.tool} {path}",
            tool=operation.tool,
            path=path,
            arguments=only_path(arguments),
            call=call,
            confirmed=confirmed,
            parent=self._parent(operation.tool, path),
        )
        self._items.pop((operation.tool, path), None)
        self._items[operation.tool, path] = item
        return item

    def _parent(self, tool: str, path: str) -> str | None:
        steps = path.split("/")
        for end in range(len(steps) - 1, 1, -1):
            found = self._items.get((tool, "/".join(steps[:end])))
            if found is not None and not found.deleted:
                return found.id
        return None

    def _mark(self, place: tuple[str, str], *, deleted: bool) -> JournalItem:
        item = self._items[place] = replace(self._items[place], deleted=deleted)
        return item


def _other_items(body: Json, found: ListFound) -> bool:
    """Whether a body has a list beside `found` with anything in it that has an id."""
    others = (item for other in all_lists(body) if other.pointer != found.pointer for item in other.items)
    return any(own_id(item, "id") is not None for item in others)


def _noun(collection: str) -> str:
    """What the items of a collection are called: `loan` for `/users/1/loans`."""
    return singular(unquote(collection.rstrip("/").rpartition("/")[2]))


def _segment(value: Json) -> str:
    return encoded(unquote(plain(value)))
