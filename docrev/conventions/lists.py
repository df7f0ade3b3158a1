"""Which list a response is about, and which object.

`find_list` has one answer for a body and a path, whoever asks: what a parameter does to a list, what an operation is
said to return and what a run may delete all rest on it. Where a body is a single thing that merely has lists (a movie
with its cast), and where it has several lists with equal right, there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
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
from docrev.conventions.map_keys import are_uuids, looks_like_id
from docrev.conventions.object_shapes import (
    ID_NAMES,
    LABEL_NAMES,
    are_of_one_shape,
    is_id_member,
    is_page,
    is_thing,
    wrapper_in,
)
from docrev.conventions.wrapped_items import object_in
from docrev.grouping import only
from docrev.json_values.leaves import members
from docrev.json_values.pointer import escape
from docrev.language.path_subjects import LIST_WORDS
from docrev.language.path_templates import ends_in_parameter
from docrev.language.words import singular, words
from docrev.records import Call, Json

MAX_DEPTH = 5
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
        """The last key of the pointer that names the items; "" if every key is that of an envelope."""
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
        return ends_in_parameter(self.path)

    @property
    def of_part(self) -> bool:
        """Whether the path addresses a part of one thing: `/movies/{id}/credits`."""
        return "}/" in self.path and not self.of_one

    def named(self, key: str) -> bool:
        """Whether the path names a member by its last fixed segment: `/top-tracks` `tracks`, `/user/list` `users`."""
        above, _, segment = self.path.rstrip("/").rpartition("/")
        if segment.lower() in LIST_WORDS and not above.endswith("}"):
            segment = above.rpartition("/")[2]
        last = (words(segment) or ("",))[-1] if not self.of_one else ""
        return bool(last) and singular(last) == singular((words(key) or ("",))[-1])


def find_list(body: object, path: str = "") -> ListFound | None:
    """The list that a response is about; None if it is about one thing, or about several lists.

    `path` is the operation's path as its documentation writes it (`/movies/{id}`): one that ends in a parameter
    addresses a single thing, and its last fixed segment may name the list. An empty list counts as one.
    """
    found = find_lists(body, path)
    return only(found)


def find_lists(body: object, path: str = "") -> list[ListFound]:
    """All lists that a response is about, in its order: more than one if it has sections of equal right."""
    if isinstance(body, list):
        return [_rows_beside_paging(body) or _listed("", body)]
    if isinstance(body, dict):
        return _in_object(body, _Place("", path))
    return []


def main_list(body: object, path: str = "") -> ListFound | None:
    """The list that a response is about or, of several, the longest, the first of these."""
    return longest(find_lists(body, path))


def longest(lists: Iterable[ListFound]) -> ListFound | None:
    """The longest of several lists, the first of these; None if there is none."""
    return max(lists, key=lambda found: len(found.items), default=None)


def lists_of(call: Call) -> list[ListFound]:
    """As `find_lists` for the response of a call, looked for once."""
    return call.read(_lists_in_response)


def list_of(call: Call) -> ListFound | None:
    """As `find_list` for the response of a call, looked for once."""
    found = lists_of(call)
    return only(found)


def _lists_in_response(call: Call) -> list[ListFound]:
    return find_lists(call.body, call.key.path)


def all_lists(body: Json) -> Iterator[ListFound]:
    """Every list in a body that lies in no other list, whatever the body is about: for proofs that must miss none."""
    parts = [("", body), *members(body, depth=MAX_DEPTH)]
    return (ListFound(pointer, value) for pointer, value in parts if isinstance(value, list))


def find_object(body: Json, path: str = "") -> ObjectFound | None:
    """The single object that a response is about, without its envelope; None if it is a list or has none."""
    return None if find_lists(body, path) else _without_envelope(body)


def object_of(call: Call) -> ObjectFound | None:
    """As `find_object` for the response of a call."""
    return None if lists_of(call) else _without_envelope(call.body)


def _without_envelope(body: Json) -> ObjectFound | None:
    if not isinstance(body, dict):
        return None
    pointer = ""
    for _ in range(MAX_DEPTH):
        name = _wrapped(body)
        if name is None:
            break
        pointer, body = f"{pointer}/{escape(name)}", body[name]
    return ObjectFound(pointer, body)


# Lists in an object


class _Object:
    """An object of a response, with what the search for its lists asks of it."""

    def __init__(self, body: dict[str, Json], place: _Place) -> None:
        self.body = body
        self.collection = says_collection(body)
        self.place = place._replace(paged=place.paged or is_page(body))

    @cached_property
    def content(self) -> dict[str, Json]:
        """The members that are data: neither paging, nor status, links or empty objects."""
        data = {name: value for name, value in self.body.items() if self._is_data(name, value)}
        return {name: value for name, value in data.items() if value not in (None, {}) and not self._is_type(name)}

    def _is_data(self, name: str, value: object) -> bool:
        """Whether a member is data; `/permissions` makes a list of permissions data."""
        return not is_aside(name, value) or (isinstance(value, list) and self.place.named(name))

    def _is_type(self, name: str) -> bool:
        return self.collection and name == "type"

    @cached_property
    def lists(self) -> list[str]:
        return [name for name, value in self.content.items() if isinstance(value, list)]

    @cached_property
    def has_id(self) -> bool:
        return any(is_id_member(name, value) for name, value in self.body.items())

    @cached_property
    def is_thing(self) -> bool:
        """Whether the object is one thing: it has an id or a name of its own, and does not declare to be a list."""
        return not self.collection and is_thing(self.body)

    def beside(self, *, ids: bool) -> list[str]:
        """The members of its content that are no lists, with or without ids."""
        rest = [name for name in self.content if name not in self.lists]
        return rest if ids else [name for name in rest if plain_name(name) not in ID_NAMES]

    def listed(self, name: str) -> ListFound:
        return _listed(self.place.below(name).pointer, self.body[name])


def _in_object(body: dict[str, object], place: _Place) -> list[ListFound]:
    """The lists of an object: under a name of an envelope, within an envelope, by themselves, or as a map."""
    if place.depth > MAX_DEPTH:
        return []
    found = _Object(body, place)
    for search in (_under_known_name, _in_wrapper, _by_content, _as_map):
        lists = search(found)
        if lists is not None:
            return lists
    return []


def _under_known_name(found: _Object) -> list[ListFound] | None:
    """The list under `data`, `items` or the like, unless the object is a thing of which this is a part."""
    known = {plain_name(name): name for name, value in reversed(found.body.items()) if isinstance(value, list)}
    plain = next((plain for plain in LISTS if plain in known), None)
    if plain is None:
        return None
    if _is_graph(found, known):
        return [found.listed(known[name]) for name in ("nodes", "edges")]
    return [] if _holds_part(found, plain) else [found.listed(known[plain])]


def _is_graph(found: _Object, known: dict[str, str]) -> bool:
    """Whether `nodes` and `edges` are those of a graph: the edges of a page in GraphQL contain the nodes."""
    edges = found.body[known["edges"]] if {"nodes", "edges"} <= known.keys() else []
    return isinstance(edges, list) and any(isinstance(edge, dict) and "node" not in edge for edge in edges)


def _holds_part(found: _Object, plain: str) -> bool:
    """Whether the list under a known name is a part of a single thing, as the items of an order are."""
    if found.collection:
        return False
    own = [name for name in found.beside(ids=False) if not isinstance(found.content[name], dict)]
    if any(plain_name(name) in LABEL_NAMES for name in own):
        return True
    page = found.place.paged or plain in RESULTS
    if found.has_id:
        return bool(own) or found.place.of_one or not page
    return found.place.of_one and bool(own) and not page


def _in_wrapper(found: _Object) -> list[ListFound] | None:
    """What the object under `data`, `response` or the like is about."""
    name = wrapper_in(found.body)
    if name is None or is_thing(found.body):
        return None
    return _in_object(found.body[name], found.place.below(name))


def _by_content(found: _Object) -> list[ListFound] | None:
    """The lists in an object that has nothing else to say, or is named or paged as a list."""
    rest = found.beside(ids=not found.place.of_part)
    if found.is_thing and (rest or not found.place.of_part):
        return []
    if not found.lists:
        return _in_sections(found, rest)
    return [found.listed(name) for name in (_subject(found, rest) if rest else found.lists)]


def _subject(found: _Object, rest: list[str]) -> list[str]:
    """Of the lists in an object that has other content, the one that its path names, or the only one of a page."""
    named = [name for name in found.lists if found.place.named(name)]
    if len(named) == 1:
        return named
    only = len(found.lists) == 1 and (found.place.paged or _is_counted(found, rest))
    return found.lists if only else []


def _is_counted(found: _Object, rest: list[str]) -> bool:
    """Whether a body gives the total of its only list, and nothing but objects beside it."""
    if any(not isinstance(found.body[name], dict) for name in rest):
        return False
    count = len(found.body[found.lists[0]])
    totals = (value for name, value in found.body.items() if plain_name(name) in TOTALS)
    return any(isinstance(value, int) and value >= count for value in totals)


def _in_sections(found: _Object, names: list[str]) -> list[ListFound] | None:
    """The list in the only object of an object, or those in all of several that are pages of lists."""
    objects = [name for name in names if isinstance(found.body[name], dict)]
    if not _may_enter(found, objects, alone=len(objects) == len(names)):
        return None
    return [part for name in objects for part in _in_object(found.body[name], found.place.below(name))] or None


def _may_enter(found: _Object, objects: list[str], *, alone: bool) -> bool:
    """Whether objects are what their holder is about: pages of lists, or the only one there is."""
    if not found.place.paged and not alone:
        return False
    if all(is_page(found.body[name]) for name in objects):
        return bool(objects)
    return len(objects) == 1 and (found.place.paged or not found.place.of_one)


def _as_map(found: _Object) -> list[ListFound] | None:
    """The values of an object whose keys are ids, or of many members of one shape."""
    content = {name: value for name, value in found.body.items() if not is_aside(name, value)}
    values = list(content.values())
    if _keyed_by_own_ids(content) or (are_uuids(content) and all(isinstance(value, dict) for value in values)):
        return [ListFound(found.place.pointer, values, keys=tuple(content))]
    keyed = all(map(looks_like_id, content))
    if not are_of_one_shape(values, keyed=keyed) or is_thing(found.body):
        return None
    keyed = keyed or (len(values) >= _MIN_KEYED and not found.place.of_one)
    return [ListFound(found.place.pointer, values, keys=tuple(content))] if keyed else None


def _keyed_by_own_ids(content: dict[str, object]) -> bool:
    """Whether an object's members are objects that have their own keys as ids: their shapes do not matter then."""
    return len(content) > 1 and all(
        isinstance(value, dict) and any(is_id_member(name, part) and str(part) == key for name, part in value.items())
        for key, value in content.items()
    )


def _wrapped(body: dict[str, object]) -> str | None:
    """The member that contains the object which a response is about; None if that is the body itself."""
    if is_thing(body):
        return None
    content = _Object(body, _Place("", "")).content
    name = wrapper_in(content)
    if name is not None and all(isinstance(value, dict | list) for value in content.values()):
        return name
    only = next(iter(content), None) if len(content) == 1 else None
    return only if only is not None and isinstance(content[only], dict) else None


# Items


def _listed(pointer: str, items: list[Json]) -> ListFound:
    return ListFound(pointer, items, object_in(items))


def _rows_beside_paging(body: list[Json]) -> ListFound | None:
    """The rows of `[{"page": 1, "total": 296}, [row, …]]`."""
    if len(body) != 2 or not isinstance(body[0], dict) or not isinstance(body[1], list):
        return None
    paged = body[0] and all(is_aside(name, value) or is_paging(name, value) for name, value in body[0].items())
    return _listed("/1", body[1]) if paged else None
