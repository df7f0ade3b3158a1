"""The fields of successful responses that every response had and no schema declares."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, partial

from docrev.conventions.envelopes import ENVELOPES, PAGING_OBJECTS, plain_name
from docrev.json_values import pointer as pointers
from docrev.records import Fact
from docrev.revision.observations import ObservedOperation
from docrev.revision.response_samples import lists
from docrev.spec import Schema

_OPENED = ENVELOPES | PAGING_OBJECTS
"""Names of objects that are known by what is in them."""
MAX_LISTED = 2
"""Names from the response, or an item of its list, to a field: what lies deeper often is only in some."""
MAX_DEPTH = 16
"""Far deeper than what is listed, so that only what is really undeclared counts."""


def undeclared_fields(observed: ObservedOperation, invented: Collection[str]) -> list[Fact]:
    """The facts on these fields, outermost first, each name once; `invented` names were sent by docrev itself.

    Inside an object that is itself undeclared, or declared without properties, only an envelope's fields count: the
    keys of others may be data.
    """
    found: dict[str, Fact] = {}
    listed = lists(observed.good)
    items = listed[0].pointer if listed else None
    declared = cache(partial(_declared, observed))
    for location in sorted(observed.facts, key=lambda location: (location.count("/"), location)):
        status, _, pointer = location.partition(":")
        field = next((fact for fact in observed.at(location) if fact.kind == "field"), None)
        if field is None or status[:1] != "2" or pointers.last(pointer) in invented:
            continue
        if not _is_in_one_type(observed, location):
            continue
        if _is_undeclared(declared(int(status)), pointer, items) and not _is_envelope(observed, location):
            found.setdefault(pointer, field)
    return list(found.values())


def _is_in_one_type(observed: ObservedOperation, location: str) -> bool:
    """Whether all that a field lies in is of one type: the content of a file may be an object, or a text."""
    above = pointers.parent(location)
    while not above.endswith(":"):
        if not any(fact.kind == "type" for fact in observed.at(above)):
            return False
        above = pointers.parent(above)
    return True


def _declared(observed: ObservedOperation, status: int) -> Mapping[str, Schema]:
    response = observed.operation.response(status)
    return dict(response.schema.walk(MAX_DEPTH)) if response is not None and response.schema is not None else {}


def _is_undeclared(declared: Mapping[str, Schema], pointer: str, items: str | None) -> bool:
    named = [step for step in pointers.split(pointer) if step != "0" and plain_name(step) not in _OPENED]
    if pointer in declared or pointers.last(pointer) == "0" or len(named) > MAX_LISTED:
        return False
    above = pointers.parent(pointer)
    if _may_be_data(declared, above, items):
        return False
    return above in declared or all(step == "0" or plain_name(step) in _OPENED for step in pointers.split(above))


def _may_be_data(declared: Mapping[str, Schema], above: str, items: str | None) -> bool:
    """Whether the nearest declared object around a field has no properties, and is not the response or its items."""
    nearest = above
    while nearest and nearest not in declared:
        nearest = pointers.parent(nearest)
    empty = nearest in declared and not declared[nearest].properties()
    return empty and nearest not in ("", "/0", f"{items}/0")


def _is_envelope(observed: ObservedOperation, location: str) -> bool:
    """Whether a field is named by what is in it."""
    name = plain_name(pointers.last(location))
    return name in _OPENED and any(other.startswith(f"{location}/") for other in observed.facts)
