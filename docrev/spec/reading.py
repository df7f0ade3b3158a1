"""From documents to operations: what OpenAPI 3 and Swagger 2.0 have in common; `DocumentForm` has the differences.

Nothing here raises on a malformed document: what cannot be read is left out, with a finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping, sequence
from docrev.language.media_types import essence
from docrev.language.path_templates import parameters_of
from docrev.records import Json, OperationKey
from docrev.spec.document import Document
from docrev.spec.findings import Finding, Level, Place
from docrev.spec.keywords import METHODS
from docrev.spec.meaning import MISSING, names, string, truth
from docrev.spec.operation import FORM, MULTIPART, Body, Operation, Parameter, Response
from docrev.spec.refs import References
from docrev.spec.schema import Schema

LOCATIONS = ("path", "query", "header", "cookie")
_NOT_ARGUMENTS = frozenset({"authorization", "accept", "content-type"})  # OpenAPI 3.0 §4.7.12.1

Found = tuple[Place, dict[str, Json]]
"""A mapping, and where it is defined."""


class DocumentForm(Protocol):
    """How one version of the format writes what operations are made of."""

    def parameter(self, reader: DocumentReader, found: Found) -> Parameter: ...

    def body(self, reader: DocumentReader, operation: Found, fields: list[Found]) -> Body | None: ...

    def response(self, reader: DocumentReader, operation: Found, status: str, found: Found) -> Response: ...


@dataclass
class DocumentReader:
    """Reads the operations of one document; findings gather in `findings`."""

    tool: str
    document: Document
    refs: References
    form: DocumentForm
    findings: list[Finding] = field(default_factory=list)

    def operations(self) -> Iterator[Operation]:
        """The operations in the order of the file."""
        seen: set[OperationKey] = set()
        for path, item in self._items():
            for key in item[1]:
                operation = self._operation(path, key, item) if key.lower() in METHODS else None
                if operation is not None and operation.key not in seen:
                    seen.add(operation.key)
                    yield operation

    def _items(self) -> Iterator[tuple[str, Found]]:
        paths = self.mapping_at(Place(self.document.name, "/paths"), self.document.tree.get("paths", {}), "paths")
        if paths is not None:
            for path, node in paths[1].items():
                item = None if path.startswith("x-") else self.mapping_at(below(paths[0], path), node, "a path item")
                if item is not None:
                    yield path, item

    def _operation(self, path: str, method: str, item: Found) -> Operation | None:
        found = self.mapping_at(below(item[0], method), item[1][method], "an operation")
        if found is None:
            return None
        place, node = found
        url = path if path.startswith("/") else f"/{path}"
        parameters, fields = self._parameters(url, item, found)
        return Operation(
            key=OperationKey(self.tool, f"{method.upper()} {url}"),
            operation_id=string(node.get("operationId")).strip(),
            summary=string(node.get("summary")) or string(item[1].get("summary")),
            description=string(node.get("description")) or string(item[1].get("description")),
            tags=tuple(names(node.get("tags"))),
            parameters=parameters,
            body=self.form.body(self, found, fields),
            responses=self._responses(found),
            security=self._security(node),
            place=place,
        )

    def _parameters(self, path: str, item: Found, operation: Found) -> tuple[tuple[Parameter, ...], list[Found]]:
        """The arguments (the operation's win over the path item's), and the body fields of Swagger 2.0."""
        arguments: dict[tuple[str, str], Parameter] = {}
        fields: dict[str, Found] = {}
        in_path = list(dict.fromkeys(parameters_of(path)))
        for found in (*self._listed(item), *self._listed(operation)):
            where, name = string(found[1].get("in")).strip(), string(found[1].get("name"))
            if where in ("body", "formData"):
                fields[name] = found
            elif self._is_argument(found, where, name, path):
                arguments[where, name] = self.form.parameter(self, found)
        for name in in_path:
            if ("path", name) not in arguments:
                arguments["path", name] = self._undeclared(name, path, operation[0])
        order = sorted(arguments.items(), key=lambda entry: _rank(entry[0], in_path))
        return tuple(parameter for _, parameter in order), list(fields.values())

    def _is_argument(self, found: Found, where: str, name: str, path: str) -> bool:
        """Whether a parameter can be given in a call; a finding if it cannot be read as one."""
        if where not in LOCATIONS or not name:
            self.note("malformed", found[0], "a parameter needs a name and an `in` of " + ", ".join(LOCATIONS))
            return False
        if where == "path" and name not in parameters_of(path):
            self.note(
                "path-parameter-not-in-path", found[0], f'path parameter "{name}" does not occur in {path}',
                level="warning", fix=f"put {{{name}}} into the path or remove the parameter",
            )  # fmt: skip
            return False
        return where != "header" or name.lower() not in _NOT_ARGUMENTS

    def _listed(self, owner: Found) -> Iterator[Found]:
        place = below(owner[0], "parameters")
        listed = owner[1].get("parameters")
        if listed is not None and not isinstance(listed, list):
            self.note("malformed", place, "parameters is not a list")
        for index, node in enumerate(sequence(listed)):
            found = self.mapping_at(below(place, str(index)), node, "a parameter")
            if found is not None:
                yield found

    def _undeclared(self, name: str, path: str, place: Place) -> Parameter:
        self.note(
            "undeclared-path-parameter", place, f'path parameter "{name}" of {path} is not declared',
            fix="declare it, or run docrev lint --fix",
        )  # fmt: skip
        schema = Schema(self.refs, place, {"type": "string"})
        return Parameter(name, "path", True, schema, "", MISSING, place, declared=False, style="simple", explode=False)

    def _responses(self, operation: Found) -> dict[str, Response]:
        place = below(operation[0], "responses")
        found = self.mapping_at(place, operation[1].get("responses", {}), "responses")
        responses: dict[str, Response] = {}
        for status, node in found[1].items() if found else ():
            if found and not status.startswith("x-"):
                name = status.upper() if status != "default" else status
                if (one := self._response(operation, below(found[0], status), status, node)) is not None:
                    responses[name] = one
        return responses

    def _response(self, operation: Found, place: Place, status: str, node: object) -> Response | None:
        """One response; of one that a `$ref` defines elsewhere, it is only known that it is declared."""
        found = self.mapping_at(place, node, "a response")
        if found is not None:
            return self.form.response(self, operation, status, found)
        is_elsewhere = isinstance(node, dict) and "$ref" in node
        return Response(status, "", "", Schema.at(self.refs, place, node), place) if is_elsewhere else None

    def _security(self, node: dict[str, object]) -> tuple[str, ...]:
        listed = node.get("security", self.document.tree.get("security"))
        return tuple(dict.fromkeys(name for option in sequence(listed) for name in mapping(option)))

    def mapping_at(self, place: Place, node: object, what: str) -> Found | None:
        """The mapping at `place`, after `$ref`; None, with a finding, if there is something else."""
        defined, value = self.refs.follow(self.refs.canonical(place), node)
        if isinstance(value, dict):
            return defined, value
        if value is not MISSING:  # a broken $ref has its own finding
            self.note("malformed", defined, f"{what} must be a mapping")
        return None

    def schema(self, place: Place, node: object) -> Schema | None:
        """The schema at `place`; None if the document gives none."""
        return Schema.at(self.refs, self.refs.canonical(place), node) if isinstance(node, dict | bool) else None

    def flag(self, found: Found, name: str, default: bool = False) -> bool:
        """The boolean `name`, by meaning."""
        return truth(found[1].get(name, default), default)

    def note(self, id: str, place: Place, message: str, *, level: Level = "error", fix: str = "") -> None:
        """Add a finding."""
        self.findings.append(self.refs.finding(place, id, message, level=level, fix=fix))


def below(place: Place, *keys: str) -> Place:
    """The place under `keys`."""
    return Place(place.file, place.pointer + pointers.join(*keys))


def choose_media(types: list[str]) -> str | None:
    """The media type to use: JSON, then a form, then the first."""

    def rank(name: str) -> int:
        bare = essence(name)
        if bare == "application/json":
            return 0
        if bare.endswith("+json"):
            return 1
        order = ("*/*", FORM, MULTIPART)
        return 2 + order.index(bare) if bare in order else 9

    return min(types, key=rank, default=None)


def _rank(key: tuple[str, str], in_path: list[str]) -> tuple[int, int]:
    where, name = key
    return (0, in_path.index(name)) if where == "path" else (1, 0)
