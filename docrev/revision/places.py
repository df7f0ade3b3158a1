"""The places where texts are to be written: each thing once, where it is defined, with all its observed users."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from docrev.facts.bounds import BOUNDING
from docrev.facts.registry import BY_FIELD
from docrev.facts.samples import barren
from docrev.json_values import pointer as pointers
from docrev.language.words import words
from docrev.records import Fact, Json
from docrev.revision.observations import CatalogObservations, ObservedOperation
from docrev.revision.other_objects import is_other_object
from docrev.revision.place_facts import common_facts
from docrev.revision.taken_fields import TakenField, taken_field
from docrev.revision.uses import Use
from docrev.spec import Catalog, Document, Place
from docrev.spec.operation import Parameter
from docrev.spec.schema import Schema

Kind = Literal["operation", "parameter", "property", "document"]
MAX_DEPTH = 6
MAX_PROPERTIES = 400


@dataclass(frozen=True)
class Spot:
    """A thing that has, or can have, a description: `place` is its object, `name` what it is called.

    A document, whose `info` has one, has no `uses`.
    """

    kind: Kind
    place: Place
    name: str
    text: str
    uses: tuple[Use, ...]
    schema: Schema | None = None
    alike: tuple[Json, ...] = ()
    """Values accepted below the same path for parameters of the same name and text, if none was accepted here."""
    beside: frozenset[str] = frozenset()
    """Texts of other parameters of its name at the same place of a path."""
    related: tuple[Fact, ...] = ()
    """Facts on the fields that a parameter or property is named after, or is about, wherever the tool returns them."""
    in_utc: bool = False
    """Whether these fields are times in UTC, wherever they are returned."""
    taken: TakenField | None = None
    """Which field of listed things a described parameter takes, if it refuses another one."""

    @property
    def first(self) -> Use:
        return self.uses[0]

    @cached_property
    def common(self) -> tuple[Fact, ...]:
        """The facts that hold for all uses."""
        return common_facts(self.uses)

    @cached_property
    def values(self) -> list[tuple[Json, str]]:
        """The values that were seen, each with its call."""
        return [pair for use in self.uses for pair in use.values]

    @cached_property
    def fruitful(self) -> list[tuple[Json, str]]:
        """Those of the values whose calls were not answered with an empty list."""
        empty = {call.id for use in self.uses for call in use.observed.good if barren(call.body)}
        return [(value, call) for value, call in self.values if call not in empty]

    @property
    def telling_values(self) -> list[Json]:
        """The values that were seen; of those that were sent, the ones that found something, if any did."""
        return [value for value, _ in self.fruitful or self.values] or [*self.alike]

    @property
    def pointer(self) -> str:
        """The pointer of the description itself."""
        return f"{self.place.pointer}/description"


def items_of(spot: Spot) -> Spot | None:
    """The items of a list in a request body as a place of their own, which has no description; None if objects are in
    it, or it is no such list."""
    items = spot.schema.items() if spot.schema is not None and spot.schema.type == "array" else None
    if spot.kind != "property" or items is None or items.properties():
        return None
    sent = [use for use in spot.uses if use.location.startswith("body:/")]
    uses = (replace(use, location=f"{use.location}/0", values=()) for use in sent)
    valued = (replace(use, values=tuple(use.observed.body(use.location.removeprefix("body:")))) for use in uses)
    return replace(spot, schema=items, uses=tuple(valued), related=()) if sent else None


def spots(catalog: Catalog, observations: CatalogObservations) -> list[Spot]:
    """All places that something was observed of, in the order in which operations use them."""
    found: dict[Place, list[_PlaceUse]] = {}
    aliased = aliased_places(catalog)
    for observed in observations.operations:
        for entry in _places_used(observed, observations):
            canonical = defined(catalog, entry.place)
            if entry.kind != "property" or canonical not in aliased:
                found.setdefault(canonical, []).append(entry)
    return [_related(spot, observations) for spot in _compared([_spot(catalog, *entry) for entry in found.items()])]


def _related(spot: Spot, observations: CatalogObservations) -> Spot:
    if spot.kind not in ("parameter", "property"):
        return spot
    plain = "_".join(word for word in words(spot.name) if word not in BOUNDING)
    names = {
        spot.name,
        plain or spot.name,
        *(pointers.last(str(fact.value).removesuffix("/0")) for fact in spot.first.facts if fact.kind in BY_FIELD),
    }
    tool = spot.first.observed.key.tool
    facts = tuple(fact for name in sorted(names) for fact in observations.on_fields(tool, name))
    in_utc = any(observations.is_in_utc(tool, name) for name in names)
    is_described = spot.kind == "parameter" and spot.text.strip() != ""
    taken = taken_field(spot.first.observed, spot.first.location, observations) if is_described else None
    return replace(spot, related=facts, in_utc=in_utc, taken=taken)


def _compared(all_spots: list[Spot]) -> list[Spot]:
    """The spots that something was observed of: there, or at parameters alike."""
    values: dict[tuple[str, ...], list[Json]] = {}
    texts: dict[tuple[str, ...], set[str]] = {}
    for spot in all_spots:
        if (key := _path_and_text(spot)) is not None:
            values.setdefault(key, []).extend(spot.telling_values)
            texts.setdefault(key[:-1], set()).add(key[-1])
    compared = [
        replace(
            spot,
            alike=() if spot.values else tuple(values.get(key, ())),
            beside=frozenset(texts.get(key[:-1], ())) - {spot.text.strip()},
        )
        for spot in all_spots
        for key in [_path_and_text(spot) or ()]
    ]
    return [spot for spot in compared if spot.alike or any(map(_is_observed, spot.uses))]


def _path_and_text(spot: Spot) -> tuple[str, ...] | None:
    """Where a path parameter stands in its path, and what people say of it; None if they say nothing."""
    place, _, name = spot.first.location.partition(":")
    if place != "path" or not spot.text.strip():
        return None
    return spot.place.file, spot.first.observed.key.path.partition("{" + name + "}")[0], name, spot.text.strip()


def _is_bare(use: Use) -> bool:
    """Whether nothing is known of a place at one of its users but that requests without it were accepted."""
    return not use.values and not use.facts


def _is_observed(use: Use) -> bool:
    return not use.location.startswith("path:") or bool(use.values) or bool(use.facts)


def aliased_places(catalog: Catalog) -> frozenset[Place]:
    """The mappings and lists that are in several places by YAML alias: what is written there applies to all."""
    return frozenset(place for document in catalog.documents.values() for place in _aliased(document))


def defined(catalog: Catalog, place: Place) -> Place:
    """`place` through YAML aliases: to where the thing is written."""
    document = catalog.documents[place.file]
    return Place(place.file, document.definition(place.pointer))


def _aliased(document: Document) -> Iterator[Place]:
    """The mappings that are in several places by YAML alias: `schema: &text` says nothing of any one of its users."""
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


class _PlaceUse(NamedTuple):
    """A place as one operation uses it."""

    kind: Kind
    place: Place
    name: str
    use: Use
    schema: Schema | None = None


def _spot(catalog: Catalog, place: Place, entries: list[_PlaceUse]) -> Spot:
    kind, _, name, _, schema = entries[0]
    node = catalog.node(place)
    text = node.get("description") if isinstance(node, dict) else None
    # The same use may be met twice: a schema that a 200 and a 201 share.
    uses = {(entry.use.observed.key, entry.use.location): entry.use for entry in entries}
    return Spot(
        kind, place, name, text if isinstance(text, str) else "", tuple(sorted(uses.values(), key=_is_bare)), schema
    )


def _places_used(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[_PlaceUse]:
    operation = observed.operation
    if observed.good or observed.bad or observed.at(""):
        yield _PlaceUse("operation", operation.place, operation.name, Use(observed, ""))
    yield from _parameters(observed)
    yield from _body_properties(observed, observations)
    yield from _response_properties(observed)


def _parameters(observed: ObservedOperation) -> Iterator[_PlaceUse]:
    for parameter in filter(_has_own_text, observed.operation.parameters):
        values = observed.sent.get(parameter.key, ())
        in_next_page = parameter.location == "query" and parameter.name in observed.next_page
        has_text = parameter.location == "path" and bool(parameter.description.strip())
        if values or in_next_page or observed.at(parameter.key) or has_text:
            use = Use(observed, parameter.key, tuple(values))
            yield _PlaceUse("parameter", parameter.place, parameter.name, use, parameter.schema)


def _has_own_text(parameter: Parameter) -> bool:
    """Whether what is written of a parameter is of it alone: not of all things that an object's member refers to."""
    is_inside = pointers.split(parameter.place.pointer)[-2:-1] == ["properties"]
    return parameter.declared and (is_inside or not parameter.of)


def _body_properties(observed: ObservedOperation, observations: CatalogObservations) -> Iterator[_PlaceUse]:
    body = observed.operation.body_schema
    for pointer, name, schema in _properties(body) if body is not None else ():
        values = observed.body(pointer)
        # A text may be false though nobody sent a value yet.
        is_told = any(fact.kind != "observed-values" for fact in observations.on_fields(observed.key.tool, name))
        is_left_out = pointer.count("/") == 1 and any("body:" in call.arguments for call in observed.good)
        if values or observed.at(f"body:{pointer}") or (schema.description and is_told) or is_left_out:
            yield _PlaceUse("property", schema.place, name, Use(observed, f"body:{pointer}", tuple(values)), schema)


def _response_properties(observed: ObservedOperation) -> Iterator[_PlaceUse]:
    operation = observed.operation
    for status in sorted({call.status for call in observed.good if call.status is not None}):
        response = operation.responses.get(str(status)) or operation.response(status)
        if is_other_object(observed, status):
            continue
        for pointer, name, schema in _properties(response.schema) if response is not None and response.schema else ():
            if values := observed.got(status, pointer):
                use = Use(observed, f"{status}:{pointer}", tuple(values))
                yield _PlaceUse("property", schema.place, name, use, schema)


def _properties(root: Schema) -> Iterator[tuple[str, str, Schema]]:
    """(pointer, name, schema) of the properties that are written out under a schema, not behind a `$ref` of their own.

    What a `$ref` leads to is a thing in itself: "the country of the city" would be wrong for all its other users.
    """
    seen = 0
    for pointer, schema in root.walk(MAX_DEPTH):
        name = pointers.last(pointer)
        parts = pointers.split(schema.place.pointer)
        if parts[-2:] == ["properties", name] and seen < MAX_PROPERTIES:
            seen += 1
            yield pointer, name, schema
        elif parts[-2:-1] == ["parameters"] and pointer.count("/") == 1:
            # A form field of Swagger 2.0 is a parameter object.
            yield pointer, name, schema
