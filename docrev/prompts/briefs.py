"""Briefs of operations: what a model is shown of each, taken from the documentation alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice

from docrev.json_values.pointer import last, parent
from docrev.language.characters import one_line
from docrev.prompts.questions import Brief
from docrev.records import Json
from docrev.spec import Catalog, Operation
from docrev.spec.schema import Schema

MAX_FIELDS = 40
_DEPTH = 4
_LONGEST, _TEXT = 200, 300
_KEYWORDS = (
    *("format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("minItems", "maxItems", "default", "example"),
)
"""What a schema says beside its type and enum, in JSON Schema's words."""


def briefs(catalog: Catalog) -> tuple[Brief, ...]:
    """One brief an operation, in the catalog's order."""
    return tuple(brief(operation) for operation in catalog.operations)


def brief(operation: Operation) -> Brief:
    """The operation's summary and description, its parameters one line each, the
    names of its response fields."""
    success = operation.success
    return Brief(
        key=operation.key,
        summary=operation.text,
        parameters=tuple(
            _line(parameter.key, parameter.schema, parameter.required, parameter.description)
            for parameter in operation.parameters
        )
        + tuple(_body(operation)),
        responses=tuple(_fields(success.schema)) if success is not None and success.schema is not None else (),
    )


def contract(operation: Operation) -> Brief:
    """The brief with all that the schemas say of each parameter, and of each member of the body at any depth."""
    lines = [
        _line(
            parameter.key,
            parameter.schema,
            parameter.required,
            one_line(parameter.description, _TEXT),
            *_limits(parameter.schema),
        )
        for parameter in operation.parameters
    ]
    return brief(operation).model_copy(update={"parameters": (*lines, *_members(operation))})


def _members(operation: Operation) -> Iterator[str]:
    schema = operation.body_schema
    if operation.body is None:
        return
    if schema is None:
        yield f"body: ({operation.body.media_type})"
        return
    parts = dict(islice(schema.walk(_DEPTH), MAX_FIELDS + 1))
    for at, part in parts.items():
        above = parts.get(parent(at)) if at else None
        required = operation.body.required if above is None else last(at) in above.required
        if at or len(parts) == 1:
            yield _line(f"body:{at}", part, required, one_line(part.description, _TEXT), *_limits(part))


def _limits(schema: Schema) -> Iterator[str]:
    """What a schema says of a value beside its type, a few words each."""
    if schema.enum:
        yield f"one of {json.dumps(schema.enum[:MAX_FIELDS], ensure_ascii=False)}"
    for name in _KEYWORDS:
        if (value := schema.get(name)) is not None:
            yield f"{name} {json.dumps(value, ensure_ascii=False)[:_LONGEST]}"


def listed_arguments(arguments: Mapping[str, object]) -> Iterator[tuple[str, Json]]:
    """Arguments by location as briefs list them: the members of a body one by one."""
    for location, value in arguments.items():
        if location == "body:" and isinstance(value, dict):
            yield from ((f"body:/{name}", part) for name, part in value.items())
        else:
            yield location, value


def _body(operation: Operation) -> list[str]:
    if operation.body is None or operation.body.schema is None:
        return []
    required = operation.body.schema.required
    return [
        _line(f"body:/{name}", schema, name in required, schema.description)
        for name, schema in islice(operation.body.schema.properties().items(), MAX_FIELDS)
    ]


def _line(location: str, schema: Schema, required: bool, text: str, *limits: str) -> str:
    about = ", ".join((schema.type or "any", "required" if required else "optional", *limits))
    return f"{location} ({about}): {' '.join(text.split())}".rstrip(": ")


def _fields(schema: Schema) -> list[str]:
    found = (pointer for pointer, part in schema.walk(4) if pointer and part.type not in ("object", "array"))
    return list(islice(found, MAX_FIELDS))
