"""Typed answers as the JSON that models write: closed objects, every property there, as strict structured output wants.

What a closed schema cannot say is written in another form: an operation as its name, a mapping as a list of
`{"location", "value"}`, and a value of any kind as a scalar, a list of scalars, or `{"json": "its JSON text"}`. Models
without structured output write what comes naturally, so reading is wider than the schema: mappings and values as they
are, properties that have a default left out or null.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, TypeAdapter, ValidationError

from docrev.errors import AnswerError
from docrev.prompts.questions import ExperienceDraft, ScenarioDraft, Verdict
from docrev.records import Json, OperationKey, Plan

MAX_ENUM = 200
"""Operations that a schema lists by name; servers bound the size of an enum, and beyond it any text is allowed."""
_MAX_TOLD = 40
_VALUE = {"$ref": "#/$defs/value"}
_SCALARS: list[Json] = [{"type": "string"}, {"type": "number"}, {"type": "boolean"}, {"type": "null"}]
_NAMED: dict[tuple[type, str], str] = {(Plan, "key"): "operation"}
# What is thought out comes before what follows from it: properties are written in their order.
_ORDER: dict[type, tuple[str, ...]] = {
    ScenarioDraft: ("operations", "text", "goal", "reason"),
    Verdict: ("reason", "rule", "correct"),
    ExperienceDraft: ("why", "worth", "known", "right_plan", "wrong_plan"),
}
_MISSING = object()
_OPERATION = re.compile(r"(?:(?P<tool>.*\S)\s+)?(?P<method>[A-Za-z]+)\s+(?P<path>/\S*)")


class Member(NamedTuple):
    """A property of an object: its name in JSON and in Python, its type, and its default (or `_MISSING`)."""

    name: str
    attribute: str
    kind: Any
    default: Any


def schema(kind: type, keys: Sequence[OperationKey] = ()) -> dict[str, Json]:
    """The JSON schema of a class's form; `keys` are the operations that may be named."""
    made = _schema(kind, tuple(keys))
    scalars: Json = {"anyOf": _SCALARS}
    text = _closed({"json": {"type": "string", "description": "any other JSON value, as its JSON text"}})
    value: Json = {"anyOf": [*_SCALARS, {"type": "array", "items": scalars}, text]}
    return {**made, "$defs": {"value": value}} if _VALUE["$ref"] in json.dumps(made) else made


def _schema(kind: Any, keys: tuple[OperationKey, ...]) -> dict[str, Json]:
    kind, origin = _plain(kind), get_origin(_plain(kind))
    if kind is OperationKey:
        return {"type": "string", "enum": [str(key) for key in keys]} if 0 < len(keys) <= MAX_ENUM else _TEXT
    if _is_object(kind):
        return _closed({member.name: _schema(member.kind, keys) for member in members(kind)})
    if origin is Literal:
        return _literal(get_args(kind))
    if origin in (Union, UnionType):
        return _union([_schema(part, keys) for part in get_args(kind)])
    if origin in (tuple, list, frozenset):
        return {"type": "array", "items": _schema(get_args(kind)[0], keys)}
    if origin in (dict, Mapping, _ABC_MAPPING):
        entry = _closed({"location": _TEXT, "value": _schema(get_args(kind)[1], keys)})
        return {"type": "array", "items": entry}
    return dict(_SIMPLE.get(kind, _VALUE))


def _closed(properties: dict[str, object]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _union(options: list[dict[str, Json]]) -> dict[str, Json]:
    """One schema of several: `["string", "null"]` if both are simple, otherwise any of them."""
    if all(set(option) == {"type"} and isinstance(option["type"], str) for option in options):
        return {"type": [option["type"] for option in options]}
    return {"anyOf": options}


def _literal(values: tuple[object, ...]) -> dict[str, Json]:
    return {"type": "string" if isinstance(values[0], str) else "integer", "enum": list(values)}


_TEXT: dict[str, Json] = {"type": "string"}
_SIMPLE: dict[Any, dict[str, Json]] = {
    str: _TEXT,
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    NoneType: {"type": "null"},
}
_ABC_MAPPING = get_origin(Mapping[str, Any])


def _plain(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _is_object(kind: Any) -> bool:
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, BaseModel))


@lru_cache(maxsize=256)
def members(kind: Any) -> tuple[Member, ...]:
    """The properties of a dataclass or pydantic model, in the order in which they are written."""
    hints = get_type_hints(kind)
    found = [
        Member(_NAMED.get((kind, name), name), name, hints[name], default) for name, default in _defaults(kind).items()
    ]
    order = _ORDER.get(kind)
    return tuple(sorted(found, key=lambda member: order.index(member.attribute)) if order else found)


def _defaults(kind: Any) -> dict[str, Any]:
    if issubclass(kind, BaseModel):
        return {
            name: _MISSING if field.is_required() else field.get_default(call_default_factory=True)
            for name, field in kind.model_fields.items()
        }
    found: dict[str, Any] = {}
    for field in (field for field in dataclasses.fields(kind) if field.init):
        if field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
        else:
            found[field.name] = _MISSING if field.default is dataclasses.MISSING else field.default
    return found


# Reading


def read(kind: Any, data: object, keys: Sequence[OperationKey] = (), where: str = "") -> Any:
    """What `data` says, as a `kind`. Raises AnswerError that tells a model what to mend, and where."""
    kind = _plain(kind)
    origin = get_origin(kind)
    if kind is OperationKey:
        return _operation(data, keys, where)
    if _is_object(kind):
        return _object(kind, data, keys, where)
    if origin in (Union, UnionType):
        return _either(kind, data, keys, where)
    if origin in (tuple, list, frozenset):
        if not isinstance(data, list | tuple):
            raise wrong("must be a list", where)
        return origin(read(get_args(kind)[0], part, keys, f"{where}/{at}") for at, part in enumerate(data))
    if origin in (dict, Mapping, _ABC_MAPPING):
        return {name: read(get_args(kind)[1], part, keys, f"{where}/{name}") for name, part in _pairs(data, where)}
    return _value(data, where) if kind is Any else _leaf(kind, data, where)


def wrong(what: str, where: str = "") -> AnswerError:
    """The error that tells a model what to mend, all of it in `what`."""
    return AnswerError(f"{where}: {what}" if where else what)


def _object(kind: type, data: object, keys: Sequence[OperationKey], where: str) -> Any:
    if not isinstance(data, dict):
        raise wrong(f"must be a JSON object with {', '.join(m.name for m in members(kind))}", where)
    made = {}
    for member in members(kind):
        at = f"{where}/{member.name}" if where else member.name
        given = data.get(member.name, data.get(member.attribute, _MISSING))
        if given is _MISSING or (given is None and not _nullable(member.kind) and member.default is not _MISSING):
            if member.default is _MISSING:
                raise wrong("is missing", at)
            continue
        made[member.attribute] = read(member.kind, given, keys, at)
    return kind(**made)


def _nullable(kind: Any) -> bool:
    return kind is Any or NoneType in get_args(_plain(kind))


def _either(kind: Any, data: object, keys: Sequence[OperationKey], where: str) -> Any:
    parts = [part for part in get_args(kind) if part is not NoneType]
    if data is None and _nullable(kind):
        return None
    for part in parts[:-1]:
        try:
            return read(part, data, keys, where)
        except AnswerError:
            continue
    return read(parts[-1], data, keys, where)


def _pairs(data: object, where: str) -> list[tuple[str, Json]]:
    """A mapping, as it is or as a list of locations with values."""
    if isinstance(data, dict):
        return list(data.items())
    if not isinstance(data, list):
        raise wrong('must be a list of {"location", "value"}', where)
    found = []
    for at, entry in enumerate(data):
        if not isinstance(entry, dict) or not isinstance(entry.get("location"), str) or "value" not in entry:
            raise wrong('must be {"location": …, "value": …}', f"{where}/{at}")
        found.append((entry["location"], entry["value"]))
    return found


def _value(data: object, where: str) -> Json:
    """A value of any kind: `{"json": …}` holds the text of one that the schema has no place for."""
    if isinstance(data, dict) and data.keys() == {"json"} and isinstance(data["json"], str):
        try:
            return json.loads(data["json"])
        except (ValueError, RecursionError):
            raise wrong("is not the text of a JSON value", f"{where}/json") from None
    return data


def _leaf(kind: Any, data: object, where: str) -> Any:
    if kind is str and isinstance(data, int | float) and not isinstance(data, bool):
        return str(data)
    try:
        return _adapter(kind).validate_python(data)
    except ValidationError as error:
        raise wrong(error.errors()[0]["msg"], where) from None


@lru_cache(maxsize=64)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _operation(data: object, keys: Sequence[OperationKey], where: str) -> OperationKey:
    """The operation of that name; of several tools, the tool may be left out if only one has it."""
    said = " ".join(str(data).split())
    named = {str(key): key for key in keys}
    if said in named:
        return named[said]
    match = _OPERATION.fullmatch(said)
    if match is not None:
        operation = f"{match['method'].upper()} {match['path']}"
        alike = [key for key in keys if key.operation == operation and match["tool"] in (None, key.tool)]
        if len(alike) == 1:
            return alike[0]
        if not keys and match["tool"]:
            return OperationKey(match["tool"], operation)
    raise wrong(f"there is no operation {_short(said)}; {_choices(list(named))}", where)


def _choices(names: list[str]) -> str:
    told = "; ".join(names[:_MAX_TOLD])
    rest = len(names) - _MAX_TOLD
    return f"use one of these, as written: {told}{f'; and {rest} more' if rest > 0 else ''}"


def _short(text: str) -> str:
    return json.dumps(text if len(text) <= 80 else f"{text[:79]}…", ensure_ascii=False)


# Writing


def _without_none(kind: Any) -> Any:
    """The first type of a union that is not None; another type as it is."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    return _plain(next(part for part in get_args(kind) if part is not NoneType))


def written(value: Any, kind: Any = Any) -> Json:
    """A typed answer in its form, so that `read` gives it back."""
    kind = _plain(kind)
    if isinstance(value, OperationKey):
        return str(value)
    made: Any = type(value)
    if _is_object(made):
        return {member.name: written(getattr(value, member.attribute), member.kind) for member in members(made)}
    kind = kind if value is None else _without_none(kind)
    origin = get_origin(kind)
    if origin in (tuple, list, frozenset):
        return [written(part, get_args(kind)[0]) for part in (sorted(value) if origin is frozenset else value)]
    if origin in (dict, Mapping, _ABC_MAPPING):
        return [{"location": name, "value": written(part, get_args(kind)[1])} for name, part in value.items()]
    return _written_value(value)


def _written_value(value: object) -> Json:
    return value if _is_simple(value) else {"json": json.dumps(value, ensure_ascii=False)}


def _is_simple(value: object) -> bool:
    if isinstance(value, list):
        return all(not isinstance(part, list | dict) for part in value)
    return not isinstance(value, dict)
