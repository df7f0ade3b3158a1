"""What a request may create, and which things lists show, by the IDs that such items have there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.calls.content import content
from docrev.calls.path_texts import item_path, last_segment, noun_of, plain
from docrev.calls.routes import template
from docrev.conventions.disguised_errors import shows_nothing
from docrev.conventions.fields import NAMES
from docrev.conventions.ids import identifying_members, is_id, own_id
from docrev.conventions.lists import list_of
from docrev.conventions.paging import goes_on, total_of
from docrev.conventions.run_names import is_made_up
from docrev.json_values.containers import mapping
from docrev.records import Arguments, Call, Json
from docrev.spec.bulk_paths import one_of
from docrev.spec.route_places import called

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


@dataclass(frozen=True, slots=True)
class Creation:
    """A request that may create an item: of `operation`, in the collection at the path `collection`.

    `item` is an operation on one item of the collection; `path` is that of the item where the run chose it (a PUT);
    `listing` is the operation that lists the collection, with what it is sent, where that is no GET; `inside` the path
    of the thing of the run's own that the collection lies in, if it does.
    """

    operation: Operation
    arguments: Arguments
    item: Operation | None
    collection: str
    path: str | None = None
    listing: tuple[Operation, Arguments] | None = None
    inside: str = ""

    @property
    def parameter(self) -> str:
        """The path parameter that an item's id stands for; "id" if no operation has one."""
        names = template(self.item.route.path).names if self.item is not None else ()
        return called(names[-1]) if names else "id"

    @property
    def takes_names(self) -> bool:
        """Whether the path of an item may contain its name, by what is documented."""
        parameter = self.item.parameter(f"path:{self.parameter}") if self.item is not None else None
        return parameter is None or parameter.schema.format != "uuid"

    @property
    def sent(self) -> Json:
        """What it says of what it makes: of the one thing, where it could make several."""
        return one_of(self.operation, content(self.operation, self.arguments))

    @property
    def names(self) -> list[tuple[str, Json]]:
        """The members that say which thing it makes, with what was sent: those that identify, and the text that is
        called as the thing is (`collection` of one of `/collections`).
        """
        sent = mapping(self.sent)
        called = [(name, value) for name, value in sent.items() if isinstance(value, str) and name == self.noun]
        return [*identifying_members(sent), *called]

    @property
    def noun(self) -> str:
        """What the items are called: `loan` for `/users/1/loans`, `repo` for `/repos/{owner}/{name}`."""
        word = template(self.item.route.path).word_before if self.item is not None else ""
        return noun_of(word or self.collection)

    def is_answered_by(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether an answer to an operation with arguments is the answer to this creation."""
        return operation.key == self.operation.key and arguments == self.arguments

    def place(self, value: object) -> str:
        """The path of the item with an id."""
        return item_path(self.collection, value)


@dataclass(frozen=True, slots=True)
class Listing:
    """What a list shows. `partial`: there may be more than that; `total`: how many there are, if the API says so."""

    things: list[Json]
    keys: tuple[str, ...] = ()
    partial: bool = False
    total: int | None = None


def listing_in(call: Call) -> Listing:
    """What the list of a response shows, read once."""
    return call.read(_read_listing)


def _read_listing(call: Call) -> Listing:
    if shows_nothing(call):
        return Listing([], total=0)
    found = list_of(call)
    if found is None:
        return Listing([], partial=call.body not in ([], {}, None))
    total = total_of(call)
    complete = (total == len(found.items) and not call.sampled) or not goes_on(call, len(found.items))
    return Listing(found.things, found.keys, not complete, total)


def ids_in(creation: Creation, listings: Sequence[Listing], member: str = "") -> list[list[Json]]:
    """The ids of the things in lists, in their order; None for a thing that has none.

    An id is a map's key, a text in a list of texts, or what the field contains by which the last path parameter, or
    things in general, are known. Where none of these is there, it is the one name by which they all differ.
    """
    if member:
        return _members(listings, member)
    direct = [[_direct_id(creation, listing, number) for number in range(len(listing.things))] for listing in listings]
    if (chosen := _chosen_member(creation, listings, direct)) is not None:
        return _members(listings, chosen)
    if _has_each(direct):
        return direct
    sent = [name for name, value in creation.names if is_made_up(value)]
    for name in (creation.parameter, *sent, *sorted(NAMES)):
        named = _members(listings, name)
        if _has_each(named) and all(map(all_differ, named)):
            return named
    return direct


def _chosen_member(creation: Creation, listings: Sequence[Listing], ids: list[list[Json]]) -> str | None:
    """The member in which a thing has the id that was chosen for it (a PUT), if no thing is listed by that."""
    chosen = last_segment(creation.path) if creation.path is not None else ""
    if not chosen or any(plain(value) == chosen for values in ids for value in values):
        return None
    members = (found for listing in listings for thing in listing.things for found in identifying_members(thing))
    return next((name for name, value in members if plain(value) == chosen), None)


def _members(listings: Sequence[Listing], name: str) -> list[list[Json]]:
    """What each thing in lists has under a name, in their order; None for a thing without it."""
    return [[id_in(thing, name) for thing in listing.things] for listing in listings]


def _has_each(ids: list[list[Json]]) -> bool:
    return all(value is not None for values in ids for value in values)


def _direct_id(creation: Creation, listing: Listing, number: int) -> Json:
    if listing.keys:
        return listing.keys[number]
    thing = listing.things[number]
    return thing if isinstance(thing, str | int) else own_id(thing, creation.parameter, creation.noun)


def id_in(thing: object, name: str) -> Json:
    """The ID that a thing has in its member of a name; None without one."""
    value = thing.get(name) if isinstance(thing, dict) else None
    return value if is_id(value) else None


def all_differ(ids: list[Json]) -> bool:
    """Whether no two IDs are the same, as they are written in a path."""
    return len({plain(value) for value in ids}) == len(ids)
