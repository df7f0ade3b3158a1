"""Filters and sorts that were seen to work: only these may stand in a scenario ("sorted by population").

A parameter that an API silently ignores returns 2xx like any other; only the items show whether it had an effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docrev.conventions.parameters import ORDERING, role_of
from docrev.json_values.scalars import same_scalar
from docrev.language.words import words
from docrev.planner.operation_views import OperationView, SuccessfulCall
from docrev.planner.response_items import ResponseItem
from docrev.records import Json


@dataclass(frozen=True, slots=True)
class ListSelection:
    """Arguments that choose and order a list as they say.

    `filters` are the locations of those that filter, `order` is the field by which the list is ordered and `descending`
    its direction; `natural`: the list is ordered so without an argument.
    """

    arguments: tuple[tuple[str, Json], ...]
    filters: tuple[str, ...]
    order: str
    descending: bool = False
    natural: bool = False


def list_selections(view: OperationView) -> list[ListSelection]:
    """The selections that this operation's calls have shown, each once."""
    selections: dict[str, ListSelection] = {}
    for call in view.calls:
        selection = _selection(view, call) if _is_plain_list(call) else None
        if selection is not None:
            selections.setdefault(repr(sorted(selection.arguments)), selection)
    return list(selections.values())


def _is_plain_list(call: SuccessfulCall) -> bool:
    """Whether a call returned a list with items, and was sent query parameters alone."""
    if not call.response.is_list or not call.response.items:
        return False
    return not any(location.startswith(("path:", "body:")) for location in call.arguments)


def _selection(view: OperationView, call: SuccessfulCall) -> ListSelection | None:
    """What a call's arguments do; None if one of them has no effect that was seen."""
    filters: list[str] = []
    order: tuple[str, bool] | None = None
    items = call.response.items
    for location, value in call.arguments.items():
        if role_of(location.partition(":")[2]) in ORDERING:
            order = _observed_order(items, value)
            if order is None:
                return None
        elif _is_filtered(view, items, location, value):
            filters.append(location)
        elif location not in view.required_locations():
            return None
    arguments = tuple(call.arguments.items())
    if order is not None:
        return ListSelection(arguments, tuple(filters), *order)
    distance = distance_order(items)
    return ListSelection(arguments, tuple(filters), distance, natural=True) if distance else None


def _observed_order(items: Sequence[ResponseItem], value: object) -> tuple[str, bool] | None:
    """The field that a sort value names, and whether the items are in descending order; None if they are in none."""
    name = str(value).lstrip("+-").partition(":")[0].partition(" ")[0]
    values = [item.fields.get(name) for item in items]
    if None in values or len({str(value) for value in values}) < 3 or str(values[0]) == str(values[1]):
        return None
    return next(((name, descending) for descending in (False, True) if _is_sorted(values, descending)), None)


def _is_sorted(values: Sequence[Json], descending: bool = False) -> bool:
    keys = [value.casefold() if isinstance(value, str) else value for value in values]
    try:
        return keys == sorted(keys, reverse=descending)
    except TypeError:
        return False


def _is_filtered(view: OperationView, items: Sequence[ResponseItem], location: str, value: Json) -> bool:
    """Whether all items have the argument's value in a field of a like name that has other values elsewhere."""
    if isinstance(value, bool) or value is None:
        return False
    name = set(words(location.partition(":")[2]))
    return any(
        name.intersection(words(field))
        and len(view.fields[field].values) > 1
        and all(same_scalar(item.fields.get(field), value) for item in items)
        for field in view.echo_fields(location)
    )


def distance_order(items: Sequence[ResponseItem]) -> str:
    """The distance by which a list is ordered without being asked, as a list of what is nearest is; "" if by none."""
    ordered = [name for name in items[0].fields if _measures_order(items, name)] if len(items) >= 3 else []
    return ordered[0] if len(ordered) == 1 and "distance" in words(ordered[0]) else ""


def _measures_order(items: Sequence[ResponseItem], name: str) -> bool:
    """Whether a field is a measure that differs from item to item, and by which they are in ascending order."""
    values = [item.fields.get(name) for item in items]
    measured = all(isinstance(value, float) for value in values)
    return measured and len(set(values)) == len(values) and _is_sorted(values)
