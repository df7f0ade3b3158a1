"""What a list shows of the things in it: the ids by which each may be addressed, and whether there may be more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from docrev.calls.routes import noun_of, plain
from docrev.conventions.ids import identifying_members, ids_of, known_by
from docrev.conventions.lists import list_of
from docrev.conventions.paging import goes_on, says_whole
from docrev.conventions.parameters import PAGING, Role, role_of
from docrev.conventions.run_names import is_made_up
from docrev.conventions.statuses import is_not_found
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_SIZE = 100
"""A page size that most APIs accept, where the spec gives no largest one."""


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list shows: (ids, thing) of each thing in it, the likeliest id first. `whole`: there is no more."""

    things: tuple[tuple[tuple[str, ...], Json], ...] = ()
    whole: bool = True

    def find(self, id: str) -> Json:
        """The thing with an id; False if it is not there, None if that does not show."""
        found = next((thing for ids, thing in self.things if id in ids), False)
        return found if found is not False else False if self.whole else None


def _has_pages(operation: Operation) -> bool:
    """Whether a list can be asked for by page: what one response shows need not be all."""
    return any(p.location == "query" and role_of(p.name) in PAGING for p in operation.parameters)


def _page_size(operation: Operation) -> tuple[str, int | None] | None:
    """The location of the parameter for the size of a list's page, and the largest one that the spec allows."""
    for parameter in operation.parameters:
        if parameter.location == "query" and role_of(parameter.name) is Role.PAGE_SIZE:
            most = parameter.schema.get("maximum")
            return parameter.key, most if isinstance(most, int) else None
    return None


def first_page(operation: Operation, look: Invoke) -> Iterator[Invoke]:
    """The GETs by which a list may be read: with a large page, if it has pages, then as it is."""
    if (size := _page_size(operation)) is not None:
        yield replace(look, arguments={**look.arguments, size[0]: size[1] or _SIZE})
    yield look


def read_list(operation: Operation, collection: str, call: Call) -> Listed | None:
    """What the response to a GET of the list at a path shows; None if it shows no list."""
    if is_not_found(call):
        return Listed()
    found = list_of(call) if call.ok else None
    if found is None:
        return Listed() if call.ok and call.body in ([], {}) else None
    ids = ids_of(found, noun_of(collection))
    things = tuple((_ids(id, thing), thing) for id, thing in zip(ids, found.things, strict=True))
    whole = all(ids for ids, _ in things) and is_whole(operation, call, len(found.items))
    return Listed(tuple(entry for entry in things if entry[0]), whole)


def is_whole(operation: Operation, call: Call, count: int) -> bool:
    """Whether the response to a GET of a list, which shows so many things, shows all there are.

    Where a list has pages, it must say that there is no other, or show fewer things than were asked for.
    """
    if goes_on(call, count):
        return False
    size = _page_size(operation)
    asked = call.arguments.get(size[0]) if size is not None else None
    has_room = isinstance(asked, int) and count < asked
    return has_room or not _has_pages(operation) or says_whole(call.body, call.headers, call.key.path)


def _ids(likeliest: str | int | None, thing: Json) -> tuple[str, ...]:
    """All by which a thing may be addressed: its ids, and the names that the run gave it."""
    first = [] if likeliest is None else [plain(likeliest)]
    names = [value for _, value in identifying_members(thing) if isinstance(value, str) and is_made_up(value)]
    return tuple(dict.fromkeys([*first, *sorted(known_by(thing)), *names]))
