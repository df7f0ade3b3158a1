"""A cursor on schemas: `$ref`s followed, `allOf` merged, `oneOf` and `anyOf` united, cycles survived.

JSON Schema as OpenAPI 3.0 and 3.1 and Swagger 2.0 use it; what is malformed is read by meaning, or left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from docrev.grouping import only
from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping, sequence
from docrev.records import Json
from docrev.spec.findings import Place
from docrev.spec.keywords import COUNTS, EXCLUSIVE, FLAGS
from docrev.spec.meaning import MISSING, Absent, as_type, json_type, names, number, string, truth
from docrev.spec.refs import References

_NUMERIC = {*COUNTS, "minimum", "maximum", "multipleOf"}
_FLAGS = {*FLAGS, *EXCLUSIVE, "nullable"}
_WIDEST_WALK = 5000


class Schema:
    """One schema: `node` as it stands in its document, at `place` (where it is defined: edits go there).

    Cheap: references are resolved when they are needed, and what they lead to is shared.
    """

    __slots__ = ("_beside", "_enum", "_parts", "_properties", "_type", "node", "place", "refs")

    def __init__(self, refs: References, place: Place, node: dict[str, Json], beside: str = "") -> None:
        self.node, self.place, self.refs = node, place, refs
        self._beside = beside
        self._parts: tuple[tuple[Schema, bool], ...] | None = None
        self._properties: dict[str, Schema] | None = None
        self._type: str | Absent | None = MISSING
        self._enum: tuple[Json, ...] | None = None

    @classmethod
    def at(cls, refs: References, place: Place, node: object) -> Schema:
        """The schema `node` at `place`, or the one that its `$ref` names; an empty one if there is none."""
        beside = string(mapping(node).get("description")) if "$ref" in mapping(node) else ""
        defined, target = refs.follow(place, node)
        key = (defined, beside)
        found: Schema | None = refs.cache.get(key)
        if found is None:
            found = refs.cache[key] = cls(refs, defined, mapping(target), beside)
        return found

    @classmethod
    def of_fields(cls, refs: References, place: Place, fields: dict[str, Schema], required: list[str]) -> Schema:
        """An object schema that stands nowhere as such: the form fields of a Swagger 2.0 operation."""
        made = cls(refs, place, {"type": "object", "required": required})
        made._properties = fields
        return made

    def child(self, *keys: str) -> Schema:
        """The schema under `keys` of this node, as a schema of its own."""
        node: Json = self.node
        for key in keys:
            node = node[int(key)] if isinstance(node, list) else node[key]
        return Schema.at(self.refs, Place(self.place.file, self.place.pointer + pointers.join(*keys)), node)

    def parts(self) -> tuple[tuple[Schema, bool], ...]:
        """This schema and its parts; True if the part always applies, False if it is an alternative.

        A part of `allOf` always applies, and so does the only alternative to null: what may be null as well.
        """
        if self._parts is None:
            self._parts = tuple(self._compose())
        return self._parts

    def alternatives(self) -> list[Schema]:
        """The parts of which a value must have one, but for null."""
        return [part for part, holds in self.parts() if not holds and part.type != "null"]

    def _compose(self) -> Iterator[tuple[Schema, bool]]:
        seen = {self.place}
        stack = [(self, True)]
        while stack:
            schema, holds = stack.pop()
            yield schema, holds
            below = [
                (schema.child(keyword, str(index)), holds and (keyword == "allOf" or _is_rest(alternatives, index)))
                for keyword in ("allOf", "oneOf", "anyOf")
                for alternatives in (sequence(schema.node.get(keyword)),)
                for index in range(len(alternatives))
            ]
            for part, still in reversed(below):
                if part.place not in seen:
                    seen.add(part.place)
                    stack.append((part, still))

    def get(self, name: str, default: object = None) -> Json:
        """The value of a keyword (`minimum`, `pattern`, …) here or in an `allOf` part, by meaning ("5" is 5)."""
        for part, holds in self.parts():
            if holds and name in part.node:
                value = part.node[name]
                if name in _NUMERIC:
                    return default if (found := number(value)) is None else found
                return truth(value) if name in _FLAGS and isinstance(value, str) else value
        return default

    @property
    def type(self) -> str | None:
        """The JSON type name; None if there is none or several are possible. `null` beside another type is left out."""
        if isinstance(self._type, Absent):
            self._type = self._find_type()
        return self._type

    @property
    def type_of_one(self) -> str | None:
        """The JSON type of one value of a parameter, which may take several of them in an array: `?status=1,2`."""
        items = self.items() if self.type == "array" else None
        return self.type if items is None else items.type

    def _find_type(self) -> str | None:
        for part, holds in self.parts():
            if holds and (found := _own_type(part.node)):
                return found
        options = {_own_type(part.node) for part, holds in self.parts() if not holds} - {None, "null"}
        if len(options) == 1:
            return options.pop()
        return None if options else self._implied_type()

    def _implied_type(self) -> str | None:
        keys = {key for part, _ in self.parts() for key in part.node}
        if keys & {"properties", "additionalProperties"} or self._properties:
            return "object"
        if "items" in keys:
            return "array"
        return "string" if self.enum and all(isinstance(value, str) for value in self.enum) else None

    @property
    def is_unread(self) -> bool:
        """Whether a `$ref` here leads out of the folder or nowhere, so that it is not known what it declares."""
        return any("$ref" in mapping(part.refs.value(part.place.file, part.place.pointer)) for part, _ in self.parts())

    @property
    def is_map(self) -> bool:
        """Whether it is declared that names are data: each stands for a thing with properties of its own."""
        named = self.get("additionalProperties")
        if not isinstance(named, dict) or self.properties():
            return False
        part = next(part for part, holds in self.parts() if holds and "additionalProperties" in part.node)
        return bool(part.child("additionalProperties").properties())

    @property
    def nullable(self) -> bool:
        """Whether null is allowed (`nullable`, `x-nullable`, or a `null` type)."""
        for part, _ in self.parts():
            kind = part.node.get("type")
            if kind == "null" or (isinstance(kind, list) and "null" in kind):
                return True
        return truth(self.get("nullable", self.get("x-nullable", False)))

    @property
    def enum(self) -> list[Json] | None:
        """The allowed values (`enum`, `const`, or those of all alternatives); None if they are not limited."""
        if self._enum is None:
            self._enum = tuple(self._find_enum())
        return [*self._enum] or None

    def _find_enum(self) -> list[Json]:
        kind = json_type(self.node.get("type"))
        always = [values for part, holds in self.parts() if holds and (values := _own_enum(part.node))]
        options = [_own_enum(part.node) or [] for part, holds in self.parts() if not holds]
        limits = always[:1] or (options if all(options) else [])
        return [as_type(value, kind) for values in limits for value in values]

    @property
    def description(self) -> str:
        """The text beside the `$ref`, or of the schema, or of the first `allOf` part that has one."""
        if self._beside.strip():
            return self._beside
        return next(
            (text for part, holds in self.parts() if holds and (text := string(part.node.get("description"))).strip()),
            "",
        )

    @property
    def title(self) -> str:
        return string(self.get("title"))

    @property
    def format(self) -> str | None:
        return string(self.get("format")) or None

    @property
    def pattern(self) -> str | None:
        return string(self.get("pattern")) or None

    @property
    def default(self) -> Json | Absent:
        """The default by meaning, or MISSING."""
        return as_type(self.get("default", MISSING), self.type)

    @property
    def example(self) -> Json | Absent:
        """The first example by meaning (`example`, `examples`, `x-example`), or MISSING."""
        for name in ("example", "examples", "x-example"):
            value = self.get(name, MISSING)
            if name == "examples":
                value = first_example(value)
            if value is not MISSING:
                return as_type(value, self.type)
        return MISSING

    @property
    def required(self) -> set[str]:
        """The names of the required properties, including those that are marked as required themselves."""
        found = {name for part, holds in self.parts() if holds for name in names(part.node.get("required"))}
        for part, holds in self.parts():
            if holds:
                for name, child in mapping(part.node.get("properties")).items():
                    flag = mapping(child).get("required")
                    if isinstance(flag, bool | str) and truth(flag):
                        found.add(name)
        return found

    def properties(self) -> dict[str, Schema]:
        """The properties by name, of this schema and of all its parts; the first definition of a name holds, but for
        what a part of `allOf` says may not be sent: `readOnly`.
        """
        if self._properties is None:
            found: dict[str, Schema] = {}
            for part, holds in self.parts():
                for name, node in mapping(part.node.get("properties")).items():
                    if name not in found:
                        found[name] = part.child("properties", name)
                    elif holds and truth(mapping(node).get("readOnly", False)) and not found[name].get("readOnly"):
                        found[name] = found[name]._read_only()
            self._properties = found
        return self._properties

    def _read_only(self) -> Schema:
        return Schema(self.refs, self.place, {**self.node, "readOnly": True}, self._beside)

    def items(self) -> Schema | None:
        """The schema of an array's items; of its first item if the schema describes a tuple."""
        for part, _ in self.parts():
            for name in ("items", "prefixItems"):
                node = part.node.get(name)
                if isinstance(node, dict):
                    return part.child(name)
                if isinstance(node, list) and node:
                    return part.child(name, "0")
        return None

    def walk(self, max_depth: int = 6) -> Iterator[tuple[str, Schema]]:
        """This schema as "", and what is under it: "/name", "/results/0/id"; "/0" stands for the items.

        A schema that lies within itself is yielded once more and not entered again; at most 5,000 are yielded, those
        that lie nearest: what refers to much is no reason to leave out what stands beside it.
        """
        found = list(islice(self._below(max_depth), _WIDEST_WALK + 1))
        if len(found) <= _WIDEST_WALK:
            return iter(found)
        near = {at for at, _ in islice(self._below(max_depth, nearest_first=True), _WIDEST_WALK)}
        return ((at, schema) for at, schema in self._below(max_depth, near) if at in near)

    def _below(
        self, max_depth: int, only: Collection[str] | None = None, *, nearest_first: bool = False
    ) -> Iterator[tuple[str, Schema]]:
        """All that `walk` may yield, in the document's order or level by level; nothing below what `only` lacks."""
        left: deque[tuple[str, Schema, int, tuple[Place, ...]]] = deque([("", self, 0, ())])
        while left:
            at, schema, depth, above = left.popleft()
            yield at, schema
            if depth < max_depth and schema.place not in above and (only is None or at in only):
                within = (*above, schema.place)
                below = [(f"{at}/{pointers.escape(name)}", child) for name, child in schema.properties().items()]
                if (items := schema.items()) is not None:
                    below.append((f"{at}/0", items))
                if nearest_first:
                    left.extend((path, child, depth + 1, within) for path, child in below)
                else:
                    left.extendleft((path, child, depth + 1, within) for path, child in reversed(below))

    def __repr__(self) -> str:
        return f"Schema({self.place.file}#{self.place.pointer})"


def first_example(value: object) -> Json | Absent:
    """The first of `examples`: a list of values (JSON Schema), or named example objects (OpenAPI)."""
    if isinstance(value, list):
        return value[0] if value else MISSING
    for example in mapping(value).values():
        if "value" in mapping(example):
            return example["value"]
    return MISSING


def properties_of(schema: Schema | None) -> dict[str, Schema]:
    """The properties of a schema by name; none if there is no schema."""
    return schema.properties() if schema is not None else {}


def places_in(schema: Schema | None) -> Iterator[tuple[str, Schema]]:
    """A schema as "", and what is under it (see `Schema.walk`); nothing if there is no schema."""
    return schema.walk() if schema is not None else iter(())


def _is_rest(alternatives: Sequence[object], index: int) -> bool:
    """Whether an alternative is the only one beside null."""
    null = [mapping(part).get("type") == "null" for part in alternatives]
    return len(null) - sum(null) == 1 and any(null) and not null[index]


def _own_type(node: dict[str, object]) -> str | None:
    kind = node.get("type")
    if isinstance(kind, list):
        return only([name for name in map(json_type, kind) if name and name != "null"])
    return json_type(kind)


def _own_enum(node: dict[str, Json]) -> list[Json] | None:
    if isinstance(node.get("enum"), list) and node["enum"]:
        return list(node["enum"])
    return [node["const"]] if "const" in node else None
