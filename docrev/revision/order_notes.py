"""Which fields a parameter sorts by, and how it is told the direction."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docrev.facts.kinds import sorts as sorts_kind
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
    return f"For example, {', '.join(map(quote, [*fields][:MAX_FIELDS]))}{_directions(orders)}."


def _orders(value: DocumentedValue) -> list[sorts_kind.Order]:
    """The orders that were seen, but for those by fields that only some things have."""
    common = value.spot.first.observed.item_fields
    every = [sorts_kind.KIND.value_of(fact) for fact in value.known.all("sorts")]
    return [order for order in every if is_direction(order.value) or _top(order.field) in common]


def _top(field: str) -> str:
    """The member of an item that a field is, or lies in."""
    return field.partition("/0/")[2].partition("/")[0]


def _directions(orders: Sequence[sorts_kind.Order]) -> str:
    """How to say the direction, as the end of a sentence: with a sign, or with a word beside the name of the field."""
    signed = next((one.value for one in orders if one.order == "descending" and one.value.startswith("-")), "")
    if signed:
        return f"; prefix a minus sign for descending order: {quote(signed)}"
    alone = {one.order for one in orders if one.value == last(one.field)}
    turned = "; a name alone sorts in descending order" if alone == {"descending"} else ""
    beside = {one.order: one.value for one in reversed(orders) if one.value != last(one.field)}
    ways = [order for order in ("descending", "ascending") if order in beside and {order} != alone]
    return turned + "".join(f"; in {order} order: {quote(beside[order])}" for order in ways)
