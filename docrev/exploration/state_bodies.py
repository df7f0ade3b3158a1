"""Request bodies for the probes of states: an accepted one, without one of its properties, and without its wrapper."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeGuard

from docrev.calls.redact import MASK as REDACTED
from docrev.conventions.fields import is_free_text, is_name_field
from docrev.conventions.ids import created_id, created_object, is_id_name
from docrev.conventions.run_names import PROBES, carries_made_up, is_invented, is_made_up, run_name
from docrev.facts.call_values import sent_properties
from docrev.facts.creations import place_of
from docrev.facts.kinds.required import variants
from docrev.facts.parameter_trials import NONSENSE
from docrev.grouping import grouped
from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping
from docrev.json_values.leaves import members, scalar_members
from docrev.json_values.pointer import escape, parent, placed, removed
from docrev.json_values.pointer import find as found_at
from docrev.records import Call, Json
from docrev.spec import Operation, Schema
from docrev.spec.schema import properties_of

MAX_LEFT_OUT = 8
MAX_LISTED = 5
MAX_UNDECLARED = 4
MAX_KINDS = 3
_CHOICE = re.compile(r"[A-Za-z][a-z_-]{2,20}")
"""A value that is one of a few words."""
_LEAST = 2
"""Creations that must have filled in the same value for it to be tried whether another one is kept."""
FILLER: dict[str, Json] = {"title": run_name(0, PROBES)}


ODD_SIGNS = " É"
"""A space, a capital and a letter beyond ASCII: a name that may have these may have most."""
LISTED_TEXTS = tuple(run_name(number, "l") for number in range(3))
"""Texts of the run for a list of texts, one after the other."""


def fullest(calls: Iterable[Call]) -> Call | None:
    """The accepted call with the most in its body, the first such; None if none can be sent again."""
    usable = [call for call in calls if REDACTED not in canonical(call.arguments)]
    return max(usable, key=lambda call: len(dict(members(call.arguments.get("body:")))), default=None)


def merged(calls: Iterable[Call]) -> Call | None:
    """The fullest accepted call with the other properties that were accepted too, each with its commonest value.

    The properties were accepted one at a time: that all of them are together is for the next call to show.
    """
    known = list(calls)
    best = fullest(known)
    if best is None or not isinstance(best.arguments.get("body:"), dict):
        return best
    bodies = [body for call in known if isinstance(body := call.arguments.get("body:"), dict)]
    common = {name: _commonest(bodies, name) for body in bodies for name in body if not is_invented(name)}
    body = {name: value for name, value in common.items() if value is not None}
    kept = {name: value for name, value in best.arguments["body:"].items() if not is_invented(name)}
    return replace(best, arguments={**best.arguments, "body:": {**body, **kept}})


def _commonest(bodies: list[dict[str, Json]], name: str) -> Json:
    """The value that most bodies have for a property, the first of these; None if all are secrets."""
    texts = {canonical(body[name]): body[name] for body in reversed(bodies) if name in body}
    counts = Counter(canonical(body[name]) for body in bodies if name in body)
    usable = [text for text in counts if REDACTED not in text]
    return texts[max(usable, key=lambda text: counts[text])] if usable else None


def fewest(calls: Iterable[Call]) -> Call | None:
    """The accepted call with the fewest arguments: of several the same, whatever numbers a service gives as IDs."""
    sent = ((len(call.arguments), canonical(call.arguments), call) for call in calls)
    usable = [one for one in sent if REDACTED not in one[1]]
    return min(usable, key=lambda one: one[:2])[2] if usable else None


def filled(body: Json) -> Json:
    """The body with a member in each of its empty objects."""
    if not isinstance(body, dict):
        return body
    return {name: dict(FILLER) if value == {} else value for name, value in body.items()}


def left_out(body: dict[str, Json]) -> Iterator[Json]:
    """The body without each of its properties, and without each of those of an object in it; eight at most."""
    return (removed(body, pointer) for pointer, _ in islice(members(body, depth=2), MAX_LEFT_OUT))


def less(body: Json) -> Iterator[Json]:
    """The body without one of the scalars in it, each in turn, those in objects first."""
    return (removed(body, pointer) for pointer, _ in reversed([*scalar_members(body, depth=2)]))


def id_to_choose(call: Call) -> str:
    """Where the body of a creation had, or could have had, the ID of the response; "" if nowhere, or elsewhere."""
    found = created_id(call.body)
    body = call.arguments.get("body:")
    at = place_of(call.body, str(found.value)) if found is not None else ""
    above = parent(at)
    around = found_at(body, above)[1] if above else body
    known = isinstance(around, dict) or (around is None and isinstance(body, dict) and above.count("/") == 1)
    sent = dict(scalar_members(body))
    return at if found is not None and at and known and (at in sent or found.value not in sent.values()) else ""


def unknown_choices(operation: Operation, body: dict[str, Json]) -> list[tuple[str, tuple[Json, ...]]]:
    """For each property of a body that is limited to some values: values that are none of them, and another of them."""
    properties = _properties(operation)
    limited = [name for name in body if name in properties and properties[name].enum and isinstance(body[name], str)]
    others = {name: [value for value in properties[name].enum or () if value != body[name]] for name in limited}
    return [(name, (*NONSENSE, *others[name][:1])) for name in limited]


def odd_texts(operation: Operation, body: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """The properties of a body by which a thing is known, if no schema says which texts they take: each with its text
    and signs that many names may not have."""
    properties = _properties(operation)
    for name, value in body.items():
        part = properties.get(name)
        is_said = part is not None and bool(part.get("pattern") or part.format or part.enum)
        if (
            isinstance(value, str)
            and is_made_up(value)
            and not is_said
            and (is_name_field(name) or not is_free_text(name))
        ):
            yield name, f"{value}{ODD_SIGNS}"


def names_apart(operation: Operation, one: Json, other: Json) -> Iterator[str]:
    """The properties of a body in which two things of the run's own have different texts that it made up, those first
    that name things."""
    if isinstance(one, dict) and isinstance(other, dict):
        found = [name for name in _properties(operation) if one.get(name) != other.get(name)]
        made_up = [name for name in found if is_made_up(one.get(name)) and is_made_up(other.get(name))]
        yield from sorted(made_up, key=lambda name: not (is_name_field(name) or is_id_name(name)))


def other_kinds(operation: Operation, body: dict[str, Json], good: Iterable[Call]) -> list[tuple[str, list[Json]]]:
    """For each property of a body that chooses between documented kinds of things: the other kinds that were accepted.

    What else a body must have may depend on it.
    """
    schema = operation.body_schema
    kinds = {pointer[1:]: values for pointer, values in variants(schema).items()} if schema is not None else {}
    bodies = [sent_properties(call) for call in good]
    return [
        (name, _other_texts(name, body[name], bodies, kinds[escape(name)])) for name in body if escape(name) in kinds
    ]


def _other_texts(name: str, sent: Json, bodies: Iterable[Mapping[str, Json]], known: Collection[str]) -> list[Json]:
    """The first known texts that bodies have in a property, other than what was sent."""
    accepted = dict.fromkeys(value for body in bodies if isinstance(value := body.get(name), str))
    return [value for value in accepted if value != sent and value in known][:MAX_KINDS]


def listable(operation: Operation, body: dict[str, Json]) -> list[tuple[str, list[Json]]]:
    """The properties that a body lacks and that are lists of some values, such as names of fields; with the values."""
    lists = ((name, part.items()) for name, part in _properties(operation).items() if name not in body)
    return [(name, list(items.enum)[:MAX_LISTED]) for name, items in lists if items is not None and items.enum]


def other_values(
    operation: Operation, body: dict[str, Json], good: Sequence[Call]
) -> list[tuple[str, tuple[Json, ...]]]:
    """For each declared property that the API filled in with the same value each time: another value."""
    things = [thing for call in good if isinstance(thing := created_object(call.body), dict)]
    found = []
    for name, part in _properties(operation).items():
        values = {canonical(thing.get(name)): thing.get(name) for thing in things if name not in body}
        value = next(iter(values.values())) if len(values) == 1 and len(things) >= _LEAST else None
        other = _other(value, part)
        if other is not None and not part.get("readOnly") and not is_id_name(name):
            found.append((name, (other,)))
    return found


def undeclared_values(operation: Operation, things: Iterable[Json]) -> list[tuple[str, tuple[Json, ...]]]:
    """Fields that things have and a body does not declare, if a few words are shared out among them, each with two of
    the words and nonsense; then the declared properties that things lack and whose text has such words, with those that
    are not what the API fills in, most likely."""
    declared, columns = _properties(operation), _columns(things)
    words = {name: _shared_words(column) for name, column in columns.items() if not is_id_name(name)}
    choices = {name: found for name, found in words.items() if found and name not in declared}
    found = [(name, (*words[:2], NONSENSE[0])) for name, words in choices.items()]
    for name, part in declared.items():
        lost = (words for words in choices.values() if name not in columns and str(words[0]) in part.description)
        found += [(name, (words[1:] * 2)[:2]) for words in lost]
    return found[:MAX_UNDECLARED]


def _columns(things: Iterable[Json]) -> dict[str, list[Json]]:
    """The values of each field of the things that are objects."""
    return grouped((name, value) for thing in things for name, value in mapping(thing).items())


def _shared_words(column: Sequence[Json]) -> tuple[Json, ...]:
    """The three commonest values of a column of words that is a choice of a few; () if it is none."""
    counts = Counter(value for value in column if isinstance(value, str) and _CHOICE.fullmatch(value))
    is_choice = 1 < len(counts) <= MAX_LISTED and counts.total() == len(column) > 2 * len(counts) - 1
    return tuple(word for word, _ in counts.most_common(3)) if is_choice else ()


def _other(value: Json, part: Schema) -> Json:
    """A value unlike one that was filled in; None if that is what everybody expects, or no scalar."""
    if value in (None, False, "", 0) or not isinstance(value, bool | int | str):
        return None
    choice = next((choice for choice in part.enum or () if choice != value), None)
    text = NONSENSE[0] if part.format is None else None
    return choice if choice is not None else False if value is True else value + 1 if isinstance(value, int) else text


def _properties(operation: Operation) -> dict[str, Schema]:
    schema = operation.body_schema
    return properties_of(schema)


def allows(operation: Operation, at: str) -> bool:
    """Whether the schema of a body has a property, or does not say which there are."""
    schema = operation.body_schema
    places = dict(schema.walk()) if schema is not None else {}
    around = places.get(parent(at)) if parent(at) else schema
    declared = properties_of(around)
    return not declared or (at in places and not places[at].get("readOnly"))


def is_closed(operation: Operation) -> bool:
    """Whether a body, or an object at its top, takes nothing but what is declared."""
    schema = operation.body_schema
    parts = [schema, *schema.properties().values()] if schema is not None else []
    return any(part.get("additionalProperties") is False for part in parts)


def with_text(body: Json, at: str) -> Json:
    """The body with a text of the run's own beside a pointer, if it has none."""
    return body if carries_made_up(body) else placed(body, f"{parent(at)}/title", FILLER["title"])


def with_more(operation: Operation, body: Json) -> Json:
    """The body with one more of the texts that the schema declares: something that can be left out again."""
    if not isinstance(body, dict):
        return body
    free = (
        name
        for name, part in _properties(operation).items()
        if name not in body and part.type == "string" and not (part.enum or part.format or part.get("readOnly"))
    )
    name = next((name for name in free if not is_id_name(name)), None)
    return body if name is None else {**body, name: FILLER["title"]}


def with_other(operation: Operation, body: Json) -> Json:
    """The body with other numbers, choices and switches, and with one more text or number that the schema declares: the
    same name alone."""
    if not isinstance(body, dict):
        return body
    parts = _properties(operation)
    sent = {name: _changed(name, value, parts.get(name)) for name, value in body.items()}
    for name, part in parts.items():
        is_free = name not in body and not (part.enum or part.format or part.get("readOnly") or is_id_name(name))
        if is_free and part.type in ("string", "integer", "number"):
            number = part.get("minimum")
            return {**sent, name: FILLER["title"] if part.type == "string" else number or 1}
    return sent


def _changed(name: str, value: Json, part: Schema | None) -> Json:
    """Another number, choice or switch than a value, else the value."""
    if isinstance(value, bool):
        return not value
    others = (choice for choice in (part.enum if part is not None else None) or () if choice != value)
    return next(others, value + 1 if _is_amount(name, value) else value)


def _is_amount(name: str, value: Json) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and not is_id_name(name)


def has_members_of(answer: Json, body: Json) -> bool:
    """Whether a response has all members of a request body: so it is the thing that was written."""
    return isinstance(answer, dict) and (not isinstance(body, dict) or answer.keys() >= body.keys())


def list_of_texts(operation: Operation) -> str:
    """The first property of a body that is a list of any texts; "" if there is none."""
    free = (
        name
        for name, part in _properties(operation).items()
        if (items := part.items()) is not None and items.type == "string" and not (items.enum or items.format)
    )
    return next((name for name in free if not is_id_name(name)), "")


def bare(body: dict[str, Json], answer: Json) -> Iterator[dict[str, Json]]:
    """What is in an object of the body, without that object around it, if the answer wraps its content likewise."""
    for name, value in body.items():
        got = answer.get(name) if isinstance(answer, dict) else None
        if not isinstance(value, dict) or not value or not isinstance(got, dict):
            continue
        if all(got.get(inner) == sent for inner, sent in value.items()):
            yield dict(value)


def empty_wrappers(body: Json, answer: Json) -> list[str]:
    """The objects that an answer has and the body could have had: what was created came back in one of them."""
    if not isinstance(answer, dict) or not isinstance(body, dict):
        return []
    return [name for name, value in answer.items() if isinstance(value, dict) and name not in body and "id" in value]


def wrong(operation: Operation, body: dict[str, Json]) -> dict[str, Json]:
    """A body in which no property can be right: each that was accepted, or is documented, is a list of nonsense."""
    schema = operation.body_schema
    names = [*body, *properties_of(schema)]
    return {name: [NONSENSE[0]] for name in dict.fromkeys(names)}


def open_object(operation: Operation, body: dict[str, Json]) -> str | None:
    """The pointer of the object in a body that has its properties, below a wrapper if there is one; None if nothing
    declares which they are."""
    [name, *others] = body or [""]
    inner = body.get(name)
    at = f"/{escape(name)}" if isinstance(inner, dict) and inner and not others else ""
    schema = operation.body_schema
    around = dict(schema.walk()).get(at) if schema is not None else None
    return at if around is not None and around.properties() else None


def objects_in_turn(operation: Operation) -> Iterator[tuple[str, list[dict[str, Json]]]]:
    """The properties of a body that are objects, each with objects of one member that differ from one to the next."""
    for name, part in _properties(operation).items():
        names = _free_members(part) if part.type == "object" and not part.get("readOnly") else []
        if len(names) > 1:
            values = [1, 2, 3] if part.properties() and part.properties()[names[0]].type == "integer" else LISTED_TEXTS
            yield name, [{names[turn % 2]: value} for turn, value in enumerate(values)]


def _free_members(part: Schema) -> list[str]:
    """Two members of an object that take any text, or any whole number; those of a map are names of the run."""
    declared = part.properties()
    if not declared:
        values = part.get("additionalProperties")
        is_map = not isinstance(values, dict) or values.get("type", "string") == "string"
        return [*LISTED_TEXTS[:2]] if is_map and values is not False else []
    for type in ("string", "integer"):
        free = [name for name, one in declared.items() if one.type == type and not (one.enum or one.format)]
        if len(free) > 1:
            return free[:2]
    return []
