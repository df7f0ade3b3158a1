"""The fields of successful responses that every response had and no schema declares."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial

from docrev.conventions.envelopes import ENVELOPES, PAGE_NUMBERS, PAGE_SIZES, PAGING_OBJECTS, plain_name
from docrev.conventions.fields import is_internal, is_volatile_field
from docrev.conventions.parameters import Role, role_of
from docrev.json_values import pointer as pointers
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import values_at
from docrev.records import Call, Fact, Json
from docrev.revision.observations import ObservedOperation
from docrev.revision.other_objects import is_other_object
from docrev.revision.response_samples import is_openapi, lists
from docrev.spec import Schema

_LINK = re.compile(r'"(?:\w+:/)?/')
"""A text that is a URL or a path, as canonical JSON."""
_AROUND = frozenset("object error errors self success status message".split())
"""Names of what stands beside the data of any response, or links to it."""
_OPENED = ENVELOPES | PAGING_OBJECTS
"""Names of objects that are known by what is in them."""
MAX_LISTED = 2
"""Names from the response, or an item of its list, to a field: what lies deeper often is only in some."""
MAX_DEPTH = 16
"""Far deeper than what is listed, so that only what is really undeclared counts."""


def undeclared_fields(observed: ObservedOperation, invented: Collection[str], *, echoed: bool = False) -> list[Fact]:
    """The facts on these fields, outermost first, each name once; `invented` names were sent by docrev itself.

    Inside an object that is itself undeclared, or declared without properties, only an envelope's fields count: the
    keys of others may be data. What only repeats an argument of the request counts beside what does not, since readers
    take a list for all there is, and alone if `echoed`.
    """
    found: dict[str, Fact] = {}
    # The fields of such a document are known to everybody.
    if all(is_openapi(call.body) for call in observed.good):
        return []
    declared = cache(partial(_declared, observed))
    for location in sorted(observed.facts, key=lambda location: (location.count("/"), location)):
        status, _, pointer = location.partition(":")
        field = next((fact for fact in observed.at(location) if fact.kind == "field"), None)
        name = pointers.last(pointer)
        if field is None or status[:1] != "2" or name in invented or is_internal(name):
            continue
        if _is_news(observed, declared(int(status)), location):
            found.setdefault(pointer, field)
    return list(found.values()) if echoed else _beside_news(observed, found)


def _beside_news(observed: ObservedOperation, found: Mapping[str, Fact]) -> list[Fact]:
    """The fields of objects that have one which is not echoed."""
    telling = {pointers.parent(pointer) for pointer in found if not _is_echoed(observed, pointer)}
    return [field for pointer, field in found.items() if pointers.parent(pointer) in telling]


def is_expected_at(location: str) -> bool:
    """Whether anybody expects a field of a response at a location: the ID of a stored thing, and when it was changed.

    At the top they expect what is around the data, too, as far as it takes no part in paging.
    """
    name, is_top = pointers.last(location), location.count("/") == 1
    is_around = is_top and plain_name(name) in ENVELOPES | PAGING_OBJECTS | _AROUND
    return role_of(name) is Role.ID or is_volatile_field(name, None) or is_around


def _is_news(observed: ObservedOperation, declared: Mapping[str, Schema], location: str) -> bool:
    """Whether a field is in every response of its kind, and neither the schema nor its name says all of it."""
    pointer, items = location.partition(":")[2], item_pointer(observed)
    if _is_of_request(pointer, items) or _is_envelope(observed, location) or not _is_in_one_type(observed, location):
        return False
    return _is_undeclared(declared, pointer, items) and _is_telling(observed, declared, location)


def item_pointer(observed: ObservedOperation) -> str | None:
    """Where an item of the list is that each response has: `/data/0`; None without lists."""
    listed = lists(observed.good)
    return f"{listed[0].pointer}/0" if listed else None


def _is_of_request(pointer: str, items: str | None) -> bool:
    """Whether a field beside a list repeats which page was asked for, and how large."""
    beside = items is not None and not pointer.startswith(items)
    return beside and plain_name(pointers.last(pointer)) in PAGE_NUMBERS | PAGE_SIZES


def _is_telling(observed: ObservedOperation, declared: Mapping[str, Schema], location: str) -> bool:
    """Whether a field tells more than its name, beside fields that are declared: neither one value only nor a link."""
    status, _, pointer = location.partition(":")
    above = declared.get(pointers.parent(pointer))
    if above is None or not above.properties():
        return True
    values = {canonical(value) for value, _ in observed.got(int(status), pointer)}
    return len(values) > 1 and not all(_LINK.match(value) for value in values) and not _is_copied(observed, pointer)


def _is_copied(observed: ObservedOperation, pointer: str) -> bool:
    """Whether a field is an object of values that are beside it as well."""
    around = (value for call in observed.good for value in values_at(call.body, pointers.parent(pointer)))
    name = pointers.last(pointer)
    pairs = [(value[name], value) for value in around if isinstance(value, dict) and isinstance(value.get(name), dict)]
    return bool(pairs) and all(
        {*map(canonical, held.values())} <= {*map(canonical, beside.values())} for held, beside in pairs
    )


def _is_echoed(observed: ObservedOperation, pointer: str) -> bool:
    """Whether a field has, in every response, the value of an argument in the path."""
    return all(_is_in_path(call, values_at(call.body, pointer)) for call in observed.good)


def _is_in_path(call: Call, values: Sequence[Json]) -> bool:
    sent = {str(value) for location, value in call.arguments.items() if location.startswith("path:")}
    return bool(values) and {str(value) for value in values} <= sent


def _is_in_one_type(observed: ObservedOperation, location: str) -> bool:
    """Whether all that a field lies in is of one type: the content of a file may be an object, or a text."""
    if len({type(call.body) for call in observed.good if call.body is not None}) > 1:
        return False
    above = pointers.parent(location)
    while not above.endswith(":"):
        if not any(fact.kind == "type" for fact in observed.at(above)):
            return False
        above = pointers.parent(above)
    return True


def _declared(observed: ObservedOperation, status: int) -> Mapping[str, Schema]:
    """The schemas of a response, of the success that is declared if that of this status is not, by pointer."""
    response = observed.operation.response(status) or observed.operation.success
    if response is None or response.schema is None or is_other_object(observed, status):
        return {}
    walked = dict(response.schema.walk(MAX_DEPTH))
    # Where one object is declared and a list comes, its items are what is declared.
    is_list = any(fact.kind == "type" and fact.value == "array" for fact in observed.at(f"{status}:"))
    return _as_of_items(walked) if is_list and response.schema.type == "object" else walked


def _as_of_items(walked: Mapping[str, Schema]) -> Mapping[str, Schema]:
    """The schemas of an object as those of the items of a list, and of the lists in it."""
    items = (pointer for pointer in walked if pointer.endswith("/0") and pointer.count("/") == MAX_LISTED)
    starts = ["", *items]
    found = {f"/0{at.removeprefix(start)}": walked[at] for start in starts for at in walked if at.startswith(start)}
    return found | {"": walked[""]}


def _is_undeclared(declared: Mapping[str, Schema], pointer: str, items: str | None) -> bool:
    named = [step for step in pointers.split(pointer) if step != "0" and plain_name(step) not in _OPENED]
    if _is_declared(declared, pointer) or pointers.last(pointer) == "0" or len(named) > MAX_LISTED:
        return False
    above = pointers.parent(pointer)
    if _is_left_open(declared, above) or _may_be_data(declared, above, items):
        return False
    return above in declared or all(step == "0" or plain_name(step) in _OPENED for step in pointers.split(above))


def _is_declared(declared: Mapping[str, Schema], pointer: str) -> bool:
    """Whether a place is declared, be it deeper than what was looked through."""
    above = declared.get(pointers.parent(pointer))
    return pointer in declared or (above is not None and pointers.last(pointer) in above.properties())


def _is_left_open(declared: Mapping[str, Schema], above: str) -> bool:
    """Whether the nearest declared object around a field is declared elsewhere, or as a map of things."""
    nearest = declared.get(_nearest(declared, above))
    return nearest is not None and (nearest.is_unread or nearest.is_map)


def _may_be_data(declared: Mapping[str, Schema], above: str, items: str | None) -> bool:
    """Whether the nearest declared object around a field has no properties, and is not the response or an item."""
    nearest = _nearest(declared, above)
    empty = nearest in declared and not declared[nearest].properties()
    return empty and nearest not in ("", "/0", items)


def _nearest(declared: Mapping[str, Schema], pointer: str) -> str:
    while pointer and pointer not in declared:
        pointer = pointers.parent(pointer)
    return pointer


def _is_envelope(observed: ObservedOperation, location: str) -> bool:
    """Whether a field is named by the fields in it."""
    inside = (other.removeprefix(f"{location}/") for other in observed.facts if other.startswith(f"{location}/"))
    return plain_name(pointers.last(location)) in _OPENED and any(other != "0" for other in inside)
