"""Operations of RPC style: which route each of them would have in an API of resources.

`POST /users/list` is what `GET /users` is elsewhere, `POST /users/get` with `{"name": "a"}` is `GET /users/a`, and
`POST /users/delete` is `DELETE /users/a`; `/users.list` and `/users:list` say the same. Said once, here, whatever asks
what an operation does to which thing asks in the words of resources. A parameter of such a path that lies elsewhere is
written with its place (`route_places`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from docrev.grouping import grouped, only, parted
from docrev.language.path_templates import PARAMETER, shape_of
from docrev.language.verbs import AMBIGUOUS, FURTHER, READING, acting_verb, base_forms, reading_verb
from docrev.language.words import plural, singular, singular_words, word_set, words
from docrev.records import OperationKey
from docrev.spec.deeds import CHANGING, METHODS, STORING, TAKING, VERBS, WITHOUT_KIND, Deed
from docrev.spec.flat_names import collections_of
from docrev.spec.operation import Operation
from docrev.spec.route_places import place_of
from docrev.spec.schema import Schema

_FURTHER = FURTHER | {"and"}
_IDENTIFYING = word_set("id uuid guid key name slug code handle username login email hash")
_NAMED = word_set("name slug code handle username login email")
"""Of these, those that a change may also set anew."""


@dataclass(frozen=True, slots=True)
class _Procedure:
    """An operation whose path ends in what it does to the things of a `collection`.

    `item`: they are addressed by the path before the verb; `last` is the segment with the verb. `key` names one thing
    in the query, as nothing else says: all that goes to one takes it, and nothing else does.
    """

    operation: Operation
    deed: Deed
    collection: str
    item: str = ""
    last: str = ""
    key: str = ""


def with_routes(operations: Sequence[Operation]) -> Iterator[Operation]:
    """The operations of one tool, those of RPC style with their `route`."""
    flat = collections_of(operations)
    named = ((op.key, _procedure(op, flat.get(op.key))) for op in operations)
    found = {key: procedure for key, procedure in named if procedure is not None}
    read = {shape_of(op.path) for op in operations if op.method == "GET" and op.key not in found}
    groups = _groups(found.values(), read)
    routes = _routes(groups, _is_rpc(operations, list(groups.values())))
    places = _places(groups, routes)
    routes = _repeated_reads(operations) | routes
    for operation in operations:
        route = _moved(routes.get(operation.key, operation.key), places)
        yield operation if route == operation.key else replace(operation, rpc_route=route)


def _repeated_reads(operations: Sequence[Operation]) -> dict[OperationKey, OperationKey]:
    """The routes of what reads by a POST the same as the GET of its path."""
    asked = {op.path: op for op in operations if op.method == "GET"}
    again = (op for op in operations if op.path in asked and _asks_again(op, asked[op.path]))
    return {op.key: OperationKey(op.tool, f"GET {op.path}") for op in again}


def _asks_again(operation: Operation, asked: Operation) -> bool:
    """Whether a POST that says that it reads is documented like the GET of its path: it is sent the same and called
    so, or what it returns, by reference, is just what the GET returns."""
    if operation.method != "POST" or reading_verb(operation) is None:
        return False
    alike = operation.body is None and {p.key for p in operation.parameters} == {p.key for p in asked.parameters}
    called = not READING.isdisjoint(words(operation.path.rpartition("/")[2])[:1])
    return (alike and called) or _returns_the_same(operation, asked)


def _returns_the_same(operation: Operation, asked: Operation) -> bool:
    """Whether both refer to one schema of what they return, and that is no single thing that could be new."""
    ours, theirs = (one.success.schema if one.success is not None else None for one in (operation, asked))
    if ours is None or ours is not theirs:
        return False
    lists = [ours, *(part for _, part in ours.properties().items())]
    return any(part.type == "array" for part in lists)


def _groups(procedures: Iterable[_Procedure], read: set[str]) -> dict[str, list[_Procedure]]:
    """Procedures by the shape of the collection that they are about, but for what is `read` as a resource."""
    groups = grouped((shape_of(procedure.collection), procedure) for procedure in procedures)
    apart = {shape: group for shape, group in groups.items() if not {shape, f"{shape}/{{}}"} & read}
    return {shape: _with_key(_with_maker(group)) for shape, group in apart.items()}


def _with_key(group: list[_Procedure]) -> list[_Procedure]:
    """A group with what names one thing in the query where no argument is called so: all that reads, changes or removes
    one takes it (`filterByTk`), and nothing that makes or lists them does.
    """
    alone, others = parted(group, lambda one: one.deed in ("read", "change", "remove"))
    if len({one.deed for one in alone}) < 3 or any(map(_is_named_so, alone)):
        return group
    shared = set.intersection(*(_scalars(one.operation) for one in alone))
    key = only(shared.difference(*(_scalars(one.operation) for one in others)))
    return group if key is None else [replace(one, key=key) for one in group]


def _is_named_so(one: _Procedure) -> bool:
    """Whether an argument is called as what names one thing, and is not what a change may set anew."""
    return one.deed != "change" and any(is_called for _, _, is_called in _naming(one))


def _scalars(operation: Operation) -> set[str]:
    """The query parameters of an operation that may name one thing."""
    return {name for name, part, _ in _fields(operation) if place_of(name).place == "query" and _is_scalar(part)}


def _with_maker(group: list[_Procedure]) -> list[_Procedure]:
    """A group with what makes its things, if no name says so: `save` makes one where it is not sent an ID."""
    if any(one.deed == "make" for one in group):
        return group
    return [replace(one, deed="make") if _stores(one) else one for one in group]


def _stores(one: _Procedure) -> bool:
    """Whether a procedure may make things, by its verb alone, and does not say by an ID which thing it changes."""
    noun = singular_words(one.collection.rpartition("/")[2])
    verb, *kind = singular_words(_split(one.last)[1])
    by_id = any(is_called and _ending(field) not in _NAMED for field, _, is_called in _naming(one))
    return verb in STORING and tuple(kind) in ((), noun) and not by_id


# Reading names


def _procedure(operation: Operation, named: str | None) -> _Procedure | None:
    """An operation as a procedure, by the last segment of its path; None if that says nothing.

    `named` is the collection that it is about if its path has none, and "" if nothing says which.
    """
    before, _, last = operation.path.rstrip("/").rpartition("/")
    noun, name = _split(last)
    parts, collection = words(name), (f"{before}/{noun}" if noun else before) if named is None else named
    if "{" in last or not parts or not collection.strip("/"):
        return None
    deed, kind = _deed_and_kind(operation, parts, collection)
    if deed is None:
        return None
    if not collection.endswith("}"):
        return _Procedure(operation, deed, _collection(collection, deed, kind, last), last=last)
    above = collection.rpartition("/")[0]
    return None if kind or deed == "act" else _Procedure(operation, deed, above, collection, last)


def _split(segment: str) -> tuple[str, str]:
    """The things that a segment names before what is done to them, if it does, and what is done: of `users.list`."""
    noun, _, name = segment.replace(":", ".").rpartition(".")
    return noun, name


def _deed_and_kind(operation: Operation, parts: Sequence[str], collection: str) -> tuple[Deed | None, tuple[str, ...]]:
    """What the words of a name say that an operation does, and to what kind of things, if they name one."""
    deed, kind = _deed(operation, parts), tuple(parts[1:])
    # What `delete_many` removes, its IDs say.
    if parts[1:2] in (("or",), ("by",)) or (deed == "remove" and kind == ("many",)):
        kind = ()
    if deed in ("list", "read"):
        return _read(deed, kind, singular_words(collection.rpartition("/")[2]))
    acts = deed == "act" or (deed in ("make", "remove") and _names_both(operation, collection, kind))
    return ("act", ()) if acts else (deed, kind)


def _deed(operation: Operation, parts: Sequence[str]) -> Deed | None:
    """What the words of a name say that an operation does; None if a request of its method may do something else."""
    deed = VERBS.get(parts[0], "act")
    if operation.method not in ("GET", "POST"):
        return None
    if operation.method == "POST" and "or" in parts and "make" in map(VERBS.get, parts):
        return "make"
    if deed in ("list", "read"):
        return "act" if _says_more(operation, parts) else deed
    if operation.method == "GET":
        return "act" if parts[0] in TAKING or _says_more(operation, parts) else None
    return deed


def _read(deed: Deed, kind: tuple[str, ...], things: tuple[str, ...]) -> tuple[Deed, tuple[str, ...]]:
    """What a name with words after its verb reads: all there are (`get_all`, `get_users` of `/users`), or one thing
    (`get_details`).
    """
    rest = tuple(word for word in kind if word not in WITHOUT_KIND)
    if tuple(map(singular, rest)) not in ((), things):
        return deed, kind
    many = "all" in kind or any(singular(word) != word for word in rest)
    return ("list" if many else deed), ()


def _names_both(operation: Operation, collection: str, kind: tuple[str, ...]) -> bool:
    """Whether arguments name both what lies in a collection and the thing that is put into it, or taken out:
    `/teams/add_user` with `team_id` and `user_id`.
    """
    names = [singular_words(place_of(name).name) for name, part, _ in _fields(operation) if _names_one(part)]
    noun, other = singular_words(collection.rpartition("/")[2]), tuple(map(singular, kind))
    return other not in ((), noun) and all((*of, "id") in names for of in (noun, other))


def _says_more(operation: Operation, parts: Sequence[str]) -> bool:
    """Whether an operation that is called like one that reads may do more than that."""
    first, *then = words(operation.summary) or ("",)
    forms = {*base_forms(first)}
    told = not CHANGING.isdisjoint(map(VERBS.get, forms)) or acting_verb(operation) is not None
    # "Archive invoices" says what is done to them, "Order details" of `/orders` and "Tag list" do not.
    noun = first in map(singular, words(operation.path))
    bare = not noun and not AMBIGUOUS.isdisjoint(forms) and then[:1] == [plural(word) for word in then[:1]]
    return not _FURTHER.isdisjoint(parts) or told or bare


def _collection(path: str, deed: Deed, kind: tuple[str, ...], last: str) -> str:
    """The collection that a procedure is about, which may name its kind: `/users/get_user`, `/users/add_key`."""
    if not kind or tuple(map(singular, kind)) == singular_words(path.rpartition("/")[2]):
        return path
    return f"{path}/{'_'.join(kind) if deed in CHANGING else last}"


def _is_rpc(operations: Sequence[Operation], groups: Sequence[list[_Procedure]]) -> bool:
    """Whether a tool names what it does to its things, and hardly does it by methods."""
    procedures = sum(one.deed != "act" for group in groups for one in group)
    others = sum(op.method in ("PUT", "PATCH", "DELETE") for op in operations)
    posted = sum(op.method == "POST" for op in operations)
    return any(map(_changes_and_reads, groups)) and procedures > others and 2 * procedures >= posted


def _changes_and_reads(group: Iterable[_Procedure]) -> bool:
    deeds = {one.deed for one in group}
    return bool(deeds & CHANGING) and bool(deeds & {"list", "read"})


# Routes


def _routes(groups: dict[str, list[_Procedure]], is_rpc: bool) -> dict[OperationKey, OperationKey]:
    """The routes of procedures, by what their groups are about."""
    routes: dict[OperationKey, OperationKey] = {}
    for _, group in sorted(groups.items()):
        if not (is_rpc or _changes_and_reads(group)):
            continue
        member = _common_member(group)
        for one in group if member else filter(_is_told, group):
            path = _path(one, member)
            if path:
                routes[one.operation.key] = OperationKey(one.operation.tool, f"{METHODS[one.deed]} {path}")
    return routes


def _is_told(one: _Procedure) -> bool:
    """Whether it matters what a procedure does where nothing says how one thing is named."""
    return one.deed != "act" or one.operation.method == "GET"


def _path(one: _Procedure, common: str) -> str:
    """The path of the route of a procedure; "" if it has none."""
    if one.deed in ("make", "list"):
        free = one.deed == "make" or _is_free(one.operation)
        return one.collection if free else _beside(one)
    item = one.item or _item(one, common)
    if one.deed == "act":
        beside = _beside(one) if one.operation.method == "GET" else ""
        return f"{item}/{one.last}" if item and common else beside
    return item or (_beside(one) if one.deed == "read" else "")


def _beside(one: _Procedure) -> str:
    """The path of what is read beside the things of a collection."""
    is_of_last = one.collection.endswith(f"/{one.last}")
    return one.collection if is_of_last else f"{one.collection}/{one.last}"


def _item(one: _Procedure, common: str) -> str:
    """The path of the thing that the arguments of a procedure name; "" if they name none."""
    named = _naming(one)
    if one.deed == "act":
        named = [entry for entry in named if entry[2]]
    best = next((entry for entry in named if _ending(entry[0]) == common), named[0] if named else None)
    if best is None or (one.deed in ("change", "act") and not _is_sure(one, best[0])):
        return ""
    return f"{one.collection}/{{{best[0]}}}"


def _is_sure(one: _Procedure, chosen: str) -> bool:
    """Whether a change goes to what its argument names: another that is required, or a new name, may choose instead.

    Where what chooses is left out, a service may change all that it has.
    """
    fields = {name: required for name, part, required in _fields(one.operation) if _names_one(part)}
    others = (name for name in fields if name != chosen and _ending(name) in ("id", "uuid", "guid"))
    return fields.get(chosen, False) or (_ending(chosen) not in _NAMED and not any(fields[name] for name in others))


def _is_free(operation: Operation) -> bool:
    """Whether a listing may be asked for all that is there: it requires nothing that selects some."""
    fields = [(part, required) for _, part, required in _fields(operation)]
    return not any(
        required and part.type not in ("integer", "boolean") and part.enum is None and not isinstance(part.default, str)
        for part, required in fields
    )


def _common_member(group: Iterable[_Procedure]) -> str:
    """How most procedures of a group name one thing: the last word of the member."""
    endings = Counter(
        _ending(name) for one in group if one.deed in ("read", "change", "remove") for name, _, _ in _naming(one)
    )
    return min(endings, key=lambda ending: (-endings[ending], ending), default="")


def _naming(one: _Procedure) -> list[tuple[str, bool, bool]]:
    """(name, whether required, whether called so) of the arguments that name one thing, the likeliest first."""
    noun = singular_words(one.collection.rpartition("/")[2])
    fields = [(name, required) for name, part, required in _fields(one.operation) if _names_one(part)]
    named = [(name, required, name == one.key if one.key else _is_called(name, noun)) for name, required in fields]
    found = [entry for entry in named if entry[2]]
    required = [entry for entry in named if entry[1]]
    if not found and len(required) == 1 and one.deed in ("read", "remove"):
        return required
    return sorted(found, key=lambda entry: not entry[1])


def _is_called(name: str, noun: tuple[str, ...]) -> bool:
    parts = singular_words(place_of(name).name)
    rest = parts[len(noun) :] if noun and parts[: len(noun)] == noun else parts
    return rest == () or (len(rest) == 1 and rest[0] in _IDENTIFYING)


def _ending(name: str) -> str:
    return (singular_words(place_of(name).name) or ("",))[-1]


def _names_one(part: Schema) -> bool:
    item = part.items() if part.type == "array" else part
    return item is not None and _is_scalar(item)


def _is_scalar(part: Schema) -> bool:
    return part.type in ("string", "integer") and part.enum is None


def _fields(operation: Operation) -> Iterator[tuple[str, Schema, bool]]:
    """(name in a route, schema, whether required) of the query parameters, and of the members of the body."""
    for parameter in operation.parameters:
        if parameter.location == "query":
            yield f"{parameter.key}{_kind(parameter.schema)}", parameter.schema, parameter.required
    schema = operation.body_schema
    for name, part in schema.properties().items() if schema is not None else ():
        if re.fullmatch(r"[\w.-]+", name):
            yield f"body:{name}{_kind(part)}", part, name in schema.required if schema is not None else False


def _kind(part: Schema) -> str:
    item = part.items() if part.type == "array" else part
    number = ":integer" if item is not None and item.type == "integer" else ""
    return f"{number}[]" if part.type == "array" else number


# Places


def _places(groups: dict[str, list[_Procedure]], routes: dict[OperationKey, OperationKey]) -> dict[str, str]:
    """What stands before a thing's ID in other paths, by its collection: `/project` for `/projects`, and vice versa."""
    made = {one.collection for group in groups.values() for one in group if one.operation.key in routes}
    alike = {}
    for collection in sorted(made):
        above, _, last = collection.rpartition("/")
        other = singular(last) if singular(last) != last else plural(last)
        if f"{above}/{other}" not in made:
            alike[f"{above}/{other}"] = collection
    return alike


def _moved(key: OperationKey, places: dict[str, str]) -> OperationKey:
    """The route with each thing in the collection that makes it: `/projects/{name}/keys` for `/project/{name}/keys`."""
    path = key.path
    for found in [*PARAMETER.finditer(path)][::-1]:
        head = path[: found.start()].rstrip("/")
        if head in places:
            path = places[head] + path[len(head) :]
    return key if path == key.path else OperationKey(key.tool, f"{key.method} {path}")
