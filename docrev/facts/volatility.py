"""Values that differ between two identical calls: times, counters, random tokens. No fact and no example uses them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docrev.json_values.leaves import MAX_INNER_ITEMS, MAX_ITEMS
from docrev.json_values.pointer import escape
from docrev.records import Call, Json

# Names under which items know themselves, in the order in which they are tried.
_IDS = ("id", "_id", "pk", "uuid", "key", "code", "name", "slug", "href", "url")


def volatile(call: Call, replay: Call) -> set[str]:
    """The pointers of response values that differ between a call and its replay (`/0` for every item of an array).

    Items are compared by id where they have one, otherwise in order; an item that only one of the two has says
    nothing. Empty where the statuses differ.
    """
    if call.status != replay.status or not (call.ok and replay.ok) or call.body is replay.body:
        return set()
    return set(_differences(call.body, replay.body, ""))


def _differences(one: object, two: object, pointer: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(two, dict):
        for name in one:
            if name in two:
                escaped = escape(name)
                yield from _differences(one[name], two[name], f"{pointer}/{escaped}")
    elif isinstance(one, list) and isinstance(two, list):
        limit = MAX_ITEMS if pointer.count("/") <= 1 else MAX_INNER_ITEMS
        for left, right in _pairs(one[:limit], two[:limit]):
            yield from _differences(left, right, f"{pointer}/0")
    elif one != two or type(one) is not type(two):
        yield pointer


def _pairs(one: list[Json], two: list[Json]) -> Iterable[tuple[Json, Json]]:
    for name in _IDS:
        left, right = _by_id(one, name), _by_id(two, name)
        if left is not None and right is not None and not left.keys().isdisjoint(right):
            return [(item, right[id]) for id, item in left.items() if id in right]
    return zip(one, two, strict=False) if len(one) == len(two) else ()


def _by_id(items: list[Json], name: str) -> dict[str, Json] | None:
    """The items by an id that each of them has for itself alone, or None."""
    if not all(isinstance(item, dict) and isinstance(item.get(name), str | int) for item in items):
        return None
    found = {str(item[name]): item for item in items}
    return found if items and len(found) == len(items) else None
