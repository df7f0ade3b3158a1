"""Mending a refused call: what an error response asks for becomes the arguments of the next call, changed little.

Each hint becomes a demand: alternative edits, any of which may satisfy it. The first idea applies the first edit of
every demand, the others exchange the edit of one demand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from docrev.calls.media import CONTENT_TYPE
from docrev.conventions.error_hints import RELATIONS, Hint
from docrev.conventions.hint_values import value_for
from docrev.conventions.ids import is_called
from docrev.conventions.run_names import is_made_up, number_of, run_uuid
from docrev.json_values.leaves import leaves
from docrev.json_values.pointer import find, join, last, parent, placed, removed, split
from docrev.language.words import words
from docrev.records import Arguments, Json
from docrev.spec import Operation, Schema

MAX_IDEAS = 12
"""Ideas that come of one refusal."""
MAX_VALUES = 5
VALUE_KINDS = frozenset(
    {
        *("type", "format", "pattern", "characters", "first-character", "last-character", "forbidden-characters"),
        *("prefix", "suffix", "min-length", "max-length", "minimum", "maximum", "exclusive-minimum"),
        *("exclusive-maximum", "multiple-of", "min-items", "max-items", "unique-items", "allowed-values"),
    }
)
"""The kinds of hints that say what a value must be like."""
STOPPING = frozenset({"unsupported", "credentials"})
"""The kinds of hints after which no other arguments help."""

_ABSENT = object()
_DEPTH = 4
_BODY = "body:"

Edit = tuple[tuple[str, Json], ...]
"""Changes to be made together: (location, new value or _ABSENT)."""
Suggest = Callable[[str], list[Json]]
"""Location → values that are known for it, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where new values come from: `suggest` knows some for a location, `rename` gives names nobody has yet."""

    suggest: Suggest
    rename: Callable[[Json], Json]


def schema_at(operation: Operation, location: str) -> Schema | None:
    """The schema of an argument, or of a part of the request body; None if nothing is documented."""
    if not location.startswith(_BODY):
        parameter = operation.parameter(location)
        return None if parameter is None else parameter.schema
    schema = operation.body.schema if operation.body is not None else None
    for key in split(location.removeprefix(_BODY)):
        if schema is None:
            return None
        schema = schema.properties().get(key) or (schema.items() if key.isdecimal() else None)
    return schema


def value_at(arguments: Arguments, location: str) -> Json:
    """What was sent at a location; None if nothing was."""
    if location.startswith(_BODY):
        return find(arguments.get(_BODY), location.removeprefix(_BODY))[1]
    return arguments.get(location)


def changed(arguments: Arguments, location: str, value: Json) -> dict[str, Json]:
    """The arguments with another value at a location."""
    if not location.startswith(_BODY):
        return {**arguments, location: value}
    pointer = location.removeprefix(_BODY)
    return {**arguments, _BODY: placed(arguments.get(_BODY), pointer, value) if pointer else value}


def mended(
    operation: Operation, arguments: Arguments, hints: Sequence[Hint], sources: Sources
) -> Iterator[dict[str, Json]]:
    """The arguments of the next calls, the likeliest first; nothing if the hints ask for nothing that can be sent."""
    demands = [edits for edits in _demands(operation, arguments, hints, sources) if edits]
    if demands:
        first = [edits[0] for edits in demands]
        yield _edited(arguments, first)
        others = (
            _edited(arguments, [*first[:place], edit, *first[place + 1 :]])
            for place, edits in enumerate(demands)
            for edit in edits[1:MAX_VALUES]
        )
        yield from islice(others, MAX_IDEAS - 1)


def located(operation: Operation, arguments: Arguments, hints: Sequence[Hint]) -> dict[str, list[Hint]]:
    """The hints on one argument or one part of the body, by its location."""
    found: dict[str, list[Hint]] = {}
    for hint in hints:
        if hint.kind not in RELATIONS and (location := _location(operation, arguments, hint)) is not None:
            found.setdefault(location, []).append(hint)
    return found


def hinted(operation: Operation, arguments: Arguments, text: str) -> list[Hint]:
    """What an error hints at without saying it: a documented thing that it names is missing, a value it repeats bad."""
    found = [
        Hint("required", *_split(location), (), text)
        for location in _documented(operation)
        if not _is_sent(arguments, location) and re.search(rf"\b{re.escape(_name(location))}\b", text)
    ]
    hint = Hint("invalid", "", "", (), text)
    return found[:2] or ([hint] if _repeated(arguments, hint) is not None else [])


def _split(location: str) -> tuple[str, str]:
    """The place and the pointer of a location, as a hint has them."""
    place, _, rest = location.partition(":")
    return place, rest if place == "body" else join(rest)


def _documented(operation: Operation) -> list[str]:
    """The locations of the query parameters and of the members of the body, by names that are no everyday words."""
    schema = operation.body.schema if operation.body is not None else None
    members = [_BODY + join(name) for name in schema.properties()] if schema is not None else []
    queried = [parameter.key for parameter in operation.parameters if parameter.location == "query"]
    return [location for location in (*members, *queried) if len(_name(location)) > 2]


def _demands(
    operation: Operation, arguments: Arguments, hints: Sequence[Hint], sources: Sources
) -> Iterator[list[Edit]]:
    for location, on_it in located(operation, arguments, hints).items():
        yield _edits(operation, arguments, location, on_it, sources)
    for hint in hints:
        if hint.kind == "media-type":
            yield [((CONTENT_TYPE, kind),) for kind in _other_media(operation, hint)]
        if hint.kind in RELATIONS:
            base = hint.pointer if hint.place in ("", "body") else ""
            names = [_member(operation, arguments, hint.place, base, name) for name in hint.values]
            yield _related(hint.kind, names, [n for n in names if _is_sent(arguments, n)], sources.suggest)


def _other_media(operation: Operation, hint: Hint) -> list[str]:
    """The other media types that the spec has for a body: those that the error names first."""
    others = list(operation.body.others) if operation.body is not None else []
    return sorted(others, key=lambda kind: kind.partition(";")[0] not in hint.values)


def _edits(
    operation: Operation, arguments: Arguments, location: str, hints: Sequence[Hint], sources: Sources
) -> list[Edit]:
    """The alternative edits that satisfy the hints on one location."""
    kinds = {hint.kind: hint for hint in hints}
    given = value_at(arguments, location)
    if (partners := kinds.get("needs") or kinds.get("excluded-by")) is not None:
        return _with_partners(operation, arguments, location, partners, sources.suggest)
    if "unknown" in kinds:
        return [((location, _ABSENT),)] if _is_sent(arguments, location) else []
    if "exists" in kinds:
        new = sources.rename(given)
        return [((location, new),)] if new != given else []
    rules = [hint for hint in hints if hint.kind in VALUE_KINDS]
    values = values_for(rules, given, sources.suggest(location), schema_at(operation, location))
    return [((location, value),) for value in values if value != given or not _is_sent(arguments, location)]


def values_for(rules: Sequence[Hint], given: Json, known: Sequence[Json], schema: Schema | None) -> list[Json]:
    """Values that satisfy rules: the given one changed, each allowed one, then those that are known."""
    if not rules:
        return [value for value in known if value != given]
    choices = [choice for rule in rules if rule.kind == "allowed-values" for choice in rule.values]
    starts = [given, *choices, *known] if given is not None else [*choices, *known, None]

    def must_change(start: Json) -> bool:
        return start is given or start is None or value_for(rules, start, schema) != start

    found: dict[str, Json] = {}
    # What satisfies the rules as it is comes before what must be changed, and that before nothing at all.
    for start in sorted(starts, key=must_change):
        value = _uuid_of(rules, start) or value_for(rules, start, schema)
        if value is not None:
            found.setdefault(repr(value), value)
    return list(found.values())


def _uuid_of(rules: Sequence[Hint], given: Json) -> Json:
    """The UUID of the run for a name of the run, if a UUID is wanted."""
    wanted = any(rule.kind == "format" and rule.values[:1] == ("uuid",) for rule in rules)
    return run_uuid(number_of(given)) if wanted and is_made_up(given) else None


def _with_partners(
    operation: Operation, arguments: Arguments, location: str, hint: Hint, suggest: Suggest
) -> list[Edit]:
    base = parent(location.removeprefix(_BODY)) if location.startswith(_BODY) else ""
    place = location.partition(":")[0]
    names = [_member(operation, arguments, place, base, name) for name in hint.values]
    alone: Edit = ((location, _ABSENT),)
    if hint.kind == "excluded-by":
        return [alone, tuple((name, _ABSENT) for name in names)]
    return [_added(names, arguments, suggest), alone]


def _added(names: Sequence[str], arguments: Arguments, suggest: Suggest) -> Edit:
    return tuple(
        (name, next(iter(suggest(name)), "docrev")) for name in names if value_at(arguments, name) in (None, "", [])
    )


def _related(kind: str, names: Sequence[str], sent: Sequence[str], suggest: Suggest) -> list[Edit]:
    """The edits that satisfy a relation between locations, of which some were sent."""
    add = [(name, next(iter(suggest(name)), "docrev")) for name in names if name not in sent]
    none = tuple((name, _ABSENT) for name in sent)
    if kind == "all-or-none-of":
        return [tuple(add), none]
    if kind == "at-least-one-of":
        return [(change,) for change in add]
    if len(sent) > 1:
        return [tuple(change for change in none if change[0] != keep) for keep in sent]
    return [(change, *none) for change in add]


# Places


def _location(operation: Operation, arguments: Arguments, hint: Hint) -> str | None:
    """The location that a hint is on; None if the error does not tell."""
    if hint.place in ("path", "query", "header", "cookie"):
        return _declared(operation, hint.place, hint.name) if hint.name else None
    if hint.name and not any(value == hint.name for _, value in _sent(arguments)):
        return _parameter(operation, hint) or _member(
            operation, arguments, hint.place, parent(hint.pointer), last(hint.pointer)
        )
    if hint.place == "body" and hint.kind in VALUE_KINDS:
        return _BODY
    return _quoted(arguments, hint)


def _parameter(operation: Operation, hint: Hint) -> str | None:
    """The documented parameter that a hint without a place names."""
    if hint.place == "" and len(split(hint.pointer)) == 1:
        for place in ("path", "query", "header"):
            name = _declared(operation, place, hint.name)
            if operation.parameter(name) is not None:
                return name
    return None


def _member(operation: Operation, arguments: Arguments, place: str, base: str, name: str) -> str:
    """The location of a named argument, or of a member of the body: where it stands, or where it is documented."""
    if place not in ("", "body") or operation.body is None:
        return _declared(operation, place if place not in ("", "body") else "query", name)
    pointer = base + join(name)
    body = arguments.get(_BODY)
    if find(body, pointer)[0] or schema_at(operation, _BODY + pointer) is not None or base:
        return _BODY + pointer
    places = [at for at, _ in leaves(body, "") if last(at) == name] or _undersides(operation, body, name)
    return _BODY + next(iter(places), pointer)


def _undersides(operation: Operation, body: Json, name: str) -> list[str]:
    """The pointers at which a member of this name is documented in what was sent."""
    schema = operation.body.schema if operation.body is not None else None
    documented = schema.walk(max_depth=_DEPTH) if schema is not None else ()
    return [at for at, _ in documented if last(at) == name and find(body, parent(at))[0]]


def _declared(operation: Operation, place: str, name: str) -> str:
    """The location of a parameter, whatever the case and the separators of its name."""
    for parameter in operation.parameters:
        if parameter.location == place and words(parameter.name) == words(name):
            return parameter.key
    return f"{place}:{name}"


def _quoted(arguments: Arguments, hint: Hint) -> str | None:
    """The argument that an error without a name is about: one whose value it repeats, or whose name it mentions."""
    repeated = _repeated(arguments, hint)
    if repeated is not None:
        return repeated
    if hint.kind == "exists":
        return _BODY
    said = words(hint.text)
    named = [location for location, _ in _sent(arguments) if _mentions(said, words(_name(location)))]
    return max(named, key=lambda location: len(words(_name(location))), default=None)


def _repeated(arguments: Arguments, hint: Hint) -> str | None:
    """The argument whose value an error repeats: the one that is called as the error says, or else the first."""
    said = set(words(hint.text))
    noun = hint.values[0] if hint.kind == "not-found" and hint.values else ""
    places = [location for location, value in _sent(arguments) if _repeats(hint.text, value)]

    def distance(location: str) -> tuple[bool, bool]:
        name = _name(location)
        return not (noun and is_called(name, noun)), not set(words(name)) & said

    return min(places, key=distance, default=None)


def _repeats(text: str, value: Json) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) > 1 and str(value) in text


def _mentions(said: Sequence[str], name: Sequence[str]) -> bool:
    count = len(name)
    return bool(name) and any(tuple(said[at : at + count]) == tuple(name) for at in range(len(said)))


def _sent(arguments: Arguments) -> Iterator[tuple[str, Json]]:
    """What was sent: parts of the body first, then the rest from the last path argument on."""
    yield from leaves(arguments.get(_BODY), _BODY)
    yield from ((location, value) for location, value in reversed(list(arguments.items())) if location != _BODY)


def _name(location: str) -> str:
    pointer = location.removeprefix(_BODY)
    if pointer == location:
        return location.partition(":")[2]
    return next((key for key in reversed(split(pointer)) if not key.isdecimal()), "")


def _is_sent(arguments: Arguments, location: str) -> bool:
    if location.startswith(_BODY):
        return _BODY in arguments and find(arguments[_BODY], location.removeprefix(_BODY))[0]
    return location in arguments


# Edits


def _edited(arguments: Arguments, edits: Sequence[Edit]) -> dict[str, Json]:
    found = dict(arguments)
    for edit in edits:
        for location, value in edit:
            found = _without(found, location) if value is _ABSENT else changed(found, location, value)
    return found


def _without(arguments: Mapping[str, Json], location: str) -> dict[str, Json]:
    if not location.startswith(_BODY) or location == _BODY:
        return {name: value for name, value in arguments.items() if name != location}
    pointer = location.removeprefix(_BODY)
    body = arguments.get(_BODY)
    return {**arguments, _BODY: removed(body, pointer) if find(body, pointer)[0] else body}
