"""Where to look before and after a creation: the list that it adds to, in several ways, or the item itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from docrev.calls.absences import shows_absence
from docrev.calls.creations import Creation, id_in, listing_in
from docrev.calls.listings import first_page
from docrev.calls.lists_elsewhere import lists_elsewhere
from docrev.calls.looks import Look
from docrev.calls.routes import Routes, is_required_query
from docrev.conventions.ids import identifying_members
from docrev.conventions.lists import list_of
from docrev.conventions.parameters import PAGING, Role, role_of
from docrev.conventions.run_names import is_made_up
from docrev.json_values.containers import mapping
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json

if TYPE_CHECKING:
    from docrev.spec.operation import Operation

_SHAPING = PAGING | {Role.SORT, Role.DIRECTION, Role.FIELDS, Role.EXPAND, Role.SEARCH}
"""Roles of query parameters that say which part of a list is shown, and how: they are no filters."""


def looks_at(creation: Creation, routes: Routes, before: list[Call]) -> Look | None:
    """The look to be made next, given the responses of those that were made; None if no more is needed, or possible."""
    looks = list(_looks(creation, routes))
    if len(before) >= len(looks):
        return None
    further = looks[len(before)]
    return further if _tells_more(further, list(zip(looks, before, strict=False))) else None


def _tells_more(further: Look, made: Sequence[tuple[Look, Call]]) -> bool:
    """Whether a further look may show what those that were made do not."""
    lists = [(look, call) for look, call in made if look.path is None and call.ok]
    if further.elsewhere:
        # Each of the lists elsewhere may show a part of the things.
        return not any(list_of(call) for look, call in lists if not look.elsewhere)
    if further.path is None:
        # A list that is not found, or that is empty, may want what the next look sends.
        return not any(listing_in(call).things for _, call in lists) and (not lists or further.scoped)
    return not any(shows_absence(look, call) for look, call in made)


def look_at(creation: Creation, path: str, routes: Routes) -> Invoke | None:
    """The GET of what a creation makes, or may make, at a path; None if the catalog has none."""
    found = routes.resolve(creation.operation.tool, "GET", path)
    if found is None or routes.names_items_apart(found[0]):
        return None
    return Invoke(found[0].key, _sent_instead(creation, *found, routes))


def _sent_instead(creation: Creation, operation: Operation, given: dict[str, Json], routes: Routes) -> dict[str, Json]:
    """The arguments of a look, with what its query must have as the creation sends it, and not as earlier ones did.

    What is sent without it is not found by what others were made with.
    """
    names = routes.scoping(creation.operation)
    rest = {key: value for key, value in given.items() if key.removeprefix("query:") not in names}
    found = routes.scoped(operation, rest, creation.sent)
    sent = mapping(creation.sent)
    return {key: v for key, v in found.items() if (name := key.removeprefix("query:")) not in names or name in sent}


def _looks(creation: Creation, routes: Routes) -> Iterator[Look]:
    listings = list(_lists_of(creation, routes))
    if creation.path is not None:
        look = look_at(creation, creation.path, routes)
        yield from listings if look is None else [Look(look, creation.path)]
        return
    yield from listings or _looks_by_name(creation, routes)
    for operation, given in lists_elsewhere(routes, creation.operation.tool, creation.collection):
        yield from (replace(look, elsewhere=True) for look in _gets_of(creation, operation, given, routes))
    if creation.inside and (found := routes.resolve(creation.operation.tool, "GET", creation.inside)):
        step = Invoke(found[0].key, found[1])
        yield Look(step, listing=found[0], elsewhere=True, part=creation.collection)


def _looks_by_name(creation: Creation, routes: Routes) -> Iterator[Look]:
    """The look at what a creation makes by the first name that was made up for it, where names may be IDs."""
    body = creation.sent
    names = (name for name, value in identifying_members(body) if is_made_up(value))
    name = next(names, None) if creation.takes_names else None
    if name is not None and isinstance(body, dict):
        path = creation.place(body[name])
        if (look := look_at(creation, path, routes)) is not None:
            yield Look(look, path)


def _lists_of(creation: Creation, routes: Routes) -> Iterator[Look]:
    """The looks at the list that a creation adds to: at its own path (`/users/1/loans`), or where the items are."""
    posted = None if creation.path is not None else routes.path(creation.operation.key).fill(creation.arguments)
    beside = posted is not None and posted.startswith(f"{creation.collection}/")
    for path in (creation.collection,) if beside else (posted, creation.collection):
        if path is not None and (found := routes.resolve(creation.operation.tool, "GET", path or "/")):
            yield from _gets_of(creation, *found, routes)
            return
    if creation.listing is not None:
        operation, sent = creation.listing
        yield from (Look(step, listing=operation) for step in first_page(operation, Invoke(operation.key, sent)))


def _gets_of(creation: Creation, listing: Operation, given: dict[str, Json], routes: Routes) -> Iterator[Look]:
    """GETs of a list at the path with these arguments: with what it requires, then with what the creation sends too."""
    required = [p.key for p in listing.parameters if is_required_query(p)]
    given = given | {key: creation.arguments[key] for key in required if key in creation.arguments}
    given = _sent_instead(creation, listing, given, routes)
    yield from (Look(step, listing=listing) for step in first_page(listing, Invoke(listing.key, given)))
    filters = _sent_as_filters(creation, listing)
    scoped = any(isinstance(value, str | int) and not is_made_up(value) for value in filters.values())
    if (narrowed := {**filters, **given}) != given:
        for step in first_page(listing, Invoke(listing.key, narrowed)):
            yield Look(step, scoped=scoped, listing=listing)


def _sent_as_filters(creation: Creation, listing: Operation) -> dict[str, Json]:
    """The query of a list by what a creation sends under the same names, as of the thing that it adds to.

    For lists that answer nothing without.
    """
    body = creation.sent
    names = [p.name for p in listing.parameters if p.location == "query" and role_of(p.name) not in _SHAPING]
    return {f"query:{name}": body[name] for name in names if isinstance(body, dict) and id_in(body, name) is not None}
