"""Kinds of entities, inferred from paths, schema names, property names and the fields that objects share.

`/movie/{movie_id}` is the kind movie; `SimplifiedTrackObject` is a track; the items of `genre_list` are genres; an
object under `cast` that has a person's fields is a person.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from docrev.graph.match import path_nouns
from docrev.language.path_templates import ends_in_parameter, parameters_of
from docrev.language.words import singular, words
from docrev.simulator.names import each
from docrev.spec import Operation, Schema

# These lists are the simulator's own, and not those by which docrev explores (docrev.conventions): else a world would
# contain only what the exploration knows to look for, and finding it again would prove nothing.
ENVELOPES = frozenset(each("data items results result content records entries list value hits"))
IDENTIFIERS = frozenset(each("id uuid guid key code slug pk uri handle ref sha"))
CALLER = frozenset({"me", "self", "myself"})
KEYS = ("id", "_id", "uuid", "guid")
NUMBERED = frozenset({"number", "index", "position", "no"})
WRAPPERS = frozenset(
    each(
        "object list result results item items response detail details summary full simplified base dto model schema "
        "entity "
        "data info resource paging page paged linked saved private public with get collection output read record"
    )
)
VAGUE = frozenset({"date", "image", "thing", "type", "status", "page", "year", "time"})
_COMPONENT = re.compile(r"/(?:components/schemas|definitions)/([^/]+)")
_DEEPEST = 5


class PathStep(NamedTuple):
    """One part of a path that addresses an entity; `parameter` is "" for the caller's own account (`/me`)."""

    parameter: str
    kind: str


@dataclass(eq=False)
class EntityKind:
    """One kind: the field that holds its id, the kind it lies under, whether ids are numbers from 1, its schemas."""

    name: str
    key: str = "id"
    parent: str | None = None
    numbered: bool = False
    addressed: bool = False
    shapes: list[Schema] = field(default_factory=list)
    _known: tuple[int, dict[str, Schema]] = (0, {})

    @property
    def key_schema(self) -> Schema | None:
        """The schema of its id, if a schema of it has one."""
        return next((found for shape in self.shapes if (found := shape.properties().get(self.key))), None)

    def fields(self) -> dict[str, Schema]:
        """All fields that any of its schemas tells; the first definition holds."""
        if self._known[0] != len(self.shapes):
            found: dict[str, Schema] = {}
            for shape in self.shapes:
                for name, schema in shape.properties().items():
                    found.setdefault(name, schema)
            self._known = (len(self.shapes), found)
        return self._known[1]


class EntityKinds:
    """The kinds of a spec's operations."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.known: dict[str, EntityKind] = {}
        self._found: dict[tuple[Schema, str], str | None] = {}
        self._profiles: dict[str, frozenset[str]] = {}
        self._links: dict[str, dict[str, str]] = {}
        self._caller = self._own_kind(operations)
        for operation in operations:
            self._learn_path(operation)
        for operation in operations:
            self._learn_item(operation)
        self._profiles = {name: frozenset(kind.fields()) for name, kind in self.known.items() if kind.shapes}
        for operation in operations:
            self._learn_responses(operation)
        self._found.clear()

    def steps(self, operation: Operation) -> tuple[PathStep, ...]:
        """The entities that a path addresses, from the left; parameters that choose from an enum are none."""
        nouns = dict(path_nouns(operation.path))
        found: list[PathStep] = []
        for segment in operation.path.strip("/").split("/"):
            if segment.lower() in CALLER and self._caller:
                found.append(PathStep("", self._caller))
            for name in parameters_of(segment):
                parameter = operation.parameter(f"path:{name}")
                if parameter is None or parameter.schema.enum is None:
                    kind = _kind_of_parameter(name, nouns.get(name, ""))
                    if kind:
                        found.append(PathStep(name, kind))
        return tuple(found)

    def of(self, schema: Schema, hint: str) -> str | None:
        """The kind of what `schema` describes under the name `hint`; None if it describes no entity."""
        key = (schema, hint)
        if key not in self._found:
            found = self._resolve(schema, hint)
            self._found[key] = found if found in self.known else None
        return self._found[key]

    def links(self, kind: str) -> dict[str, str]:
        """Property → kind for the single entities that an entity of `kind` holds: the album of a track."""
        if kind not in self._links:
            found: dict[str, str] = {}
            for name, schema in self.known[kind].fields().items() if kind in self.known else ():
                held = schema.type in ("object", None) and schema.properties()
                other = self.of(schema, name) if held else None if schema.type == "array" else self.referred(name)
                if other and (held or other != kind):
                    found[name] = other
            self._links[kind] = found
        return self._links[kind]

    def referred(self, name: str) -> str | None:
        """The kind whose id a field or parameter of this name holds: `album_id`, `with_genres` and `genre_ids`."""
        parts = [singular(word) for word in words(name)]
        if len(parts) < 2 or parts[-1] not in IDENTIFIERS | {"ids", "keys"}:
            return None
        return self.named(parts[:-1])

    def named(self, parts: Iterable[str]) -> str | None:
        """The known kind that one of these words names, the last first; also of the whole, `production_company`."""
        nouns = [singular(part) for part in parts]
        return next((noun for noun in reversed(nouns) if noun in self.known and noun not in VAGUE), None)

    def kind(self, name: str) -> EntityKind:
        """The kind of this name, made if it is new."""
        return self.known.setdefault(name, EntityKind(name))

    def _own_kind(self, operations: Sequence[Operation]) -> str:
        for operation in operations:
            last = operation.path.rstrip("/").rpartition("/")[2].lower()
            if last in CALLER and operation.method == "GET" and operation.success and operation.success.schema:
                self.kind("user").shapes.append(operation.success.schema)
                return "user"
        return ""

    def _learn_path(self, operation: Operation) -> None:
        steps = self.steps(operation)
        for place, step in enumerate(steps):
            if not step.parameter:
                continue
            kind = self.kind(step.kind)
            alone = place == 0 or not steps[place - 1].parameter
            parent = None if alone else steps[place - 1].kind
            if kind.addressed and (alone or kind.parent is None):
                parent = None
            kind.addressed, kind.parent = True, parent if parent != step.kind else None

    def _learn_item(self, operation: Operation) -> None:
        steps = self.steps(operation)
        ends = ends_in_parameter(operation.path)
        if operation.method != "GET" or not steps or not ends or operation.success is None:
            return
        schema = operation.success.schema
        parameter = steps[-1].parameter
        if schema is None or not operation.path.rstrip("/").endswith(f"{{{parameter}}}"):
            return
        kind = self.kind(steps[-1].kind)
        shape = inner(schema, kind.name)
        kind.shapes.insert(0, shape)
        kind.key = _key_field(shape, parameter, kind.name)
        kind.numbered = kind.parent is not None and words(kind.key)[-1:] != () and words(kind.key)[-1] in NUMBERED

    def _learn_responses(self, operation: Operation) -> None:
        """Take in the schemas of everything that a response holds, so that no order of requests matters later."""
        response = operation.success
        if response is None or response.schema is None:
            return
        is_item = bool(self.steps(operation)) and operation.method == "GET"
        for name, schema in _objects(response.schema, path_noun(operation.path)):
            if not (is_item and schema is response.schema):
                self._learn_shapes(schema, name)

    def _learn_shapes(self, schema: Schema, name: str) -> None:
        for branch in branches(schema):
            kind = self._resolve(branch, name)
            if kind and branch not in (shapes := self.kind(kind).shapes):
                shapes.append(branch)

    def _resolve(self, schema: Schema, hint: str) -> str | None:
        fields = schema.properties()
        if not fields:
            return None
        named, by_hint = self._by_component(schema), self.named(words(hint))
        kind = named if named in self.known else by_hint
        key = next((key for key in KEYS if key in fields), None)
        if kind and self._is_addressed(kind, key, fields):
            return kind
        if key is None:
            return None
        return named or self._by_fields(fields, key) or singular((words(hint) or ("thing",))[-1])

    def _is_addressed(self, kind: str, key: str | None, fields: Container[str]) -> bool:
        """Whether things of a kind have an address, and these fields have what is in it."""
        return self.known[kind].addressed and (key is not None or self.known[kind].key in fields)

    def _by_component(self, schema: Schema) -> str | None:
        """By the names of the components that it is made of: their last word first, then any word."""
        matches = [_COMPONENT.fullmatch(part.place.pointer) for part, _ in schema.parts()]
        names = [[singular(word) for word in words(match[1])] for match in matches if match]
        lasts = [telling[-1] for parts in names if (telling := [word for word in parts if word not in WRAPPERS])]
        known = (word for word in lasts if self.named([word]))
        return next(chain(known, filter(None, map(self.named, names)), lasts), None)

    def _by_fields(self, fields: dict[str, Schema], key: str) -> str | None:
        scores: dict[str, float] = {}
        for kind, profile in self._profiles.items():
            shared = profile & fields.keys() - {*KEYS, "name"}
            own = self.known[kind].key_schema
            enough = 1 if "name" in profile and "name" in fields else 2
            if len(shared) < enough or (own is not None and own.type != fields[key].type):
                continue
            scores[kind] = sum(1 / sum(name in other for other in self._profiles.values()) for name in sorted(shared))
        best = max(sorted(scores), key=lambda kind: scores[kind], default=None)
        return best if best is not None and scores[best] >= 1 else None


def path_noun(path: str) -> str:
    """The last fixed segment of a path, as it is written."""
    fixed = [part for part in path.strip("/").split("/") if part and "{" not in part]
    return fixed[-1] if fixed else ""


def branches(schema: Schema) -> list[Schema]:
    """The alternatives of a schema (`oneOf`, `anyOf`); itself if it has none."""
    for part, holds in schema.parts():
        for keyword in ("oneOf", "anyOf"):
            if holds and isinstance(part.node.get(keyword), list):
                found = [part.child(keyword, str(place)) for place in range(len(part.node[keyword]))]
                objects = [one for one in found if one.properties()]
                if objects:
                    return objects
    return [schema]


def inner(schema: Schema, kind: str) -> Schema:
    """What an envelope holds: `{"data": {…}}`; the schema itself if it is none."""
    fields = schema.properties()
    if any(key in fields for key in KEYS):
        return schema
    held = [one for name, one in fields.items() if (name.lower() in ENVELOPES or singular(name) == kind)]
    return held[0] if held and held[0].properties() else schema


def _objects(
    schema: Schema, noun: str, depth: int = 0, seen: frozenset[Schema] = frozenset()
) -> Iterator[tuple[str, Schema]]:
    """Every object in a schema with the name that tells what it is: that of its property, or of the path."""
    items = schema.items()
    if items is not None:
        yield from _objects(items, noun, depth, seen)
        return
    if depth > _DEEPEST or schema in seen:
        return
    if schema.properties():
        yield noun, schema
    for name, child in schema.properties().items():
        passed = noun if name.lower() in ENVELOPES or not name else name
        yield from _objects(child, passed, depth + 1, seen | {schema})


def _kind_of_parameter(name: str, noun: str) -> str:
    parts = [singular(word) for word in words(name)]
    if len(parts) > 1 and (parts[-1] in IDENTIFIERS or parts[-1] in NUMBERED):
        return parts[-2]
    if noun:
        return noun
    return parts[-1] if parts and parts[-1] not in IDENTIFIERS else ""


def _key_field(shape: Schema, parameter: str, kind: str) -> str:
    fields = shape.properties()
    wanted = [parameter, *(("_".join(words(parameter)[1:])),), "id", "_id", f"{kind}_id", words(parameter)[-1], *KEYS]
    return next((name for name in wanted if name in fields), "id")
