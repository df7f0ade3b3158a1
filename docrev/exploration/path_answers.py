"""What an answer tells of the things that paths name: those it lists, those it says are not there, where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from docrev.calls.route_arguments import argument, key_of
from docrev.conventions.envelopes import RESULTS, is_aside, plain_name
from docrev.conventions.error_claims import Hint
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.ids import find_id, ids_of, label_of
from docrev.conventions.lists import ListFound, all_lists, list_of, lists_of, object_of
from docrev.conventions.statuses import NOT_FOUND
from docrev.graph.tool_graph import Edge
from docrev.json_values.pointer import join, last
from docrev.language.path_templates import ends_in_parameter, parameters_of
from docrev.language.words import words
from docrev.records import Call, Json, OperationKey

MAX_IDS = 30
"""IDs that are taken from one list."""
MAX_KEYS = 8
"""Members of an object that may be what a path goes on with."""


def named_parts(call: Call, listed: ListFound | None, noun: str) -> Sequence[str | int]:
    """The ids of what a response lists, or else the names of its sections, or of the parts of the object that it is
    about."""
    lists = lists_of(call)
    if listed is not None:
        return [id for id in ids_of(listed, noun)[:MAX_IDS] if id is not None]
    if lists:
        return [last(section.pointer) for section in lists[:MAX_KEYS]]
    found = object_of(call)
    if found is None or find_id(found.value) is not None or label_of(found.value):
        return []
    return [name for name, value in found.value.items() if not _tells_nothing(name, value)][:MAX_KEYS]


def _tells_nothing(name: str, value: object) -> bool:
    """Whether a member of an object is no part of it that a path may go on with: it is beside it, or wraps it."""
    return is_aside(name, value) or plain_name(name) in RESULTS


def paths_inside(call: Call, name: str, above: Json) -> Iterator[str]:
    """The paths of what a call lists at a place in a tree, which the parameter `name` addresses: `a` has `a/b`."""
    for thing in [thing for found in all_lists(call.body) for thing in found.things][:MAX_IDS]:
        whole = thing.get("path", thing.get(name)) if isinstance(thing, dict) else None
        inner = segment_of(thing)
        path = whole if isinstance(whole, str) and whole else inner and f"{above}/{inner}"
        # A link is followed as one.
        if path and "://" not in path:
            yield path.strip("/")


def segment_of(thing: Json) -> str:
    """What a listed thing is called in the path of its place."""
    identified = find_id(thing)
    by_id = "" if identified is None else str(identified.value)
    return thing if isinstance(thing, str) else label_of(thing) or by_id


def is_empty(call: Call) -> bool:
    """Whether an answer is a list without items."""
    found = list_of(call)
    return call.body == [] or (found is not None and not found.items)


def values_of(route: OperationKey, call: Call) -> tuple[Json, ...]:
    """What a call had for the parameters of its route."""
    names = parameters_of(route.path)
    return tuple(argument({key_of(name): None, **call.arguments}, name) for name in names)


def missing_ids(route: OperationKey, call: Call, values: Sequence[Json], hints: Iterable[Hint]) -> set[str]:
    """The ids that hints call not found, and those path arguments of a refused GET that its error quotes."""
    # At a place, the id may stand alone.
    missing = {v for hint in hints if hint.kind == "not-found" for v in hint.values[0 if hint.name else 1 :]}
    if route.method == "GET" and call.status not in NOT_FOUND:
        text = summarise_error(call.body).replace('"', "'")
        missing |= {str(value) for value in values if f"'{value}'" in text}
    return missing


def is_missing_item(route: OperationKey, call: Call) -> bool:
    """Whether a reading of an item found nothing."""
    return route.method == "GET" and call.status in NOT_FOUND and ends_in_parameter(route.path)


def pointers_inside(edges: Sequence[Edge], items: str, found: ListFound | None, location: str) -> list[str]:
    """The pointers to what a path parameter may want in a response: in the items of its list, called alike first."""
    pointers = [edge.pointer for edge in edges if edge.pointer.startswith(items)] or [edges[0].pointer]
    word = words(location)[-1:]
    thing = found.things[0] if found is not None and found.things else None
    called = [name for name in thing if words(name) == word] if isinstance(thing, dict) else []
    pointers = list(dict.fromkeys([*(f"{items}{join(name)}" for name in called), *pointers]))
    return sorted(pointers, key=lambda pointer: words(last(pointer))[-1:] != word)
