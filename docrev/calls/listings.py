"""What a list shows of the things in it: the ids by which each may be addressed, and whether there may be more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docrev.calls.path_texts import above, noun_of, plain
from docrev.calls.routes import Routes
from docrev.conventions.disguised_errors import shows_nothing
from docrev.conventions.ids import drawn_members, identifies, ids_of, known_by, own_id, segment_identifies
from docrev.conventions.lists import ListFound, all_lists, list_of
from docrev.conventions.paging import goes_on, says_whole
from docrev.conventions.parameters import PAGING, Role, role_of
from docrev.conventions.run_names import is_made_up
from docrev.json_values.containers import mapping
from docrev.language.words import singular_words
from docrev.prompts.steps import Invoke
from docrev.records import Arguments, Call, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation
    from docrev.spec.schema import Schema

_SIZE = 100
"""A page size that most APIs accept, where the spec gives no largest one."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list shows: (ids, thing) of each thing in it, the likeliest id first. `whole`: there is no more.

    `without_id` are the things that have none.
    """

    things: tuple[tuple[tuple[str, ...], Json], ...] = ()
    whole: bool = True
    without_id: tuple[Json, ...] = ()

    def find(self, id: str) -> Json:
        """The thing with an id; False if it is not there, None if that does not show."""
        found = next((thing for ids, thing in self.things if id in ids), False)
        return found if found is not False else False if self.whole else None

    def shows_for_any_id(self, thing: object) -> bool:
        """Whether what a GET shows in place of a thing is listed without an id: a default, which is not that thing."""
        return isinstance(thing, dict) and thing in self.without_id


def _paging_parameters(operation: Operation) -> Iterator[tuple[str, str, Schema]]:
    """(location, name, schema) of all that says which part of a list is shown: in the query, or at the top of the body
    by which a list is asked for. A location in the body is "body:".
    """
    for parameter in operation.parameters:
        if parameter.location == "query" and role_of(parameter.name) in PAGING:
            yield parameter.key, parameter.name, parameter.schema
    schema = operation.body_schema
    for name, part in schema.properties().items() if schema is not None else ():
        if role_of(name) in PAGING:
            yield "body:", name, part


def has_pages(operation: Operation) -> bool:
    """Whether something that a list may be sent says which part of it is shown."""
    return any(True for _ in _paging_parameters(operation))


def first_page(operation: Operation, look: Invoke) -> Iterator[Invoke]:
    """The calls by which a list may be read: with a large page, if it has pages, then as it is."""
    sizes = (entry for entry in _paging_parameters(operation) if role_of(entry[1]) is Role.PAGE_SIZE)
    for location, name, schema in sizes:
        most = schema.get("maximum")
        size = int(most) if isinstance(most, int | float) else _SIZE
        body = look.arguments.get(location)
        value: Json = {**mapping(body), name: size} if location == "body:" else size
        yield replace(look, arguments={**look.arguments, location: value})
        break
    yield look


def asks_for_all(operation: Operation, look: Invoke, arguments: Arguments) -> bool:
    """Whether a call with `arguments` asks for what the look at a list does, but for the size of a page: nothing
    narrows it.
    """
    sizes = {(place, name) for place, name, _ in _paging_parameters(operation) if role_of(name) is Role.PAGE_SIZE}

    def sent(given: Arguments) -> dict[str, Json]:
        body = given.get("body:")
        members = mapping(body)
        rest = {key: value for key, value in given.items() if (key, key.partition(":")[2]) not in sizes}
        return rest | {"body:": {name: value for name, value in members.items() if ("body:", name) not in sizes}}

    return sent(arguments) == sent(look.arguments)


def list_above(operation: Operation, arguments: Arguments, routes: Routes) -> tuple[Operation, Invoke] | None:
    """The nearest list above what a call of RPC style goes to, and the call that shows it; None for other styles."""
    for path in above(routes.path(operation.key).fill(arguments)):
        found = routes.resolve(operation.tool, "GET", path)
        if found is not None and not routes.path(found[0].key).ends_in_parameter and found[0].key != operation.key:
            listing, given = found
            is_rpc = operation.rpc_route or listing.rpc_route
            return (listing, Invoke(listing.key, _with_required(listing, given, arguments))) if is_rpc else None
    return None


def _with_required(listing: Operation, given: dict[str, Json], sent: Arguments) -> dict[str, Json]:
    """The arguments of a list, with what it requires as a call beside it sends that: the parent of both."""
    body = sent.get("body:")
    named = {location.partition(":")[2]: value for location, value in sent.items()}
    named |= mapping(body)
    wanted = [(p.key, p.name) for p in listing.parameters if p.required and p.location == "query"]
    found = given | {location: named[name] for location, name in wanted if name in named}
    schema, own = listing.body_schema, found.get("body:")
    members = {name: named[name] for name in (schema.required if schema is not None else ()) if name in named}
    return found | {"body:": {**mapping(own), **members}} if members else found


def read_list(operation: Operation, collection: str, call: Call, parameter: str = "") -> Listed | None:
    """What the response to a GET of the list at a path shows; None if it shows no list.

    `parameter` is what paths of its things call their ID, which comes first.
    """
    if shows_nothing(call):
        return Listed()
    if not call.ok:
        return None
    found = list_of(call)
    if found is None:
        return Listed() if call.body in ([], {}) else None
    noun = noun_of(collection)
    ids, drawn = ids_of(found, noun), drawn_members(found.things)
    things = tuple(
        (_ids(id, thing, noun, parameter, drawn), thing) for id, thing in zip(ids, found.things, strict=True)
    )
    whole = all(ids for ids, _ in things) and is_whole(operation, call, len(found.items))
    nameless = tuple(thing for ids, thing in things if not ids)
    return Listed(tuple(entry for entry in things if entry[0]), whole, nameless)


def read_whole_list(operation: Operation, collection: str, call: Call) -> Listed | None:
    """As `read_list`, for a response that shows the whole list; None for any other."""
    found = list_of(call)
    if found is not None and call.ok and not shows_nothing(call) and not is_whole(operation, call, len(found.items)):
        return None
    listed = read_list(operation, collection, call)
    return listed if listed is not None and listed.whole else None


def is_whole(operation: Operation, call: Call, count: int) -> bool:
    """Whether the response to a GET of a list, which shows so many things, shows all there are.

    Where a list has pages, it must say that there is no other, or show fewer things than were asked for.
    """
    if goes_on(call, count):
        return False
    sizes = (part for part in _paging_parameters(operation) if role_of(part[1]) is Role.PAGE_SIZE)
    asked = next((_asked(call, place, name) for place, name, _ in sizes), None)
    has_room = isinstance(asked, int) and count < asked
    return has_room or not has_pages(operation) or says_whole(call)


def _asked(call: Call, location: str, name: str) -> Json:
    """What a call sent for a parameter, or for a member at the top of its body."""
    sent = call.arguments.get(location)
    return sent.get(name) if location == "body:" and isinstance(sent, dict) else sent


def _names_itself(member: str, noun: str) -> bool:
    """Whether a member is what a thing is called: `name`, or `project_name` of a project."""
    return identifies(member) or (segment_identifies(member) and singular_words(member)[:-1] == singular_words(noun))


def _ids(
    likeliest: str | int | None, thing: object, noun: str, parameter: str, drawn: Sequence[str]
) -> tuple[str, ...]:
    """All by which a thing may be addressed: its ids, those in `drawn` members too, and names that the run gave it."""
    wanted = own_id(thing, parameter, noun) if parameter else None
    first = [plain(id) for id in (wanted, likeliest) if id is not None]
    members = mapping(thing).items()
    names = [value for name, value in members if is_made_up(value) and _names_itself(name, noun)]
    further = [plain(mapping(thing)[name]) for name in drawn]
    return tuple(dict.fromkeys([*first, *sorted(known_by(thing)), *further, *names]))


def has_other_items(body: object, found: ListFound) -> bool:
    """Whether a body has a list beside `found` with anything in it that has an id."""
    others = (item for other in all_lists(body) if other.pointer != found.pointer for item in other.items)
    return any(own_id(item, "id") is not None for item in others)
