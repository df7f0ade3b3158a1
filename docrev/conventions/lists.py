"""Which list a response is about, and which object.

`find_list` has one answer for a body and a path, whoever asks: what a parameter does to a list, what an operation is
said to return and what a run may delete all rest on it. Where a body is a single thing that merely has lists (a movie
with its cast), and where it has several lists with equal right, there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from docrev.conventions.envelopes import (
    LISTS,
    RESULTS,
    TOTALS,
    WRAPPERS,
    is_aside,
    is_paging,
    plain_name,
    says_collection,
)
from docrev.json_values.pointer import escape
from docrev.language.words import singular, words
from docrev.records import Json

MAX_DEPTH = 5
_IDS = frozenset({"id", "uuid", "guid", "uid"})
_LABELS = frozenset({"name", "title", "label", "slug", "displayname", "fullname", "email", "username", "login"})
_MIN_KEYED = 4
"""So many members of one shape are a map of things, whatever their keys look like."""


class ListFound(NamedTuple):
    """A list in a response: its JSON pointer, and its items as they stand there.

    `inner` is the pointer, within each item, of the thing itself: `/node` in GraphQL, `/_source` in Elasticsearch.
    An object whose keys are ids is a list too; `keys` are these, and `items` their values.
    """

    pointer: str
    items: list[Json]
    inner: str = ""
    keys: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last key of the pointer that says what the items are; "" where none does."""
        steps = [step for step in self.pointer.split("/")[1:] if plain_name(step) not in _UNTELLING]
        return steps[-1] if steps else ""

    @property
    def things(self) -> list[Json]:
        """The items without what the API puts around each of them."""
        return (
            [item[self.inner[1:]] if isinstance(item, dict) else item for item in self.items]
            if self.inner
            else (self.items)
        )


class ObjectFound(NamedTuple):
    """The single object that a response is about, with its JSON pointer."""

    pointer: str
    value: dict[str, Json]


_UNTELLING = frozenset((*LISTS, *WRAPPERS))


class _Place(NamedTuple):
    """Where a search for lists is: its pointer, the operation's path, and what was said above it."""

    pointer: str
    path: str
    paged: bool = False
    depth: int = 0

    def below(self, name: str, *, paged: bool = False) -> _Place:
        return _Place(f"{self.pointer}/{escape(name)}", self.path, self.paged or paged, self.depth + 1)

    @property
    def of_one(self) -> bool:
        """Whether the path addresses one thing: it ends in a parameter."""
        return self.path.rstrip("/").endswith("}")

    @property
    def of_part(self) -> bool:
        """Whether the path addresses a part of one thing: `/movies/{id}/credits`."""
        return "}/" in self.path and not self.of_one

    def named(self, key: str) -> bool:
        """Whether the last fixed segment of the path names a member: `/top-tracks` names `tracks`."""
        last = (words(self.path.rstrip("/").rpartition("/")[2]) or ("",))[-1] if not self.of_one else ""
        return bool(last) and singular(last) == singular((words(key) or ("",))[-1])


def find_list(body: Json, path: str = "") -> ListFound | None:
    """The list that a response is about; None where it is about one thing, or about several lists.

    `path` is the operation's path as its documentation writes it (`/movies/{id}`): one that ends in a parameter
    addresses a single thing, and its last fixed segment may name the list. An empty list counts as one.
    """
    found = find_lists(body, path)
    return found[0] if len(found) == 1 else None


def find_lists(body: Json, path: str = "") -> list[ListFound]:
    """All lists that a response is about, in its order: more than one where it has sections of equal right."""
    if isinstance(body, list):
        return [_rows_beside_paging(body) or _listed("", body)]
    if isinstance(body, dict):
        return _in_object(body, _Place("", path))
    return []


def main_list(body: Json, path: str = "") -> ListFound | None:
    """The list that a response is about or, of several, the longest, the first of these."""
    return max(find_lists(body, path), key=lambda found: len(found.items), default=None)


def find_object(body: Json, path: str = "") -> ObjectFound | None:
    """The single object that a response is about, without its envelope; None where it is a list or has none."""
    if not isinstance(body, dict) or find_lists(body, path):
        return None
    pointer = ""
    for _ in range(MAX_DEPTH):
        name = _wrapped(body)
        if name is None:
            break
        pointer, body = f"{pointer}/{escape(name)}", body[name]
    return ObjectFound(pointer, body)


def item_count(body: Json, path: str = "") -> int | None:
    """How many items the list of a response has; None where it is about no list."""
    found = find_list(body, path)
    return None if found is None else len(found.items)


def scalar_fields(item: Json, depth: int = 2) -> dict[str, Json]:
    """The scalars of an item by JSON pointer (`/name`, `/owner/id`), objects in it to `depth`; lists are left out.

    An item that is a scalar itself has the pointer "".
    """
    return dict(_scalars(item, "", depth))


def _scalars(value: Json, pointer: str, depth: int) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        for name, part in value.items() if depth else ():
            if not isinstance(part, dict) or depth > 1:
                yield from _scalars(part, f"{pointer}/{escape(name)}", depth - 1 if isinstance(part, dict) else depth)
    elif not isinstance(value, list):
        yield pointer, value


# Lists in an object


def _in_object(body: dict[str, Json], place: _Place) -> list[ListFound]:
    """The lists of an object: under a name of an envelope, within an envelope, by themselves, or as a map."""
    if place.depth > MAX_DEPTH:
        return []
    place = place._replace(paged=place.paged or any(is_paging(name, value) for name, value in body.items()))
    for search in (_under_known_name, _in_wrapper, _by_content, _as_map):
        found = search(body, place)
        if found is not None:
            return found
    return []


def _under_known_name(body: dict[str, Json], place: _Place) -> list[ListFound] | None:
    """The list under `data`, `items` or the like, unless the object is a thing of which this is a part."""
    known = {plain_name(name): name for name, value in reversed(body.items()) if isinstance(value, list)}
    for plain in LISTS:
        if plain in known:
            name = known[plain]
            return [] if _holds_part(body, plain, place) else [_listed(place.below(name).pointer, body[name])]
    return None


def _in_wrapper(body: dict[str, Json], place: _Place) -> list[ListFound] | None:
    """What the object under `data`, `response` or the like is about."""
    name = _wrapper(body)
    if name is None or _is_thing(body):
        return None
    return _in_object(body[name], place.below(name))


def _by_content(body: dict[str, Json], place: _Place) -> list[ListFound] | None:
    """The lists in an object that has nothing else to say, or is named or paged as a list."""
    if _is_thing(body) and not place.of_part:
        return []
    content = _content(body)
    lists = [name for name, value in content.items() if isinstance(value, list)]
    rest = [name for name in content if name not in lists and not (place.of_part and plain_name(name) in _IDS)]
    if _is_thing(body) and rest:
        return []
    if lists and not rest:
        return [_listed(place.below(name).pointer, body[name]) for name in lists]
    named = [name for name in lists if place.named(name)]
    if len(named) == 1 or (len(lists) == 1 and (place.paged or _is_counted(body, rest, len(body[lists[0]])))):
        name = (named or lists)[0]
        return [_listed(place.below(name).pointer, body[name])]
    return [] if lists else _in_sections(body, rest, place)


def _in_sections(body: dict[str, Json], names: list[str], place: _Place) -> list[ListFound] | None:
    """The list in the only object of an object, or those in all of several that are pages of lists."""
    objects = [name for name in names if isinstance(body[name], dict)]
    if not objects or (len(objects) < len(names) and not place.paged):
        return None
    if len(objects) > 1 and not all(_is_page(body[name]) for name in objects):
        return None
    if place.of_one and not place.paged and not all(_is_page(body[name]) for name in objects):
        return None
    found = [part for name in objects for part in _in_object(body[name], place.below(name))]
    return found or None


def _as_map(body: dict[str, Json], place: _Place) -> list[ListFound] | None:
    """The values of an object whose keys are ids, or of many members of one shape."""
    content = {name: value for name, value in body.items() if not is_aside(name, value)}
    values = list(content.values())
    if not values or not all(isinstance(value, dict) and value for value in values) or _is_thing(body):
        return None
    ids = all(_looks_like_id(name) for name in content)
    alike = len(values) > 1 and _of_one_shape(values)
    if (ids and (alike or len(values) == 1)) or (alike and len(values) >= _MIN_KEYED and not place.of_one):
        return [ListFound(place.pointer, values, keys=tuple(content))]
    return None


# What an object is


def _holds_part(body: dict[str, Json], plain: str, place: _Place) -> bool:
    """Whether the list under a known name is a part of a single thing, as the items of an order are."""
    if says_collection(body):
        return False
    content = _content(body)
    own = [name for name, value in content.items() if plain_name(name) not in _IDS and not isinstance(value, list)]
    own = [name for name in own if plain_name(name) != plain and not isinstance(content[name], dict)]
    if any(plain_name(name) in _LABELS for name in own):
        return True
    if _has_id(body):
        return bool(own) or place.of_one or not (place.paged or plain in RESULTS)
    return place.of_one and bool(own) and not place.paged and plain not in RESULTS


def _is_thing(body: dict[str, Json]) -> bool:
    """Whether an object is one thing: it has an id or a name of its own, and does not declare to be a list."""
    if says_collection(body):
        return False
    labelled = any(plain_name(name) in _LABELS and isinstance(value, str) for name, value in body.items())
    about = body.get("metadata")
    return labelled or _has_id(body) or (isinstance(about, dict) and bool({"name", "uid"} & about.keys()))


def _has_id(body: dict[str, Json]) -> bool:
    return any(
        plain_name(name) in _IDS and "@" not in name and isinstance(value, str | int) for name, value in body.items()
    )


def _content(body: dict[str, Json]) -> dict[str, Json]:
    """The members that are data: neither paging, nor status, links or empty objects."""
    collection = says_collection(body)
    return {
        name: value
        for name, value in body.items()
        if not is_aside(name, value) and value is not None and value != {} and not (collection and name == "type")
    }


def _is_page(value: dict[str, Json]) -> bool:
    """Whether an object says that it is a page of a list."""
    return says_collection(value) or any(is_paging(name, part) for name, part in value.items())


def _is_counted(body: dict[str, Json], rest: list[str], count: int) -> bool:
    """Whether a body gives the total of its list, and nothing but objects beside it."""
    if any(not isinstance(body[name], dict) for name in rest):
        return False
    totals = (value for name, value in body.items() if plain_name(name) in TOTALS)
    return any(isinstance(value, int) and value >= count for value in totals)


def _wrapper(body: dict[str, Json]) -> str | None:
    """The member that is an envelope for the data of a response: `data`, `response`, `_embedded`."""
    known = {plain_name(name): name for name, value in reversed(body.items()) if isinstance(value, dict)}
    return next((known[plain] for plain in WRAPPERS if plain in known), None)


def _wrapped(body: dict[str, Json]) -> str | None:
    """The member that contains the object which a response is about; None where that is the body itself."""
    if _is_thing(body):
        return None
    content = _content(body)
    name = _wrapper(content)
    if name is not None and all(isinstance(value, dict | list) for value in content.values()):
        return name
    return next((key for key, value in content.items() if isinstance(value, dict)), None) if len(content) == 1 else None


def _looks_like_id(key: str) -> bool:
    """Whether a key of an object is an id rather than a name: `1042`, `-NxK3f…`, `ISBN:0451526538`, a date, a UUID."""
    return any(char.isdigit() for char in key) and (
        key.isdecimal() or key[:1] in "-_" or ":" in key or sum(char.isdigit() for char in key) >= 3
    )


def _of_one_shape(values: list[Json]) -> bool:
    """Whether objects have at least half of their names in common."""
    shared, united = set(values[0]), set(values[0])
    for value in values[1:]:
        shared &= set(value)
        united |= set(value)
    return len(shared) * 2 >= len(united)


# Items


def _listed(pointer: str, items: list[Json]) -> ListFound:
    return ListFound(pointer, items, _inner(items))


def _inner(items: list[Json]) -> str:
    """The pointer of the thing within each item, where the API puts something around it."""
    if not items or not all(isinstance(item, dict) for item in items):
        return ""
    return next((f"/{name}" for name, wraps in _WRAPPED if all(map(wraps, items))), "")


def _with(name: str, beside: set[str]) -> Callable[[Json], bool]:
    return lambda item: isinstance(item.get(name), dict) and item.keys() <= {name, *beside}


_WRAPPED: tuple[tuple[str, Callable[[Json], bool]], ...] = (
    ("node", _with("node", {"cursor", "__typename"})),
    ("_source", lambda item: isinstance(item.get("_source"), dict) and "_id" in item),
    ("resource", lambda item: isinstance(item.get("resource"), dict) and "resourceType" in item["resource"]),
    (
        "document",
        _with("document", {"highlight", "highlights", "text_match", "text_match_info", "geo_distance_meters"}),
    ),
    ("data", _with("data", {"kind"})),
    ("doc", _with("doc", {"id", "key", "value"})),
)


def _rows_beside_paging(body: list[Json]) -> ListFound | None:
    """The rows of `[{"page": 1, "total": 296}, [row, …]]`."""
    if len(body) != 2 or not isinstance(body[0], dict) or not isinstance(body[1], list):
        return None
    paged = body[0] and all(is_aside(name, value) or is_paging(name, value) for name, value in body[0].items())
    return _listed("/1", body[1]) if paged else None
