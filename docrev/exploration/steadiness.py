"""Whether an operation says the same when it is asked the same twice in a row, with nothing done in between."""

from __future__ import annotations

from docrev.facts.observations import main_list
from docrev.facts.shape import shape
from docrev.json_values.leaves import values_at
from docrev.records import Call, Json

# Said for reasons of the moment: to ask again would show nothing else.
_PASSING = (429, 503)
_IDS = ("id", "_id", "uuid", "key", "code", "name", "slug", "href", "url")


def difference(one: Call, other: Call) -> str:
    """How two answers to the same request differ, in words; "" where only single values do, or nothing can be said."""
    if one.error == "denied" or other.error == "denied" or {one.status, other.status} & set(_PASSING):
        return ""
    if one.status != other.status or one.error != other.error:
        return f"it answers {one.status or one.error}, and {other.status or other.error} to the same again"
    if form(one) != form(other):
        return "its answers have other fields each time"
    if _items(one.body) != _items(other.body):
        return "its list holds other items each time"
    return ""


def form(call: Call) -> dict[str, frozenset[str]]:
    """The fields of an answer with their types; what is in lists is left out, for a list may be empty by chance."""
    # 3.0 may be written as 3.
    return {
        pointer: frozenset("number" if name == "integer" else name for name in place.types)
        for pointer, place in shape([call]).items()
        if "/0" not in pointer
    }


def _items(body: Json) -> list[str] | None:
    """The ids of the items of the list that an answer is about, in any order."""
    pointer = main_list(body)
    if pointer is None:
        return None
    items = values_at(body, f"{pointer}/0")
    names = [name for name in _IDS if items and all(isinstance(item, dict) and name in item for item in items)]
    return sorted(str(item[names[0]]) if names else str(type(item)) for item in items)
