"""What a successful response contains and no schema declares: its status, its type, its fields.

A field that every object of an API has stands once for all of them: see `common_notes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from http import HTTPStatus

from docrev.conventions.statuses import is_success
from docrev.language import documentation_phrases as phrases
from docrev.language.path_subjects import subject
from docrev.language.phrases import joined
from docrev.records import Fact
from docrev.revision import labels
from docrev.revision.common_notes import is_common
from docrev.revision.notes import Statement
from docrev.revision.observations import ObservedOperation
from docrev.revision.undeclared_fields import item_pointer, undeclared_fields

_TYPES = {"array": "a list", "object": "a single object"}
MAX_CALLS = 5


def status_note(observed: ObservedOperation) -> Iterator[Statement]:
    """The status of success that the document does not declare; the one that it does may come for other requests."""
    statuses = sorted({call.status for call in observed.good if call.status is not None})
    declared = [status for status in observed.operation.responses if status.isdecimal() and is_success(int(status))]
    if len(statuses) == 1 and declared and observed.operation.response(statuses[0]) is None:
        created = statuses[0] == HTTPStatus.CREATED
        text = "Returns 201 if it creates something." if created else f"May return {statuses[0]}."
        facts = [fact for fact in observed.all("status") if fact.value["status"] == statuses[0]]
        yield Statement(text, facts=tuple(facts), calls=tuple(call.id for call in observed.good[:MAX_CALLS]))


def type_note(observed: ObservedOperation) -> Iterator[Statement]:
    """A list where one object is declared, or one object where a list is: for a text, the media type may decide."""
    for fact in observed.all("type"):
        status, _, pointer = fact.location.partition(":")
        response = observed.operation.response(int(status)) if status[:1] == "2" and not pointer else None
        declared = response.schema.type if response is not None and response.schema is not None else None
        if declared in _TYPES and fact.value in _TYPES and declared != fact.value:
            yield Statement(f"Returns {_TYPES[fact.value]}, not {_TYPES[declared]}.", "", "correction", (fact,))
            return


def field_notes(observed: ObservedOperation, invented: Collection[str]) -> Iterator[Statement]:
    """The fields of every response, or of each item of its list, that the schema lacks: all of them, by name."""
    yield from _of_fields(observed, undeclared_fields(observed, invented))


def uncovered_fields(observed: ObservedOperation, statement: Statement, shared: Sequence[Statement]) -> list[Statement]:
    """A statement on an operation, without the fields that are stated for all."""
    covered = {id(fact) for common in shared for fact in common.facts}
    left = [fact for fact in statement.facts if id(fact) not in covered]
    return [statement] if statement.kind != "field" else [*_of_fields(observed, left)]


def _of_fields(observed: ObservedOperation, facts: Sequence[Fact]) -> Iterator[Statement]:
    """The statements on these undeclared fields of an operation."""
    start = item_pointer(observed)
    of_items = [fact for fact in facts if start is not None and f":{start}/" in fact.location]
    others = [fact for fact in facts if fact not in of_items]
    if of_items:
        yield Statement(_of_items(observed, of_items), "field", "undeclared", tuple(of_items))
    if others:
        paths = ("/".join(labels.steps(fact.location)).replace("/0", "[]").replace("/", ".") for fact in others)
        names = joined([f"`{path}`" for path in dict.fromkeys(paths)])
        yield Statement(f"The response contains {names}.", "field", "undeclared", tuple(others))


def _of_items(observed: ObservedOperation, facts: Iterable[Fact]) -> str:
    about = subject(observed.key.path)
    start = f":{item_pointer(observed)}/"
    inside = (fact.location.partition(start)[2].replace("/0", "[]").replace("/", ".") for fact in facts)
    names = joined([f"`{name}`" for name in dict.fromkeys(inside)])
    noun = "entry" if about.single else about.noun or "item"
    if observed.key.method == "DELETE":
        return f"Returns the deleted {labels.many(noun)}, each with {names}."
    return phrases.FIELDS.write(noun=noun, fields=names)


def common_fields(operations: Iterable[ObservedOperation], invented: Collection[str]) -> Iterator[Statement]:
    """The fields that the objects of most operations have in the same place of a response: `data`, or the response."""
    by_place: dict[str, list[dict[str, Fact]]] = {}
    for observed in operations:
        for above, fields in _by_place(undeclared_fields(observed, invented, echoed=True)).items():
            by_place.setdefault(above, []).append(fields)
    for above, found in by_place.items():
        counted = Counter(name for fields in found for name in fields)
        most = [name for name, count in counted.items() if is_common(count, len(found))]
        if len(most) > 1:
            place = f"Every object in `{above}`" if above else "Every object returned"
            facts = tuple(fields[name] for fields in found for name in most if name in fields)
            text = f"{place} has {joined([f'`{name}`' for name in most])}."
            yield Statement(text, "field", "undeclared", facts)


def _by_place(facts: Iterable[Fact]) -> dict[str, dict[str, Fact]]:
    """Fields by the names around them and by their own, whether in a list or not."""
    found: dict[str, dict[str, Fact]] = {}
    for fact in facts:
        names = [step for step in labels.steps(fact.location) if step != "0"]
        found.setdefault(".".join(names[:-1]), {})[names[-1]] = fact
    return found
