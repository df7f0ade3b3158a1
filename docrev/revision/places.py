"""The places where texts are to be written: each thing once, where it is defined, with all its observed users."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from docrev.json_values import pointer as pointers
from docrev.records import Fact, Json
from docrev.revision.observations import Observed, View
from docrev.spec import Catalog, Document, Place
from docrev.spec.schema import Schema

Kind = Literal["operation", "parameter", "property"]
MAX_DEPTH = 6
MAX_PROPERTIES = 400


@dataclass(frozen=True)
class Use:
    """One observed user of a place: the operation, the location there, and the values seen with their calls."""

    observed: Observed
    location: str
    values: tuple[tuple[Json, str], ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.observed.at(self.location)


@dataclass(frozen=True)
class Spot:
    """A thing that has, or can have, a description: `place` is its object, `name` what it is called."""

    kind: Kind
    place: Place
    name: str
    text: str
    uses: tuple[Use, ...]
    schema: Schema | None = None

    @property
    def first(self) -> Use:
        return self.uses[0]

    @property
    def pointer(self) -> str:
        """The pointer of the description itself."""
        return f"{self.place.pointer}/description"


def spots(catalog: Catalog, view: View) -> list[Spot]:
    """All places that something was observed of, in the order in which operations use them."""
    found: dict[Place, list[tuple[Kind, str, Use, Schema | None]]] = {}
    aliased = aliased_places(catalog)
    for observed in view.operations:
        for kind, place, name, use, schema in _all(observed):
            canonical = defined(catalog, place)
            if kind == "property" and canonical in aliased:
                continue
            found.setdefault(canonical, []).append((kind, name, use, schema))
    return [_spot(catalog, place, entries) for place, entries in found.items()]


def aliased_places(catalog: Catalog) -> frozenset[Place]:
    """The mappings and lists that stand in several places by YAML alias: what is written there holds for all."""
    return frozenset(place for document in catalog.documents.values() for place in _aliased(document))


def defined(catalog: Catalog, place: Place) -> Place:
    """`place` through YAML aliases: to where the thing is written."""
    document = catalog.documents[place.file]
    return Place(place.file, document.definition(place.pointer))


def _aliased(document: Document) -> Iterator[Place]:
    """The mappings that stand in several places by YAML alias: `schema: &text` says nothing of any one of its users."""
    if document.format == "json":
        return
    seen: dict[int, str] = {}
    stack: list[tuple[str, Json]] = [("", document.tree)]
    while stack:
        pointer, node = stack.pop()
        if not isinstance(node, dict | list) or not node:
            continue
        if id(node) in seen:
            yield Place(document.name, document.definition(pointer))
            continue
        seen[id(node)] = pointer
        inner = node.items() if isinstance(node, dict) else enumerate(node)
        stack.extend((pointer + pointers.join(key), value) for key, value in inner)


def _spot(catalog: Catalog, place: Place, entries: list[tuple[Kind, str, Use, Schema | None]]) -> Spot:
    kind, name, _, schema = entries[0]
    node = catalog.documents[place.file].get(place.pointer, None)
    text = node.get("description") if isinstance(node, dict) else None
    # The same use may be met twice: a schema that a 200 and a 201 share.
    uses = {(use.observed.key, use.location): use for _, _, use, _ in entries}
    return Spot(kind, place, name, text if isinstance(text, str) else "", tuple(uses.values()), schema)


def _all(observed: Observed) -> Iterator[tuple[Kind, Place, str, Use, Schema | None]]:
    operation = observed.operation
    if observed.good or observed.bad or observed.at(""):
        yield "operation", operation.place, operation.name, Use(observed, ""), None
    for parameter in operation.parameters:
        values = observed.sent.get(parameter.key, ())
        known = observed.at(parameter.key) or (parameter.location == "query" and parameter.name in observed.onward)
        if (values or known) and parameter.declared:
            use = Use(observed, parameter.key, tuple(values))
            yield "parameter", parameter.place, parameter.name, use, parameter.schema
    if operation.body is not None and operation.body.schema is not None:
        for pointer, place, name, schema in _properties(operation.body.schema):
            values = observed.body(pointer)
            if values or observed.at(f"body:{pointer}"):
                yield "property", place, name, Use(observed, f"body:{pointer}", tuple(values)), schema
    for status in sorted({call.status for call in observed.good if call.status is not None}):
        response = operation.responses.get(str(status)) or operation.response(status)
        if response is None or response.schema is None:
            continue
        for pointer, place, name, schema in _properties(response.schema):
            if values := observed.got(status, pointer):
                yield "property", place, name, Use(observed, f"{status}:{pointer}", tuple(values)), schema


def _properties(root: Schema) -> Iterator[tuple[str, Place, str, Schema]]:
    """The properties that are written out under a schema, not behind a `$ref` of their own.

    What a `$ref` leads to is a thing in itself: "the country of the city" would be wrong for all its other users.
    """
    seen = 0
    for pointer, schema in root.walk(MAX_DEPTH):
        name = pointers.unescape(pointer.rpartition("/")[2])
        parts = pointers.split(schema.place.pointer)
        if parts[-2:] == ["properties", name] and seen < MAX_PROPERTIES:
            seen += 1
            yield pointer, schema.place, name, schema
        elif parts[-2:-1] == ["parameters"] and pointer.count("/") == 1:
            # A form field of Swagger 2.0 is a parameter object.
            yield pointer, schema.place, name, schema
