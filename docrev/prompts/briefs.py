"""Briefs of operations: what a model is told of each, from the documentation and nothing else."""

from __future__ import annotations

from itertools import islice

from docrev.prompts.questions import Brief
from docrev.spec import Catalog, Operation
from docrev.spec.schema import Schema

MAX_FIELDS = 40


def briefs(catalog: Catalog) -> tuple[Brief, ...]:
    """One brief an operation, in the catalog's order."""
    return tuple(brief(operation) for operation in catalog.operations)


def brief(operation: Operation) -> Brief:
    """The operation's description (revised texts stand there) or else its summary, its parameters one line each, the
    names of its response fields."""
    success = operation.success
    return Brief(
        key=operation.key,
        summary=operation.description or operation.summary,
        parameters=tuple(
            _line(parameter.key, parameter.schema, parameter.required, parameter.description)
            for parameter in operation.parameters
        )
        + tuple(_body(operation)),
        responses=tuple(_fields(success.schema)) if success is not None and success.schema is not None else (),
    )


def _body(operation: Operation) -> list[str]:
    if operation.body is None or operation.body.schema is None:
        return []
    required = operation.body.schema.required
    return [
        _line(f"body:/{name}", schema, name in required, schema.description)
        for name, schema in islice(operation.body.schema.properties().items(), MAX_FIELDS)
    ]


def _line(location: str, schema: Schema, required: bool, text: str) -> str:
    about = f"{schema.type or 'any'}, {'required' if required else 'optional'}"
    return f"{location} ({about}): {' '.join(text.split())}".rstrip(": ")


def _fields(schema: Schema) -> list[str]:
    found = (pointer for pointer, part in schema.walk(4) if pointer and part.type not in ("object", "array"))
    return list(islice(found, MAX_FIELDS))
