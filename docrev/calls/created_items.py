"""What shows that the run created something: a look before, a look after, and what is new between them.

A status, an id in a response or a `Location` prove nothing by themselves: a POST may answer with what was there
already, or with something else. An item is the run's own if it was absent just before and is present just after, and
carries a value that the run made up or is the only new item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.calls.creation_texts import carries_sent
from docrev.calls.creations import Creation, Listing, id_in, ids_in, listing_in
from docrev.calls.looks import Look, LookPair, is_absent
from docrev.calls.path_texts import plain
from docrev.conventions.disguised_errors import shows_nothing
from docrev.conventions.ids import drawn_members, identifying_members, is_id_name, own_id
from docrev.conventions.run_names import is_made_up
from docrev.json_values.leaves import leaves
from docrev.records import Call, Json


@dataclass(frozen=True, slots=True)
class CreatedItems:
    """What came of a creation, by path: items that are the run's own, and items of which that is not certain.

    `shown` says whether the looks show all that came of it.
    """

    own: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    shown: bool = True


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
            if is_absent(look.path, before) and _shows_more(before, after):
                return CreatedItems((look.path,))
        elif (found := _new_in(look, creation, before, after, member, answered)) is not None:
            return found
    carrying = [path for path, call in named if call.ok and carries_sent(creation.sent, call.body)]
    return CreatedItems(tuple(carrying[:1])) if carrying and is_one_more(looks) else CreatedItems(shown=False)


def _shows_more(before: Call, after: Call) -> bool:
    """Whether a thing is read that was not there: where any ID is answered with nothing, the same answer shows none."""
    return after.ok and not (before.ok and before.body == after.body)


def is_one_more(looks: Sequence[LookPair]) -> bool:
    """Whether a list has one item more than before by what it says of its length, be it shown or on another page."""
    totals = [(listing_in(old).total, listing_in(now).total) for old, now in _lists(looks)]
    return any(old is not None and now == old + 1 for old, now in totals)


def _lists(looks: Sequence[LookPair]) -> list[tuple[Call, Call]]:
    """What the looks at lists showed before and after."""
    return [(before, after) for look, before, after in looks if look.path is None]


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
    for before, after in _lists(looks) if creation.takes_names else ():
        if (path := _only_new(creation, before, after)) is None:
            continue
        paths.setdefault("", path)
        # A member that is called as the parameter may be a name that was given to it, beside the ID; and the ID that
        # paths take may be another one than what is called `id`.
        for name in (*sent, "id", *drawn_members(listing_in(after).things)):
            at = _only_new(creation, before, after, name)
            if at is not None and (at == sent[name] if name in sent else at != paths[""]):
                paths.setdefault(name, at)
    return paths if len(set(paths.values())) > 1 else {}


def _only_new(creation: Creation, before: Call, after: Call, member: str = "") -> str | None:
    """The path of the one item that a list shows to be new and the run's own; None if it is not one."""
    found = _new_in_list(creation, before, after, member)
    return found.own[0] if found is not None and len(found.own) == 1 else None


def new_things(creation: Creation, before: Call, now: Call) -> list[tuple[Json, Json]]:
    """(id, thing) for each thing of a list that was not in it before, be it new or on another page before."""
    return _added(creation, listing_in(before), listing_in(now), "") if before.ok else []


def _new_in_list(
    creation: Creation, before: Call, after: Call, member: str = "", answered: Json = None
) -> CreatedItems | None:
    """What a list shows that it did not show before; None if the lists show nothing."""
    if not _are_lists(before, after):
        # There is no such collection, then and now: what it would lie in does not exist.
        return CreatedItems() if shows_nothing(before) and shows_nothing(after) else None
    return _difference(creation, listing_in(before), listing_in(after), member, answered)


def _difference(creation: Creation, old: Listing, now: Listing, member: str, answered: Json) -> CreatedItems | None:
    """What came between two listings of a collection; None if they show nothing of that."""
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


def _added(creation: Creation, old: Listing, now: Listing, member: str) -> list[tuple[Json, Json]]:
    """(id, thing) for each thing with an id that only the later list shows."""
    old_ids, now_ids = ids_in(creation, (old, now), member)
    was_there = {plain(value) for value in old_ids}
    things = zip(now_ids, now.things, strict=True)
    return [(value, thing) for value, thing in things if value is not None and plain(value) not in was_there]


def _counts_one_more(old: Listing, now: Listing) -> bool:
    return old.total is not None and now.total == old.total + 1
