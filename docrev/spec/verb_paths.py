"""Verbs in the paths of resources: `POST /users/create` beside `GET /users/{id}`, `DELETE /users/{id}/delete`,
`PUT /users/update/{id}`, `/get_user/{id}`; formats in their place: `GET /users/json`, `GET /users/{id}/json`; and
`POST /nodes/source`, which creates "a source node".

Such an operation gets the route that it would have without the verb, if nothing else has that, and if things are read
or removed there. What is of RPC style throughout has its routes already (`procedures`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from docrev.language.path_templates import PARAMETER, shape_of
from docrev.language.verbs import ACTING, AMBIGUOUS, READING, base_forms
from docrev.language.words import plural, singular_words, words
from docrev.records import OperationKey
from docrev.spec.deeds import METHODS, SELECTING, UPLOADING, VERBS, WITHOUT_KIND, Deed, collection_name, kind_named
from docrev.spec.operation import Operation
from docrev.spec.schema import properties_of

_DEEDS: dict[str, Deed] = {
    **{verb: deed for verb, deed in VERBS.items() if verb not in SELECTING},
    **dict.fromkeys(UPLOADING, "make"),
    "all": "list",
    "json": "list",
}
_DEEDS_AFTER_ITEM: dict[str, Deed] = {
    **{verb: deed for verb, deed in VERBS.items() if deed in ("read", "change", "remove") and verb != "count"},
    "json": "read",
}
"""What is done to the thing before a word: `/users/{id}/update`, `/users/{id}/info`."""
_SAYING_NOTHING = WITHOUT_KIND | {"id", "new"}
"""Words that say no more of the things of a collection: `/users/all`, `/users/create_new`."""
_OF_DEED: dict[Deed, tuple[str, ...]] = {
    "make": ("POST",),
    "list": ("GET",),
    "read": ("GET",),
    "change": ("PUT", "PATCH", "POST"),
    "remove": ("DELETE", "POST"),
}
"""The methods with which each is done in the path of a resource."""


@dataclass(frozen=True, slots=True)
class _FoundVerb:
    """An operation by its path without the verb; `item` is that of the one thing of the `collection` that it goes to.

    `typed`: its path has no verb, but its name says that it makes one of the things, of a type that the path names.
    """

    operation: Operation
    deed: Deed
    collection: str
    item: str = ""
    typed: bool = False

    @property
    def route(self) -> OperationKey:
        return OperationKey(self.operation.tool, f"{METHODS[self.deed]} {self.item or self.collection}")


def with_resource_routes(operations: Sequence[Operation]) -> Iterator[Operation]:
    """The operations of one tool, those whose path has a verb with their `rpc_route`."""
    known = {(op.route.method, shape_of(op.route.path)) for op in operations}
    found = {one.operation.key: one for one in filter(None, map(_found, operations)) if _is_free(one, known)}
    items = known | {(one.route.method, shape_of(one.route.path)) for one in found.values() if one.item}
    taken: set[OperationKey] = set()
    for operation in operations:
        one = found.get(operation.key)
        if one is None or not _has_items(one, items) or (one.deed != "make" and one.route in taken):
            yield operation
        else:
            taken.add(one.route)
            yield replace(operation, rpc_route=one.route)


def _is_free(one: _FoundVerb, known: set[tuple[str, str]]) -> bool:
    """Whether nothing else is documented to do what an operation does, at the path without its verb."""
    place, own = shape_of(one.route.path), shape_of(one.operation.path)
    methods = ("PUT", "PATCH") if one.deed == "change" else (one.route.method,)
    if any((method, place) in known for method in methods):
        return False
    # A kind of things that is read, or has things in it, is a collection of its own.
    return not one.typed or not any(
        (shape == own and method != "POST") or shape.startswith(f"{own}/") for method, shape in known
    )


def _has_items(one: _FoundVerb, items: Iterable[tuple[str, str]]) -> bool:
    """Whether single things are read or removed in a collection; both, if a name alone says that one is made.

    A path that says so itself makes what something is read below: `POST /create_room` beside `GET /rooms/{id}/members`.
    """
    item = f"{shape_of(one.collection)}/{{}}"
    there = {method for method, shape in items if shape == item}
    if one.typed:
        return {"GET", "DELETE"} <= there
    below = one.deed == "make" and any(method == "GET" and shape.startswith(f"{item}/") for method, shape in items)
    return below or not there.isdisjoint(("GET", "DELETE"))


def _found(operation: Operation) -> _FoundVerb | None:
    """What an operation does to which things, if its path has a verb and it has no route of another kind."""
    if operation.rpc_route is not None:
        return None
    *above, last = (operation.bare_route or operation.key).path.rstrip("/").split("/")
    if "{" not in last:
        return _after(operation, above, last) if "}" in "".join(above[-1:]) else _in_collection(operation, above, last)
    if not PARAMETER.fullmatch(last) or len(above) < 2 or "{" in above[-1]:
        return None
    *above, segment = above
    deed, collection = _deed(operation, segment, above)
    if deed not in ("read", "change", "remove") or not collection or collection.endswith("}"):
        return None
    return _FoundVerb(operation, deed, collection, f"{collection}/{last}")


def _after(operation: Operation, above: Sequence[str], last: str) -> _FoundVerb | None:
    """What is done to the thing before a verb: `/users/{id}/update`. What a body names may lie in the thing."""
    verb, *rest = words(last) or ("",)
    deed, noun = _DEEDS_AFTER_ITEM.get(verb), singular_words(above[-2])
    if deed is None or operation.method not in _OF_DEED[deed] or not _is_of(rest, noun):
        return None
    # What is true or false says how it is removed.
    named = properties_of(operation.body_schema) if deed == "remove" else {}
    if any(part.type != "boolean" for part in named.values()):
        return None
    return _FoundVerb(operation, deed, "/".join(above[:-1]), "/".join(above))


def _in_collection(operation: Operation, above: Sequence[str], last: str) -> _FoundVerb | None:
    """What is done in a collection: `/users/create`, `/create_user`, or `/nodes/source` by what its name says."""
    deed, collection = _deed(operation, last, above)
    if deed in ("make", "list") and collection:
        return _FoundVerb(operation, deed, collection)
    first = words(last)[:1]
    if operation.method != "POST" or len(above) < 2 or not {*ACTING, *AMBIGUOUS, *READING, *VERBS}.isdisjoint(first):
        return None
    texts = (words(text) for text in (operation.summary.rstrip("."), operation.operation_id))
    noun = singular_words(above[-1])[-1:]
    typed = any(_makes(text) and noun == singular_words(text[-1]) for text in texts if text)
    return _FoundVerb(operation, "make", "/".join(above), typed=True) if typed and noun else None


def _makes(text: Sequence[str]) -> bool:
    return any(VERBS.get(form) == "make" for form in base_forms(text[0]))


def _deed(operation: Operation, segment: str, above: Sequence[str]) -> tuple[Deed | None, str]:
    """What a segment says that an operation does, and to the things of which collection: what stands before it, or
    what it names itself."""
    verb, *rest = words(segment) or ("",)
    deed = _DEEDS.get(verb)
    if deed == "read" and rest and plural(rest[-1]) == rest[-1]:
        deed = "list"
    if deed is None or operation.method not in _OF_DEED[deed]:
        return None, ""
    if above and above[-1] and _is_of(rest, singular_words(above[-1])):
        return deed, "/".join(above)
    named = collection_name(kind_named(rest)) if verb not in UPLOADING else ""
    return deed, "/".join([*above, named]) if named else ""


def _is_of(rest: Sequence[str], noun: Sequence[str]) -> bool:
    """Whether the words after a verb say no more than what the things of a collection are called."""
    return tuple(singular_words("_".join(word for word in rest if word not in _SAYING_NOTHING))) in ((), tuple(noun))
