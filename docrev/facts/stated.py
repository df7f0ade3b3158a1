"""What refusals state of one argument and calls bear out: the refused value breaks the rule, accepted ones keep it."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from ipaddress import ip_address
from itertools import chain
from typing import NamedTuple

from docrev.conventions.error_cases import bounds_in_some_cases
from docrev.conventions.error_claims import RELATIONS, VALUE_KINDS, Hint
from docrev.conventions.error_hints import hints_of
from docrev.conventions.error_messages import summarise_error
from docrev.conventions.hint_locations import is_sent, located, member_location, schema_at, value_at
from docrev.conventions.hint_values import value_for
from docrev.conventions.statuses import INVALID
from docrev.facts.call_values import MAX_NAMED, ids
from docrev.facts.observations import Observations
from docrev.facts.passed_refusals import PassedRefusals
from docrev.facts.shape import format_of
from docrev.json_values.canonical import unique
from docrev.json_values.pointer import parent
from docrev.json_values.scalars import same_scalar
from docrev.records import Call, Json, OperationKey
from docrev.spec import Operation

STATED_FORMATS = {name: name for name in ("date", "date-time", "uuid", "email", "ip", "base64")} | {
    "zoned-date-time": "date-time",
    "url": "uri",
}
"""Formats by the names that hints have for them: those of JSON Schema, IP addresses of either version, and base64."""

Hints = tuple[Hint, ...]


_ON_TEXTS = frozenset(
    {"min-length", "max-length", "pattern", "prefix", "suffix"}
    | {"characters", "forbidden-characters", "first-character", "last-character"}
)
_NUMERIC = frozenset(
    {"type", "minimum", "maximum", "exclusive-minimum", "exclusive-maximum", "multiple-of", "allowed-values"}
)
"""Rules that a number keeps as text too."""


class Stated(NamedTuple):
    """Rules on one location that some refusals state together; `calls` are these, and one that kept the rules."""

    key: OperationKey
    location: str
    hints: Hints
    calls: tuple[str, ...]


def stated_rules(seen: Observations, operation: Operation) -> Iterator[Stated]:
    """The rules on values that refusals of an operation state, the richest of each location first."""
    by_location: dict[str, list[tuple[Call, Hints]]] = {}
    for call in seen.with_status(*INVALID):
        for location, hints in located(operation, call.arguments, hints_of(call)).items():
            rules = tuple(hint for hint in hints if hint.kind in VALUE_KINDS)
            if rules and is_sent(call.arguments, location) and not bounds_in_some_cases(call.read(_told), location):
                by_location.setdefault(location, []).append((call, rules))
    passed = PassedRefusals(seen, operation)
    for location, refusals in by_location.items():
        good = _accepted_with(seen, location) or list(_went_past(passed, location, refusals))
        for rules, calls in _groups(location, refusals, good):
            yield Stated(seen.key, location, rules, (*calls, good[0].id))


def _accepted_with(seen: Observations, location: str) -> list[Call]:
    return [call for call in seen.good if is_sent(call.arguments, location)]


def _went_past(passed: PassedRefusals, location: str, refusals: Sequence[tuple[Call, Hints]]) -> Iterator[Call]:
    """The requests that were refused for something else once the value kept the rules."""
    for call, rules in refusals:
        other = passed.past(location, call, partial(_state_some, {*map(_named, rules)}))
        if other is not None and _keeps_all(rules, value_at(other.arguments, location)):
            yield other


def _told(call: Call) -> str:
    return summarise_error(call.body)


def _groups(
    location: str, refusals: Sequence[tuple[Call, Hints]], good: Sequence[Call]
) -> list[tuple[Hints, tuple[str, ...]]]:
    """The rules that refusals state together, the most first, each with these refusals: none kept them all."""
    found: dict[tuple[tuple[str, tuple[str, ...]], ...], tuple[Hints, list[Call]]] = {}
    borne_out = _borne_out(chain.from_iterable(hints for _, hints in refusals), location, good)
    for call, hints in refusals:
        rules = tuple(rule for rule in hints if _named(rule) in borne_out)
        if rules:
            found.setdefault(tuple(map(_named, rules)), (rules, []))[1].append(call)
    true = [
        (rules, ids(calls, MAX_NAMED - 1))
        for rules, calls in found.values()
        if not any(_keeps_all(rules, value_at(call.arguments, location)) for call in calls)
    ]
    return sorted(true, key=lambda group: -len(group[0]))


def _state_some(named: set[tuple[str, tuple[str, ...]]], hints: Sequence[Hint]) -> bool:
    """Whether hints state one of the rules of these names."""
    return not named.isdisjoint(map(_named, hints))


def _named(rule: Hint) -> tuple[str, tuple[str, ...]]:
    """What a rule says, in whatever words."""
    return rule.kind, rule.values


def _borne_out(rules: Iterable[Hint], location: str, good: Sequence[Call]) -> set[tuple[str, tuple[str, ...]]]:
    """The rules that calls bear out: refusals state the same ones again and again, in other words."""
    return {
        name for name, rule in {_named(rule): rule for rule in rules}.items() if _is_borne_out(rule, location, good)
    }


def _is_borne_out(rule: Hint, location: str, good: Sequence[Call]) -> bool:
    """Whether a value was accepted, and each that was keeps the rule."""
    values = unique(value for call in good if (value := value_at(call.arguments, location)) is not None)
    return bool(values) and all(keeps(rule, value) for value in values)


def _keeps_all(rules: Hints, value: Json) -> bool:
    """Whether a value is as all of some rules want it."""
    return all(keeps(rule, value) for rule in rules)


def keeps(rule: Hint, value: Json) -> bool:
    """Whether a value is as a rule wants it; in a URL a number is text, and one of a list stands for itself."""
    if rule.kind == "format":
        return has_format(value, STATED_FORMATS.get(rule.values[0], ""))
    if rule.kind == "allowed-values" and isinstance(value, str) and "," in value:
        return set(value.split(",")) <= set(rule.values)
    if rule.kind in _ON_TEXTS and not isinstance(value, str):
        return False
    wanted = value_for([rule], value)
    if isinstance(value, dict | list) or isinstance(wanted, dict | list):
        return bool(wanted == value)
    if wanted is None:
        return False
    return same_scalar(wanted, value) if rule.kind in _NUMERIC else bool(wanted == value)


def has_format(value: Json, name: str) -> bool:
    """Whether a value is a text of one of the stated formats."""
    try:
        if name == "ip":
            return isinstance(value, str) and bool(ip_address(value))
        if name == "base64":
            return isinstance(value, str) and bool(b64decode(value, validate=True))
    except ValueError:
        return False
    return name != "" and format_of([value]) == name


class StatedRelation(NamedTuple):
    """How many of the arguments called `names` a request has, as refusals state and calls bear out."""

    key: OperationKey
    rule: str
    names: tuple[str, ...]
    calls: tuple[str, ...]


class StatedPartners(NamedTuple):
    """An argument at `location` that is accepted only with others (`needs`), or only without (`excluded-by`)."""

    key: OperationKey
    location: str
    rule: str
    names: tuple[str, ...]
    calls: tuple[str, ...]


PARTNERS = ("needs", "excluded-by")


def stated_partners(seen: Observations, operation: Operation) -> Iterator[StatedPartners]:
    """The arguments that refusals allow only with, or without, others; accepted requests had them so."""
    found: dict[tuple[str, str, tuple[str, ...]], list[Call]] = {}
    others: dict[tuple[str, ...], list[str]] = {}
    for call in seen.with_status(*INVALID):
        for location, hint in _partner_hints(operation, call):
            base = parent(location.removeprefix("body:")) if location.startswith("body:") else ""
            place = location.partition(":")[0]
            names = [member_location(operation, call.arguments, place, base, name) for name in hint.values]
            others[hint.values] = names
            found.setdefault((location, hint.kind, hint.values), []).append(call)
    for (location, rule, values), refused in found.items():
        is_kept = partial(_has_partners, others[values], rule == "needs")
        good = _accepted_with(seen, location)
        if good and all(map(is_kept, good)) and not any(map(is_kept, refused)):
            yield StatedPartners(seen.key, location, rule, values, (*ids(refused, MAX_NAMED - 1), good[0].id))


def _partner_hints(operation: Operation, call: Call) -> Iterator[tuple[str, Hint]]:
    """What a refusal says of the partners of arguments that were sent, each with the argument's location."""
    for location, hints in located(operation, call.arguments, hints_of(call)).items():
        if is_sent(call.arguments, location):
            yield from ((location, hint) for hint in hints if hint.kind in PARTNERS and hint.values)


def _has_partners(names: Sequence[str], wanted: bool, call: Call) -> bool:
    """Whether a call has all of the arguments if they are wanted, else none."""
    return all(is_sent(call.arguments, name) is wanted for name in names)


_COUNTS: dict[str, Callable[[int, int], bool]] = {
    "exactly-one-of": lambda sent, of: sent == 1,
    "at-least-one-of": lambda sent, of: sent >= 1,
    "at-most-one-of": lambda sent, of: sent <= 1,
    "all-or-none-of": lambda sent, of: sent in (0, of),
}
"""Whether a request keeps a relation, by how many of the arguments it has."""


def stated_relations(seen: Observations, operation: Operation) -> Iterator[StatedRelation]:
    """The relations between arguments that refusals state, that these break, and that accepted requests keep."""
    for (rule, names), (locations, refused) in _broken_relations(seen, operation).items():
        good = [call for call in seen.good if any(is_sent(call.arguments, location) for location in locations)]
        is_borne_out = refused and good and all(_is_kept(rule, locations, call) for call in good)
        if is_borne_out and _are_alike_declared(operation, locations):
            yield StatedRelation(seen.key, rule, names, (*ids(refused, MAX_NAMED - 1), good[0].id))


def _are_alike_declared(operation: Operation, locations: Sequence[str]) -> bool:
    """Whether all arguments of a relation are documented, or none: else an error calls some by words of its own."""
    return len({schema_at(operation, location) is None for location in locations}) == 1


def _broken_relations(
    seen: Observations, operation: Operation
) -> dict[tuple[str, tuple[str, ...]], tuple[tuple[str, ...], list[Call]]]:
    """By rule and names: the locations of the arguments, and the refused requests that break the rule."""
    found: dict[tuple[str, tuple[str, ...]], tuple[tuple[str, ...], list[Call]]] = {}
    for call in seen.with_status(*INVALID):
        for hint in _relation_hints(call):
            base = hint.pointer if hint.place in ("", "body") else ""
            places = (member_location(operation, call.arguments, hint.place, base, name) for name in hint.values)
            locations, refused = found.setdefault((hint.kind, hint.values), (tuple(places), []))
            if not _is_kept(hint.kind, locations, call):
                refused.append(call)
    return found


def _relation_hints(call: Call) -> Iterator[Hint]:
    return (hint for hint in hints_of(call) if hint.kind in RELATIONS and len(set(hint.values)) > 1)


def _is_kept(rule: str, names: Sequence[str], call: Call) -> bool:
    return _COUNTS[rule](sum(is_sent(call.arguments, name) for name in names), len(names))
