"""Whether a statement is right, wrong, or about something that the truth is silent about: a rule for each kind of fact.

Strict on place and value: a statement is right only if a statement of the truth at the same place agrees (types by
name, allowed values as sets, fields by location), and wrong if the truth says otherwise there. A weaker one that is no
lie (some of the allowed values, `number` of whole numbers) is silent: it finds nothing and costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from docrev.eval.statements import TextStatement
from docrev.eval.truth import KnownTruth, Truth
from docrev.eval.value_agreement import (
    among_sources,
    as_texts,
    is_shown,
    same,
    same_creation,
    same_members,
    same_text,
    same_texts,
)
from docrev.facts.registry import BY_FIELD, with_effect
from docrev.json_values.leaves import values_at
from docrev.records import Json, OperationKey
from docrev.spec.meaning import MISSING
from docrev.spec.schema import Schema

Verdict = Literal["right", "wrong", "silent"]
Agrees = Callable[[Json, Json], bool]
Judge = Callable[[TextStatement, TextStatement | None, Truth], Verdict]

_NUMBERS = ("integer", "number")
_EXCLUSIVE = frozenset((*with_effect("choose", "sort", "window"), "ignored"))
"""Effects of which a parameter has one, if the truth names one: paging is no sorting."""


def judge(statement: TextStatement, truth: Truth) -> Verdict:
    """What the truth says of a statement."""
    true, rule = truth.statements.get(statement.place), RULES[statement.kind]
    if true is not None and rule.agrees(statement.value, true.value):
        return "right"
    if statement.key not in truth.catalog:
        return "wrong"
    if statement.location and not statement.location.startswith("body:") and _is_nowhere(statement, truth):
        return "wrong" if truth.closed else "silent"
    return rule.judge(statement, true, truth)


def agrees(one: TextStatement, other: TextStatement) -> bool:
    """Whether two statements of the same place say the same."""
    return RULES[one.kind].agrees(one.value, other.value)


# Places that are not there


def _is_nowhere(statement: TextStatement, truth: Truth) -> bool:
    """Whether the truth has no such parameter or response field. Headers of responses are not in it."""
    location = statement.location
    if ":header:" in location or location.endswith(":") or truth.at(statement.key, location) is not None:
        return False
    in_response = location[:1].isdecimal()
    return not (in_response and _is_open(statement.key, location, truth))


def _is_open(key: OperationKey, location: str, truth: Truth) -> bool:
    """Whether a place lies in what the truth does not describe whole: a map, or an example that says more."""
    return _in_map(key, location, truth) or _in_example(key, location, truth)


def _in_example(key: OperationKey, location: str, truth: Truth) -> bool:
    """Whether an example of the response shows a place that its schema forgets."""
    status, _, pointer = location.partition(":")
    response = truth.catalog[key].responses.get(status)
    return response is not None and response.example is not MISSING and bool(values_at(response.example, pointer))


def _in_map(key: OperationKey, location: str, truth: Truth) -> bool:
    """Whether a place lies in an object whose names are open, or below what the truth does not describe."""
    status, _, pointer = location.partition(":")
    while pointer:
        pointer = pointer.rpartition("/")[0]
        place = truth.at(key, f"{status}:{pointer}")
        if place is not None:
            return not place.schema.properties() and place.schema.items() is None
    response = truth.catalog[key].responses.get(status)
    return response is None or response.schema is None


# What is not right: wrong, or silent


def _differs(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    """Kinds of one value a place: another than the truth's is wrong; if it names none, only a whole truth denies."""
    return "wrong" if true is not None else "silent"


def _denied(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    """As `_differs`, but a whole truth that says nothing says no."""
    return "wrong" if true is not None or truth.closed else "silent"


def _schema_type(statement: TextStatement, truth: Truth) -> str | None:
    place = truth.at(statement.key, statement.location)
    return place.schema.type if place is not None else None


def _type(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    kind = _schema_type(statement, truth)
    if kind is None or statement.value == kind:
        return "silent" if kind is None else "right"
    if kind == "array" and statement.value == "string" and statement.location.startswith("query:"):
        # In a URL a list is a text.
        return "silent"
    # JSON does not part 5 and 5.0; but to say that a parameter takes whole numbers only is a lie.
    narrowed = kind == "number" and not statement.location[:1].isdecimal()
    return "silent" if kind in _NUMBERS and statement.value in _NUMBERS and not narrowed else "wrong"


def _format(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    return "wrong" if true is not None or _schema_type(statement, truth) not in (None, "string") else "silent"


def _observed(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    """Merely observed: wrong if it cannot have been, or if it differs from call to call."""
    place = truth.at(statement.key, statement.location)
    if (statement.key, statement.location) in truth.volatile:
        return "wrong"
    if place is None or not isinstance(statement.value, list):
        return "silent"
    if (allowed := place.schema.enum) is not None:
        return "right" if as_texts(statement.value) <= as_texts(allowed) else "wrong"
    return "silent" if all(_fits(value, place.schema, statement.location) for value in statement.value) else "wrong"


def _fits(value: Json, schema: Schema, location: str) -> bool:
    if schema.type in _NUMBERS:
        number, low, high = _number(value), schema.get("minimum"), schema.get("maximum")
        if number is None or (low is not None and number < low):
            return False
        # More than the maximum may be accepted, and cut.
        return high is None or number <= high or location.startswith("query:")
    pattern = schema.pattern if schema.type == "string" and isinstance(value, str) else None
    return pattern is None or re.search(pattern, value) is not None


def _number(value: Json) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _allowed(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    if true is None and _schema_type(statement, truth) == "boolean":
        return "right" if as_texts(statement.value) == {"true", "false"} else "wrong"
    return _denied(statement, true, truth)


def _pattern(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    """Wrong if it refuses what the truth allows; two ways to write one pattern are not compared further."""
    place = truth.at(statement.key, statement.location)
    if place is None or not isinstance(statement.value, str):
        return "silent"
    good = [*(place.schema.enum or ()), place.schema.example, place.schema.default]
    try:
        refused = [value for value in good if isinstance(value, str) and re.search(statement.value, value) is None]
    except re.error:
        return "wrong"
    return "wrong" if refused else "silent"


def _bound(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    """`range` is wrong if the truth clamps, and the other way round: the one refuses, the other cuts."""
    rival = {"range": "clamps", "clamps": "range"}[statement.kind]
    if (statement.key, rival, statement.location, statement.part) in truth.statements:
        return "wrong"
    return _denied(statement, true, truth)


def _effect(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    """Wrong if the truth has another effect of this kind, or of another kind, or on another field."""
    has = truth.kinds_at(statement.key, statement.location) & _EXCLUSIVE
    if true is not None:
        return "wrong"
    if statement.kind not in _EXCLUSIVE or not has:
        return "silent"
    if statement.kind in has:
        return "wrong" if statement.kind != "sorts" or truth.closed else "silent"
    return "silent" if {statement.kind, *has} <= {"limits", "pages"} else "wrong"


def _ignored(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    has = truth.kinds_at(statement.key, statement.location) & _EXCLUSIVE
    place = truth.at(statement.key, statement.location)
    needed = place is not None and place.required
    return "wrong" if true is not None or has or truth.closed or needed else "silent"


def _unknown_values(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    kinds = truth.kinds_at(statement.key, statement.location)
    refused = "allowed-values" in kinds or (kinds & _EXCLUSIVE and not kinds & {"sorts", "pages"})
    return "wrong" if true is not None or refused else "silent"


def _required(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    if statement.location.startswith("path:"):
        return "right"
    return "silent" if statement.location == "body:" else "wrong"


def _origin(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    """Right by a place that the truth does not list, if it has the same values, described in the same words."""
    source, target = _at_origin(statement.value, truth), truth.at(statement.key, statement.location)
    if source is None:
        return "wrong" if truth.closed and not _leads_into_map(statement.value, truth) else "silent"
    if target is not None and (verdict := _compared(source.schema, target.schema)) is not None:
        return verdict
    if true is None:
        return "silent"
    listed = [_at_origin(origin, truth) for origin in true.value]
    words = {known.schema.description for known in listed if known is not None} - {""}
    if source.schema.description in words:
        return "right"
    return "wrong" if truth.closed else "silent"


def _compared(source: Schema, target: Schema) -> Verdict | None:
    """Whether values of one schema can come from another, by types and enums; None if these do not decide."""
    if {source.type, target.type} == {"string", "integer"}:
        return "wrong"
    if target.enum and source.enum:
        return "right" if as_texts(source.enum) <= as_texts(target.enum) else "wrong"
    return None


def _leads_into_map(origin: Mapping[str, object], truth: Truth) -> bool:
    operation = truth.operation(origin.get("operation"))
    return operation is not None and _in_map(operation.key, str(origin.get("field")), truth)


def _at_origin(origin: Mapping[str, object], truth: Truth) -> KnownTruth | None:
    operation = truth.operation(origin.get("operation"))
    return truth.at(operation.key, str(origin.get("field"))) if operation is not None else None


def _names_operation(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    """`creates`, `needs-first`: what they name must be an operation."""
    names_none = isinstance(statement.value, Mapping) and truth.operation(statement.value.get("operation")) is None
    return "wrong" if names_none else _differs(statement, true, truth)


def _nullable(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    place = truth.at(statement.key, statement.location)
    if place is not None and place.schema.nullable:
        return "right"
    return "wrong" if place is not None and place.schema.type is not None else "silent"


def _status(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    announced = truth.catalog[statement.key].responses
    if statement.part in truth.answers.get(statement.key, ()) or statement.part in announced:
        return "right"
    by_range = "default" in announced or f"{statement.part[:1]}XX" in announced
    return "silent" if by_range or not truth.closed else "wrong"


def _empty(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    return "silent" if _schema_type(statement, truth) in (None, "array") else "wrong"


def _wrapped(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    place = truth.at(statement.key, f"body:/{statement.value}")
    return "wrong" if place is None and truth.closed else "silent"


def _silent(statement: TextStatement, true: TextStatement | None, truth: Truth) -> Verdict:
    return "silent"


@dataclass(frozen=True, slots=True)
class JudgingRule:
    """How statements of a kind are scored: when one agrees with the truth, and what it is if none does."""

    agrees: Agrees
    judge: Judge


RULES: Mapping[str, JudgingRule] = {
    **dict.fromkeys(BY_FIELD, JudgingRule(same, _effect)),
    "searches": JudgingRule(same_texts, _effect),
    "sorts": JudgingRule(same, _effect),
    "limits": JudgingRule(same, _effect),
    "pages": JudgingRule(same_members, _effect),
    "selects": JudgingRule(same, _effect),
    "ignored": JudgingRule(is_shown, _ignored),
    "unknown-values": JudgingRule(same, _unknown_values),
    "unknown-parameters": JudgingRule(same, _differs),
    "comes-from": JudgingRule(among_sources, _origin),
    "type": JudgingRule(same, _type),
    "format": JudgingRule(same, _format),
    "observed-values": JudgingRule(same_texts, _observed),
    "allowed-values": JudgingRule(same_texts, _allowed),
    "default": JudgingRule(same_text, _differs),
    "range": JudgingRule(same_text, _bound),
    "clamps": JudgingRule(same_text, _bound),
    "length": JudgingRule(same_text, _denied),
    "pattern": JudgingRule(same, _pattern),
    "characters": JudgingRule(same, _denied),
    "alternatives": JudgingRule(same, _silent),
    "partners": JudgingRule(same, _silent),
    "required": JudgingRule(is_shown, _required),
    "nullable": JudgingRule(is_shown, _nullable),
    "field": JudgingRule(is_shown, _silent),
    "status": JudgingRule(is_shown, _status),
    "needs-credentials": JudgingRule(is_shown, _denied),
    "broken": JudgingRule(is_shown, _denied),
    "creates": JudgingRule(same_creation, _names_operation),
    "needs-first": JudgingRule(same, _names_operation),
    "empty": JudgingRule(same, _empty),
    "wrapped-in": JudgingRule(same, _wrapped),
    **dict.fromkeys(
        (
            "exists missing left-out stored no-effect substitutes type-by on-request scaled coded rewrites matches "
            "combines whole-days unrecognised catch-all in-day deletes also-deletes not-empty referred "
            "unknown-properties returns-deleted conditions nulls also-creates operators sent-back becomes withheld "
            "newest-first sets repeated reveals starts-as stays-taken unknown-references spelled past-end fills"
        ).split(),
        JudgingRule(same, _silent),
    ),
}
"""The rule of every kind of fact; `tests/facts/test_facts_registry.py` compares it with the kinds."""
