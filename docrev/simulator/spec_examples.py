"""What a spec's examples show: entities with their ids and plain fields. A world has these before any other."""

from __future__ import annotations

from collections.abc import Iterable

from docrev.language.path_templates import ends_in_parameter
from docrev.language.words import words
from docrev.records import Json
from docrev.simulator.kinds import ENVELOPES, KEYS, EntityKinds, branches, path_noun
from docrev.spec import Operation, Schema
from docrev.spec.meaning import MISSING

_MOST = 60
_ITEMS = 20
_DEEPEST = 5
Rows = dict[str, dict[str, Json]]


class Examples:
    """The entities that examples of responses, schemas and parameters show, by kind and id."""

    def __init__(self, operations: Iterable[Operation], kinds: EntityKinds) -> None:
        self._operations, self._kinds = tuple(operations), kinds
        self._rows: dict[str, Rows] | None = None
        self.scheme = ""

    def of(self, kind: str) -> Rows:
        """Id → field → value of the entities of a kind, in the order of the spec."""
        if self._rows is None:
            self._rows = {}
            for operation in self._operations:
                self._read_parameters(operation)
            for operation in sorted(self._operations, key=lambda one: not ends_in_parameter(one.path)):
                self._read_response(operation)
        return self._rows.get(kind, {})

    def _read_response(self, operation: Operation) -> None:
        response = operation.success
        if response is None or response.schema is None:
            return
        for example in (response.example, response.schema.example):
            if example is not MISSING:
                viewed = bool(self._kinds.steps(operation)) and not ends_in_parameter(operation.path)
                self._read(response.schema, example, path_noun(operation.path), viewed=viewed)

    def _read(self, schema: Schema, value: object, hint: str, depth: int = 0, viewed: bool = False) -> None:
        if depth > _DEEPEST:
            return
        if isinstance(value, list):
            items = schema.items()
            for item in value[:_ITEMS] if items is not None else ():
                self._read(items, item, hint, depth + 1)  # type: ignore[arg-type]
        elif isinstance(value, dict):
            branch = _branch(schema, value)
            kind = None if viewed else self._kinds.of(branch, hint)
            if kind is not None:
                self._keep(kind, branch, value)
            for name, child in branch.properties().items():
                if isinstance(value.get(name), list | dict):
                    self._read(child, value[name], hint if name.lower() in ENVELOPES else name, depth + 1)

    def _keep(self, kind: str, schema: Schema, value: dict[str, object]) -> None:
        info = self._kinds.known[kind]
        key = info.key if info.key in value else next((key for key in KEYS if key in value), None)
        if (
            key is None
            or info.parent is not None
            or not isinstance(value[key], str | int)
            or isinstance(value[key], bool)
        ):
            return
        fields = schema.properties()
        plain = {
            name: part
            for name, part in value.items()
            if name in fields and not isinstance(part, list | dict) and part is not None
        }
        self._add(kind, {**plain, info.key: value[key]})

    def _read_parameters(self, operation: Operation) -> None:
        steps = {step.parameter: step.kind for step in self._kinds.steps(operation)}
        for parameter in operation.parameters:
            example = parameter.example if parameter.example is not MISSING else parameter.schema.example
            if not isinstance(example, str | int) or isinstance(example, bool):
                continue
            kind = (
                steps.get(parameter.name)
                if parameter.location == "path"
                else self._kind_named(parameter.name, operation)
            )
            for text in str(example).split(",") if parameter.location != "path" else [str(example)]:
                self._read_id(kind, text.strip(), example)

    def _read_id(self, kind: str | None, text: str, example: object) -> None:
        scheme, _, rest = text.partition(":")
        named, _, identity = rest.partition(":")
        if identity and named in self._kinds.known:
            self.scheme = self.scheme or scheme
            kind, text = named, identity
        if kind and text and " " not in text and self._kinds.known[kind].parent is None:
            self._add(kind, {self._kinds.known[kind].key: example if isinstance(example, int) else text})

    def _kind_named(self, name: str, operation: Operation) -> str | None:
        if (found := self._kinds.referred(name)) is not None:
            return found
        parts = words(name)
        return self._kinds.named(words(path_noun(operation.path))) if parts in (("id",), ("ids",)) else None

    def _add(self, kind: str, row: dict[str, object]) -> None:
        assert self._rows is not None
        rows, info = self._rows.setdefault(kind, {}), self._kinds.known[kind]
        schema, identity = info.key_schema, row[info.key]
        if schema is not None and schema.type == "integer" and not isinstance(identity, int):
            return
        if len(rows) < _MOST or str(identity) in rows:
            known = rows.setdefault(str(identity), {})
            for name, value in row.items():
                known.setdefault(name, value)


def _branch(schema: Schema, value: dict[str, object]) -> Schema:
    """The alternative that has the most of a value's fields."""
    found = branches(schema)
    return max(found, key=lambda one: len(one.properties().keys() & value.keys())) if len(found) > 1 else found[0]
