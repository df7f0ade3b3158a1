"""What lists that take the same parameters show of each other: the calls may end before each of them was probed.

Lists that were seen to do the same with some of their parameters were written once: what one of them shows of another
parameter is stated at all of these, unless one of them shows something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from docrev.conventions.lists import list_of
from docrev.conventions.parameters import Role, role_of
from docrev.facts.kinds import sorts
from docrev.facts.registry import BY_FIELD, LIST_EFFECTS
from docrev.facts.trials import OPERATORS
from docrev.grouping import grouped
from docrev.json_values.scalars import is_whole
from docrev.records import Fact
from docrev.revision.observations import ObservedOperation
from docrev.revision.place_facts import comparable

_LEAST_PARAMETERS = 2
_LEAST_ALIKE = 2
"""Facts that a list must have in common with another one for what else that one shows to be stated of it."""
_ANY_VALUE = frozenset({"sorts", "operators"})
"""Kinds of which a place has several facts: that two lists show others is no contradiction."""
_SHARED = frozenset(
    {*LIST_EFFECTS, *_ANY_VALUE, "default", "returns-deleted", "unknown-values", "whole-days", "spelled"}
)
_OF_THINGS = frozenset({"returns-deleted"})
"""Kinds that make lists alike and are not stated of others: what is kept of deleted things may differ by kind of
thing."""
_UNLIKE = frozenset({"ignored", "unknown-parameters"})
"""Kinds that contradict what a parameter does elsewhere."""


class _Claim(NamedTuple):
    """What facts are on: a place, and a kind of fact."""

    location: str
    kind: str


def with_sister_facts(operations: Iterable[ObservedOperation]) -> tuple[ObservedOperation, ...]:
    """The operations, lists with the facts on their query parameters that lists alike show."""
    operations = tuple(operations)
    by_parameters = grouped((names, one) for one in operations if (names := _parameters(one)) is not None)
    taken = {one.key: _taken(one, group) for group in by_parameters.values() for one in group if len(group) > 1}
    return tuple(_with(one, taken.get(one.key, [])) for one in operations)


def _parameters(observed: ObservedOperation) -> tuple[str, frozenset[str]] | None:
    """The tool and the query parameters that lists must have in common; None if these are too few to tell."""
    names = frozenset(each.name for each in observed.operation.parameters if each.location == "query")
    is_list = observed.key.method == "GET" and len(names) >= _LEAST_PARAMETERS and bool(observed.good)
    return (observed.key.tool, names) if is_list else None


def _taken(observed: ObservedOperation, group: Sequence[ObservedOperation]) -> list[Fact]:
    """The facts of other lists that a list is told to share: all their facts on a place, from the first that has
    any."""
    own, found = _claims(observed), dict[_Claim, list[Fact]]()
    others = [one for one in group if one is not observed and _are_alike(observed, one)]
    for claim, facts in chain.from_iterable(_claims(one).items() for one in others):
        is_told = claim in own or claim in found or claim.kind in _OF_THINGS
        if not is_told and not _is_contradicted(claim, group):
            found[claim] = [replace(fact, key=observed.key) for fact in facts if _may_hold(observed, fact)]
    return [*chain.from_iterable(found.values())]


def _claims(observed: ObservedOperation) -> dict[_Claim, list[Fact]]:
    """The facts on query parameters that lists may share, by what they are on."""
    of_query = (fact for at, facts in sorted(observed.facts.items()) if at.startswith("query:") for fact in facts)
    return grouped((_Claim(fact.location, fact.kind), fact) for fact in of_query if fact.kind in _SHARED)


def _are_alike(one: ObservedOperation, other: ObservedOperation) -> bool:
    """Whether two lists show enough that is the same."""
    first, second = ({(fact.location, *comparable(fact)) for fact in _of_claims(each)} for each in (one, other))
    return len(first & second) >= _LEAST_ALIKE


def _of_claims(observed: ObservedOperation) -> Iterator[Fact]:
    return chain.from_iterable(_claims(observed).values())


def _is_contradicted(claim: _Claim, group: Iterable[ObservedOperation]) -> bool:
    """Whether one of the lists shows something else of a place, or that it does nothing."""
    shown = [fact for one in group for fact in one.at(claim.location)]
    known = {comparable(fact) for fact in shown if fact.kind == claim.kind}
    is_other = claim.kind not in _ANY_VALUE and len(known) > 1
    return is_other or (claim.location != OPERATORS and any(fact.kind in _UNLIKE for fact in shown))


def _has_field(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether a list returns the field that a fact is about, if it is about one."""
    field = fact.value if fact.kind in BY_FIELD else sorts.KIND.value_of(fact).field if fact.kind == "sorts" else ""
    status, _, pointer = str(field).partition(":")
    return not pointer or bool(observed.got(int(status), pointer))


def _may_hold(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether what another list shows may be so of a list, by what it returned."""
    return _has_field(observed, fact) and not _is_refuted(observed, fact)


def _is_refuted(observed: ObservedOperation, fact: Fact) -> bool:
    """Whether a list had more items than the default of the size of its pages, without being asked for as many."""
    name = fact.location.partition(":")[2]
    if fact.kind != "default" or role_of(name) is not Role.PAGE_SIZE or not is_whole(fact.value):
        return False
    unasked = (call for call in observed.good if fact.location not in call.arguments)
    lengths = [len(listed.items) for call in unasked if (listed := list_of(call)) is not None]
    return max(lengths, default=0) > int(fact.value)


def _with(observed: ObservedOperation, facts: Sequence[Fact]) -> ObservedOperation:
    by_location = grouped((fact.location, fact) for fact in facts)
    merged = {at: (*observed.at(at), *by_location.get(at, ())) for at in {*observed.facts, *by_location}}
    return replace(observed, facts=merged) if facts else observed
