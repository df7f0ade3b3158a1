"""Which argument of a refused call an error is about: by its place, by the value that it repeats, by its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from docrev.conventions.error_claims import RELATIONS, VALUE_KINDS, Hint
from docrev.conventions.ids import is_called, is_id_name
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import find, join, last, parent, split
from docrev.language.path_templates import parameters_of
from docrev.language.words import plural, singular, singular_words, words
from docrev.records import Arguments, Json
from docrev.spec import Operation, Schema
from docrev.spec.schema import properties_of

_DEPTH = 4
_FORM = re.compile(r"str|int|float|bool|uuid|url|date|datetime|bytes|decimal|[\w-]+\[.*\]")
"""What pydantic calls an alternative that is no object."""
BODY = "body:"
MISTAKEN = frozenset({"invalid", "not-found", "state", "unknown"})
"""Kinds of hints on a member that may be for that there should be none of its name."""


def schema_at(operation: Operation, location: str) -> Schema | None:
    """The schema of an argument, or of a part of the request body; None if nothing is documented."""
    if not location.startswith(BODY):
        parameter = operation.parameter(location)
        return None if parameter is None else parameter.schema
    schema = operation.body_schema
    for key in split(location.removeprefix(BODY)):
        if schema is None:
            return None
        schema = schema.properties().get(key) or (schema.items() if key.isdecimal() else None)
    return schema


def value_at(arguments: Arguments, location: str) -> Json:
    """What was sent at a location; None if nothing was."""
    if location.startswith(BODY):
        return find(arguments.get(BODY), location.removeprefix(BODY))[1]
    return arguments.get(location)


def located(operation: Operation, arguments: Arguments, hints: Sequence[Hint]) -> dict[str, list[Hint]]:
    """The hints on one argument or one part of the body, by its location."""
    found: dict[str, list[Hint]] = {}
    branches: dict[str, str] = {}
    for hint in hints:
        plain, branch, at = _without_branch(operation, arguments, hint)
        # What each alternative wants is said: one of them is met.
        if hint.kind in RELATIONS or (branch and branches.setdefault(at, branch) != branch):
            continue
        named = _named_free(operation, arguments, plain)
        if (location := named or _location(operation, arguments, plain)) is not None:
            location = _list_beside(operation, arguments, location, plain) or location
            location = _in_free_object(operation, arguments, location, plain) or location
            found.setdefault(_mentioned_inside(arguments, location, plain), []).append(plain)
    return found


def _without_branch(operation: Operation, arguments: Arguments, hint: Hint) -> tuple[Hint, str, str]:
    """A hint without the alternative that its pointer names, as pydantic's do; that name, and where it stands.

    `/trigger/EventTrigger/posture` is on `/trigger/posture`, `/limit/int` on `/limit`: nothing is called so there. A
    value that chooses the alternative names it too: `openai` if `type` is that.
    """
    if hint.place not in ("", "body") or BODY not in arguments:
        return hint, "", ""
    kept, branch, at = "", "", ""
    keys = split(hint.pointer)
    for number, key in enumerate(keys, 1):
        if _is_branch(operation, arguments[BODY], kept, key, keys[number:]):
            branch, at = branch or key, at or kept
        else:
            kept += join(key)
    return (replace(hint, pointer=kept), branch, at) if branch else (hint, "", "")


def _is_branch(operation: Operation, body: Json, at: str, key: str, inside: Sequence[str]) -> bool:
    """Whether a key of a hint's pointer names an alternative for the value that was sent before it."""
    value = find(body, at)[1]
    if inside and isinstance(value, dict) and key in value.values():
        return True
    if not at:
        # A member of the whole body may be missing; what has another one in it that the body has is none.
        return bool(inside) and not _is_there(operation, value, at, key) and _is_there(operation, value, at, inside[0])
    if value is None or (not inside and isinstance(value, dict | list) and not _FORM.fullmatch(key)):
        return False
    return not _is_there(operation, value, at, key)


def _mentioned_inside(arguments: Arguments, location: str, hint: Hint) -> str:
    """The location of the member of a refused object that the refusal mentions, or else that of the object."""
    if hint.kind != "invalid" or not location.startswith(BODY) or not isinstance(value_at(arguments, location), dict):
        return location
    said = words(hint.text)
    inside = [at for at, _ in sent(arguments) if at.startswith(f"{location}/") and _mentions(said, words(name_at(at)))]
    return max(inside, key=lambda at: len(words(name_at(at))), default=location)


def _list_beside(operation: Operation, arguments: Arguments, location: str, hint: Hint) -> str:
    """The list beside a member, if an error speaks of the items of a member that has none: `values` for `value`."""
    part = schema_at(operation, location) if location.startswith(BODY) else None
    is_listed = isinstance(value_at(arguments, location), list)
    if hint.kind != "min-items" or is_listed or part is None or part.type == "array":
        return ""
    around = location.rpartition("/")[0]
    beside = schema_at(operation, around)
    lists = [name for name, other in properties_of(beside).items() if other.type == "array"]
    called = [name for name in lists if words(name) == words(plural(name_at(location)))] or lists
    return f"{around}{join(called[0])}" if len(called) == 1 else ""


def _in_free_object(operation: Operation, arguments: Arguments, location: str, hint: Hint) -> str:
    """The place of what is missing in the object of any properties that an error names: "no value for field 'x'" is
    on `x` of `fields`."""
    is_known = schema_at(operation, location) is not None or is_sent(arguments, location)
    if hint.kind != "required" or is_known or not location.startswith(BODY) or parent(location.removeprefix(BODY)):
        return ""
    said, body = _forms(hint.text.replace(hint.name, "")), arguments.get(BODY)
    free = (at for at in _free_objects(operation) if find(body, parent(at))[0])
    called = [at for at in free if said.issuperset(singular_words(last(at)))]
    return f"{BODY}{called[0]}{join(hint.name)}" if len(called) == 1 else ""


def _named_free(operation: Operation, arguments: Arguments, hint: Hint) -> str:
    """The one member of an object of any properties that an error names together with that object: "vector with name=x
    does not exist" is on `x` of `vectors`."""
    body, said = arguments.get(BODY), _forms(hint.text)
    free = (
        at for at in _free_objects(operation) if hint.kind in MISTAKEN and said.issuperset(singular_words(last(at)))
    )
    inside = ((at, found) for at in free if isinstance(found := find(body, at)[1], dict))
    named = [at + join(name) for at, found in inside for name in found if said.issuperset(words(name))]
    return BODY + named[0] if len(named) == 1 else ""


def _forms(text: str) -> set[str]:
    """The words of a text, and their singulars."""
    return {form for word in words(text) for form in (word, singular(word))}


def _free_objects(operation: Operation) -> list[str]:
    """The pointers of the objects in a body that may have any properties."""
    schema = operation.body_schema
    documented = schema.walk(max_depth=_DEPTH) if schema is not None else ()
    return [at for at, part in documented if at and _takes_any(part)]


def is_free(operation: Operation, location: str) -> bool:
    """Whether a location is that of a member of an object in a body that may have any: nothing documents what it is
    called."""
    pointer = location.removeprefix(BODY)
    around = schema_at(operation, BODY + parent(pointer)) if location.startswith(BODY) and parent(pointer) else None
    return around is not None and _takes_any(around)


def _takes_any(part: Schema) -> bool:
    return part.type == "object" and not part.properties()


def _is_there(operation: Operation, value: object, at: str, key: str) -> bool:
    """Whether something is called so in a value, or is documented to be."""
    inside = (isinstance(value, dict) and key in value) or (isinstance(value, list) and key.isdecimal())
    return inside or schema_at(operation, BODY + at + join(key)) is not None


def _location(operation: Operation, arguments: Arguments, hint: Hint) -> str | None:
    """The location that a hint is on; None if the error does not tell."""
    if hint.kind == "allowed-values" and hint.place == "" and not _is_sent_anywhere(arguments, hint.name):
        # "The type does not support the 'x' method. Supported methods are: ['y']" names what it says in front of that.
        return repeated(arguments, hint) or _by_name(operation, arguments, hint)
    location = _by_name(operation, arguments, hint)
    if location is None or hint.kind in ("required", "unknown") or is_sent(arguments, location):
        return location
    # Nothing is called as the error says: what it repeats is meant.
    return (repeated(arguments, hint) if schema_at(operation, location) is None else None) or location


def _is_sent_anywhere(arguments: Arguments, name: str) -> bool:
    return any(name_at(location) == name for location, _ in sent(arguments))


def _by_name(operation: Operation, arguments: Arguments, hint: Hint) -> str | None:
    if hint.place in ("path", "query", "header", "cookie"):
        return _declared(operation, hint.place, hint.name) if hint.name else None
    if hint.name and (len(split(hint.pointer)) > 1 or not any(value == hint.name for _, value in sent(arguments))):
        return _parameter(operation, hint) or member_location(
            operation, arguments, hint.place, parent(hint.pointer), last(hint.pointer)
        )
    is_text = isinstance(arguments.get(BODY), str)
    if hint.place == "body" and (hint.kind in VALUE_KINDS or (hint.kind == "invalid" and is_text)):
        return BODY
    return _quoted(arguments, hint)


def _parameter(operation: Operation, hint: Hint) -> str | None:
    """The documented parameter that a hint without a place names; what is missing is not in the path."""
    if hint.place == "" and len(split(hint.pointer)) == 1:
        for place in ("path", "query", "header") if hint.kind != "required" else ("query", "header"):
            name = _declared(operation, place, hint.name)
            if operation.parameter(name) is not None:
                return name
        if operation.body is None:
            return _parameter_around(operation, hint.name)
    return None


def _parameter_around(operation: Operation, name: str) -> str | None:
    """The query parameter that is an object with a member of a name: `type` of `?q={"type":…}`."""
    queried = (parameter for parameter in operation.parameters if parameter.location == "query")
    return next((parameter.key for parameter in queried if name in parameter.schema.properties()), None)


def member_location(operation: Operation, arguments: Arguments, place: str, base: str, name: str) -> str:
    """The location of a named argument, or of a member of the body: where it stands, or where it is documented."""
    # A body that no operation declares is there once it was sent: what such an API asks for then is in it.
    has_body = BODY in arguments or may_have_body(operation)
    if place not in ("", "body") or not has_body:
        return _declared(operation, place if place not in ("", "body") else "query", name)
    pointer = base + join(name)
    body = arguments.get(BODY)
    if find(body, pointer)[0] or schema_at(operation, BODY + pointer) is not None:
        return BODY + pointer
    # What reads a part of a body tells of places in that part.
    places = [at for at, _ in leaves(body, "") if last(at) == name and at.startswith(f"{base}/")]
    places = places or _undersides(operation, body, base, name)
    return BODY + next(iter(places), pointer)


def may_have_body(operation: Operation) -> bool:
    """Whether what an operation asks for may be in a body: it declares one, or nothing at all that it could be sent."""
    if operation.body is not None or operation.method not in ("POST", "PUT", "PATCH"):
        return operation.body is not None
    return not any(parameter.location == "query" for parameter in operation.parameters)


def _undersides(operation: Operation, body: Json, base: str, name: str) -> list[str]:
    """The pointers at which a member of this name is documented in what was sent, or else the ID of what is called so,
    or what is called so without "id": "Activity can't be blank" is on `activity_id`, "Parent id is required" on
    `parent`."""
    schema = operation.body_schema
    documented = dict(schema.walk(max_depth=_DEPTH)) if schema is not None else {}
    places = {at: part for at, part in documented.items() if find(body, parent(at))[0] and at.startswith(f"{base}/")}
    same = [at for at in places if last(at) == name and not base]
    return same or _called_so(places, name)


def _called_so(places: Mapping[str, Schema], name: str) -> list[str]:
    """The pointers of the IDs of what is called so, or of what is called as the thing: `parent` for `parent_id`."""
    if ids := [at for at in places if is_id_name(last(at)) and is_called(last(at), name)]:
        return ids
    bare = words(name)[:-1] if is_id_name(name) else ()
    return [at for at, part in places.items() if bare and words(last(at)) == bare and _is_reference(part)]


def _is_reference(part: Schema) -> bool:
    """Whether a property may be the ID of a thing."""
    return part.type in ("integer", "string") and not (part.enum or part.format or part.get("readOnly"))


def _declared(operation: Operation, place: str, name: str) -> str:
    """The location of a parameter, whatever the case and the separators of its name."""
    for parameter in operation.parameters:
        if parameter.location == place and words(parameter.name) == words(name):
            return parameter.key
    return f"{place}:{name}"


def _quoted(arguments: Arguments, hint: Hint) -> str | None:
    """The argument that an error without a name is about: one whose value it repeats, or whose name it mentions."""
    if (location := repeated(arguments, hint)) is not None:
        return location
    if hint.kind == "exists":
        return BODY
    said = words(hint.text)
    named = [location for location, _ in sent(arguments) if _mentions(said, words(name_at(location)))]
    return max(named, key=lambda location: len(words(name_at(location))), default=None)


def repeated(arguments: Arguments, hint: Hint) -> str | None:
    """The argument whose value an error repeats: the one that is called as the error says, or else the first."""
    said = words(hint.text)
    noun = hint.values[0] if hint.kind == "not-found" and hint.values else ""
    places = [location for location, value in sent(arguments) if _repeats(hint.text, value)]

    def distance(location: str) -> tuple[bool, float]:
        name = words(name_at(location))
        # `auth_method` is the "authentication method".
        mentioned = [word for word in name if any(other.startswith(word) for other in said)]
        return not (noun and is_called(name_at(location), noun)), -len(mentioned) / max(1, len(name))

    return min(places, key=distance, default=None)


def _repeats(text: str, value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) > 1 and str(value) in text


def _mentions(said: Sequence[str], name: Sequence[str]) -> bool:
    count = len(name)
    return bool(name) and any(tuple(said[at : at + count]) == tuple(name) for at in range(len(said)))


def sent(arguments: Arguments) -> Iterator[tuple[str, Json]]:
    """What was sent: parts of the body first, then the rest from the last path argument on."""
    yield from leaves(arguments.get(BODY), BODY)
    yield from ((location, value) for location, value in reversed(list(arguments.items())) if location != BODY)


def name_at(location: str) -> str:
    """The name of the argument at a location: of a part of the body, that of the member that holds it."""
    pointer = location.removeprefix(BODY)
    if pointer == location:
        return location.partition(":")[2]
    return next((key for key in reversed(split(pointer)) if not key.isdecimal()), "")


def is_sent(arguments: Arguments, location: str) -> bool:
    """Whether arguments have something at a location."""
    if location.startswith(BODY):
        return BODY in arguments and find(arguments[BODY], location.removeprefix(BODY))[0]
    return location in arguments


def members_of_body(operation: Operation) -> list[str]:
    """The locations of the properties that a body has by its schema."""
    return [BODY + join(name) for name in properties_of(operation.body_schema)]


def in_path(operation: Operation, arguments: Arguments, location: str) -> list[Json]:
    """The path argument that may be meant by a location, too: a body's `key` by that of `/variables/{variable_key}`."""
    place, name = location.partition(":")[0], name_at(location)
    own = parameters_of(operation.path)[-1:] if operation.path.endswith("}") and place == "body" else []
    called = [other for other in own if words(name) and words(other)[-len(words(name)) :] == words(name)]
    named = (f"path:{other}" for other in dict.fromkeys([name, *called]) if place != "path")
    return [arguments[at] for at in named if at in arguments]
