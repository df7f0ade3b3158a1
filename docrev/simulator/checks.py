"""Whether a request is what its operation's documentation asks for: required, type, enum, bounds, format, pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from docrev.json_values.scalars import is_whole
from docrev.records import Json
from docrev.simulator import prose
from docrev.spec import Operation, Parameter, Schema
from docrev.spec.meaning import MISSING, as_type

_DEEPEST = 6
_FAULT = object()


class RequestFault(NamedTuple):
    """One thing that is wrong: where (`query`, `path`, `header`, `body`), the name, and why in words."""

    where: str
    name: str
    why: str

    def __str__(self) -> str:
        what = f"{self.where} parameter '{self.name}'" if self.where != "body" else f"body property '{self.name}'"
        return f"{what if self.name else 'the request body'} {self.why}"


class CheckedArguments(NamedTuple):
    """Arguments by location as their schemas mean them, defaults not filled in; and what is wrong with them."""

    values: dict[str, Json]
    faults: list[RequestFault]


def read(
    operation: Operation, path: Mapping[str, str], query: Mapping[str, list[str]], headers: Mapping[str, str]
) -> CheckedArguments:
    """The arguments of a request. Header names are in lower case; parameters that nobody declared are left out."""
    values: dict[str, Json] = {}
    faults: list[RequestFault] = []
    for parameter in operation.parameters:
        raw = _raw(parameter, path, query, headers)
        if raw is None:
            if parameter.required and parameter.location != "cookie":
                faults.append(RequestFault(parameter.location, parameter.name, "is required"))
            continue
        value = typed(parameter, raw)
        wrong = f"must be {_a(parameter.schema.type)}" if value is _FAULT else fault(parameter.schema, value)
        why = wrong or prose.fault(parameter, value)
        if why:
            faults.append(RequestFault(parameter.location, parameter.name, why))
        else:
            values[parameter.key] = value
    return CheckedArguments(values, faults)


def _raw(
    parameter: Parameter, path: Mapping[str, str], query: Mapping[str, list[str]], headers: Mapping[str, str]
) -> list[str] | None:
    if parameter.location == "path":
        return [path[parameter.name]] if parameter.name in path else None
    if parameter.location == "header":
        return [headers[parameter.name.lower()]] if parameter.name.lower() in headers else None
    if parameter.location == "query":
        return query.get(parameter.name) or query.get(f"{parameter.name}[]")
    return None


def typed(parameter: Parameter, raw: list[str]) -> Json:
    """An argument as its type: numbers, booleans and lists (separated or repeated); `_FAULT` if it is not."""
    schema = parameter.schema
    if schema.type == "array":
        mark = {"spaceDelimited": " ", "pipeDelimited": "|"}.get(parameter.style, ",")
        parts = raw if len(raw) > 1 else [part for part in raw[0].split(mark) if part]
        items = schema.items()
        values = [_typed(items.type if items else None, part) for part in parts]
        return _FAULT if _FAULT in values else values
    return _typed(schema.type, raw[-1])


def _typed(kind: str | None, text: str) -> Json:
    value = as_type(text, kind)
    if kind == "integer" and not is_whole(value):
        return _FAULT
    if kind == "number" and not isinstance(value, int | float):
        return _FAULT
    return _FAULT if kind == "boolean" and not isinstance(value, bool) else value


def read_body(operation: Operation, sent: object) -> list[RequestFault]:
    """What is wrong with a request body; MISSING if none was sent."""
    body = operation.body
    if body is None or body.schema is None or not _is_structured(body.media_type):
        return []
    if sent is MISSING:
        return [RequestFault("body", "", "is required")] if body.required else []
    return list(_faults(body.schema, sent, "", 0))


def _is_structured(media_type: str) -> bool:
    return "json" in media_type or "form" in media_type


def _faults(schema: Schema, value: object, at: str, depth: int) -> list[RequestFault]:
    if value is None and schema.nullable:
        return []
    if why := fault(schema, value):
        return [RequestFault("body", at, why)]
    if depth > _DEEPEST:
        return []
    if isinstance(value, list) and (items := schema.items()) is not None:
        return [one for n, item in enumerate(value) for one in _faults(items, item, f"{at}/{n}", depth + 1)]
    return _object_faults(schema, value, at, depth) if isinstance(value, dict) else []


def _object_faults(schema: Schema, value: dict[str, object], at: str, depth: int) -> list[RequestFault]:
    missing = sorted(schema.required - value.keys())
    found = [RequestFault("body", f"{at}/{name}".lstrip("/"), "is required") for name in missing]
    for name, child in schema.properties().items():
        if name in value and not child.get("readOnly"):
            found += _faults(child, value[name], f"{at}/{name}".lstrip("/"), depth + 1)
    return found


TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def fault(schema: Schema, value: Json) -> str:
    """Why a value is not what its schema asks for, in words; "" if it is. Does not look inside objects."""
    kind = schema.type
    if kind in TYPES and not _has_type(value, kind):
        return f"must be {_a(kind)}"
    enum = schema.enum
    if enum is not None and value not in enum and str(value) not in map(str, enum):
        return f"must be one of {', '.join(repr(one) if one == '' else str(one) for one in enum)}"
    if isinstance(value, list):
        return _list_fault(schema, value)
    if isinstance(value, str):
        return _text_fault(schema, value)
    return _number_fault(schema, value) if _has_type(value, "number") else ""


def _has_type(value: object, kind: str) -> bool:
    """Whether a value is of a JSON type; a boolean is no number."""
    return isinstance(value, TYPES[kind]) and isinstance(value, bool) == (kind == "boolean")


def _list_fault(schema: Schema, value: list[Json]) -> str:
    low, high, items = schema.get("minItems"), schema.get("maxItems"), schema.items()
    if low is not None and len(value) < low:
        return f"must have at least {low} items"
    if high is not None and len(value) > high:
        return f"must have at most {high} items"
    return next((f"has an item that {why}" for one in value if items and (why := fault(items, one))), "")


def _text_fault(schema: Schema, value: str) -> str:
    low, high, pattern = schema.get("minLength"), schema.get("maxLength"), schema.pattern
    if low is not None and len(value) < low:
        return f"must have at least {low} characters"
    if high is not None and len(value) > high:
        return f"must have at most {high} characters"
    if pattern and not _matches(pattern, value):
        return f"must match the pattern {pattern}"
    form = schema.format
    return f"must be a valid {form}" if form in FORMATS and not _valid(FORMATS[form], value) else ""


def _matches(pattern: str, value: str) -> bool:
    try:
        return re.search(pattern, value) is not None
    except re.error:
        return True


def _valid(parse: Callable[[str], object], value: str) -> bool:
    try:
        return bool(parse(value))
    except ValueError:
        return False


def _number_fault(schema: Schema, value: float) -> str:
    low, above = _bound(schema, "minimum", "exclusiveMinimum")
    high, below = _bound(schema, "maximum", "exclusiveMaximum")
    if low is not None and value < low:
        return f"must be at least {low}"
    if above is not None and value <= above:
        return f"must be greater than {above}"
    if high is not None and value > high:
        return f"must be at most {high}"
    if below is not None and value >= below:
        return f"must be less than {below}"
    step = schema.get("multipleOf")
    return f"must be a multiple of {step}" if step and (value / step) % 1 else ""


def _bound(schema: Schema, inclusive: str, exclusive: str) -> tuple[Json, Json]:
    """A bound as (inclusive, exclusive): OpenAPI 3.0 makes it exclusive by a flag beside it, 3.1 by its own number."""
    bound, other = schema.get(inclusive), schema.get(exclusive)
    if other is True:
        return None, bound
    return bound, None if other is False else other


FORMATS: dict[str, Callable[[str], object]] = {
    "date": date.fromisoformat,
    "date-time": lambda text: datetime.fromisoformat(text.replace("Z", "+00:00")),
    "uuid": UUID,
    "email": lambda text: re.fullmatch(r"[^@\s]+@[^@\s]+", text),
    "uri": lambda text: urlsplit(text).scheme,
}


def _a(kind: str | None) -> str:
    return f"an {kind}" if (kind or "")[:1] in ("a", "i", "o") else f"a {kind}"
