"""What a strong claim on a parameter takes beside its trials: that all was tried which the document says of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docrev.conventions.examples import documented_values
from docrev.facts.call_values import argument
from docrev.facts.kinds.required import says_required, variants
from docrev.facts.trials import Lookup, Trial
from docrev.facts.wire_values import key_of
from docrev.records import Fact, Json
from docrev.spec import MISSING, Operation, Parameter

MAX_DOCUMENTED = 16
"""Documented values that are tried one by one."""

_MIN_ELSEWHERE = 2
"""Values of a field of the same name that must change nothing."""


def values_to_try(parameter: Parameter) -> list[Json]:
    """All values that the document gives of a parameter, of a truth value both."""
    given = [] if parameter.example in (None, MISSING) else [parameter.example]
    both: list[Json] = ["true", "false"] if parameter.schema.type == "boolean" else []
    found = {key_of(value): value for value in (*given, *documented_values(parameter.schema), *both)}
    return list(found.values())[:MAX_DOCUMENTED]


def companions(operation: Operation, parameter: Parameter) -> list[str]:
    """The locations of the other query parameters that a parameter's description names."""
    text = parameter.description
    return [
        other.key
        for other in operation.parameters
        if other.location == "query" and other.name != parameter.name and _names(text, other.name)
    ]


def _is_needed_by_all(fact: Fact, operation: Operation, look: Lookup) -> bool:
    """Whether a refusal says itself that a property is required, or none chooses between kinds of bodies."""
    schema = operation.body.schema if operation.body is not None else None
    pointer = fact.location.removeprefix("body:")
    if schema is None or not variants(schema) - {pointer}:
        return True
    calls = [call for call in map(look, fact.calls) if call is not None and not call.ok]
    return any(says_required(call, pointer) for call in calls)


def _names(text: str, name: str) -> bool:
    """Whether a text names a parameter: between backticks, or by a name that is no everyday word."""
    told = f"`{name}`" in text or f"'{name}'" in text or f'"{name}"' in text
    return told or ("_" in name and re.search(rf"\b{re.escape(name)}\b", text) is not None)


def is_proven(
    fact: Fact, operation: Operation, trials: Iterable[Trial], look: Lookup, elsewhere: Sequence[Json] = ()
) -> bool:
    """Whether enough was tried for a fact from trials: always, but for `ignored`, lists of values and defaults.

    A property is required of all bodies only if no other one chooses between kinds of them, or an error says so.
    A parameter is ignored only if all documented values, and it together with those that its text names, change
    nothing, nor do two of the values `elsewhere` that fields of its name have: a single one may be the default. A list
    of allowed values has all documented ones that were not refused. A default is a documented value, if any are.
    """
    if fact.kind == "required" and fact.location.startswith("body:/"):
        return _is_needed_by_all(fact, operation, look)
    parameter = operation.parameter(fact.location)
    if parameter is None or fact.kind not in ("ignored", "allowed-values", "default"):
        return True
    on_it = [trial for trial in trials if trial.location == fact.location and trial.sent]
    enum = {key_of(value) for value in parameter.schema.enum or () if value is not None}
    if fact.kind == "default":
        return not enum or key_of(fact.value) in enum
    if fact.kind == "allowed-values":
        refused = {key_of(trial.value) for trial in on_it if (call := look(trial.call)) is not None and not call.ok}
        return enum <= {key_of(value) for value in fact.value} | refused
    bases = [call.arguments for trial in on_it if (call := look(trial.base)) is not None]
    tried = {key_of(trial.value) for trial in on_it}
    tried |= {key_of(value) for arguments in bases for held, value in [argument(arguments, fact.location)] if held}
    beside = {location for arguments in bases for location in arguments}
    alike = {key_of(value) for value in elsewhere}
    return (
        {key_of(value) for value in values_to_try(parameter)} <= tried
        and beside.issuperset(companions(operation, parameter))
        and (not alike or len(alike & tried) >= _MIN_ELSEWHERE)
    )
