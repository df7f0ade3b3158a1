"""Which fields a parameter sorts by, and how it is told the direction."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docrev.facts.kinds import sorts as sorts_kind
from docrev.facts.strong_proof import sorted_by
from docrev.revision import trap_notes
from docrev.revision.documented_values import DocumentedValue
from docrev.revision.effect_wording import is_direction
from docrev.revision.place_facts import last
from docrev.revision.quotations import quote
from docrev.revision.validity_notes import one_of

MAX_FIELDS = 5


def sorts(value: DocumentedValue) -> str:
    """Which fields it sorts by, and how the order is reversed, as the values that were tried show it."""
    orders = _orders(value)
    if not orders or value.allowed or trap_notes.choice_correction(value.spot):
        return ""
    reverse = next((order.value for order in orders if order.order == "descending"), "")
    if is_direction(reverse):
        return one_of(quote(order.value) for order in orders)
    fields = dict.fromkeys(last(order.field) for order in orders)
    if {*fields} <= {*re.findall(r"\w+", value.spot.text)} and (not reverse or "desc" in value.spot.text):
        return ""
    return f"For example, {', '.join(map(quote, [*fields][:MAX_FIELDS]))}{_directions(value, orders)}."


def _orders(value: DocumentedValue) -> list[sorts_kind.Order]:
    """The orders that were seen, but for those by fields that only some things have."""
    common = value.spot.first.observed.item_fields
    every = [sorts_kind.KIND.value_of(fact) for fact in value.known.all("sorts")]
    return [order for order in every if is_direction(order.value) or _top(order.field) in common]


def _top(field: str) -> str:
    """The member of an item that a field is, or lies in."""
    return field.partition("/0/")[2].partition("/")[0]


def _directions(value: DocumentedValue, orders: Sequence[sorts_kind.Order]) -> str:
    """How to say the direction, as the end of a sentence: with a sign, or with a word beside the name of the field.

    In which direction a name alone sorts is left to the parameter that says it, if there is one.
    """
    signed = next((one.value for one in orders if one.order == "descending" and one.value.startswith("-")), "")
    if signed:
        return f"; prefix a minus sign for descending order: {quote(signed)}"
    alone = {one.order for one in orders if one.value == last(one.field)}
    is_told = alone == {"descending"} and not _has_direction(value)
    turned = "; a name alone sorts in descending order" if is_told else ""
    beside = {one.order: one.value for one in reversed(orders) if one.value != last(one.field)}
    ways = [order for order in ("descending", "ascending") if order in beside and {order} != alone]
    return turned + "".join(f"; in {order} order: {quote(beside[order])}" for order in ways)


def _has_direction(value: DocumentedValue) -> bool:
    """Whether another parameter of the operation says in which direction the list is sorted."""
    operation = value.spot.first.observed.operation
    return any(one.name != value.spot.name and sorted_by(operation, one) for one in operation.parameters)
