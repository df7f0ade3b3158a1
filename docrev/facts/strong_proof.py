"""What a strong claim about a parameter needs beside its trials: everything was tried that the document says of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from docrev.conventions.described_values import described_values, listed_values
from docrev.conventions.examples import documented_values
from docrev.conventions.ids import ids_of
from docrev.conventions.lists import list_of
from docrev.conventions.parameters import TECHNICAL, Role, role_in, role_of
from docrev.facts.call_values import argument
from docrev.facts.kinds.required import says_required, variants
from docrev.facts.kinds.sorts import MIN_SORTED, named_field, order_of, sortable_fields
from docrev.facts.parameter_trials import scalars
from docrev.facts.trials import Lookup, Trial
from docrev.facts.wire_values import key_of
from docrev.language.words import words
from docrev.records import Call, Fact, Json
from docrev.spec import MISSING, Operation, Parameter

MAX_DOCUMENTED = 16
"""Documented values that are tried one by one."""

_Tried = Sequence[Trial]
_Values = Sequence[Json]
_MODES = frozenset("mode method view representation algorithm function aggregation aggregate group style".split())
"""Words in the names of what chooses among kinds of responses, beside formats."""
_POSITIONS = frozenset({"after", "before", "cursor", "marker"})
"""Words in the names of what may say where a list begins or ends."""
_ORDER = ("order",)
_MIN_ELSEWHERE = 2
"""Values of a field of the same name that must change nothing."""


def values_to_try(parameter: Parameter) -> list[Json]:
    """All values that the document gives of a parameter, those that its text lists too, of a truth value both."""
    listed = [*listed_values(parameter.description), *described_values(parameter.description)]
    given = [] if parameter.example in (None, MISSING) else [parameter.example]
    both: list[Json] = ["true", "false"] if parameter.schema.type == "boolean" else []
    items = parameter.schema.items()
    documented = [*documented_values(parameter.schema), *(documented_values(items) if items is not None else ())]
    found = {key_of(value): value for value in (*given, *documented, *listed, *both)}
    return list(found.values())[:MAX_DOCUMENTED]


def companions(operation: Operation, parameter: Parameter) -> list[str]:
    """The locations of the other query parameters that a parameter's description names, or whose order it turns."""
    text = parameter.description
    named = [
        other.key
        for other in operation.parameters
        if other.location == "query" and other.name != parameter.name and _names(text, other.name)
    ]
    return list(dict.fromkeys([*named, *(other.key for other in sorted_by(operation, parameter))]))


def sorted_by(operation: Operation, parameter: Parameter) -> list[Parameter]:
    """The query parameters that say by what a list is sorted, of one that says in which direction: without them it may
    change nothing. A parameter that is called `order` beside another one that sorts is taken for a direction, too."""
    others = [one for one in operation.parameters if one.location == "query" and one.key != parameter.key]
    sorting = [one for one in others if role_in(one) is Role.SORT and words(one.name) != _ORDER]
    is_direction = role_in(parameter) is Role.DIRECTION or words(parameter.name) == _ORDER
    return sorting if is_direction and parameter.location == "query" else []


def _is_needed_by_all(fact: Fact, operation: Operation, look: Lookup) -> bool:
    """Whether a refusal says itself that a property is required, or none chooses between kinds of bodies."""
    schema = operation.body_schema
    pointer = fact.location.removeprefix("body:")
    kinds = variants(schema) if schema is not None else {}
    if not kinds.keys() - {pointer}:
        return True
    calls = [call for call in map(look, fact.calls) if call is not None and not call.ok]
    return any(says_required(call, pointer, kinds) for call in calls)


def _names(text: str, name: str) -> bool:
    """Whether a text names a parameter: between backticks, or by a name that is no everyday word."""
    told = f"`{name}`" in text or f"'{name}'" in text or f'"{name}"' in text
    return told or ("_" in name and re.search(rf"\b{re.escape(name)}\b", text) is not None)


def is_proven(
    fact: Fact, operation: Operation, trials: Iterable[Trial], look: Lookup, elsewhere: Sequence[object] = ()
) -> bool:
    """Whether enough was tried for a fact from trials: always, but for `ignored`, lists of values and defaults.

    A property is required of all bodies only if no other one chooses between kinds of them, or an error says so.
    A parameter is ignored only if all documented values (of one that sorts, without any, the fields of the items), and
    it together with those that its text names, change nothing, nor do two of the values `elsewhere` that fields of its
    name have: a single one may be the default. A list of allowed values has all documented ones that were not refused.
    A default is a documented value, if any are.
    """
    if fact.kind == "required" and fact.location.startswith("body:/"):
        return _is_needed_by_all(fact, operation, look)
    parameter = operation.parameter(fact.location)
    check = _CHECKS.get(fact.kind)
    if parameter is None or check is None:
        return True
    on_it = [trial for trial in trials if trial.location == fact.location and trial.sent]
    return check(fact, operation, parameter, on_it, look, elsewhere)


def _default(fact: Fact, operation: Operation, parameter: Parameter, on_it: _Tried, look: Lookup, _: _Values) -> bool:
    enum = _enum(parameter)
    return not enum or key_of(fact.value) in enum


def _allowed(fact: Fact, operation: Operation, parameter: Parameter, on_it: _Tried, look: Lookup, _: _Values) -> bool:
    refused = {key_of(trial.value) for trial in on_it if (call := look(trial.call)) is not None and not call.ok}
    return _enum(parameter) <= {key_of(value) for value in fact.value} | refused


def _ignored(
    fact: Fact, operation: Operation, parameter: Parameter, on_it: _Tried, look: Lookup, elsewhere: _Values
) -> bool:
    if role_of(parameter.name) in TECHNICAL or _is_one_mode_of_many(operation, parameter):
        return False
    if _adds_unknown_parts(parameter):
        return False
    if _is_searched(look(trial.base) for trial in on_it):
        return False
    return _is_all_tried(fact, operation, parameter, on_it, look, elsewhere)


def _adds_unknown_parts(parameter: Parameter) -> bool:
    """Whether a parameter adds parts to the items whose names no document lists: what is guessed may be no part."""
    schema = parameter.schema
    listed = schema.enum or ((items := schema.items()) is not None and items.enum)
    return role_of(parameter.name) is Role.EXPAND and schema.type_of_one != "boolean" and not listed


def _is_all_tried(
    fact: Fact, operation: Operation, parameter: Parameter, on_it: _Tried, look: Lookup, elsewhere: _Values
) -> bool:
    """Whether all was tried that the document says of a parameter, and what fields of its name have."""
    bases = [call for trial in on_it if (call := look(trial.base)) is not None]
    tried = {key_of(trial.value) for trial in on_it} | _held(fact, bases)
    documented = {key_of(value) for value in values_to_try(parameter)}
    shows = _can_show(parameter, documented, bases) if documented else _are_usual_tried(parameter, bases, tried)
    if not shows:
        return False
    alike = {key_of(value) for value in elsewhere}
    if alike and len(alike & tried) < _MIN_ELSEWHERE:
        return False
    beside = frozenset[str]().union(*(call.arguments for call in bases))
    return documented <= tried and beside.issuperset(companions(operation, parameter))


def _is_searched(bases: Iterable[Call | None]) -> bool:
    """Whether what was listed had been searched for: how a search is made may change nothing for one text."""
    places = {at for call in bases if call is not None for at in call.arguments}
    return any(role_of(at.partition(":")[2]) is Role.SEARCH for at in places)


def _held(fact: Fact, bases: Iterable[Call]) -> set[str]:
    """The values that the calls which trials vary had themselves."""
    held = (argument(call.arguments, fact.location) for call in bases)
    return {key_of(value) for is_held, value in held if is_held}


def _are_usual_tried(parameter: Parameter, bases: Sequence[Call], tried: Collection[str]) -> bool:
    """Whether what has no documented values was given those that would do something if anything did."""
    return _are_orders_tried(parameter, bases, tried) and _is_position_tried(parameter, bases, tried)


def _are_orders_tried(parameter: Parameter, bases: Iterable[Call], tried: Collection[str]) -> bool:
    """Whether what sorts was given each field of items to sort by, in descending order."""
    if role_of(parameter.name) is not Role.SORT:
        return True
    found = (list_of(call) for call in bases)
    fields = {field for listed in found if listed is not None for field in sortable_fields(listed.items)}
    return bool(fields) and all(f"-{field}" in tried for field in fields)


def _can_show(parameter: Parameter, documented: Iterable[str], bases: Iterable[Call]) -> bool:
    """Whether a documented value of what sorts names a field by which the items do not stand in order already."""
    if role_of(parameter.name) is not Role.SORT:
        return True
    found = (list_of(call) for call in bases)
    columns = [scalars(listed.items) for listed in found if listed is not None]
    fields = ((held, named_field(value, held)) for value in documented for held in columns)
    return any(field is not None and _is_unordered(held[field]) for held, field in fields)


def _is_unordered(held: Sequence[Json]) -> bool:
    known = [value for value in held if value is not None]
    return len({*map(key_of, known)}) >= MIN_SORTED and not order_of(known)


def _is_position_tried(parameter: Parameter, bases: Iterable[Call], tried: Collection[str]) -> bool:
    """Whether what may say where a list begins or ends (`before`) was given the ID of an item: nonsense may lie behind
    all of them."""
    if _POSITIONS.isdisjoint(words(parameter.name)):
        return True
    found = (list_of(call) for call in bases)
    return any(str(id) in tried for listed in found if listed is not None for id in ids_of(listed))


def _is_one_mode_of_many(operation: Operation, parameter: Parameter) -> bool:
    """Whether another parameter chooses among kinds of responses: this one may matter in one that is not tried."""
    others = (other for other in operation.parameters if other.location == "query" and other.name != parameter.name)
    modes = (one for one in others if role_of(one.name) is Role.FORMAT or _MODES & {*words(one.name)})
    return any(len(_enum(mode)) > 1 for mode in modes)


def _enum(parameter: Parameter) -> set[str]:
    return {key_of(value) for value in parameter.schema.enum or () if value is not None}


_CHECKS: dict[str, Callable[[Fact, Operation, Parameter, _Tried, Lookup, _Values], bool]] = {
    "default": _default,
    "allowed-values": _allowed,
    "ignored": _ignored,
}
