"""What filters and sorts are seen to do: a scenario may say "sorted by population" only where it was sorted.

A parameter that an API silently ignores answers 2xx like any other; only the items tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.language.words import words
from docrev.planner.knowledge import Seen, View
from docrev.planner.response_items import Item, equal
from docrev.records import Json

ORDERING = frozenset({"sort", "order", "orderby", "ordering", "sortby", "direction", "dir"})


@dataclass(frozen=True, slots=True)
class Pick:
    """Arguments that choose and order a list as they say. `order` is the field it is ordered by, "" where none was
    seen; `descending` its direction; `natural` where the order needs no argument."""

    arguments: tuple[tuple[str, Json], ...]
    filters: tuple[str, ...]
    order: str = ""
    descending: bool = False
    natural: bool = False


def picks(view: View) -> list[Pick]:
    """The ways of choosing from a list that this operation's calls have shown, each once."""
    found: dict[str, Pick] = {}
    for seen in view.seen:
        if (
            seen.reading.listed
            and seen.reading.items
            and not any(name.startswith(("path:", "body:")) for name in seen.arguments)
        ):
            pick = _pick(view, seen)
            if pick is not None and (pick.order or pick.filters):
                found.setdefault(repr(sorted(pick.arguments)), pick)
    return list(found.values())


def _pick(view: View, seen: Seen) -> Pick | None:
    filters: list[str] = []
    order, descending = "", False
    items = seen.reading.items
    for location, value in seen.arguments.items():
        if ORDERING.intersection(words(location.partition(":")[2])):
            found = _ordered(items, value)
            if found is None:
                return None
            order, descending = found
        elif _filtered(view, items, location, value):
            filters.append(location)
        elif location not in view.needed():
            return None
    if not order:
        natural = natural_order(view, items)
        return Pick(tuple(seen.arguments.items()), tuple(filters), natural, False, True) if natural else None
    return Pick(tuple(seen.arguments.items()), tuple(filters), order, descending)


def _ordered(items: Sequence[Item], value: Json) -> tuple[str, bool] | None:
    """The field that a sort value names and the direction seen, where the items are in that order and tell it."""
    name = str(value).lstrip("+-").partition(":")[0].partition(" ")[0]
    values = [item.fields.get(name) for item in items]
    if None in values or len({str(found) for found in values}) < 3:
        return None
    for descending in (False, True):
        if _sorted(values, descending) and str(values[0]) != str(values[1]):
            return name, descending
    return None


def _sorted(values: Sequence[Json], descending: bool) -> bool:
    keys = [found.casefold() if isinstance(found, str) else found for found in values]
    try:
        return keys == sorted(keys, reverse=descending)
    except TypeError:
        return False


def _filtered(view: View, items: Sequence[Item], location: str, value: Json) -> bool:
    """Whether all items have the argument's value in one field that has other values elsewhere."""
    if isinstance(value, bool) or value is None:
        return False
    name = location.partition(":")[2]
    for field_name in view.echoed(location):
        if not set(words(name)) & set(words(field_name)):
            continue
        everywhere = all(equal(item.fields.get(field_name), value) for item in items)
        if everywhere and len(view.fields[field_name].values) > 1:
            return True
    return False


def natural_order(view: View, items: Sequence[Item]) -> str:
    """The one measured field that a list is ordered by without being asked, as a list of what is nearest is."""
    found = []
    if len(items) < 3:
        return ""
    for name in items[0].fields:
        values = [item.fields.get(name) for item in items]
        if (
            all(isinstance(value, float) for value in values)
            and len(set(values)) == len(values)
            and _sorted(values, False)
        ):
            found.append(name)
    return found[0] if len(found) == 1 and "distance" in words(found[0]) else ""
