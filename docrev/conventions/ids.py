"""Ids: how an object in a response names itself.

For two uses. `created_object` and `own_id` are part of the proof that something may be deleted: they never guess.
`find_id` is for reading and takes the best that there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import NamedTuple, TypeGuard
from urllib.parse import unquote

from docrev.conventions.fields import NAMES, PLAIN_IDS, is_name_field
from docrev.conventions.lists import ListFound
from docrev.grouping import only
from docrev.json_values.containers import mapping
from docrev.json_values.scalars import is_whole
from docrev.language.urls import split_url
from docrev.language.words import singular, singular_words, word_set, words
from docrev.records import Json
from docrev.spec.addresses import LINKING

_LIKELY = ("uid", "sid", "gid", "@id", "key", "code", "slug", "sku", "uri", "sha", "handle", "ref")
IDENTIFIERS = frozenset({"id", "uuid", "guid", "key", "code", "slug", "pk", "uri", "handle", "ref", "sha"})
"""Words that a field or a parameter ends in if it identifies something."""
NAMING = IDENTIFIERS | {"name", "identifier"}
"""Those, and what a parameter ends in that takes what a thing is called."""
_ENDINGS = frozenset({"id", "ids", "identifier", "identifiers", "uuid", "uuids", "guid", "key", "keys", "pk", "pks"})
_DRAWN = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,64}|[0-9A-HJKMNP-TV-Z]{26}", re.I)
_TURNS = re.compile(r"[A-Za-z](?=\d)|\d(?=[A-Za-z])")
"""Where letters turn into digits, or digits into letters: names and dates have few such places."""
_DRAWN_LENGTH, _DRAWN_TURNS = 14, 3
_OWNERS = word_set("account customer namespace organisation organization owner project tenant user username workspace")
"""What things are told apart by, where a name without an ID says it."""
_EQUAL = frozenset({"exact", "iexact", "in"})
"""Lookups of Django that compare with whole values."""
_SELF = ("self", "href", "url", "uri", "resource_uri", "@id")
"""Members of an object that are a link to it."""

_KNOWN_BY = (*PLAIN_IDS, "key", "code", "slug")


class IdFound(NamedTuple):
    """An object's id: its JSON pointer within the object, and its value."""

    pointer: str
    value: str | int


def created_object(body: object) -> Json:
    """The object that the answer to a creation is about: the body, or what its envelope contains, one level deep.

    An envelope is `data`, `item` or `result`, or the only member. What lies deeper may be something else's. If the id
    stands beside it, it is a part of the object, and no envelope. A list of one is an envelope too.
    """
    if isinstance(body, list) and len(body) == 1:
        return created_object(body[0])
    if not isinstance(body, dict):
        return body
    known = next((body[name] for name in ("data", "item", "result") if isinstance(body.get(name), dict)), None)
    if known is not None and _has_id(body) and not _has_id(known):
        return body
    only = next(iter(body.values())) if len(body) == 1 else None
    return known if known is not None else only if isinstance(only, dict) else body


def _has_id(thing: dict[str, Json]) -> bool:
    return any(name.lower() in PLAIN_IDS for name in thing)


def compared_field(parameter: str) -> str:
    """The field whose values a parameter takes, without how they are compared: `code` for `code__iexact`."""
    field, _, lookup = parameter.rpartition("__")
    return field if field and lookup in _EQUAL else parameter


def is_id(value: object) -> TypeGuard[str | int]:
    """Whether a value may be an id: a whole number, or a text that is not empty."""
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def own_id(item: object, parameter: str, noun: str = "") -> str | int | None:
    """The id of an object: the field called as the path parameter, `id` and its like, or `NOUN_id`; None without one.

    The parameter may have the noun before the field: `pool_name` of a pool is `name`. A guess would be worse than
    nothing: what is taken for our own may be deleted, and a `code` or the id of something else is not its name.
    """
    if not isinstance(item, dict):
        return None
    parameter = compared_field(parameter)
    fields = partial(_own_fields, item, parameter, noun)
    for value in chain(map(item.get, fields()), _in_any_case(item, fields)):
        if is_id(value):
            return _id_in_link(value, noun) or value
    # The resource name of AIP-122: `users/7`.
    return _id_in_own_link(item, parameter, noun) or _id_in_link(item.get("name"), noun) or None


def _own_fields(item: dict[str, Json], parameter: str, noun: str) -> Iterator[str]:
    yield parameter
    yield from _fields_after(noun, parameter, item)
    yield from PLAIN_IDS
    yield from (f"{noun}_id", f"{noun}Id", f"{noun}_uuid")


def _in_any_case(item: dict[str, Json], names: Callable[[], Iterable[str]]) -> Iterator[Json]:
    """What an object has under names, be they written `id`, `Id` or `ID`."""
    members = {name.lower(): value for name, value in item.items()}
    yield from (members[name.lower()] for name in names() if name.lower() in members)


def _id_in_own_link(item: dict[str, Json], parameter: str, noun: str) -> str | None:
    """The end of an object's link to itself, if that leads to one of its kind: `/books/7/` for a `book`.

    Where a path takes whole links, `{book_href}`, the object's only link of its kind that is called so is to itself.
    """
    begins = [begin for begin in (words(parameter)[:-1], words(noun)) if begin]
    called = [name for name in item if _is_link(name) and words(name)[:-1] in begins]
    found = next((id for _, link in _own_links(item, called) if (id := _id_in_link(link, noun))), None)
    return found or (_id_in_only_link(item, parameter, noun) if _is_link(parameter) else None)


def _id_in_only_link(item: dict[str, Json], parameter: str, noun: str) -> str | None:
    """The end of the only link to a thing of a kind in the members that end as a parameter does."""
    ids = {_id_in_link(link, noun) for name, link in item.items() if words(name)[-1:] == words(parameter)[-1:]} - {""}
    return only(ids)


def _is_link(name: str) -> bool:
    """Whether a name says that it is a link to something."""
    return words(name)[-1:] != () and words(name)[-1] in LINKING


def _id_in_link(link: Json, noun: str) -> str:
    """The end of a link, or of another address, that leads to a thing of a kind (`users/7`); "" if none does."""
    if not isinstance(link, str) or "/" not in link:
        return ""
    *_, collection, id = ("", *split_url(link).path.rstrip("/").split("/"))
    return unquote(id) if id and noun and singular(collection) == singular(noun) else ""


def _fields_after(noun: str, parameter: str, names: Iterable[str]) -> Iterator[str]:
    """The names that are what follows a noun in a path parameter: `name` for `pool`, `pool_name`."""
    if field := _words_after(noun, parameter):
        yield from (name for name in names if words(name) == field)


@lru_cache(maxsize=4096)
def _words_after(noun: str, parameter: str) -> tuple[str, ...]:
    """The words of a path parameter behind a noun that it begins with; () if it does not."""
    kind, parts = singular_words(noun), words(parameter)
    return parts[len(kind) :] if kind and singular_words(parameter)[: len(kind)] == kind else ()


def find_id(item: object, noun: str = "") -> IdFound | None:
    """The field of an object that most likely is its id, for reading: `id`, `movie_id`, `key`, the end of its link."""
    if not isinstance(item, dict):
        return None
    kind = singular(noun)
    own = (name for name in item if noun and words(name) in ((kind, "id"), (kind, "uuid")))
    ending = (name for name in item if words(name)[-1:] in (("id",), ("uuid",)))
    for name in chain(PLAIN_IDS, own, _LIKELY, ending):
        value = item.get(name)
        if is_id(value):
            return IdFound(f"/{name}", value)
    return _linked(item)


def created_id(body: object) -> IdFound | None:
    """The ID of the object that the response to a creation is about."""
    return find_id(created_object(body))


def ids_of(found: ListFound, noun: str = "") -> list[str | int | None]:
    """The ids of a list's items, for reading: keys of a map, items that are scalars, or what `find_id` finds."""
    if found.keys:
        return list(found.keys)
    return [_id_of(thing, item, noun) for thing, item in zip(found.things, found.items, strict=True)]


def _id_of(thing: object, item: object, noun: str) -> str | int | None:
    if isinstance(item, str | int):
        return item
    best = find_id(thing, noun) or find_id(item, noun)
    return None if best is None else best.value


def label_of(item: object) -> str:
    """The name that people call an object by; "" if it has none."""
    values = chain(map(item.get, NAMES), _in_any_case(item, lambda: NAMES)) if isinstance(item, dict) else ()
    return next((value for value in values if isinstance(value, str)), "")


def called(item: object) -> list[str]:
    """The id and the name of an object, as far as it has them: its path may want either."""
    identified = find_id(item)
    names = [str(identified.value) if identified is not None else "", label_of(item)]
    return [name for name in names if name]


def known_by(item: object) -> set[str]:
    """All that an object may be addressed by: its ids, its key, its code; for a listing that names what is there."""
    return (
        {str(value) for name, value in item.items() if name.lower() in _KNOWN_BY} if isinstance(item, dict) else set()
    )


_IDENTIFYING = frozenset(
    {"id", "uuid", "_id", "pk", "key", "slug", "code", "email", "username", "login", "path", "uri"}
)
_CALLING = _IDENTIFYING.union(NAMES)


def identifying_members(body: object) -> list[tuple[str, Json]]:
    """The members at the top of an object that may say which thing it is: ids, and the names that people use."""
    if not isinstance(body, dict):
        return []
    return [
        (name, value)
        for name, value in body.items()
        if (isinstance(value, str) and value and identifies(name)) or (is_whole(value) and name.lower() in _IDENTIFYING)
    ]


def unnamed_member(body: object) -> str | None:
    """The member at the top of an object that would say which thing it is, and is empty; None without one."""
    items = mapping(body).items()
    blank = (name for name, value in items if isinstance(value, str) and not value.strip(" ."))
    return next(filter(identifies, blank), None)


def identifies(name: str) -> bool:
    """Whether the text in a member of this name may say which thing it is."""
    return name.lower() in _CALLING


def segment_identifies(segment: str) -> bool:
    """Whether a path names a thing by a member behind this segment: `name` in `/variables/name/{name}`."""
    return identifies("".join(words(segment)[-1:]))


def is_id_name(name: str) -> bool:
    """Whether a field or a parameter is an id by its name: `id`, `movie_id`, `genreIds`, `uuid`, `key`."""
    return words(name)[-1:] != () and words(name)[-1] in _ENDINGS


def names_no_kind(name: str) -> bool:
    """Whether a name says that something is an id or a name, and not of what."""
    return len(words(name)) == 1 and (is_id_name(name) or is_name_field(name) or words(name)[0] in IDENTIFIERS)


def names_owner(name: str) -> bool:
    """Whether a parameter says whose a thing is, or what it is a part of: `user_id`, `projectId`, `owner`."""
    parts = words(name)
    return parts[-1:] != () and (parts[-1] in _OWNERS or (len(parts) > 1 and is_id_name(name)))


def is_called(parameter: str, thing: str) -> bool:
    """Whether a path parameter stands for a kind of thing: `tenant_id`, `tenantName` and `tenant` for `tenant`."""
    return parameter == thing or tuple(_stands_for(parameter)) == singular_words(thing)


def is_kind_of(parameter: str, thing: str) -> bool:
    """Whether a path parameter stands for a kind of which a thing is one by its name: `view_id` of `form_view_id`."""
    kind, one = _stands_for(parameter), _stands_for(thing)
    return kind != [] and one[-len(kind) :] == kind


def is_drawn(id: str) -> bool:
    """Whether a service draws an ID so that it is never given again: a UUID (RFC 9562), a ULID, an object ID, a digest,
    or many letters and digits without an order."""
    mixed = len(id) >= _DRAWN_LENGTH and id.isalnum() and id.isascii()
    return _DRAWN.fullmatch(id) is not None or (mixed and len(_TURNS.findall(id)) >= _DRAWN_TURNS)


def drawn_id(body: Json) -> str:
    """The drawn ID that is all of an answer, `"018f…"`; "" if it is something else."""
    return body if isinstance(body, str) and is_drawn(body) else ""


def drawn_members(things: Sequence[Json]) -> list[str]:
    """The members called an ID in which each of some things has a drawn one of its own: `documentId` beside `id`."""
    first = mapping(things[0]).items() if things else ()
    names = [name for name, value in first if is_id_name(name) and isinstance(value, str) and is_drawn(value)]
    held = {name: [mapping(thing).get(name) for thing in things] for name in names}
    return [name for name, values in held.items() if _are_drawn_apart(values)]


def _are_drawn_apart(values: Sequence[Json]) -> bool:
    drawn = {value for value in values if isinstance(value, str) and is_drawn(value)}
    return len(drawn) == len(values)


def refers_to(name: str, thing: str) -> bool:
    """Whether a member refers to a kind of thing: for `tag`, `tag_id`, `tag` and, with a part, `target_tag_id`."""
    return name == thing or singular_words(thing) in referred_to(name)


def referred_to(name: str) -> list[tuple[str, ...]]:
    """The words of the kinds of things that a member may refer to: for `target_tag_id`, target tag and tag."""
    parts = tuple(_stands_for(name))
    return [parts[at:] for at in range(len(parts) if is_id_name(name) else min(1, len(parts)))]


def _stands_for(name: str) -> list[str]:
    """The words of a name in the singular, without the last one if that only says that it is an id."""
    parts = words(name)
    if parts[-1:] and parts[-1] in (*_ENDINGS, "name", "slug", "code") and len(parts) > 1:
        parts = parts[:-1]
    return [singular(part) for part in parts]


def own_link(item: object) -> str:
    """An object's link to itself, for reading; "" without one."""
    if not isinstance(item, dict):
        return ""
    called = [name for name in item if words(name)[-1:] == ("href",)]
    return next((link for _, link in _own_links(item, called if len(called) == 1 else [])), "")


def _own_links(item: dict[str, Json], called: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """The pointers and links of an object to itself (HAL `_links.self.href`, JSON:API `links.self`, `url`, `@id`).

    Those in the members that are `called` so come before what may be an address of something else.
    """
    for place in ("_links", "links"):
        links = item.get(place)
        shown = links.get("self") if isinstance(links, dict) else None
        link = shown.get("href") if isinstance(shown, dict) else shown
        if isinstance(link, str) and "/" in link:
            yield f"/{place}/self", link
    for name in (*called, *_SELF):
        link = item.get(name)
        if isinstance(link, str) and "/" in link:
            yield f"/{name}", link


def _linked(item: dict[str, Json]) -> IdFound | None:
    """The last segment of an object's link to itself."""
    return next((found for pointer, link in _own_links(item) if (found := _last_segment(pointer, link))), None)


def _last_segment(pointer: str, link: str) -> IdFound | None:
    last = link.partition("?")[0].rstrip("/").rpartition("/")[2]
    return IdFound(pointer, last) if last else None
