"""Query parameters that are objects: each of their members is an argument of its own.

`pageable` with the properties `page` and `size` is sent as `?page=0&size=20` (style form), as `?pageable[page]=0`
(deepObject), or as JSON, `?pageable={"page":0}` (`content`). Callers choose members, not objects, so an operation has
the members in the place of such a parameter, named as they stand in the URL; in JSON by their own names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from docrev.records import Json
from docrev.spec.meaning import Absent
from docrev.spec.operation import Operation, Parameter
from docrev.spec.schema import Schema


def with_members(operations: Iterable[Operation]) -> Iterator[Operation]:
    """The operations of one tool, with members in the place of query parameters that are objects."""
    for operation in operations:
        objects = tuple(filter(_is_open, operation.parameters))
        yield _opened(operation, objects) if objects else operation


def _opened(operation: Operation, objects: tuple[Parameter, ...]) -> Operation:
    """An operation with members in the place of `objects`; as it is, if one is called as another parameter."""
    members = {parameter.key: tuple(_members(parameter)) for parameter in objects}
    parameters = tuple(chain.from_iterable(members.get(p.key, (p,)) for p in operation.parameters))
    if len({parameter.key for parameter in parameters}) < len(parameters):
        return operation
    return replace(operation, parameters=parameters, objects=objects)


def _is_open(parameter: Parameter) -> bool:
    """Whether the members of a parameter can be chosen one by one.

    What must be there together, if anything is, stays together; and where an object must be sent in JSON, none of its
    members may be what is sent for it.
    """
    schema = parameter.schema
    if parameter.location != "query" or schema.type != "object" or schema.alternatives() or not schema.properties():
        return False
    if parameter.style == "json":
        return parameter.required == bool(schema.required)
    is_spelled = parameter.style == "deepObject" or (parameter.style == "form" and parameter.explode)
    return is_spelled and (parameter.required or not schema.required)


def _members(parameter: Parameter) -> Iterator[Parameter]:
    required = parameter.schema.required if parameter.required else frozenset[str]()
    for name, schema in parameter.schema.properties().items():
        yield Parameter(
            name=f"{parameter.name}[{name}]" if parameter.style == "deepObject" else name,
            location=parameter.location,
            required=name in required,
            schema=schema,
            description=schema.description,
            example=_example(parameter.example, name, schema),
            place=schema.place,
            style=parameter.style,
            explode=parameter.explode,
            of=parameter.name,
        )


def _example(whole: Json | Absent, name: str, schema: Schema) -> Json | Absent:
    return whole[name] if isinstance(whole, Mapping) and name in whole else schema.example
