"""The objects of OpenAPI 3.0, 3.1 and Swagger 2.0, as tables: which key is compared how, under what subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from docrev.json_values.canonical import canonical
from docrev.json_values.containers import mapping
from docrev.json_values.pointer import escape
from docrev.records import Json
from docrev.spec import keywords
from docrev.spec.diff.differences import same
from docrev.spec.diff.extension import docrev
from docrev.spec.diff.schemas import SCHEMA, rooted, schema, unordered
from docrev.spec.diff.walk import At, DiffSpot, Each, Handler, Walk, differing, filled
from docrev.spec.meaning import MISSING

METHODS = (*keywords.METHODS, "query")


def document(walk: Walk, spot: DiffSpot, old: Json, new: Json) -> None:
    """Two whole documents: what belongs to all of it, the operations, and what they share."""
    walk.fields(spot, old, new, DOCUMENT)
    for key in ("paths", "webhooks"):
        _paths(walk, spot, key, old.get(key, MISSING), new.get(key, MISSING))
    for keys, (label, subject, each) in _SHARED.items():
        _shared(walk, spot, keys, label, subject, each, old, new)


def _object(handlers: Mapping[str, Handler]) -> Each:
    def each(walk: Walk, spot: DiffSpot, old: object, new: object) -> None:
        walk.fields(spot, old, new, handlers)

    return each


def _skip(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    """Compared elsewhere, or no difference."""


def _single_object(subject: str, each: Each) -> Handler:
    """A single object under a key."""

    def handler(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
        if isinstance(old, dict) and isinstance(new, dict):
            walk.pair(spot.child(key, subject=subject), old, new, each)
        else:
            walk.leaf(spot, key, old, new)

    return handler


def _named(subject: str, each: Each, location: Callable[[DiffSpot, str], str]) -> Handler:
    """A mapping of names to objects of one kind."""

    def handler(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
        def child(name: str) -> Mapping[str, Any]:
            return {"subject": subject, "location": location(spot, name)}

        if (values := filled(dict, old, new)) is None:
            walk.leaf(spot, key, old, new)
        else:
            walk.mapping(spot.child(key), *values, each, child=child)

    return handler


def _listed(subject: str, each: Each, name: str) -> Handler:
    """A list of objects, each named by its key `name`; each is told as a shared thing of its own."""

    def handler(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
        def child(item: object) -> Mapping[str, Any]:
            return {} if spot.operation or spot.shared else {"shared": f"{subject} {_word(item, name)}"}

        if (values := filled(list, old, new)) is None:
            walk.leaf(spot, key, old, new)
            return
        before, after = values
        keys = [_word(item, name) for item in before], [_word(item, name) for item in after]
        walk.listing(spot.child(key, subject=subject), before, after, each, keys=keys, child=child)

    return handler


def _word(item: object, name: str) -> str:
    return str(item[name]) if isinstance(item, dict) and name in item else canonical(item)


def _content(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    if (values := filled(dict, old, new)) is None:
        walk.leaf(spot, key, old, new)
        return
    child = spot.child(key)
    walk.mapping(child, *values, _object(MEDIA), child=lambda name: {"media_type": name}, aspect="media-type")


def _deep(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    """What has no ids of its own is told key by key, its texts still apart from its contract."""
    _descend(walk, spot.child(key), key, key, old, new)


def _descend(walk: Walk, spot: DiffSpot, aspect: str, field: str, old: object, new: object) -> None:
    if same(old, new):
        return
    if not isinstance(old, dict) or not isinstance(new, dict):
        walk.emit(spot, aspect, old, new, field=field)
        return
    for name, one, other in differing(old, new):
        _descend(walk, spot.child(name), aspect, f"{field}/{name}", one, other)


def _parameters(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    if (values := filled(list, old, new)) is None:
        walk.leaf(spot, key, old, new)
        return
    old, new = values
    before = [walk.old.target(spot.old.file, item) for item in old]
    after = [walk.new.target(spot.new.file, item) for item in new]
    keys = [_parameter_name(item) for item in before], [_parameter_name(item) for item in after]
    known = {id(item): found for item, found in zip((*old, *new), (*before, *after), strict=True)}

    def child(item: object) -> Mapping[str, Any]:
        return _parameter_spot(known[id(item)])

    walk.listing(spot.child(key), old, new, parameter, keys=keys, child=child)


def _parameter_name(item: object) -> str:
    if not isinstance(item, dict):
        return canonical(item)
    place, name = str(item.get("in", "")), str(item.get("name", canonical(item)))
    if place == "body":
        return "body"
    return f"{place}:{name}"


def _parameter_spot(item: object) -> Mapping[str, Any]:
    """The subject and the location of a parameter; Swagger 2 has the body among them, and its form's fields."""
    if not isinstance(item, dict):
        return {"subject": "parameter"}
    place, name = item.get("in", ""), str(item.get("name", ""))
    if place == "body":
        return {"subject": "body", "location": "body:"}
    if place == "formData":
        return {"subject": "body-property", "location": f"body:/{escape(name)}"}
    return {"subject": "parameter", "location": f"{place}:{name}" if place and name else ""}


def parameter(walk: Walk, spot: DiffSpot, old: object, new: object) -> None:
    """Compare two parameters, member by member."""
    walk.fields(spot, old, new, PARAMETER)


def _paths(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    if (values := filled(dict, old, new)) is None:
        walk.leaf(spot, key, old, new)
        return
    before, after = values
    renamed = _renamed(before, after)
    earlier = {path: before[renamed.get(path, path)] for path in after if renamed.get(path, path) in before}
    gone = {path: item for path, item in before.items() if path not in after and path not in renamed.values()}
    for path, new_item in (after | dict.fromkeys(gone, MISSING)).items():
        one, was = (earlier | gone).get(path, MISSING), renamed.get(path, path)
        if was == path and same(one, new_item):
            continue
        if path.startswith("x-"):
            walk.leaf(spot.child(key), path, one, new_item)
        else:
            shown = path if key == "paths" else f"webhook {path}"
            _path(walk, spot.child(key).child(was, path), (was, shown), one, new_item)


def _renamed(old: Json, new: Json) -> dict[str, str]:
    """New path → old path of those that differ only in the names of path parameters."""
    gone: dict[str, list[str]] = {}
    come: dict[str, list[str]] = {}
    for paths, others, shapes in ((old, new, gone), (new, old, come)):
        for path in paths:
            if path not in others and "{" in path:
                shapes.setdefault(re.sub(r"\{[^}]*\}", "{}", path), []).append(path)
    return {
        paths[0]: gone[shape][0] for shape, paths in come.items() if len(paths) == 1 and len(gone.get(shape, ())) == 1
    }


def _path(walk: Walk, spot: DiffSpot, names: tuple[str, str], old: object, new: object) -> None:
    """A path item: its operations, then what they share."""
    path = names[1]
    at = replace(spot, subject="path", shared=f"path {path}", base=(spot.old, spot.new))
    if (values := filled(dict, old, new)) is None:
        walk.emit(at, "", old, new, field=path)
        return
    before, after = values
    if ("$ref" in before) != ("$ref" in after):
        before, after = walk.old.target(spot.old.file, before), walk.new.target(spot.new.file, after)
    methods = [method for method in dict.fromkeys((*after, *before)) if method in METHODS]
    for method in methods:
        inner = spot.child(method, subject="operation", operation=f"{method.upper()} {path}")
        _operation(walk, inner, names, before.get(method, MISSING), after.get(method, MISSING))
    if old is not MISSING and new is not MISSING:
        walk.pair(at, _without_methods(before), _without_methods(after), _object(PATH))
    elif not methods:
        walk.emit(at, "", old, new, field=path)


def _without_methods(item: Json) -> Json:
    return {key: value for key, value in item.items() if key not in METHODS}


def _operation(walk: Walk, spot: DiffSpot, names: tuple[str, str], old: object, new: object) -> None:
    earlier, path = names
    if not isinstance(old, dict) or not isinstance(new, dict):
        if not same(old, new):
            walk.emit(spot, "", old, new)
        return
    if earlier not in (path, path.removeprefix("webhook ")):
        walk.emit(spot, "path", earlier, path)
    walk.fields(spot, old, new, OPERATION)


def _shared(
    walk: Walk, spot: DiffSpot, keys: str, label: str, subject: str, each: Each, old: object, new: object
) -> None:
    """One section of shared definitions, each compared once, where it is written."""
    inner = spot
    for key in keys.split("/"):
        old, new = mapping(old).get(key), mapping(new).get(key)
        inner = inner.child(key)
    for name, one, other in differing(mapping(old), mapping(new)):
        at = inner.child(name)
        place = _place(walk, at, subject, one, other)
        spotted = replace(at, shared=f"{label} {name}", base=(at.old, at.new), **place)
        if isinstance(one, dict) and isinstance(other, dict):
            walk.pair(spotted, one, other, each)
        else:
            walk.emit(spotted, "", one, other)


def _place(walk: Walk, at: DiffSpot, subject: str, old: object, new: object) -> Mapping[str, Any]:
    if subject == "parameter":
        side, file, item = (walk.new, at.new.file, new) if new is not MISSING else (walk.old, at.old.file, old)
        return _parameter_spot(side.target(file, item))
    return {"subject": subject, "location": "body:" if subject == "body" else ""}


def _components(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    """What is under `components` beside the sections that are compared one by one."""
    if (values := filled(dict, old, new)) is None:
        walk.leaf(spot, key, old, new)
        return
    known = {keys.partition("/")[2] for keys in _SHARED if keys.startswith("components/")}
    left, right = ({k: v for k, v in item.items() if k not in known or not isinstance(v, dict)} for item in values)
    walk.fields(spot.child(key, subject="component"), left, right, _BASE)


def _section(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    if filled(dict, old, new) is None:
        walk.leaf(spot, key, old, new)


def _callback(walk: Walk, spot: DiffSpot, old: Json, new: Json) -> None:
    walk.fields(spot, old, new, dict.fromkeys((*old, *new), _deep))


def _body(walk: Walk, spot: DiffSpot, key: str, old: object, new: object) -> None:
    inner = spot.child(key, subject="body", location="body:")
    if isinstance(old, dict) and isinstance(new, dict):
        walk.pair(inner, old, new, _object(BODY))
    else:
        walk.emit(inner, "", old, new, field=key)


def guess(node: object) -> tuple[str, str, Each]:
    """What a part of a file that is no OpenAPI document is, by its looks: (label, subject, how to compare it)."""
    if isinstance(node, dict):
        if "in" in node and "name" in node:
            return "parameter", "parameter", parameter
        if any(method in node for method in METHODS):
            return "path", "path", _object(PATH)
        if ("content" in node or "schema" in node) and "type" not in node:
            return "response", "response", _object(RESPONSE)
    return "schema", "schema", schema


_BASE: dict[str, Handler] = {"x-docrev": docrev}
_SERVERS = _listed("server", _object(_BASE), "url")
MEDIA: dict[str, Handler] = {**_BASE, "schema": rooted}
PARAMETER: dict[str, Handler] = {**SCHEMA, "schema": rooted, "content": _content}
HEADER = _object(PARAMETER)
BODY: dict[str, Handler] = {**_BASE, "content": _content}
RESPONSE: dict[str, Handler] = {
    **_BASE,
    "content": _content,
    "schema": rooted,
    "headers": _named("response-header", HEADER, lambda spot, name: f"{spot.location}header:{name}"),
}
OPERATION: dict[str, Handler] = {
    **_BASE,
    "parameters": _parameters,
    "requestBody": _body,
    "responses": _named("response", _object(RESPONSE), lambda spot, name: f"{name}:"),
    "servers": _SERVERS,
    "tags": unordered,
    "consumes": unordered,
    "produces": unordered,
    "schemes": unordered,
    "callbacks": _deep,
}
PATH: dict[str, Handler] = {**_BASE, "parameters": _parameters, "servers": _SERVERS}
DOCUMENT: dict[str, Handler] = {
    **_BASE,
    "info": _single_object("info", _object(_BASE)),
    "servers": _SERVERS,
    "tags": _listed("tag", _object(_BASE), "name"),
    "paths": _skip,
    "webhooks": _skip,
    "components": _components,
    "definitions": _section,
    "parameters": _section,
    "responses": _section,
    "securityDefinitions": _section,
    "consumes": unordered,
    "produces": unordered,
    "schemes": unordered,
}
_SECURITY = _object({**_BASE, "flows": _deep, "scopes": _deep})
_SHARED: dict[str, tuple[str, str, Each]] = {
    "components/parameters": ("parameter", "parameter", parameter),
    "parameters": ("parameter", "parameter", parameter),
    "components/requestBodies": ("body", "body", _object(BODY)),
    "components/responses": ("response", "response", _object(RESPONSE)),
    "responses": ("response", "response", _object(RESPONSE)),
    "components/headers": ("header", "response-header", HEADER),
    "components/schemas": ("schema", "schema", schema),
    "definitions": ("schema", "schema", schema),
    "components/examples": ("example", "example", _object(_BASE)),
    "components/links": ("link", "link", _object(_BASE)),
    "components/callbacks": ("callback", "callback", _callback),
    "components/pathItems": ("path item", "path", _object({**PATH, **dict.fromkeys(METHODS, _deep)})),
    "components/securitySchemes": ("security scheme", "security-scheme", _SECURITY),
    "securityDefinitions": ("security scheme", "security-scheme", _SECURITY),
}
"""Where shared definitions lie, with the name of one, the subject of its ids, and how two of them are compared."""


def start(tool: str, old: str, new: str) -> DiffSpot:
    """Where the comparison of two documents begins."""
    return DiffSpot("document", At(old, ""), At(new, ""))
