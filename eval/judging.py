"""Whether a statement is right, wrong, or on something that the truth is silent about.

Strict on place and value: a statement is right only where a statement of the truth at the same place agrees (types by
name, allowed values as sets, fields by location), and wrong where the truth says otherwise there. A weaker one that
is no lie (some of the allowed values, `number` of whole numbers) is silent: it finds nothing and costs nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from docrev.eval.statements import EFFECTS, Statement
from docrev.eval.truth import Known, Truth
from docrev.facts.registry import BY_FIELD
from docrev.json_values.canonical import canonical
from docrev.json_values.leaves import values_at
from docrev.records import Json, OperationKey
from docrev.spec.meaning import MISSING
from docrev.spec.operation import Operation
from docrev.spec.schema import Schema

Verdict = Literal["right", "wrong", "silent"]

_NUMBERS = ("integer", "number")
_EXCLUSIVE = {
    *BY_FIELD,
    *("searches", "sorts", "limits", "pages", "ignored"),
}
"""Effects that a parameter has one of, if the truth names one: paging is no sorting."""


def judge(said: Statement, truth: Truth) -> Verdict:
    """What the truth says of a statement."""
    told = truth.statements.get(said.place)
    if told is not None and agrees(said, told):
        return "right"
    if said.key not in truth.catalog:
        return "wrong"
    if said.location and not said.location.startswith("body:") and _nowhere(said, truth):
        return "wrong" if truth.closed else "silent"
    return _CONTRADICTED.get(said.kind, _silent)(said, told, truth)


def agrees(said: Statement, told: Statement) -> bool:
    """Whether two statements of the same place say the same."""
    one, other = said.value, told.value
    match said.kind:
        case "allowed-values" | "observed-values":
            return isinstance(one, list) and _texts(one) == _texts(other)
        case "searches":
            return isinstance(one, list) and set(map(str, one)) == set(map(str, other))
        case "comes-from":
            return any(_same_origin(one, origin) for origin in other)
        case "default" | "range" | "clamps" | "length":
            return _text(one) == _text(other)
        case "status" | "broken" | "needs-credentials" | "field" | "nullable" | "required" | "ignored":
            return _subset(one, other)
        case "pages":
            return _pages(one, other)
        case "creates":
            return isinstance(one, Mapping) and one.get("operation") == other.get("operation")
        case _:
            return bool(canonical(one) == canonical(other))


def _pages(one: Json, other: Json) -> bool:
    """By page and by offset of the same list; the field of a cursor must be right where it is told."""
    return isinstance(one, Mapping) and all(one.get(name) == value for name, value in other.items())


def _subset(one: Json, other: Json) -> bool:
    """Truth values, or objects of which the truth tells the part that matters (the status)."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return all(one.get(name) == value for name, value in other.items())
    return bool(one == other) or (other is True and isinstance(one, Mapping))


def _same_origin(one: Json, origin: Json) -> bool:
    return isinstance(one, Mapping) and all(one.get(name) == origin.get(name) for name in ("operation", "field"))


def _text(value: Json) -> str:
    """A value as a URL writes it: 20, 20.0 and "20" are the same."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and math.isfinite(value) and value == int(value):
        return str(int(value))
    if isinstance(value, str):
        return re.sub(r"^(-?\d+)\.0+$", r"\1", value)
    return str(value) if isinstance(value, int | float) else canonical(value)


def _texts(values: Sequence[Json]) -> set[str]:
    return {_text(value) for value in values}


def _nowhere(said: Statement, truth: Truth) -> bool:
    """Whether the truth has no such parameter or response field. Headers of answers are not in it."""
    location = said.location
    if ":header:" in location or location.endswith(":"):
        return False
    if location[:1].isdecimal() and (_in_map(said.key, location, truth) or _in_example(said.key, location, truth)):
        return False
    return truth.at(said.key, location) is None


def _in_example(key: OperationKey, location: str, truth: Truth) -> bool:
    """Whether an example of the answer shows a place that its schema forgets."""
    status, _, pointer = location.partition(":")
    response = truth.catalog[key].responses.get(status)
    return response is not None and response.example is not MISSING and bool(values_at(response.example, pointer))


def _in_map(key: OperationKey, location: str, truth: Truth) -> bool:
    """Whether a place lies in an object whose names are open, or below what the truth does not describe."""
    status, _, pointer = location.partition(":")
    while pointer:
        pointer = pointer.rpartition("/")[0]
        known = truth.at(key, f"{status}:{pointer}")
        if known is not None:
            return not known.schema.properties() and known.schema.items() is None
    operation = truth.catalog[key]
    return status not in operation.responses or operation.responses[status].schema is None


def _silent(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    return "silent"


def _differs(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    """Kinds of one value a place: another than the truth's is wrong; where it names none, only a whole truth denies."""
    return "wrong" if told is not None else "silent"


def _denied(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    """As `_differs`, but a whole truth that says nothing says no."""
    return "wrong" if told is not None or truth.closed else "silent"


def _type(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    known = truth.at(said.key, said.location)
    kind = known.schema.type if known is not None else None
    if kind is None:
        return "silent"
    if said.value == kind:
        return "right"
    if kind == "array" and said.value == "string" and said.location.startswith("query:"):
        # In a URL a list is a text.
        return "silent"
    if kind in _NUMBERS and said.value in _NUMBERS:
        # JSON does not part 5 and 5.0; but to tell that a parameter takes whole numbers only is a lie.
        narrowed = kind == "number" and not said.location[:1].isdecimal()
        return "wrong" if narrowed else "silent"
    return "wrong"


def _format(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    known = truth.at(said.key, said.location)
    kind = known.schema.type if known is not None else None
    return "wrong" if told is not None or kind not in (None, "string") else "silent"


def _observed(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    """Merely observed: wrong where it cannot have been, or where it differs from call to call."""
    known = truth.at(said.key, said.location)
    if (said.key, said.location) in truth.volatile:
        return "wrong"
    if known is None or not isinstance(said.value, list):
        return "silent"
    allowed = known.schema.enum
    if allowed is not None:
        return "right" if _texts(said.value) <= _texts(allowed) else "wrong"
    return "silent" if all(_fits(value, known.schema, said.location) for value in said.value) else "wrong"


def _fits(value: Json, schema: Schema, location: str) -> bool:
    kind = schema.type
    if kind in _NUMBERS:
        number = _number(value)
        low, high = schema.get("minimum"), schema.get("maximum")
        if number is None or (low is not None and number < low):
            return False
        # More than the maximum may be taken, and cut.
        return high is None or number <= high or location.startswith("query:")
    if kind == "string" and isinstance(value, str) and schema.pattern is not None:
        return re.search(schema.pattern, value) is not None
    return True


def _number(value: Json) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _allowed(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    known = truth.at(said.key, said.location)
    if told is None and known is not None and known.schema.type == "boolean":
        return "right" if _texts(said.value) == {"true", "false"} else "wrong"
    return _denied(said, told, truth)


def _pattern(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    """Wrong where it refuses what the truth allows; two ways to write one pattern are not compared further."""
    known = truth.at(said.key, said.location)
    if known is None or not isinstance(said.value, str):
        return "silent"
    good = [*(known.schema.enum or ()), known.schema.example, known.schema.default]
    try:
        refused = [value for value in good if isinstance(value, str) and re.search(said.value, value) is None]
    except re.error:
        return "wrong"
    return "wrong" if refused else "silent"


def _bound(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    """`range` where the truth clamps (or the other way round) is wrong: the one refuses, the other cuts."""
    other = {"range": "clamps", "clamps": "range"}.get(said.kind)
    rival = truth.statements.get((said.key, other, said.location, said.part)) if other else None
    return "wrong" if rival is not None else _denied(said, told, truth)


def _effect(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    """Wrong where the truth tells of another effect of this kind, or of another kind, or of another field."""
    if told is not None:
        return "wrong"
    kinds = {kind for key, kind, location, _ in truth.statements if key == said.key and location == said.location}
    has = kinds & _EXCLUSIVE
    if said.kind == "unknown-values":
        return "wrong" if "allowed-values" in kinds or (has and not has & {"sorts", "pages"}) else "silent"
    if said.kind == "ignored":
        known = truth.at(said.key, said.location)
        return "wrong" if has or truth.closed or (known is not None and known.required) else "silent"
    if said.kind in _EXCLUSIVE and has and said.kind not in has and not {said.kind, *has} <= {"limits", "pages"}:
        return "wrong"
    if said.kind in _EXCLUSIVE and said.kind in has:
        return "wrong" if said.kind != "sorts" or truth.closed else "silent"
    return "silent"


def _required(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    if said.location.startswith("path:"):
        return "right"
    if said.location == "body:":
        return "silent"
    return "wrong"


def _origin(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    """Right by a place that the truth does not list, where it holds the same: told in the same words."""
    source, target = _at_origin(said.value, truth), truth.at(said.key, said.location)
    if source is None:
        return "wrong" if truth.closed and not _open(said.value, truth) else "silent"
    if target is not None and {source.schema.type, target.schema.type} == {"string", "integer"}:
        return "wrong"
    if target is not None and target.schema.enum and source.schema.enum:
        return "right" if _texts(source.schema.enum) <= _texts(target.schema.enum) else "wrong"
    if told is None:
        return "silent"
    listed = [_at_origin(origin, truth) for origin in told.value]
    words = {known.schema.description for known in listed if known is not None and known.schema.description}
    if source.schema.description in words:
        return "right"
    return "wrong" if truth.closed else "silent"


def _open(origin: Mapping[str, Json], truth: Truth) -> bool:
    operation = _operation(str(origin.get("operation")), truth)
    return operation is not None and _in_map(operation.key, str(origin.get("field")), truth)


def _at_origin(origin: Mapping[str, Json], truth: Truth) -> Known | None:
    operation = _operation(str(origin.get("operation")), truth)
    return truth.at(operation.key, str(origin.get("field"))) if operation is not None else None


def _operation(name: str, truth: Truth) -> Operation | None:
    return next((one for one in truth.catalog.operations if str(one.key) == name), None)


def _names_operation(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    """`creates`, `needs-first`: what it names must be an operation."""
    name = said.value.get("operation") if isinstance(said.value, Mapping) else None
    if name is not None and _operation(str(name), truth) is None:
        return "wrong"
    return _differs(said, told, truth)


def _nullable(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    known = truth.at(said.key, said.location)
    if known is not None and known.schema.nullable:
        return "right"
    return "wrong" if known is not None and known.schema.type is not None else "silent"


def _status(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    announced = truth.catalog[said.key].responses
    if said.part in truth.answers.get(said.key, ()):
        return "right"
    if said.part in announced or "default" in announced or f"{said.part[:1]}XX" in announced:
        return "right" if said.part in announced else "silent"
    return "wrong" if truth.closed else "silent"


def _empty(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    known = truth.at(said.key, said.location)
    return "wrong" if known is not None and known.schema.type not in (None, "array") else "silent"


def _wrapped(said: Statement, told: Statement | None, truth: Truth) -> Verdict:
    known = truth.at(said.key, f"body:/{said.value}")
    if known is not None:
        return "silent"
    return "wrong" if truth.closed else "silent"


_CONTRADICTED: dict[str, Callable[[Statement, Statement | None, Truth], Verdict]] = {
    **dict.fromkeys(EFFECTS, _effect),
    "comes-from": _origin,
    "type": _type,
    "format": _format,
    "observed-values": _observed,
    "allowed-values": _allowed,
    "default": _differs,
    "range": _bound,
    "clamps": _bound,
    "length": _denied,
    "pattern": _pattern,
    "required": _required,
    "nullable": _nullable,
    "status": _status,
    "needs-credentials": _denied,
    "broken": _denied,
    "unknown-parameters": _differs,
    "creates": _names_operation,
    "needs-first": _names_operation,
    "empty": _empty,
    "wrapped-in": _wrapped,
}
