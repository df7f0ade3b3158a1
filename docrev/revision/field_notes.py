"""What a successful response contains and no schema declares: its status, its type, its fields.

A field that every object of an API has stands once for all of them: see `common_notes`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus

from docrev.calls.media import has_object_lines, is_lines
from docrev.conventions.ids import is_id_name, refers_to
from docrev.conventions.methods import SAFE_METHODS
from docrev.conventions.parameters import Role, role_of
from docrev.conventions.service_pages import is_service_page
from docrev.conventions.statuses import is_success
from docrev.grouping import grouped, only
from docrev.json_values import pointer as pointers
from docrev.language import documentation_phrases as phrases
from docrev.language.path_subjects import STORES, PathSubject, owner, subject
from docrev.language.path_templates import ends_in_parameter, parameters_of
from docrev.language.phrases import joined_names
from docrev.language.verbs import READING, reading_verb
from docrev.language.words import plural, singular, words
from docrev.records import Call, Fact, Json, OperationKey
from docrev.revision import labels
from docrev.revision.deletion_notes import deleted_fields
from docrev.revision.majority import is_common
from docrev.revision.notes import CREATION, Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.other_objects import declared_elsewhere
from docrev.revision.response_samples import shared_names
from docrev.revision.state_notes import is_refused_if_there
from docrev.revision.undeclared_fields import is_expected_at, item_pointer, undeclared_fields
from docrev.spec.operation import Operation, Parameter

_TYPES = {"array": "a list", "object": "a single object", "string": "a string"}
_SHOWN = frozenset({"array", "object"})
"""Types that a response may be said to have: a text may be another media type."""
_LIST = re.compile(r"\b(?:lists?|array)\b|\ball\b", re.IGNORECASE)
_CONFIRMATIONS = frozenset("detail details message msg ok response result status success".split())
"""Names of fields that only confirm a change."""
MAX_CALLS = 5
MAX_NAMES = 3
_MEDIA = frozenset("api atom csv html json jsonl ndjson pdf rss text tsv txt xls xlsx xml yaml yml".split())
"""Values of a parameter that chooses a media type."""
_MANY = 5
"""Fields that stand once, where several operations return the same."""
_VERY_MANY = 10
"""Fields that stand once, whatever they are the fields of."""
_MIN_CREATIONS = 5
_MIN_CALLS = 2
"""Calls that show that a status is no exception."""


def status_note(observed: ObservedOperation, invented: Collection[str]) -> Iterator[Statement]:
    """The status of success that the document does not declare, in place of the one that it does.

    A 201 may be one of several: a creation may find what is there already. Where a document declares that nothing is
    returned, the fields that come are named.

    One operation is told of its fields, or of a second status, alone: a text that contradicts the responses declared
    below it is put right there (see `contradicted`).
    """
    status, declared = _undeclared_success(observed), _declared_successes(observed)
    if not status or not declared:
        return
    calls = tuple(call.id for call in observed.good[:MAX_CALLS])
    facts = [fact for fact in observed.all("status") if fact.value["status"] == status]
    fields = _instead_of_nothing(observed, invented)
    is_usual = not _may_create(observed, status)
    if fields or (is_usual and len(observed.good) >= _MIN_CALLS):
        names = _names(fields)
        instead = f"{status}, not {' or '.join(declared)}"
        text = f"Returns {status} with {joined_names(names)}." if names else f"Returns {instead}."
        yield Statement(text, "", "correction", tuple(facts), calls, instead, names)
    elif not is_usual:
        is_always = _always_creates(observed)
        text = f"Returns 201, not {' or '.join(declared)}." if is_always else "Returns 201 if it creates something."
        yield Statement(text, "", "correction" if is_always else "undeclared", tuple(facts), calls, CREATION)


def _may_create(observed: ObservedOperation, status: int) -> bool:
    """Whether a status says that something was created that need not be: a PUT to what has no ID replaces what there
    is."""
    is_one = observed.key.method == "PUT" and not ends_in_parameter(observed.key.path)
    return status == HTTPStatus.CREATED and not is_one


def contradicted(statement: Statement) -> str:
    """What a statement says against the status that is declared: "returns 204, not 200"; "" if it does not."""
    is_other = statement.kind == "status" and statement.category == "correction" and not statement.quotes
    return f"r{statement.text[1:-1]}" if is_other else ""


def _always_creates(observed: ObservedOperation) -> bool:
    """Whether 201 is no exception: a PUT may replace, and a POST may find what is there, unless it refuses that."""
    is_refused = any(map(is_refused_if_there, observed.all("exists")))
    return observed.key.method == "POST" and (is_refused or len(observed.good) >= _MIN_CREATIONS)


def _undeclared_success(observed: ObservedOperation) -> int:
    """The only status of success that was seen, if it is not declared; 0 if there is none."""
    status = only({call.status for call in observed.good if call.status is not None}) or 0
    return status if status and observed.operation.response(status) is None else 0


def _declared_successes(observed: ObservedOperation) -> list[str]:
    return [status for status in observed.operation.responses if status.isdecimal() and is_success(int(status))]


def _instead_of_nothing(observed: ObservedOperation, invented: Collection[str]) -> list[Fact]:
    """The fields of a response where the document declares one without content."""
    if _declared_successes(observed) != [str(int(HTTPStatus.NO_CONTENT))]:
        return []
    return [fact for fact in undeclared_fields(observed, invented) if len(labels.steps(fact.location)) == 1]


def type_note(observed: ObservedOperation) -> Iterator[Statement]:
    """Another type of response than the one that is declared, unless the summary says so or it only confirms."""
    if form := _form(observed):
        yield form
        return
    if found := _contradicting_type(observed):
        fact, declared = found
        yield Statement(f"Returns {_type(observed, fact)}, not {_TYPES[declared]}.", "", "correction", (fact,))


def _contradicting_type(observed: ObservedOperation) -> tuple[Fact, str] | None:
    """The type of the whole response with the declared one, if these differ and that is worth telling."""
    operation = observed.operation
    for fact in observed.all("type"):
        declared = _declared_type(operation, fact.location)
        text = f"{operation.summary} {operation.description}"
        is_said = fact.value == "array" and _LIST.search(text) is not None
        # Of what is read, the media type may decide whether it is a text.
        is_text = declared == "string" and observed.key.method in SAFE_METHODS
        is_expected = is_said or is_text or _is_confirmation(observed)
        if declared in _TYPES and fact.value in _SHOWN and declared != fact.value and not is_expected:
            return fact, declared
    return None


def _form(observed: ObservedOperation) -> Statement | None:
    """That a response comes line by line, or event by event, where the document declares another media type."""
    operation = observed.operation
    declared = operation.success.media_types if operation.success is not None else ()
    said = f"{operation.summary} {operation.description} {' '.join(declared)}"
    for text, is_form, told in _STREAMS:
        if is_form(observed.good) and not told.search(said):
            calls = tuple(call.id for call in observed.good[:MAX_CALLS])
            return Statement(text, "", "correction" if declared else "undeclared", calls=calls)
    return None


def _have_json_lines(calls: Collection[Call]) -> bool:
    """Whether responses have an object on each line; some may be a single line, and so one object."""
    by_line = [call for call in calls if _has_json_lines(call)]
    return bool(by_line) and all(call in by_line or isinstance(call.body, dict) for call in calls)


def _are_events(calls: Collection[Call]) -> bool:
    return bool(calls) and all(call.media_type.startswith("text/event-stream") for call in calls)


def _has_json_lines(call: Call) -> bool:
    """Whether a response has an object on each line: by its media type, or by the lines of its text."""
    return is_lines(call.media_type) or (isinstance(call.body, str) and has_object_lines(call.body))


_BY_LINE = r"json-?lines?\b|nd-?json|jsonl|json-seq|\bline\b|newline"
_STREAMS: tuple[tuple[str, Callable[[Collection[Call]], bool], re.Pattern[str]], ...] = (
    (
        "Returns a JSON object on each line, not one JSON document.",
        _have_json_lines,
        re.compile(_BY_LINE, re.IGNORECASE),
    ),
    (
        "Returns a stream of server-sent events.",
        _are_events,
        re.compile(rf"{_BY_LINE}|event-stream|\bstream|server[- ]sent", re.IGNORECASE),
    ),
)
"""What is said of a form in which a response comes, if the responses have it, and the words of texts that say so."""


def _declared_type(operation: Operation, location: str) -> str | None:
    """The type that the whole body of a successful response has by its schema; None for a part of a body."""
    status, _, pointer = location.partition(":")
    response = operation.response(int(status)) if status[:1] == "2" and not pointer else None
    return response.schema.type if response is not None and response.schema is not None else None


def _type(observed: ObservedOperation, fact: Fact) -> str:
    """The type that a response has; of an object, with its fields if they are few."""
    if fact.value == "object" and any(_is_keyed(call.body) for call in observed.good):
        return "an object that maps names to items"
    names = _few_names(observed, fact)
    return f"an object with {joined_names(names)}" if names else _TYPES[fact.value]


def _few_names(observed: ObservedOperation, fact: Fact) -> Sequence[str]:
    """The names of the fields of a response that is an object, if they are few."""
    if fact.value != "object" or any(_is_keyed(call.body) for call in observed.good):
        return ()
    names = shared_names([call.body for call in observed.good])
    return names if len(names) <= MAX_NAMES else ()


def _is_keyed(body: Json) -> bool:
    """Whether the members of an object are things, each under its own name or ID: data, and no fields."""
    things = [*body.items()] if isinstance(body, dict) else []
    return bool(things) and all(
        isinstance(thing, dict) and key in (thing.get("name"), thing.get("id")) for key, thing in things
    )


def field_notes(
    observed: ObservedOperation, others: Iterable[ObservedOperation], invented: Collection[str]
) -> Iterator[Statement]:
    """The fields of every response, or of each item of its list, that the schema lacks: all of them, by name.

    None where another operation declares what is returned.
    """
    if any(declared_elsewhere(observed, others)):
        return
    instead, contradicting = _instead_of_nothing(observed, invented), _contradicting_type(observed)
    named = _few_names(observed, contradicting[0]) if contradicting is not None else ()
    facts = [
        fact
        for fact in undeclared_fields(observed, invented)
        if fact not in instead and not {*labels.steps(fact.location)[:1]} & {*named}
    ]
    is_elsewhere = any(call.redirected for call in observed.good)
    if not (is_service_page(observed.key.path) or _is_confirmation(observed) or is_elsewhere or _is_as_asked(observed)):
        yield from _of_fields(observed, facts)


def _is_confirmation(observed: ObservedOperation) -> bool:
    """Whether all that a change returns is that it was done."""
    objects = [call.body for call in observed.good if isinstance(call.body, dict)]
    is_change = observed.key.method not in SAFE_METHODS and len(objects) == len(observed.good)
    return is_change and all(body and {*map(str.lower, body)} <= _CONFIRMATIONS for body in objects)


def _is_as_asked(observed: ObservedOperation) -> bool:
    """Whether what is returned depends on what was asked for: the fields of a GraphQL document, the form of a file."""
    is_chosen = any(map(_chooses_form, observed.operation.parameters))
    if is_chosen or reading_verb(observed.operation) == "graphql":
        return True
    success = observed.operation.success
    schema = success.schema if success is not None else None
    return schema is not None and (schema.format == "binary" or schema.node.get("type") == "file")


def _chooses_form(parameter: Parameter) -> bool:
    """Whether a parameter chooses in which form things are returned; of media types, JSON is what was seen."""
    values = {str(value).lower() for value in parameter.schema.enum or ()}
    # `json-flat` is JSON, too.
    are_media = {"".join(words(value)[:1]) for value in values} <= _MEDIA
    return role_of(parameter.name) is Role.FORMAT and not ("json" in values and are_media)


def uncovered_fields(
    observed: ObservedOperation, statement: Statement, shared: Sequence[Statement], like: OperationKey | None
) -> list[Statement]:
    """A statement on an operation, without the fields that are stated for all; they are those of the operation `like`,
    where they are named."""
    covered = {id(fact) for common in shared for fact in common.facts}
    left = [fact for fact in statement.facts if id(fact) not in covered]
    if statement.kind != "field":
        return [statement]
    if like is not None and left == [*statement.facts]:
        what = "The response" if item_pointer(observed) is None else f"Each {_noun(observed)}"
        return [replace(statement, text=f"{what} has the fields that `{like.operation}` returns.")]
    return [*_of_fields(observed, left)]


def same_fields(operations: Iterable[ObservedOperation], invented: Collection[str]) -> dict[OperationKey, OperationKey]:
    """By operation: the one that names the same many fields, best that which reads one thing.

    A few stand once for each kind of thing: no note is said to have what a citation has.
    """
    groups: dict[tuple[str, frozenset[str]], list[OperationKey]] = {}
    for observed in operations:
        start = f"{item_pointer(observed) or ''}/"
        places = [fact.location.partition(":")[2] for fact in undeclared_fields(observed, invented)]
        if len(places) >= _MANY and all(place.startswith(start) for place in places):
            names = frozenset(place.removeprefix(start) for place in places)
            noun = subject(observed.key.path).noun if len(places) < _VERY_MANY else ""
            groups.setdefault((noun, names), []).append(observed.key)
    found = {}
    for keys in groups.values():
        first = min(keys, key=lambda key: (key.method != "GET", not ends_in_parameter(key.path), key))
        found.update({key: first for key in keys if key != first})
    return found


def _of_fields(observed: ObservedOperation, facts: Sequence[Fact]) -> Iterator[Statement]:
    """The statements on these undeclared fields of an operation."""
    # A list that is not known as one has items all the same.
    start = item_pointer(observed) or "/0"
    of_items = [fact for fact in facts if f":{start}/" in fact.location]
    others = [fact for fact in facts if fact not in of_items]
    if of_items:
        yield Statement(_of_items(observed, of_items, start), "field", "undeclared", tuple(of_items))
    if others:
        yield Statement(f"The response contains {joined_names(_names(others))}.", "field", "undeclared", tuple(others))


def _names(facts: Iterable[Fact]) -> tuple[str, ...]:
    """The places of fields in a response as people write them: `items[].id`."""
    return tuple(dict.fromkeys(_dotted(labels.steps(fact.location)) for fact in facts))


def _dotted(steps: Iterable[str]) -> str:
    """A path of names and of items of lists: `tags[].name`; a name may have any signs in it."""
    return "".join("[]" if step == "0" else f".{step}" for step in steps).removeprefix(".")


def _noun(observed: ObservedOperation) -> str:
    """What an item of the list that is returned is called: as the list, if the path names that, or as the path says."""
    about = subject(observed.key.path)
    # What a change returns a list of may be anything: the changes themselves.
    is_of_things = observed.key.method in {*SAFE_METHODS, "DELETE"} or reading_verb(observed.operation)
    # Of `/hosts/filter`, the noun says what is done.
    if not is_of_things or _is_of_one(observed, about) or about.noun in READING:
        return "entry"
    *first, last = words(labels.field_name(f"200:{item_pointer(observed) or ''}").rpartition(".")[2]) or ("",)
    if last and (*first, last) in map(words, observed.key.path.split("/")):
        return " ".join([*first, singular(last)])
    return f"{about.noun} entry" if about.noun.rpartition(" ")[2] in STORES else about.noun or "item"


def _is_of_one(observed: ObservedOperation, about: PathSubject) -> bool:
    """Whether a path calls one thing by its noun, in which the items of a list lie: `/tests/{test_id}/json`, and
    `/flows/{id}/graph`. What a deletion of one thing returns may be whatever was changed by it."""
    path = observed.key.path
    if about.single or (observed.key.method == "DELETE" and ends_in_parameter(path)):
        return True
    *above, last = ["", *(part for part in path.split("/") if part)]
    return "{" not in last and "{" in above[-1] and _is_called_so(about.noun, last, path)


def _is_called_so(noun: str, last: str, path: str) -> bool:
    """Whether a noun is that of the thing around the last part of a path, or of this part, which is one thing."""
    called = parameters_of(path)[-1]
    is_above = owner(path, called) == noun and (is_id_name(called) or refers_to(called, noun))
    return is_above or (words(last) == words(noun) and plural(noun) != noun)


def _of_items(observed: ObservedOperation, facts: Iterable[Fact], start: str) -> str:
    inside = (pointers.split("/" + fact.location.partition(f":{start}/")[2]) for fact in facts)
    names = joined_names(dict.fromkeys(map(_dotted, inside)))
    noun = _noun(observed)
    if observed.key.method == "DELETE" and noun != "entry":
        names = joined_names(deleted_fields([observed])) or names
        return f"Returns {names} of each deleted {noun}."
    return phrases.FIELDS.write(noun=noun, fields=names)


def common_fields(operations: Iterable[ObservedOperation], invented: Collection[str]) -> Iterator[Statement]:
    """The fields that the objects of most operations have in the same place of a response: `data`, or the response."""
    operations = [*operations]
    undeclared = (_by_place(undeclared_fields(observed, invented, echoed=True)) for observed in operations)
    by_place = grouped(pair for places in undeclared for pair in places.items())
    returning = Counter(above for observed in operations for above in _by_place(_returned(observed)))
    for above, found in by_place.items():
        most = _common_names(found, returning[above])
        facts = tuple(fields[name] for fields in found for name in most if name in fields)
        if len(most) > 1 and not all(is_expected_at(fact.location) for fact in facts):
            place = f"The objects in a response's `{above}`" if above else "The objects returned"
            text = f"{place} have {joined_names(most)}."
            yield Statement(text, "field", "undeclared", facts)


def _returned(observed: ObservedOperation) -> list[Fact]:
    """What shows a field of a successful response, declared or not."""
    types = (fact for fact in observed.all("type") if fact.location.startswith("2"))
    return [fact for fact in types if labels.field_name(fact.location)]


def _common_names(found: Sequence[Mapping[str, Fact]], total: int) -> list[str]:
    """The names of fields that most of `total` operations return, not deletions alone: what is gone may have more."""
    counted = Counter(name for fields in found for name in fields)
    others = {name for fields in found for name, fact in fields.items() if fact.key.method != "DELETE"}
    return [name for name, count in counted.items() if is_common(count, max(total, len(found))) and name in others]


def _by_place(facts: Iterable[Fact]) -> dict[str, dict[str, Fact]]:
    """Fields by the names around them and by their own, whether in a list or not."""
    found: dict[str, dict[str, Fact]] = {}
    for fact in facts:
        names = [step for step in labels.steps(fact.location) if step != "0"]
        found.setdefault(".".join(names[:-1]), {})[names[-1]] = fact
    return found
