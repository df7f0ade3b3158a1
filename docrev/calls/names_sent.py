"""What a call may call things: names that others have, names that nothing shows to be free, and ranks among others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import unquote

from docrev.calls.content import content, required_content, unaddressed
from docrev.calls.journal import Journal
from docrev.calls.path_texts import last_segment, noun_of
from docrev.calls.seen_things import Reference
from docrev.conventions.ids import identifying_members, is_id_name, unnamed_member
from docrev.conventions.methods import UNSAFE_METHODS
from docrev.conventions.ranks import ranking_members, takes_from_others
from docrev.conventions.run_names import is_made_up
from docrev.language.words import word_set, words
from docrev.records import Arguments, Json, OperationKey
from docrev.spec.schema import properties_of

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_WORD = re.compile(r"[A-Za-z][A-Za-z_-]*")
_COUNTED = word_set("edition generation iteration revision version")
"""What is counted in each thing that it is one of."""
_CARRYING_OUT = word_set(
    """
    accept apply approve capture checkout commit complete confirm execute finalise finalize fulfil fulfill merge pay
    process refund settle submit transfer
    """
)
"""What is done to a request, or a draft, so that it takes effect on what it is about."""


def name_trouble(operation: Operation, arguments: Arguments, journal: Journal) -> str | None:
    """Why a call may not call something as it does; None if it may."""
    if (name := _name_of_others(journal, operation, arguments)) is not None:
        # It might take the place of what is called so.
        return f"something else has the {name} that was chosen"
    if (name := _unproven_name(journal, operation, arguments)) is not None:
        return f"nothing shows that the {name} that was chosen is free"
    if (name := _leaves_without_id(journal, operation, arguments)) is not None:
        return f"its {name} is empty, and the id would be made of it: nothing could address that"
    if (name := next((name for name, _ in _other_names(journal, operation, arguments)), None)) is not None:
        return f"another {name} may make a second thing of it, under another id, and nothing could remove that"
    return None


def scope_trouble(operation: Operation, arguments: Arguments, journal: Journal) -> str | None:
    """Why a call may not make, or move, a thing where the run's own are not found; None if it may."""
    body, replaces = arguments.get("body:"), operation.route.method in ("POST", "PUT")
    if not isinstance(body, dict):
        return None
    for name, value in _scope(operation, journal).items():
        if body.get(name, None if replaces else value) != value:
            return f"nothing could find, or remove, what has another {name} than the things of this run"
    return None


def _scope(operation: Operation, journal: Journal) -> dict[str, Json]:
    """What a body must say so that its thing is found as the run's own things are."""
    if operation.route.method not in UNSAFE_METHODS:
        return {}
    known = ((name, journal.routes.scopes.get((operation.tool, name))) for name in journal.routes.scoping(operation))
    return {name: value for name, value in known if value is not None}


def keeping_names(journal: Journal, operation: Operation, arguments: dict[str, Json]) -> dict[str, Json]:
    """The arguments of a call with the names that a thing of the run has, where others might make a second one, and
    with what the run's own things are found by.
    """
    kept, body = dict(_other_names(journal, operation, arguments)), arguments.get("body:")
    replaces = operation.route.method != "PATCH"
    kept |= _scope(operation, journal) if replaces else {}
    # Left out, it may be true.
    kept |= {name: False for name in _flags_of_one(operation) if replaces or (isinstance(body, dict) and name in body)}
    kept |= dict(_taken_ranks(journal, operation, arguments, body))
    return {**arguments, "body:": {**body, **kept}} if kept and isinstance(body, dict) else arguments


def rank_trouble(operation: Operation, arguments: Arguments, journal: Journal) -> str | None:
    """Why a call may not place a thing of the run among others; None if it may: among its own, or as it has to."""
    if journal.effects.of(operation).kind in ("query", "batch") or journal.below_own(operation, arguments):
        return None
    body, is_whole = unaddressed(operation, arguments), operation.route.method in ("POST", "PUT")
    sent = body if isinstance(body, dict) else {}
    flags = (name for name in _flags_of_one(operation) if sent.get(name, is_whole) is not False)
    taken = (name for name, _ in _taken_ranks(journal, operation, arguments, body))
    name = next(chain(ranking_members(body, required_content(operation)), flags, taken), None)
    return None if name is None else f"its {name} may change what others have"


def _taken_ranks(
    journal: Journal, operation: Operation, arguments: Arguments, body: Json
) -> Iterator[tuple[str, Json]]:
    """The members of a body by which what a call makes or changes would get what one thing of others has alone."""
    effects = journal.effects
    if effects.of(operation).kind == "creation":
        collection = journal.collections.items_of(operation, arguments)[1]
    elif effects.of(operation).kind == "item":
        collection = (journal.path(operation, arguments) or "").rpartition("/")[0]
    else:
        return
    yield from journal.ranks.taken(operation.tool, collection, body)


def _flags_of_one(operation: Operation) -> list[str]:
    """The flags in a body that a thing takes from another one, as their texts say."""
    parts = properties_of(operation.body_schema) if operation.route.method in ("POST", "PUT", "PATCH") else {}
    flags = ((name, part) for name, part in parts.items() if part.type == "boolean" and not part.get("readOnly"))
    return [name for name, part in flags if takes_from_others(part.description)]


def names_in_own(
    journal: Journal, operation: Operation, arguments: Arguments, parents: int, reference: Reference
) -> bool:
    """Whether a word that a creation sends only names what it makes in something of the run's own.

    Things that lie in different parents and nowhere else may have the same name. What has a digit may be an id
    that is unique everywhere, and what a member is said to be the id of is meant itself. The number of a version is
    its own in what it is one of.
    """
    if _numbers_itself(operation, reference):
        return journal.owns(operation, arguments, parents)
    if operation.route.method != "POST" or is_id_name(reference.name) or not _WORD.fullmatch(reference.value):
        return False
    item, collection = journal.collections.items_of(operation, arguments)
    address = journal.routes.address(*reference.place)
    alike = item is not None and address is not None and address[0].path == item.path
    kinds = {path.collection for path in map(journal.routes.path, _item_keys(journal, operation.tool, collection))}
    return alike and len(kinds) == 1 and journal.owns(operation, arguments, parents)


def _numbers_itself(operation: Operation, reference: Reference) -> bool:
    """Whether a creation of what is counted in the thing that it lies in says which number it has: `{"version": 1}`."""
    kind = noun_of(operation.route.path)
    counted = kind in _COUNTED and reference.name == kind and reference.value.isdecimal()
    return counted and operation.route.method == "POST" and not reference.listed


def keeps_reference(journal: Journal, operation: Operation, arguments: Arguments, reference: Reference) -> bool:
    """Whether a change only says again what its thing has referred to since the run made it.

    It was looked at when the thing was made, and did not change by that.
    """
    place = (operation.tool, journal.path(operation, arguments) or "")
    if journal.effects.of(operation).kind != "item" or not journal.made(*place) or journal.spoiled(reference):
        return False
    return reference in journal.foreign(operation, journal.creations.sent.get(place))


def carried_out(journal: Journal, operation: Operation, arguments: Arguments) -> str | None:
    """Why an action may not be sent to a thing of the run's own: it would take effect on what exists, to which the
    thing has referred since the run made it. An edit of somebody's order is the run's own until it is confirmed.
    """
    verb = words(last_segment(operation.route.path))[:1]
    if journal.effects.of(operation).kind != "action" or _CARRYING_OUT.isdisjoint(verb):
        return None
    place = (operation.tool, journal.path(operation, arguments) or "")
    referred = journal.foreign(operation, journal.creations.sent.get(place))
    return f"it would take effect on the {referred[0].noun or 'thing'} in {referred[0].name}" if referred else None


def _item_keys(journal: Journal, tool: str, collection: str) -> Iterator[OperationKey]:
    """The operations of a tool on one thing of the kind that a collection has, wherever they lie."""
    noun = noun_of(collection)
    for operation in journal.routes.operations:
        path = journal.routes.path(operation.key)
        if operation.tool == tool and path.ends_in_parameter and noun_of(path.collection.literals[-1]) == noun:
            yield operation.key


def _name_of_others(journal: Journal, operation: Operation, arguments: Arguments) -> str | None:
    """The member by which a body gives what a call makes, or changes, the name of another thing of its kind."""
    collection = (journal.path(operation, arguments) or "").rpartition("/")[0]
    if journal.effects.of(operation).kind == "creation":
        collection = journal.collections.items_of(operation, arguments)[1]
    for name, value in identifying_members(unaddressed(operation, arguments)) if collection else ():
        if not is_made_up(value) and journal.things.is_name(operation.tool, collection, value):
            return name
    return None


def _unproven_name(journal: Journal, operation: Operation, arguments: Arguments) -> str | None:
    """The member by which a change gives an item of the run a name that others may have, though none was shown.

    A name is free if the run made it up, or if it is one of a vocabulary or was shown and is not another thing's.
    """
    path = journal.path(operation, arguments) or ""
    changes = journal.effects.of(operation).kind == "item" and journal.made(operation.tool, path)
    if not changes or journal.below_own(operation, arguments):
        return None
    schema = operation.body_schema
    properties = properties_of(schema)
    for name, value in identifying_members(unaddressed(operation, arguments)):
        choices = properties[name].enum if name in properties else None
        known = journal.things.is_seen_name(operation.tool, path.rpartition("/")[0], value)
        if not (is_made_up(value) or known or choices or journal.things.is_word(operation.tool, value)):
            return name
    return None


def _leaves_without_id(journal: Journal, operation: Operation, arguments: Arguments) -> str | None:
    """The empty member of a body that the id of what a call makes, or changes, would be made of."""
    path = journal.routes.path(operation.key)
    collection = path.collection if path.ends_in_parameter else path
    named = (operation.tool, collection.literals) in journal.creations.named_by
    return unnamed_member(content(operation, arguments)) if named else None


def _other_names(journal: Journal, operation: Operation, arguments: Arguments) -> Iterator[tuple[str, Json]]:
    """The members by which a change may give a thing of the run another ID, where no operation removes such things,
    and what the thing is called there.

    Some services move it, some make a copy: then two things would be left where one has to be.
    """
    effect, place = journal.effects.of(operation), journal.path(operation, arguments) or ""
    id, collection = unquote(last_segment(place)), place.rpartition("/")[0]
    named = effect.kind == "item" and is_made_up(id) and journal.made(operation.tool, place)
    safe = effect.removable or journal.below_own(operation, arguments) or journal.was_put(operation, arguments)
    if not named or safe:
        return
    for name, value in identifying_members(unaddressed(operation, arguments)):
        own = journal.things.own_name(operation.tool, place, name)
        if value not in (id, own) and journal.things.may_be_id(operation.tool, collection, name):
            yield name, own
