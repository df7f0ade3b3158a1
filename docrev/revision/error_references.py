"""References (`$ref`) that a document uses elsewhere for the same response: an error, or a thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal

from docrev.json_values import pointer as pointers
from docrev.json_values.leaves import values_at
from docrev.records import Json
from docrev.revision.observations import ObservedOperation
from docrev.spec import MISSING, Catalog, Response
from docrev.spec.formats.fitted_schemas import of_type
from docrev.spec.operation import Body, Operation
from docrev.spec.schema import Schema

Part = Literal["response", "schema"]
"""What a reference is to: a whole response, or the schema of one."""


def find_error_reference(catalog: Catalog, observed: ObservedOperation, status: int) -> dict[Part, str]:
    """The reference that errors like those seen have most often; {} if none fits what was seen.

    A whole response is reused for its own status only, a schema for any error.
    """
    seen = _members_seen(observed, status)
    if status < 400 or not seen:
        return {}
    file, found = observed.operation.place.file, Counter[tuple[Part, str]]()
    bodies = [call.body for call in observed.bad if call.status == status]
    for operation in catalog.operations:
        for response in operation.responses.values() if operation.place.file == file else ():
            if response.status[:1] in "45d" and _fits(response, seen, bodies):
                found.update(_references(catalog, operation, response, str(status)))
    best = sorted(found.items(), key=lambda pair: (pair[0][0] != "response", -pair[1], pair[0][1]))
    return {best[0][0][0]: best[0][0][1]} if best else {}


def find_thing_reference(catalog: Catalog, observed: ObservedOperation, status: int) -> str:
    """The reference to the schema of what is returned at the same path or listed above it, or sent there, if a success
    has most of its members, and all that it requires; "" if there is none. It has more of them than any other, or is
    returned."""
    seen, own = _members_seen(observed, status), observed.operation
    paths = (own.path, own.path.rpartition("/{")[0] if own.path.endswith("}") else own.path)
    beside = (each for each in catalog.operations if each.place.file == own.place.file and each.path in paths)
    parts = (part for operation in beside for part in (operation.success, operation.body))
    found = (pair for part in parts if part is not None for pair in _things(catalog, part))
    fitting = [(len(seen & schema.properties().keys()), name) for name, schema in found if _has_most(seen, schema)]
    return max(fitting, key=lambda pair: pair[0], default=(0, ""))[1]


def _things(catalog: Catalog, part: Body | Response) -> Iterator[tuple[str, Schema]]:
    """The references to the schema of a thing, or of each item of a list, with that schema."""
    whole = part.schema
    thing = whole.items() if whole is not None and whole.type == "array" else whole
    node = catalog.node(part.place)
    for schema in _schemas(node) if isinstance(node, dict) and thing is not None else ():
        written = schema.get("items", schema) if isinstance(schema, dict) else None
        if isinstance(written, dict) and "$ref" in written and thing is not None:
            yield str(written["$ref"]), thing
    for inner in whole.properties().values() if whole is not None else ():
        written, item = inner.node.get("items"), inner.items()
        if isinstance(written, dict) and "$ref" in written and item is not None:
            yield str(written["$ref"]), item


def _has_most(seen: set[str], schema: Schema) -> bool:
    """Whether most members that were seen are declared, and all required ones were seen."""
    return len(seen & schema.properties().keys()) > max(1, len(seen) / 2) and schema.required <= seen


def _members_seen(observed: ObservedOperation, status: int) -> set[str]:
    """The names of the members that the errors with a status had."""
    start = f"{status}:/"
    names = {location.removeprefix(start) for location in observed.facts if location.startswith(start)}
    known = {pointers.unescape(name) for name in names if "/" not in name}
    bodies = [call.body for call in observed.bad if call.status == status and isinstance(call.body, dict)]
    # Of a single error there may be no facts.
    return known or (set.intersection(*map(set, bodies)) if bodies else set())


def _fits(response: Response, seen: set[str], bodies: Iterable[Json]) -> bool:
    """Whether a response's schema has all members that were seen and requires no others, and the bodies are of it."""
    schema = response.schema
    if schema is None or not (seen <= schema.properties().keys() and schema.required <= seen):
        return False
    parts = list(schema.walk())
    return all(_is_of(value, part) for body in bodies for at, part in parts for value in values_at(body, at))


def _is_of(value: Json, schema: Schema) -> bool:
    """Whether a value has the type that a schema declares, and all members that it requires; and is its default or one
    of its values: the schema of one error has a text of its own."""
    if schema.default not in (MISSING, None, value) or (schema.enum is not None and value not in schema.enum):
        return False
    kind = schema.type if value is not None else None
    is_of_type = kind is None or of_type(value, kind)
    return is_of_type and (not isinstance(value, dict) or schema.required <= value.keys())


def _references(catalog: Catalog, operation: Operation, response: Response, status: str) -> Iterator[tuple[Part, str]]:
    document = catalog.documents[operation.place.file]
    node = document.get(f"{operation.place.pointer}/responses{pointers.join(response.status)}", None)
    if isinstance(node, dict) and isinstance(node.get("$ref"), str):
        if response.status == status:
            yield "response", node["$ref"]
        node = document.get(response.place.pointer, None) if response.place.file == operation.place.file else None
    for schema in _schemas(node) if isinstance(node, dict) else ():
        if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
            yield "schema", schema["$ref"]


def _schemas(node: dict[str, Json]) -> Iterator[Json]:
    """The schemas of a response as it is written, in OpenAPI 3 one for each media type."""
    content = node.get("content")
    yield node.get("schema")
    for media in content.values() if isinstance(content, dict) else ():
        if isinstance(media, dict):
            yield media.get("schema")
