"""What is done to each of several things that a body names: `POST /users/bulk-delete` with `ids`, `PATCH /users` with a
list of objects that have an `id`.

Such an operation gets the route that it would have if it went to one thing, `POST /users/{body:ids[]}/delete`: so it
is sent one ID, and what judges whose a thing is judges that. What may go to more than the body names (a `filter`, an
`all`), or is about several things together (to order them, to have no others), has no such route.

What makes each of several things that a body lists has the route of what makes one: `POST /users/bulk` that of
`POST /users`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from docrev.language.path_templates import PARAMETER, shape_of
from docrev.language.words import singular_words, word_set, words
from docrev.records import Json, OperationKey
from docrev.spec.deeds import VERBS
from docrev.spec.operation import Operation
from docrev.spec.route_places import IN_ITEM
from docrev.spec.schema import Schema

_BULK = word_set("batch bulk many mass multi multiple several")
_TO_EACH = word_set(
    """
    activate approve archive cancel close deactivate disable dismiss enable hide lock mark mute pause publish reject
    reopen restart resume star start stop suspend tag toggle unarchive undelete unhide unlock unmute unpause unpin
    unpublish unstar unsuspend untag
    """
)
"""What is done to one thing whatever becomes of others: not to order, to synchronise or to merge things."""
_IDS = word_set("id uuid guid key pk")
_SELECTING = word_set(
    "all criteria except exclude excluded excluding filter filters query search select selector where"
)
"""Words of members and parameters by which a call goes to other things than those that it names."""

_ORDERING = frozenset({"action", "method", "op", "operation", "verb"})
"""Members of what is to be done, and of no description of a thing."""
_OF_REQUESTS = frozenset({"body", "headers", "href", "id", "params", "path", "query", "uri", "url"})
"""Members of requests; what has no others is one."""


def with_bulk_routes(operations: Sequence[Operation]) -> Iterator[Operation]:
    """The operations of one tool, those on several things that their body names with their `rpc_route`."""
    known = {(operation.route.method, shape_of(operation.route.path)) for operation in operations}
    for operation in operations:
        own = operation.route == operation.key
        route = _route(operation, known) or _making_route(operation, known) if own else None
        yield operation if route is None else replace(operation, rpc_route=route)


def makes_several(operation: Operation) -> bool:
    """Whether an operation makes each of several things that its body lists, by the route of what makes one."""
    above, _, last = operation.path.rstrip("/").rpartition("/")
    route = operation.rpc_route
    return route is not None and route.operation == f"POST {above}" and not _BULK.isdisjoint(words(last))


def one_of(operation: Operation, said: Json) -> Json:
    """What a body or an answer of an operation that makes several things says of the one thing that it is about; all of
    it, if it is about more, or the operation makes one.
    """
    is_holder = makes_several(operation) and isinstance(said, dict) and len(said) == 1
    held = next(iter(said.values())) if is_holder else said
    return held[0] if isinstance(held, list) and len(held) == 1 and isinstance(held[0], dict) else said


def _making_route(operation: Operation, known: set[tuple[str, str]]) -> OperationKey | None:
    """The route of what makes one thing, for an operation that makes each of those which its body lists."""
    above, _, last = operation.path.rstrip("/").rpartition("/")
    schema, parts = operation.body_schema, words(last)
    if operation.method != "POST" or schema is None or not above.strip("/") or _BULK.isdisjoint(parts):
        return None
    makes = all(word in _BULK or VERBS.get(word) == "make" for word in parts)
    listed = ("GET", shape_of(above)) in known
    if not (makes and listed) or _selects(p.name for p in operation.parameters) or not _lists_new(schema):
        return None
    return OperationKey(operation.tool, f"POST {above}")


def _lists_new(schema: Schema) -> bool:
    """Whether a body is a list of objects, or has one and nothing else, each of which describes a new thing: it says
    neither by an ID which one it changes, nor what is done to it.
    """
    lists = [schema] if schema.type == "array" else [*schema.properties().values()]
    each = lists[0].items() if len(lists) == 1 and lists[0].type == "array" else None
    members = each.properties() if each is not None else {}
    is_change = each is not None and any(name.lower() in _IDS and name in each.required for name in members)
    names = {name.lower() for name in members}
    return not is_change and not names <= _OF_REQUESTS and names.isdisjoint(_ORDERING)


def _route(operation: Operation, known: set[tuple[str, str]]) -> OperationKey | None:
    """The route to one of the things; None if the operation is none on several that its body names."""
    collection, verb = _parted(operation)
    thing = f"{shape_of(collection)}/{{}}"
    made = ("POST", shape_of(collection)) in known and any((method, thing) in known for method in ("GET", "DELETE"))
    schema = operation.body_schema
    taken = ("POST", f"{thing}/{verb}") in known
    if not verb or not made or taken or schema is None or _selects(p.name for p in operation.parameters):
        return None
    member = _member(schema, singular_words(collection.rpartition("/")[2]))
    return OperationKey(operation.tool, f"POST {collection}/{{body:{member}}}/{verb}") if member else None


def _parted(operation: Operation) -> tuple[str, str]:
    """The collection whose things an operation goes to, and what is done to each of them; "" if nothing says that."""
    path = operation.path.rstrip("/")
    above, _, last = path.rpartition("/")
    if PARAMETER.search(last):
        return "", ""
    if operation.method == "PATCH":
        return path, "update"
    verb = _verb(words(last), singular_words(above.rpartition("/")[2])) if above.strip("/") else ""
    return (above, verb) if verb and operation.method == "POST" else ("", "")


def _verb(said: Sequence[str], noun: tuple[str, ...]) -> str:
    """What words say that is done to each of the things that are called by a noun; "" if they do not."""
    verb, *rest = [word for word in said if word not in _BULK] or ["bulk"]
    deed = VERBS.get(verb)
    if not said or (deed not in ("change", "remove") and verb not in (*_TO_EACH, "bulk")):
        return ""
    of_things = tuple(singular_words("_".join(rest))) in ((), noun)
    return "" if not of_things else "delete" if deed == "remove" else verb


def _member(schema: Schema, noun: Sequence[str]) -> str:
    """The required list of IDs in a body, as routes name it, or the required ID of each object in it; "" if there is
    none, or more may be meant than it names."""
    each = schema.items() if schema.type == "array" else None
    return _listed(schema, noun) if each is None else _in_each(each)


def _in_each(item: Schema) -> str:
    """The required ID of each object in a list."""
    ids = {name: part for name, part in item.properties().items() if name in item.required and name.lower() in _IDS}
    return f"{IN_ITEM}{_typed(*ids.popitem())}" if len(ids) == 1 else ""


def _listed(schema: Schema, noun: Sequence[str]) -> str:
    """The one list in a body, if it has the IDs of things and nothing else chooses some."""
    members = schema.properties()
    lists = {name: part.items() for name, part in members.items() if part.type == "array"}
    name, item = next(iter(lists.items()), ("", None))
    if len(lists) != 1 or item is None or name not in schema.required or _selects(members):
        return ""
    is_id = item.type in ("string", "integer") and item.enum is None
    return f"{_typed(name, item)}[]" if is_id and _is_of(name, noun) else ""


def _selects(names: Iterable[str]) -> bool:
    return any(not _SELECTING.isdisjoint(words(name)) for name in names)


def _typed(name: str, part: Schema) -> str:
    return f"{name}:integer" if part.type == "integer" else name


def _is_of(name: str, noun: Sequence[str]) -> bool:
    """Whether a list has the IDs of things: `ids`, `user_ids` or `users` of users."""
    parts = tuple(singular_words(name))
    return parts == tuple(noun) or (parts[-1:] != () and parts[-1] in _IDS and parts[:-1] in ((), tuple(noun)))
