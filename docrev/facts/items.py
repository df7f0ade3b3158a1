"""Predicates on the listed items of a response, for kinds of facts that choose items by one field."""

from __future__ import annotations

import operator
from collections.abc import Callable

from docrev.facts.call_values import argument, response_values
from docrev.facts.kind import Predicate
from docrev.facts.wire_values import measure, measure_beside
from docrev.records import Call, Fact, Json

Compare = Callable[[float | str, float | str], bool]


def refuted_by_items(denies: Callable[[Json, list[Json]], bool]) -> Predicate:
    """A call refutes the fact if `denies` is true of the value that was sent and the values of the field."""

    def refutes(fact: Fact, call: Call) -> bool:
        sent, value = argument(call.arguments, fact.location)
        return call.ok and sent and denies(value, response_values(call, fact.value))

    return refutes


def refuted_by_bound(comparison: str) -> Predicate:
    """A call refutes the fact if the field of an item lies beyond the bound that was sent; see `compare`."""
    holds = compare(comparison)

    def beyond(sent: object, values: list[Json]) -> bool:
        bound = measure(sent)
        if bound is None:
            return False
        known = (value for one in values if (value := measure_beside(one, bound)) is not None)
        return any(isinstance(value, type(bound)) and not holds(value, bound) for value in known)

    return refuted_by_items(beyond)


def compare(name: str) -> Compare:
    """The comparison `ge`, `gt`, `le` or `lt`; False for a number beside a date."""
    compared: Callable[[object, object], bool] = getattr(operator, name)
    return lambda value, bound: isinstance(value, type(bound)) and compared(value, bound)
