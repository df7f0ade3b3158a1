"""Mending a refused call: what an error response asks for becomes the arguments of the next call, changed little.

Each hint becomes a demand: alternative edits, any of which may satisfy it. The first idea applies the first edit of
every demand, the others exchange the edit of one demand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from docrev.calls.media import ACCEPT, CONTENT_TYPE
from docrev.conventions.error_claims import RELATIONS, VALUE_KINDS, Hint
from docrev.conventions.error_media import media_types
from docrev.conventions.fields import is_name_field
from docrev.conventions.guessed_values import rare_values
from docrev.conventions.hint_locations import (
    BODY,
    MISTAKEN,
    in_path,
    is_free,
    is_sent,
    located,
    member_location,
    name_at,
    schema_at,
    value_at,
)
from docrev.conventions.hint_values import value_for
from docrev.conventions.run_names import is_made_up, mark_of, number_of, run_uuid
from docrev.conventions.shaped_values import shaped_like
from docrev.exploration.bodies import days_later
from docrev.exploration.codes import with_codes
from docrev.exploration.own_emails import in_own_hosts
from docrev.exploration.sent_files import files_instead, files_sent, undeclared_file
from docrev.facts.call_values import without
from docrev.json_values.canonical import canonical
from docrev.json_values.pointer import join, parent, placed
from docrev.json_values.scalars import is_json_text
from docrev.language.words import words
from docrev.records import Arguments, Call, Json
from docrev.spec import Operation, Schema
from docrev.spec.operation import FORM, MULTIPART

MAX_IDEAS = 12
"""Ideas that come of one refusal."""
MAX_VALUES = 5
STOPPING = frozenset({"unsupported", "credentials"})
"""The kinds of hints after which no other arguments help."""

ANY_NAME = "title"
"""What a member is called of an object that may have any, and wants one."""
_USUAL_MEDIA = ("application/json", FORM, MULTIPART)
_NO_BODY = ("required", "body", "")
"""Kind, place and pointer of a hint that says that a request must have a body."""
_ABSENT = object()
_PATH = re.compile(r"/[^\s/]+/\S+")

Edit = tuple[tuple[str, Json], ...]
"""Changes to be made together: (location, new value or _ABSENT)."""
Suggest = Callable[[str], list[Json]]
"""Location → values that are known for it, the likeliest first."""


@dataclass(frozen=True, slots=True)
class ValueSources:
    """Where new values come from: `suggest` knows some for a location, `rename` gives names nobody has yet, `of_kind`
    knows the IDs of what a noun says."""

    suggest: Suggest
    rename: Callable[[Json], Json]
    of_kind: Suggest = lambda noun: []


def changed(arguments: Arguments, location: str, value: Json) -> dict[str, Json]:
    """The arguments with another value at a location."""
    if not location.startswith(BODY):
        return {**arguments, location: value}
    pointer = location.removeprefix(BODY)
    return {**arguments, BODY: placed(arguments.get(BODY), pointer, value) if pointer else value}


def mended(
    operation: Operation, arguments: Arguments, hints: Sequence[Hint], sources: ValueSources
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


def acceptable(operation: Operation, arguments: Arguments, call: Call) -> Iterator[dict[str, Json]]:
    """The arguments with another Accept, for what cannot be had in the media types that were asked for (406): those
    that the refusal names, those that are documented, and anything."""
    named = media_types(canonical([call.headers.get("accept", ""), call.body]))
    documented = [kind for response in operation.responses.values() for kind in response.media_types]
    for kind in dict.fromkeys([*named, *documented, "*/*"]):
        yield {**arguments, ACCEPT: kind}


def _demands(
    operation: Operation, arguments: Arguments, hints: Sequence[Hint], sources: ValueSources
) -> Iterator[list[Edit]]:
    for location, on_it in located(operation, arguments, hints).items():
        edits = _of_file(operation, arguments, location, on_it)
        yield _edits(operation, arguments, location, on_it, sources) if edits is None else edits
    for hint in hints:
        if (hint.kind, hint.place, hint.pointer) == _NO_BODY or hint.kind == "media-type":
            yield _of_body(operation, arguments, hint)
        if hint.kind in RELATIONS:
            names = _members(operation, arguments, hint)
            yield _related(hint.kind, names, [n for n in names if is_sent(arguments, n)], sources.suggest)


def _of_file(operation: Operation, arguments: Arguments, location: str, hints: Sequence[Hint]) -> list[Edit] | None:
    """Send another file, or one that nothing declares; None where no file is meant."""
    if location in files_sent(operation, arguments):
        return [((location, file),) for file in files_instead(arguments, location, hints)]
    file = undeclared_file(operation, arguments, location, hints)
    return [((location, file), (CONTENT_TYPE, MULTIPART))] if file else None


def _of_body(operation: Operation, arguments: Arguments, hint: Hint) -> list[Edit]:
    """Add the body that is missing, with nothing or with what the query has; or send it in another media type."""
    if BODY not in arguments:
        queried = {name_at(at): value for at, value in arguments.items() if at.startswith("query:")}
        return [((BODY, body),) for body in ([{}, queried] if queried else [{}])]
    kinds = _other_media(operation, hint) if hint.kind == "media-type" else []
    return [((CONTENT_TYPE, kind),) for kind in kinds]


def _members(operation: Operation, arguments: Arguments, hint: Hint) -> list[str]:
    """The locations of the parameters that a hint relates to each other."""
    base = hint.pointer if hint.place in ("", "body") else ""
    return [member_location(operation, arguments, hint.place, base, name) for name in hint.values]


def _other_media(operation: Operation, hint: Hint) -> list[str]:
    """Other media types for a body: those that the error names first, then those of the spec, then the usual ones."""
    body = operation.body
    named = [kind for kind in hint.values if "*" not in kind and (body is None or kind != body.media_type)]
    documented = {kind.partition(";")[0]: kind for kind in (body.others if body is not None else ())}
    usual = [kind for kind in _USUAL_MEDIA if body is None or kind != body.media_type]
    return list(dict.fromkeys([*(documented.get(kind, kind) for kind in named), *documented.values(), *usual]))


def _edits(
    operation: Operation, arguments: Arguments, location: str, hints: Sequence[Hint], sources: ValueSources
) -> list[Edit]:
    """The alternative edits that satisfy the hints on one location."""
    kinds = {hint.kind: hint for hint in hints}
    given = value_at(arguments, location)
    if (partners := kinds.get("needs") or kinds.get("excluded-by")) is not None:
        return _with_partners(operation, arguments, location, partners, sources.suggest)
    if "unknown" in kinds:
        return [((location, _ABSENT),)] if is_sent(arguments, location) else []
    if "exists" in kinds:
        new, chosen = _unused(given, arguments, sources.rename), _other_choices(schema_at(operation, location), given)
        told = [value for value in chosen if _is_told(value, given, kinds["exists"].text)]
        found = [*told, *new, *(value for value in chosen if value not in told)]
        return [((location, value),) for value in found if value != given]
    others = _other_values(operation, arguments, location, hints, sources)
    return [*_left_out(operation, arguments, location, hints), *others]


def _left_out(operation: Operation, arguments: Arguments, location: str, hints: Sequence[Hint]) -> list[Edit]:
    """Leave out a member that may be called anything, and was called so by the run, if an error may be on its name."""
    is_mistaken = any(hint.kind in MISTAKEN for hint in hints) and is_free(operation, location)
    return [((location, _ABSENT),)] if is_mistaken and is_sent(arguments, location) else []


def _unused(given: Json, arguments: Arguments, rename: Callable[[Json], Json]) -> list[Json]:
    """What nothing has yet, in place of what something has; a time may have to be unique as a name has."""
    if isinstance(given, list) and len(given) > 1:
        # They must differ from each other, too.
        return [[rename(item) for item in given]]
    new = rename(given)
    codes = shaped_like([given], f"{mark_of(arguments.get(BODY))} again") if new == given else []
    return [new, *([days_later(new, number_of(new))] if isinstance(new, dict) else codes)]


def _other_choices(part: Schema | None, given: Json) -> list[Json]:
    """The other values to which what exists already is limited, those after the given one first; or an object with
    each other value of a member that is limited so: there may be one thing for each `type`, or for each country."""
    if part is None:
        return []
    if part.enum and given in part.enum:
        place = part.enum.index(given)
        return [*part.enum[place + 1 :], *part.enum[:place]]
    choices = _choices_inside(part, given) if isinstance(given, dict) else ()
    return [{**given, name: value} for name, values in choices for value in values]


def _choices_inside(part: Schema, given: dict[str, Json]) -> Iterator[tuple[str, list[Json]]]:
    """The other values of each member of an object that is limited to some, then of each that is a code."""
    sent = [(name, schema) for name, schema in part.properties().items() if name in given]
    yield from ((name, _other_choices(schema, given[name])) for name, schema in sent if schema.enum)
    yield from ((name, rare_values(name, given[name])) for name, schema in sent if not schema.enum)


def _is_told(value: Json, given: Json, text: str) -> bool:
    """Whether an error is on what differs between two values: on a value itself, or on a member that it names."""
    if not isinstance(value, dict) or not isinstance(given, dict):
        return True
    return any({*words(name)} <= {*words(text)} for name in value if value[name] != given[name])


def _other_values(
    operation: Operation, arguments: Arguments, location: str, hints: Sequence[Hint], sources: ValueSources
) -> list[Edit]:
    given = value_at(arguments, location)
    rules = [hint for hint in hints if hint.kind in VALUE_KINDS]
    suggested = with_codes(sources.suggest(location), given, location, hints)
    meant = _things_missed(hints, sources)
    own = in_own_hosts(given, hints, sources.suggest)
    known = [*meant, *in_path(operation, arguments, location), *own, *suggested]
    known = _with_a_member(location, sources.suggest) if given == {} and not any(known) else known
    values = [*_links(rules, known), *values_for(rules, given, known, schema_at(operation, location))]
    values = _as_items(rules, given, values)
    if is_made_up(given) and is_name_field(name_at(location)):
        values = _own_names_first(values, meant)
    if not is_sent(arguments, location):
        return [((location, value),) for value in [*values, *_null(operation, location)]]
    return [((location, value),) for value in values if value != given]


def _as_items(rules: Sequence[Hint], given: Json, values: list[Json]) -> list[Json]:
    """Values in a list, for a list: what is said of one without naming an item is said of what is in it."""
    is_on_items = isinstance(given, list) and not any(hint.kind == "type" for hint in rules)
    return [value if isinstance(value, list) else [value] for value in values] if is_on_items else values


def _with_a_member(location: str, suggest: Suggest) -> list[Json]:
    """An object with one member, for one that may have any and must not be empty."""
    return [{ANY_NAME: value} for value in suggest(location + join(ANY_NAME))[:1]]


def _own_names_first(values: Sequence[Json], meant: Sequence[Json]) -> list[Json]:
    """What is meant, then names of the run: what the run names keeps one, since what fits as it is may be the name of
    somebody's thing."""
    return sorted(values, key=lambda value: value not in meant and not is_made_up(value))


def _things_missed(hints: Sequence[Hint], sources: ValueSources) -> list[Json]:
    """The IDs of what refusals name that they did not find: of a strategy for "No strategy with name x"."""
    nouns = dict.fromkeys(hint.values[0] for hint in hints if hint.kind == "not-found" and len(hint.values) > 1)
    return [id for noun in nouns for id in sources.of_kind(noun)]


def _null(operation: Operation, location: str) -> list[Json]:
    """Null, where it may be sent: of what must be there, some need no value, as the thing that it lies in."""
    schema = schema_at(operation, location) if location.startswith(BODY) else None
    return [None] if schema is not None and schema.nullable else []


def values_for(rules: Sequence[Hint], given: Json, known: Sequence[Json], schema: Schema | None) -> list[Json]:
    """Values that satisfy rules: the given one changed, each allowed one, then those that are known."""
    texts = _json_texts(rules, given)
    if not rules:
        return [*texts, *(value for value in known if value != given)]
    choices = [choice for rule in rules if rule.kind == "allowed-values" for choice in rule.values]
    starts = [given, *choices, *known] if given is not None else [*choices, *known, None]

    def must_change(start: Json) -> bool:
        return start is given or start is None or value_for(rules, start, schema) != start

    found: dict[str, Json] = {repr(value): value for value in texts}
    # What satisfies the rules as it is comes before what must be changed, and that before nothing at all.
    for start in sorted(starts, key=must_change):
        value = _uuid_of(rules, start) or value_for(rules, start, schema)
        if value is not None:
            found.setdefault(repr(value), value)
    return list(found.values())


def _json_texts(rules: Sequence[Hint], given: Json) -> list[Json]:
    """A text as the only item of a list in JSON, and an object, if JSON is wanted, and it is none; an object instead
    of such a list that is refused without a reason."""
    if not isinstance(given, str):
        return []
    if is_json_text(given):
        return ["{}"] if not rules and is_made_up(given) and given.startswith("[") else []
    wanted = any((rule.kind, rule.values) == ("format", ("json",)) for rule in rules)
    return [canonical([given]), "{}"] if wanted else []


def _links(rules: Sequence[Hint], known: Sequence[Json]) -> list[Json]:
    """The paths among known values, where a URL is wanted: what refers to a thing of an API may leave out its host."""
    wanted = any((rule.kind, rule.values) == ("format", ("url",)) for rule in rules)
    return [value for value in known if wanted and isinstance(value, str) and _PATH.fullmatch(value)]


def _uuid_of(rules: Sequence[Hint], given: Json) -> Json:
    """The UUID of the run for a name of the run, if a UUID is wanted."""
    wanted = any(rule.kind == "format" and rule.values[:1] == ("uuid",) for rule in rules)
    return run_uuid(number_of(given)) if wanted and is_made_up(given) else None


def _with_partners(
    operation: Operation, arguments: Arguments, location: str, hint: Hint, suggest: Suggest
) -> list[Edit]:
    base = parent(location.removeprefix(BODY)) if location.startswith(BODY) else ""
    place = location.partition(":")[0]
    names = [member_location(operation, arguments, place, base, name) for name in hint.values]
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


# Edits


def _edited(arguments: Arguments, edits: Sequence[Edit]) -> dict[str, Json]:
    found = dict(arguments)
    for edit in edits:
        for location, value in edit:
            found = without(found, location) if value is _ABSENT else changed(found, location, value)
    return found
