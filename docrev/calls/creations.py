"""What shows that the run created something: a look before, a look after, and what is new between them.

A status, an id in a response or a `Location` prove nothing by themselves: a POST may answer with what was there
already, or with something else. An item is the run's own if it was absent just before and is present just after, and
carries a value that the run made up or is the only new item.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docrev.calls.routes import Routes, encoded, plain
from docrev.conventions.fields import NAMES
from docrev.conventions.ids import find_id, ids_of, own_id
from docrev.conventions.lists import ListFound, find_list
from docrev.conventions.paging import find_total, may_go_on
from docrev.conventions.parameters import Role, role_of
from docrev.conventions.run_names import carries_made_up, is_made_up
from docrev.conventions.statuses import NOT_FOUND
from docrev.json_values.canonical import canonical
from docrev.language.words import singular
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Call, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


@dataclass(frozen=True, slots=True)
class Creation:
    """A request that may create an item: of `operation`, in the collection at the path `collection`.

    `item` is an operation on one item of the collection; `path` is that of the item where the run chose it (a PUT).
    """

    operation: Operation
    arguments: Arguments
    item: Operation | None
    collection: str
    path: str | None = None

    @property
    def parameter(self) -> str:
        """The path parameter that an item's id stands for; "id" if no operation has one."""
        names = _names(self.item) if self.item is not None else ()
        return names[-1] if names else "id"

    @property
    def noun(self) -> str:
        """What the items are called: `loan` for `/users/1/loans`."""
        return singular(unquote(self.collection.rstrip("/").rpartition("/")[2]))

    def is_answered_by(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether an answer to an operation with arguments is the answer to this creation."""
        return operation.key == self.operation.key and arguments == self.arguments

    def place(self, value: Json) -> str:
        """The path of the item with an id."""
        return f"{self.collection.rstrip('/')}/{encoded(unquote(plain(value)))}"


@dataclass(frozen=True, slots=True)
class Look:
    """A GET made before and after a creation: of the list that it adds to, or of the item at `path`."""

    invoke: Invoke
    path: str | None = None


@dataclass(frozen=True, slots=True)
class CreatedItems:
    """What came of a creation, by path: items that are the run's own, and items of which that is not certain.

    `shown` says whether the looks show all that came of it.
    """

    own: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    shown: bool = True


def looks_at(creation: Creation, routes: Routes, before: list[Call]) -> Look | None:
    """The look to be made next, given the responses of those that were made; None if no more is needed, or possible."""
    looks = list(_looks(creation, routes))
    if len(before) >= len(looks):
        return None
    shown = any(_shows_absence(look, creation, call) for look, call in zip(looks, before, strict=False))
    return None if shown else looks[len(before)]


def shown_to_be_free(creation: Creation, looks: list[tuple[Look, Call]]) -> str | None:
    """Why the looks before a creation forbid it: something is there that it would, or may, replace; None if not."""
    for look, call in looks:
        if look.path is not None and not _is_absent(look, call):
            return "there may already be something at the id that was chosen"
        if look.path is None and (name := _taken_name(creation, call)):
            return f"something with the {name} that was chosen is there already"
    if looks and any(_shows_absence(look, creation, call) for look, call in looks):
        return None
    body = creation.arguments.get("body:")
    named = [value for name, value in _identifying(body) if not is_made_up(value)]
    return "nothing shows that what it names is new" if named else None


def created_items(creation: Creation, looks: list[tuple[Look, Call, Call]]) -> CreatedItems:
    """What is new between the looks before and after a creation; `looks` are (look, before, after)."""
    for look, before, after in looks:
        if look.path is not None:
            if _is_absent(look, before) and after.ok:
                return CreatedItems((look.path,))
        elif (found := _new_in_list(creation, before, after)) is not None:
            return found
    return CreatedItems(shown=False)


# The looks


def _looks(creation: Creation, routes: Routes) -> Iterator[Look]:
    tool = creation.operation.tool
    paths = [creation.path] if creation.path is not None else []
    if creation.path is None and (listing := routes.resolve(tool, "GET", creation.collection or "/")):
        yield Look(_listing(creation, *listing))
    elif creation.path is None:
        names = (name for name, value in _identifying(creation.arguments.get("body:")) if is_made_up(value))
        body = creation.arguments.get("body:")
        paths = [creation.place(body[name]) for name in names if isinstance(body, dict)][:1]
    for path in paths:
        if found := routes.resolve(tool, "GET", path):
            yield Look(Invoke(found[0].key, found[1]), path)
        elif listing := routes.resolve(tool, "GET", creation.collection or "/"):
            yield Look(_listing(creation, *listing))


def _listing(creation: Creation, operation: Operation, arguments: dict[str, Json]) -> Invoke:
    """The GET of a whole list: with what it requires, as the creation has it, and the largest page that it allows."""
    given = dict(arguments)
    for parameter in operation.parameters:
        if parameter.location != "query":
            continue
        if parameter.required and parameter.key in creation.arguments:
            given[parameter.key] = creation.arguments[parameter.key]
        elif role_of(parameter.name) is Role.PAGE_SIZE and isinstance(most := parameter.schema.get("maximum"), int):
            given[parameter.key] = most
    return Invoke(operation.key, given)


def _is_absent(look: Look, call: Call) -> bool:
    """Whether a GET of an item shows that nothing is there; 403 does where the run made the id up."""
    hidden = call.status == 403 and look.path is not None and is_made_up(unquote(look.path.rpartition("/")[2]))
    return call.error is None and (call.status in NOT_FOUND or hidden)


def _shows_absence(look: Look, creation: Creation, call: Call) -> bool:
    if look.path is not None:
        return _is_absent(look, call)
    return call.error is None and (call.status in NOT_FOUND or (call.ok and not _entries(creation, call).partial))


# Lists


@dataclass(frozen=True, slots=True)
class _Entries:
    """The items of a list by their identity; `partial`: there may be more; `total`: how many there are, if said."""

    items: dict[str, Json]
    partial: bool
    total: int | None
    ids: dict[str, Json]


def _entries(creation: Creation, call: Call) -> _Entries:
    found = find_list(call.body, call.key.path)
    if found is None:
        empty = call.ok and call.body in ([], {}, None)
        return _Entries({}, not empty, None, {})
    noun = creation.noun
    identities = [_identity(value, item) for value, item in zip(ids_of(found, noun), found.items, strict=True)]
    items = dict(zip(identities, found.things, strict=True))
    ids = dict(zip(identities, _sure_ids(creation, found), strict=True))
    total = find_total(call.body, call.headers, call.key.path)
    complete = total == len(found.items) or not may_go_on(call.body, call.headers, len(found.items), call.key.path)
    return _Entries(items, not complete, total, ids)


def _identity(value: Json, item: Json) -> str:
    return canonical(item) if value is None else plain(value)


def _sure_ids(creation: Creation, found: ListFound) -> list[Json]:
    """The ids by which the items are addressed, as far as that is certain."""
    if found.keys:
        return list(found.keys)
    return [
        thing if isinstance(thing, str | int) else own_id(thing, creation.parameter, creation.noun)
        for thing in found.things
    ]


def _new_in_list(creation: Creation, before: Call, after: Call) -> CreatedItems | None:
    """What a list shows that it did not show before; None if the lists show nothing."""
    if not after.ok or not (before.ok or before.status in NOT_FOUND):
        return None
    old, now = _entries(creation, before), _entries(creation, after)
    if before.status in NOT_FOUND:
        old = _Entries({}, False, 0, {})
    added = [identity for identity in now.items if identity not in old.items]
    marked = [identity for identity in added if _carries(creation, now.items[identity])]
    counted = old.total is not None and now.total == old.total + 1 and bool(marked)
    grown = len(now.items) > len(old.items)
    if not counted and not grown:
        # An item that merely changed has not been created; where a page may hide one, nothing is shown.
        return None if old.partial else CreatedItems()
    chosen = marked or (added if len(added) == 1 and len(now.items) == len(old.items) + 1 else [])
    own = [place for identity in chosen if (place := _address(creation, now, identity)) is not None]
    unsure = [creation.place(now.ids[i]) for i in added if now.ids[i] is not None]
    return CreatedItems(tuple(own), tuple(place for place in unsure if place not in own), len(own) == len(added))


def _address(creation: Creation, entries: _Entries, identity: str) -> str | None:
    """The path of a new item: by its id, or by the value of the run's own that it is called by."""
    value = entries.ids[identity]
    item = entries.items[identity]
    if value is None and isinstance(item, dict):
        sent = {plain(given) for _, given in _identifying(creation.arguments.get("body:"))}
        named = (item[name] for name, _ in _identifying(item) if is_made_up(item[name]) and plain(item[name]) in sent)
        guess = find_id(item, creation.noun)
        value = next(named, guess.value if guess is not None else None)
    return None if value is None else creation.place(value)


def _carries(creation: Creation, item: Json) -> bool:
    """Whether an item carries a value that this creation sent, and that the run made up."""
    sent = {value for value in _texts(creation.arguments.get("body:")) if is_made_up(value)}
    return any(value in sent for value in _texts(item)) if sent else carries_made_up(item)


# Bodies


def _identifying(body: Json) -> list[tuple[str, Json]]:
    """The members at the top of a body that may say which thing it is about."""
    if not isinstance(body, dict):
        return []
    return [
        (name, value)
        for name, value in body.items()
        if isinstance(value, str) and value and (name.lower() in _IDENTIFYING or name.lower() in NAMES)
    ]


_IDENTIFYING = frozenset({"id", "uuid", "_id", "key", "slug", "code", "email", "username", "login", "path", "uri"})


def _taken_name(creation: Creation, call: Call) -> str | None:
    """The name of a member by which the body of a creation names something that a list shows."""
    items = _entries(creation, call).items
    for name, value in _identifying(creation.arguments.get("body:")):
        for identity, item in items.items():
            if value == identity or (isinstance(item, dict) and item.get(name) == value):
                return name
    return None


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _names(item: Operation) -> list[str]:
    return [part.partition("}")[0] for part in item.path.split("{")[1:]]
