"""Mechanical faults: what is wrong, by what is meant, and the edits that write what is meant.

One small function per fault, its id on top of it; `load` reports them, `fix` applies their edits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus

from docrev.json_values import pointer as pointers
from docrev.json_values.containers import mapping, sequence
from docrev.json_values.types import JSON_TYPES
from docrev.records import Json
from docrev.spec.edits import Edit, Put, Remove, RenameKey
from docrev.spec.files import numbered
from docrev.spec.findings import Finding, Level, Place
from docrev.spec.grammar import SWAGGER2, Table, Visit, table_of, version, visit
from docrev.spec.meaning import as_type, json_type, names, number, string, truth
from docrev.spec.nodes import locate
from docrev.spec.refs import References, target

UNRESOLVED = "x-unresolved-ref"
_REPAIR = "run docrev lint --fix"
_FORMATS = {"date": "date", "datetime": "date-time", "file": "binary"}
_INLINE = "type format enum default minimum maximum pattern items minLength maxLength minItems maxItems".split()


_REFERABLE = frozenset({"", "schema", "parameter", "response", "body", "header", "example", "link", "callback", "path"})


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault at `place`, and the edits of that document which mend it (none: a person must)."""

    id: str
    level: Level
    place: Place
    message: str
    edits: tuple[Edit, ...] = ()
    fix: str = _REPAIR

    def finding(self, refs: References) -> Finding:
        """The finding that reports it."""
        return refs.finding(self.place, self.id, self.message, level=self.level, fix=self.fix)


@dataclass(slots=True)
class Site:
    """One object under examination, in the document `file` of a format with this `table`."""

    refs: References
    file: str
    table: Table
    visit: Visit

    @property
    def node(self) -> dict[str, Json]:
        return self.visit.node

    def at(self, *keys: str) -> Place:
        """The place under `keys`."""
        return Place(self.file, self.visit.pointer + pointers.join(*keys))


def faults(refs: References, files: list[str]) -> Iterator[Fault]:
    """The mechanical faults of the specs `files`, and of the parts of other files that they refer to."""
    for file in files:
        table = table_of(refs.documents[file].tree)
        queue = [(file, "", "document")]
        seen = {(file, "")}
        for name, at, kind in queue:  # grows as other files are referred to
            for one in visit(refs.documents[name], table, kind, at):
                site = Site(refs, name, table, one)
                for check in _checks_of(one.kind):
                    yield from check(site)
                ref = one.node.get("$ref")
                goal = target(name, ref) if isinstance(ref, str) else None
                if goal and goal not in seen and goal[0] not in files and refs.document(goal[0]) is not None:
                    seen.add(goal)
                    queue.append((*goal, one.kind))


def _string_boolean(site: Site) -> Iterator[Fault]:
    """`string-boolean`: "true" instead of true."""
    for key, value in site.node.items():
        if isinstance(value, str) and site.visit.expected.get(key) in ("bool", "schema?"):
            meant = truth(value, default=value.strip().lower() not in ("false", "no"))
            known = value.strip().lower() in ("true", "false", "yes", "no")
            edits = (Put(site.at(key).pointer, meant),) if known else ()
            yield Fault(
                "string-boolean", "warning", site.at(key), f'{key} is the string "{value}", not a boolean', edits
            )


def _string_number(site: Site) -> Iterator[Fault]:
    """`string-number`: "20" instead of 20, in limits and in defaults, examples and enums of numbers."""
    for key, value in site.node.items():
        if isinstance(value, str) and site.visit.expected.get(key) in ("num", "int"):
            meant = number(value)
            if meant is not None:
                yield _respelled(site, key, value, meant)
    kind = json_type(site.node.get("type"))
    if site.visit.kind in ("schema", "items", "parameter", "header") and kind in ("integer", "number", "boolean"):
        listed = ((f"enum/{index}", value) for index, value in enumerate(sequence(site.node.get("enum"))))
        for key, value in (*((key, site.node.get(key)) for key in ("default", "example")), *listed):
            if isinstance(value, str) and (meant := as_type(value, kind)) != value:
                yield _respelled(site, key, value, meant)


def _respelled(site: Site, key: str, value: str, meant: object) -> Fault:
    place = site.at(*key.split("/"))
    kind = "boolean" if isinstance(meant, bool) else "number"
    message = f'{key} is the string "{value[:60]}", not a {kind}'
    return Fault(f"string-{kind}", "warning", place, message, (Put(place.pointer, meant),))


def _unknown_key(site: Site) -> Iterator[Fault]:
    """`unknown-key`: a key that the format does not know; one known under another case gets that."""
    unknown = [key for key in site.node if key not in site.visit.expected and not key.startswith("x-")]
    if unknown and not _may_have_any_key(site):
        inline = _INLINE if _is_inline(site) else ()
        yield from (_renamed(site, key) for key in unknown if key not in inline)


def _renamed(site: Site, key: str) -> Fault:
    meant = next((known for known in reversed(site.visit.expected) if known.lower() == key.lower()), "")
    new = meant if meant and meant not in site.node else numbered(f"x-{key}", site.node)
    fix = f'write "{meant}", or {_REPAIR}' if new == meant else f'write "x-{key}", or {_REPAIR}'
    edits = (RenameKey(site.at(key).pointer, new),)
    return Fault("unknown-key", "warning", site.at(key), f'unknown key "{key[:60]}"', edits, fix)


def _may_have_any_key(site: Site) -> bool:
    expected, kind = site.visit.expected, site.visit.kind
    if "*" in expected or not expected or "$ref" in site.node:
        return True
    schema_of_3_1 = kind == "schema" and "const" in expected
    return schema_of_3_1 or kind in ("components", "server", "tag", "xml")


def _unknown_type(site: Site) -> Iterator[Fault]:
    """`unknown-type`: a `type` that JSON Schema does not have, but whose meaning is clear."""
    told = site.node.get("type")
    if not isinstance(told, str):
        return
    meant = json_type(told)
    if told in JSON_TYPES or (told == "file" and site.table is SWAGGER2) or "properties" in told:
        return
    edits: list[Edit] = [Put(site.at("type").pointer, meant)] if meant else []
    form = _FORMATS.get(told.lower())
    if meant and form and "format" not in site.node:
        edits.append(Put(site.at("format").pointer, form, after="type"))
    fix = f'write "{meant}", or {_REPAIR}' if meant else "write string, integer, number, boolean, array or object"
    yield Fault("unknown-type", "warning", site.at("type"), f'unknown type "{told[:60]}"', tuple(edits), fix)


def _required_flag(site: Site) -> Iterator[Fault]:
    """`required-flag`: a property marked as required itself; its object must list it."""
    listed = names(site.node.get("required"))
    wanted: list[str] = []
    edits: list[Edit] = []
    for name, child in mapping(site.node.get("properties")).items():
        flag = mapping(child).get("required")
        if isinstance(flag, bool | str):
            edits.append(Remove(site.at("properties", name, "required").pointer))
            if truth(flag) and name not in listed:
                wanted.append(name)
    if edits:
        if wanted:
            edits.append(Put(site.at("required").pointer, [*listed, *wanted]))
        message = "`required` on properties themselves; their object must list them"
        yield Fault("required-flag", "warning", site.at("properties"), message, tuple(edits))


def _inline_schema(site: Site) -> Iterator[Fault]:
    """`inline-schema`: a parameter of OpenAPI 3 with its `type` beside it, as in Swagger 2.0."""
    node = site.node
    if _is_inline(site):
        moved = [key for key in _INLINE if key in node]
        edits = [Put(site.at("schema").pointer, {key: node[key] for key in moved})]
        removed = [Remove(site.at(key).pointer) for key in moved]
        message = "`type` belongs into `schema`"
        yield Fault("inline-schema", "warning", site.at("type"), message, (*edits, *removed))


def _is_inline(site: Site) -> bool:
    if site.table is SWAGGER2 or site.visit.kind not in ("parameter", "header"):
        return False
    return "type" in site.node and not {"schema", "content", "$ref"} & set(site.node)


def _path_not_required(site: Site) -> Iterator[Fault]:
    """`path-parameter-not-required`: it always is, and must say so."""
    node = site.node
    told = node.get("required")
    if node.get("in") == "path" and not (isinstance(told, str) or told is True):
        message = f'path parameter "{string(node.get("name"))}" must have required: true'
        edits = (Put(site.at("required").pointer, True, after="in"),)
        yield Fault("path-parameter-not-required", "warning", site.at(), message, edits)


def _no_description(site: Site) -> Iterator[Fault]:
    """`missing-response-description`: it must be there; the status's own name is put."""
    told = {key.lower() for key in site.node}
    if not told & {"description", "$ref"}:
        status = pointers.split(site.visit.pointer)[-1:] or [""]
        known = status[0].isdigit() and int(status[0]) in {one.value for one in HTTPStatus}
        phrase = HTTPStatus(int(status[0])).phrase if known else ""
        edits = (Put(site.at("description").pointer, phrase),)
        yield Fault("missing-response-description", "warning", site.at(), "a response must have a description", edits)


def _version_number(site: Site) -> Iterator[Fault]:
    """`version-number`: `swagger: 2.0` without quotes is a number; `openapi` needs three parts."""
    key = "openapi" if "openapi" in site.node else "swagger"
    told = version(site.node) or ""
    meant = told if key == "swagger" or told.count(".") > 1 else f"{told}.0"
    if site.node.get(key) != meant:
        edits = (Put(site.at(key).pointer, meant),)
        yield Fault("version-number", "warning", site.at(key), f'{key} must be the string "{meant}"', edits)


def _integer_status(site: Site) -> Iterator[Fault]:
    """`integer-response-code`: `200:` in YAML is a number, and a key must be a string."""
    document = site.refs.documents[site.file]
    if document.format != "yaml":
        return
    for status in mapping(site.node.get("responses")):
        place = site.at("responses", status)
        if status.isdigit() and document.text[locate(document.root, place.pointer)[0]].isdigit():
            message = f"response code {status} is a number, not a string"
            edits = (RenameKey(place.pointer, status),)
            yield Fault("integer-response-code", "warning", place, message, edits, f'write "{status}", or {_REPAIR}')


def _path_slash(site: Site) -> Iterator[Fault]:
    """`path-without-slash`: every path begins with one."""
    paths = mapping(site.node.get("paths"))
    for path, item in paths.items():
        if isinstance(item, dict) and not path.startswith(("/", "x-")) and f"/{path}" not in paths:
            place = site.at("paths", path)
            edits = (RenameKey(place.pointer, f"/{path}"),)
            yield Fault("path-without-slash", "warning", place, f'path "{path}" does not begin with a slash', edits)


def _broken_ref(site: Site) -> Iterator[Fault]:
    """`unresolved-ref`, `circular-ref`, `remote-ref`: a `$ref` that is not followed; what it said is kept beside."""
    yield from _broken_at(site, site.visit.pointer, site.node, site.visit.kind)
    for key, value in site.node.items():
        if key.startswith("x-") and isinstance(value, dict):
            yield from _broken_at(site, site.at(key).pointer, value, "")


def _broken_at(site: Site, pointer: str, node: dict[str, object], kind: str) -> Iterator[Fault]:
    ref = node.get("$ref")
    if not isinstance(ref, str):
        return
    place = Place(site.file, f"{pointer}/$ref")
    trouble = site.refs.broken(place, ref)
    if trouble is None:
        return
    id, message = trouble
    if id == "remote-ref":
        yield Fault(id, "warning", place, message, (), "copy what it names into the folder")
        return
    if kind not in _REFERABLE:
        yield Fault(id, "error", place, message, (), "remove it: nothing may be referred to here")
        return
    edits: list[Edit] = [RenameKey(place.pointer, numbered(UNRESOLVED, node))]
    if kind == "parameter":
        edits = [Remove(pointer)]
    elif kind == "response":
        edits.append(Put(f"{pointer}/description", ""))
    elif kind == "body":
        edits.append(Put(f"{pointer}/content", {}))
    yield Fault(id, "error" if kind else "warning", place, message, tuple(edits), f"mend it, or {_REPAIR}")


_TYPED = ("schema", "items", "parameter", "header")
_CHECKS: tuple[tuple[Callable[[Site], Iterator[Fault]], tuple[str, ...]], ...] = (
    (_string_boolean, ()),
    (_string_number, ()),
    (_unknown_key, ()),
    (_unknown_type, _TYPED),
    (_required_flag, ("schema",)),
    (_inline_schema, ("parameter", "header")),
    (_path_not_required, ("parameter",)),
    (_no_description, ("response",)),
    (_version_number, ("document",)),
    (_integer_status, ("operation",)),
    (_path_slash, ("document",)),
    (_broken_ref, ()),
)
"""The checks in order, and the kinds of objects that each is about; none: it is about all."""


@cache
def _checks_of(kind: str) -> tuple[Callable[[Site], Iterator[Fault]], ...]:
    return tuple(check for check, kinds in _CHECKS if not kinds or kind in kinds)
