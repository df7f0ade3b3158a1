"""The arguments of an operation as one object: its parameters, and the properties of a JSON body among them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from docrev.json_values.containers import mapping
from docrev.records import Json
from docrev.spec.catalog import Catalog
from docrev.spec.formats.standalone_schemas import Standalone
from docrev.spec.formats.tool_lists import schema_pointer
from docrev.spec.meaning import Absent
from docrev.spec.operation import Body, Operation, Parameter


@dataclass
class Arguments:
    """`schema` is the object's, None if nothing is taken; `places` says where each argument goes: `query:NAME`."""

    schema: Json = None
    places: dict[str, str] = field(default_factory=dict)


def is_listed(operation: Operation) -> bool:
    """Whether an operation is a tool of a list: `POST /NAME`, with nothing but a body."""
    return operation.method == "POST" and operation.path == f"/{operation.operation_id}" and not operation.parameters


def arguments(catalog: Catalog, operation: Operation) -> Arguments:
    """The arguments of an operation. A tool of a list keeps its schema as it is."""
    body = operation.body
    copies = Standalone(catalog.refs)
    if is_listed(operation):
        if body is None or body.schema is None:
            return Arguments()
        schema = copies.whole(operation.place.file, schema_pointer(operation.path))
        return Arguments(schema, {name: f"body:/{name}" for name in body.schema.properties()})
    gathered = _Gathered(copies)
    for parameter in operation.written_parameters:
        gathered.add(parameter.name, parameter.location, _of_parameter(parameter, copies), parameter.required)
    if body is not None:
        _add_body(body, gathered)
    told: dict[str, Json] = {"type": "object", "properties": gathered.properties}
    told |= {"required": gathered.required} if gathered.required else {}
    told |= {"$defs": copies.definitions} if copies.definitions else {}
    return Arguments(told, gathered.places)


@dataclass
class _Gathered:
    copies: Standalone
    properties: dict[str, Json] = field(default_factory=dict)
    required: list[Json] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, location: str, schema: Json, required: bool) -> None:
        plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("_")[:64] or "argument"
        key = plain if plain not in self.properties else f"{plain[: 63 - len(location)]}_{location}"
        count = 1
        while key in self.properties:
            count += 1
            key = f"{plain[:60]}_{count}"
        self.properties[key] = schema
        self.places[key] = f"{location}:/{name}" if location == "body" else f"{location}:{name}"
        self.required += [key] if required else []


def _of_parameter(parameter: Parameter, copies: Standalone) -> Json:
    schema = mapping(copies.copy(parameter.schema))
    told = {key: value for key, value in schema.items() if key not in ("name", "in", "required", "description")}
    told |= {"description": parameter.description} if parameter.description else {}
    known = told.keys() & {"example", "examples"}
    return told if known or isinstance(parameter.example, Absent) else told | {"examples": [parameter.example]}


def _add_body(body: Body, gathered: _Gathered) -> None:
    schema = body.schema
    if schema is None or schema.type not in ("object", None) or not schema.properties():
        copied = {} if schema is None else gathered.copies.copy(schema)
        gathered.add("body", "body", copied, body.required)
        gathered.places[next(reversed(gathered.places))] = "body:"
        return
    for name, child in schema.properties().items():
        gathered.add(name, "body", gathered.copies.copy(child), body.required and name in schema.required)
