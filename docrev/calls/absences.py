"""What looks before a creation show: that what it is to make is not there, and that it replaces nothing of others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docrev.calls.content import required_content
from docrev.calls.creations import Creation, all_differ, id_in, ids_in, listing_in
from docrev.calls.listings import is_whole
from docrev.calls.looks import Look, is_absent
from docrev.calls.path_texts import plain
from docrev.conventions.disguised_errors import shows_nothing
from docrev.conventions.ids import identifying_members
from docrev.conventions.run_names import is_invented_id, is_made_up
from docrev.json_values.containers import mapping
from docrev.records import Call, Json

_TAKEN = "something with the {} that was chosen is there already"


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
            return _TAKEN.format(name)
    if any(shows_absence(look, call) for look, call in looks):
        return None
    return "nothing shows that what it names is new" if _names_what_may_exist(creation) else None


def taken_member(reason: str) -> str:
    """The member for whose value a creation was denied, since something else has it already; "" if it was not."""
    before, after = _TAKEN.split("{}")
    is_taken = reason.startswith(before) and reason.endswith(after)
    return reason.removeprefix(before).removesuffix(after) if is_taken else ""


def _names_what_may_exist(creation: Creation) -> bool:
    """Whether the body of a creation has an id or a name that docrev did not make up."""
    values = (value for _, value in identifying_members(creation.sent))
    return any(not is_made_up(value) and not is_invented_id(value) for value in values)


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


def _taken_name(
    creation: Creation, call: Call, is_own: Callable[[str, str], bool], is_word: Callable[[str, Json], bool]
) -> str | None:
    """The name of a member by which the body of a creation names something of others that a list shows."""
    listing = listing_in(call)
    ids = ids_in(creation, (listing,))[0]
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
    return 1 < len(texts) == len(things) and all_differ(texts)
