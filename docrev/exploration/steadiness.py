"""Whether an operation says the same when it is asked the same twice in a row, with nothing done in between."""

from __future__ import annotations

from docrev.conventions.ids import ids_of, label_of
from docrev.conventions.lists import find_list
from docrev.conventions.statuses import BUSY
from docrev.facts.shape import shape
from docrev.json_values.leaves import MAX_ITEMS
from docrev.records import Call


def difference(one: Call, other: Call) -> str:
    """How two answers to the same request differ, in words; "" if only single values do, or if that cannot be known."""
    if one.error == "denied" or other.error == "denied" or {one.status, other.status} & BUSY:
        return ""
    if one.status != other.status or one.error != other.error:
        return f"it answers {one.status or one.error}, and {other.status or other.error} to the same again"
    if form(one) != form(other):
        return "its answers have other fields each time"
    if _item_ids(one) != _item_ids(other):
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


def _item_ids(call: Call) -> list[str] | None:
    """The ids of the items of the list that a response is about, or their names, in any order."""
    found = find_list(call.body, call.key.path)
    if found is None:
        return None
    ids = zip(ids_of(found)[:MAX_ITEMS], found.things, strict=False)
    return sorted(str(id if id is not None else label_of(thing) or type(thing)) for id, thing in ids)
