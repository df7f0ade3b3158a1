"""What shows that the run created something: a look before, a look after, and what is new between them.

A status, an id in a response or a `Location` prove nothing by themselves: a POST may answer with what was there
already, or with something else. An item is the run's own if it was absent just before and is present just after, and
carries a value that the run made up or is the only new item.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docrev.calls.creation_texts import carries_sent
from docrev.calls.listings import is_whole
from docrev.calls.looks import Look, LookPair, is_absent
from docrev.calls.path_texts import item_path, last_segment, noun_of, plain
from docrev.calls.routes import content, required_content, template
from docrev.conventions.disguised_errors import shows_nothing
from docrev.conventions.fields import NAMES
from docrev.conventions.ids import identifying_members, is_id, is_id_name, own_id
from docrev.conventions.lists import list_of
from docrev.conventions.paging import goes_on, total_of
from docrev.conventions.run_names import is_invented_id, is_made_up
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import leaves
from docrev.records import Arguments, Call, Json
from docrev.spec.procedures import called

if TYPE_CHECKING:
    from docrev.spec.operation import Operation


@dataclass(frozen=True, slots=True)
class Creation:
    """A request that may create an item: of `operation`, in the collection at the path `collection`.

    `item` is an operation on one item of the collection; `path` is that of the item where the run chose it (a PUT);
    `listing` is the operation that lists the collection, with what it is sent, where that is no GET.
    """

    operation: Operation
    arguments: Arguments
    item: Operation | None
    collection: str
    path: str | None = None
    listing: tuple[Operation, Arguments] | None = None

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
        """What it says of what it makes."""
        return content(self.operation, self.arguments)

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
        """What the items are called: `loan` for `/users/1/loans`."""
        return noun_of(self.collection)

    def is_answered_by(self, operation: Operation, arguments: Arguments) -> bool:
        """Whether an answer to an operation with arguments is the answer to this creation."""
        return operation.key == self.operation.key and arguments == self.arguments

    def place(self, value: object) -> str:
        """The path of the item with an id."""
        return item_path(self.collection, value)


@dataclass(frozen=True, slots=True)
class CreatedItems:
    """What came of a creation, by path: items that are the run's own, and items of which that is not certain.

    `shown` says whether the looks show all that came of it.
    """

    own: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    shown: bool = True


def shown_to_be_free(
    creation: Creation,
    looks: list[tuple[Look, Call]],
    is_own: Callable[[str, str], bool],
    is_word: Callable[[str, Json], bool] = lambda tool, value: False,
) -> str | None:
    """Why the looks before a creation forbid it: something is there that it would, or may, replace; None if not.

    `is_own` says whether what a tool has at a path is the run's own: that may be replaced. `is_word` says whether a
    value is none of a thing's own.
    """
    for look, call in looks:
        if look.path is not None and not is_absent(look.path, call):
            return "there may already be something at the id that was chosen"
        if look.path is None and (name := _taken_name(creation, call, is_own, is_word)):
            return f"something with the {name} that was chosen is there already"
    if any(shows_absence(look, call) for look, call in looks):
        return None
    return "nothing shows that what it names is new" if _names_what_may_exist(creation) else None


def _names_what_may_exist(creation: Creation) -> bool:
    """Whether the body of a creation has an id or a name that docrev did not make up."""
    values = (value for _, value in identifying_members(creation.sent))
    return any(not is_made_up(value) and not is_invented_id(value) for value in values)


def is_one_more(looks: Sequence[LookPair]) -> bool:
    """Whether a list has one item more than before by what it says of its length, be it shown or on another page."""
    totals = [(listing_in(old).total, listing_in(now).total) for look, old, now in looks if look.path is None]
    return any(old is not None and now == old + 1 for old, now in totals)


def created_items(
    creation: Creation,
    looks: Sequence[LookPair],
    named: Sequence[tuple[str, Call]] = (),
    member: str = "",
    answered: Json = None,
) -> CreatedItems:
    """What is new between the looks before and after a creation; `looks` are (look, before, after).

    `named` are paths that the response names, with the GETs of them: one of these is the new item if the list has one
    more and it carries a value that this creation sent. `member` is the one by which items are addressed, if it is
    known; `answered` what the response shows of what was made, as far as it carries what was sent.
    """
    for look, before, after in _answered_looks(looks):
        if look.path is not None:
            if is_absent(look.path, before) and after.ok:
                return CreatedItems((look.path,))
        elif (found := _new_in(look, creation, before, after, member, answered)) is not None:
            return found
    carrying = [path for path, call in named if call.ok and carries_sent(creation.sent, call.body)]
    return CreatedItems(tuple(carrying[:1])) if carrying and is_one_more(looks) else CreatedItems(shown=False)


def _new_in(
    look: Look, creation: Creation, before: Call, after: Call, member: str, answered: Json
) -> CreatedItems | None:
    """What a look at a list shows that it did not show before: elsewhere, what is the run's own alone says anything."""
    found = _new_in_list(creation, before, after, member, answered)
    return found if found is not None and (found.own or not look.elsewhere) else None


def _answered_looks(looks: Sequence[LookPair]) -> Sequence[LookPair]:
    """The looks without those of a list that was not found, if the list answered when more was sent."""
    answered = any(look.path is None and after.ok for look, _, after in looks)
    return [one for one in looks if one[0].path is not None or one[2].ok or not answered]


def addresses(creation: Creation, looks: Sequence[LookPair]) -> dict[str, str]:
    """The paths under which the one new item of a list may be addressed, by the member that says so.

    "" stands for the id that things are usually known by. It matters where an item has an id and a name, and the
    parameter takes either.
    """
    paths: dict[str, str] = {}
    sent = {name: creation.place(value) for name, value in identifying_members(creation.sent) if is_made_up(value)}
    for look, before, after in looks if creation.takes_names else ():
        found = _new_in_list(creation, before, after) if look.path is None else None
        if found is None or len(found.own) != 1:
            continue
        paths.setdefault("", found.own[0])
        # A member that is called as the parameter may be a name that was given to it, beside the ID.
        for name in (*sent, "id"):
            other = _new_in_list(creation, before, after, name)
            at = other.own[0] if other is not None and len(other.own) == 1 else None
            if at is not None and (at == sent[name] if name in sent else at != paths[""]):
                paths.setdefault(name, at)
    return paths if len(set(paths.values())) > 1 else {}


def shows_absence(look: Look, call: Call) -> bool:
    """Whether a response to a look shows that what a creation is to make is not there."""
    if look.path is not None:
        return is_absent(look.path, call)
    return not look.elsewhere and (shows_nothing(call) or (call.ok and shows_all(look, call)))


def shows_all(look: Look, call: Call) -> bool:
    """Whether a response to a look at a list shows all that is in it."""
    listing = listing_in(call)
    paged = look.listing is not None and not is_whole(look.listing, call, len(listing.things))
    return not listing.partial and not paged


# Lists


@dataclass(frozen=True, slots=True)
class _Listing:
    """What a list shows. `partial`: there may be more than that; `total`: how many there are, if the API says so."""

    things: list[Json]
    keys: tuple[str, ...] = ()
    partial: bool = False
    total: int | None = None


def listing_in(call: Call) -> _Listing:
    return call.read(_read_listing)


def _read_listing(call: Call) -> _Listing:
    if shows_nothing(call):
        return _Listing([], total=0)
    found = list_of(call)
    if found is None:
        return _Listing([], partial=call.body not in ([], {}, None))
    total = total_of(call)
    complete = (total == len(found.items) and not call.sampled) or not goes_on(call, len(found.items))
    return _Listing(found.things, found.keys, not complete, total)


def _ids(creation: Creation, listings: Sequence[_Listing], member: str = "") -> list[list[Json]]:
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
        if _has_each(named) and all(map(_differ, named)):
            return named
    return direct


def _chosen_member(creation: Creation, listings: Sequence[_Listing], ids: list[list[Json]]) -> str | None:
    """The member in which a thing has the id that was chosen for it (a PUT), if no thing is listed by that."""
    chosen = last_segment(creation.path) if creation.path is not None else ""
    if not chosen or any(plain(value) == chosen for values in ids for value in values):
        return None
    members = (found for listing in listings for thing in listing.things for found in identifying_members(thing))
    return next((name for name, value in members if plain(value) == chosen), None)


def _members(listings: Sequence[_Listing], name: str) -> list[list[Json]]:
    """What each thing in lists has under a name, in their order; None for a thing without it."""
    return [[id_in(thing, name) for thing in listing.things] for listing in listings]


def _has_each(ids: list[list[Json]]) -> bool:
    return all(value is not None for values in ids for value in values)


def _direct_id(creation: Creation, listing: _Listing, number: int) -> Json:
    if listing.keys:
        return listing.keys[number]
    thing = listing.things[number]
    return thing if isinstance(thing, str | int) else own_id(thing, creation.parameter, creation.noun)


def id_in(thing: object, name: str) -> Json:
    value = thing.get(name) if isinstance(thing, dict) else None
    return value if is_id(value) else None


def _differ(ids: list[Json]) -> bool:
    return len({plain(value) for value in ids}) == len(ids)


def _new_in_list(
    creation: Creation, before: Call, after: Call, member: str = "", answered: Json = None
) -> CreatedItems | None:
    """What a list shows that it did not show before; None if the lists show nothing."""
    if not _are_lists(before, after):
        # There is no such collection, then and now: what it would lie in does not exist.
        return CreatedItems() if shows_nothing(before) and shows_nothing(after) else None
    old, now = listing_in(before), listing_in(after)
    added = _not_another(creation, _added(creation, old, now, member), answered)
    grown = len(now.things) - len(old.things)
    marked = [value for value, thing in added if carries_sent(creation.sent, thing)]
    if grown <= 0 and not (marked and _counts_one_more(old, now)):
        # An item that merely changed has not been created; where a page may hide one, nothing is shown.
        return None if old.partial or now.partial else CreatedItems()
    own = _places(creation, marked or (_only_one(creation, added) if grown == 1 else []))
    return CreatedItems(own, _places(creation, [value for value, _ in added], besides=own), bool(own) or not grown)


def _only_one(creation: Creation, added: list[tuple[Json, Json]]) -> list[Json]:
    """The id of what is new, if that is one thing and not plainly somebody else's."""
    return [value for value, thing in added if len(added) == 1 and not _contradicts(creation, thing)]


def _contradicts(creation: Creation, thing: object) -> bool:
    """Whether a thing has other texts where a creation sent names that the run made up: it is somebody else's.

    An ID says nothing: many services choose it themselves, whatever is sent.
    """
    named = identifying_members(creation.sent)
    sent = [name for name, value in named if is_made_up(value) and not is_id_name(name)]
    there = [value for name in sent if isinstance(value := id_in(thing, name), str)]
    return bool(there) and not any(map(is_made_up, there))


def _not_another(creation: Creation, added: list[tuple[Json, Json]], answered: Json) -> list[tuple[Json, Json]]:
    return [(id, thing) for id, thing in added if not _is_another(creation, thing, answered)]


def _is_another(creation: Creation, thing: Json, answered: Json) -> bool:
    """Whether a thing has another ID than what the response shows to have been made, and nothing that was sent."""
    made, there = (own_id(found, creation.parameter, creation.noun) for found in (answered, thing))
    known = made is not None and there is not None
    return known and not carries_sent(creation.sent, thing) and plain(made) not in {plain(v) for _, v in leaves(thing)}


def _places(creation: Creation, ids: Sequence[object], besides: Sequence[str] = ()) -> tuple[str, ...]:
    """The paths of the items with these ids, but for those `besides`."""
    return tuple(place for place in map(creation.place, ids) if place not in besides)


def _are_lists(before: Call, after: Call) -> bool:
    """Whether two looks can be compared: a collection that was not found before had nothing in it."""
    return after.ok and (before.ok or shows_nothing(before))


def new_things(creation: Creation, before: Call, now: Call) -> list[tuple[Json, Json]]:
    """(id, thing) for each thing of a list that was not in it before, be it new or on another page before."""
    return _added(creation, listing_in(before), listing_in(now), "") if before.ok else []


def _added(creation: Creation, old: _Listing, now: _Listing, member: str) -> list[tuple[Json, Json]]:
    """(id, thing) for each thing with an id that only the later list shows."""
    old_ids, now_ids = _ids(creation, (old, now), member)
    was_there = {plain(value) for value in old_ids}
    things = zip(now_ids, now.things, strict=True)
    return [(value, thing) for value, thing in things if value is not None and plain(value) not in was_there]


def _counts_one_more(old: _Listing, now: _Listing) -> bool:
    return old.total is not None and now.total == old.total + 1


# Bodies


def _taken_name(
    creation: Creation, call: Call, is_own: Callable[[str, str], bool], is_word: Callable[[str, Json], bool]
) -> str | None:
    """The name of a member by which the body of a creation names something of others that a list shows."""
    listing = listing_in(call)
    ids = _ids(creation, (listing,))[0]
    tool = creation.operation.tool
    foreign = [(i, thing) for i, thing in zip(ids, listing.things, strict=True) if not is_own(tool, creation.place(i))]
    for name, value in _naming_members(creation, [thing for _, thing in foreign]):
        # What several things of others have in common identifies none of them.
        common = is_word(tool, value) or sum(id_in(thing, name) == value for _, thing in foreign) > 1
        taken = any(plain(value) == plain(i) or (not common and id_in(thing, name) == value) for i, thing in foreign)
        if not is_made_up(value) and taken:
            return name
    return None


def _naming_members(creation: Creation, things: Sequence[object]) -> list[tuple[str, Json]]:
    """The members at the top of a body by which a service may know a thing: those that name it, and texts that the spec
    requires, or says nothing of, and in which all `things` differ.
    """
    body, required = creation.sent, required_content(creation.operation)
    items = mapping(body).items()
    texts = [(name, value) for name, value in items if isinstance(value, str) and (name in required or not required)]
    return identifying_members(body) + [(name, value) for name, value in texts if _tells_apart(name, things)]


def _tells_apart(name: str, things: Sequence[object]) -> bool:
    """Whether each of several things has another text under a name: it may be what they are known by."""
    texts = [value for thing in things if isinstance(value := id_in(thing, name), str)]
    return 1 < len(texts) == len(things) and _differ(texts)
