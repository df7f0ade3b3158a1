"""Postman collections as OpenAPI: what may be asked, with which arguments, and the form of the examples.

No value of a request or an example is written: collections hold tokens and people's data. `docrev observe` takes the
examples as evidence, with what is secret masked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl

from docrev.json_values.containers import mapping, sequence
from docrev.language.media_types import essence
from docrev.language.path_templates import parameters_of
from docrev.language.urls import split_url
from docrev.language.words import singular
from docrev.records import Json
from docrev.spec.formats.imported import Imported
from docrev.spec.formats.names import legal, unique
from docrev.spec.formats.postman.authentication import Authentication
from docrev.spec.formats.postman.collection import Item, is_collection, items
from docrev.spec.formats.sources import SourceFile
from docrev.spec.formats.tool_lists import stem_of
from docrev.spec.meaning import string
from docrev.spec.operation import FORM

_ID = re.compile(r"\d+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
"""Segments of a path that are the id of one thing: a number or a UUID."""
_VARIABLE = re.compile(r":([A-Za-z_][\w-]*)|\{\{([^{}]+)\}\}")
_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE"})
_OF_THE_CONNECTION = frozenset({"accept", "content-type", "authorization", "host", "user-agent", "cookie"})
_DEEPEST = 12
_MOST_MEMBERS = 200


def read(found: Iterable[SourceFile], result: Imported) -> Imported:
    """One document a collection. Raises InputError if no file has a request."""
    for source in found:
        if not isinstance(source.tree, dict) or not is_collection(source.tree):
            result.leave_out(source.name, "no Postman collection (v2.0 or v2.1)")
        else:
            document = _document(source, source.tree, result)
            if document["paths"]:
                result.documents[stem_of(source, result)] = document
    return result.settled("request")


def _document(source: SourceFile, tree: dict[str, object], result: Imported) -> dict[str, Json]:
    servers: dict[str, None] = {}
    paths: dict[str, dict[str, Json]] = {}
    operations: dict[tuple[str, str], dict[str, Json]] = {}
    authentication = Authentication()
    for item in items(tree):
        server, path = _taken_apart(item.request.url)
        if not path or item.request.method not in _METHODS:
            result.leave_out(source.name, f"{item.name[:60] or 'a request'}: no URL, or no method of HTTP")
            continue
        if server:
            servers[server] = None
        place = (path, item.request.method.lower())
        if place in operations:
            result.duplicates += 1
            _add_responses(operations[place], item)
            continue
        operations[place] = paths.setdefault(path, {})[place[1]] = _operation(item, path)
        if security := authentication.of(item):
            operations[place]["security"] = security
    _name(operations)
    whole: dict[str, Json] = {"openapi": "3.1.0", "info": _head(mapping(tree.get("info")))}
    whole |= {"servers": [{"url": url} for url in servers]} if len(servers) == 1 else {}
    result.warnings += [
        f"{source.name}: OpenAPI has no scheme for auth {kind}" for kind in sorted(authentication.no_scheme)
    ]
    schemes = {"components": {"securitySchemes": dict(authentication.schemes)}} if authentication.schemes else {}
    return whole | schemes | {"paths": dict(paths)}


def _head(info: Mapping[str, object]) -> dict[str, Json]:
    """What a document says of itself, by what a collection does."""
    text = _description(info.get("description"))
    head: dict[str, Json] = {"title": string(info.get("name")) or "API", "version": "1"}
    return head | ({"description": text} if text else {})


def _taken_apart(url: str) -> tuple[str, str]:
    """The server of a URL ("" if it is a variable that nobody gave) and its path as a template."""
    bare = url.partition("?")[0].partition("#")[0]
    scheme, mark, rest = bare.partition("://")
    if not mark:
        scheme, rest = "", bare
    host, _, path = rest.partition("/")
    server = f"{scheme or 'http'}://{host}" if host and "{{" not in host and "@" not in host else ""
    segments = [segment for segment in path.split("/") if segment]
    named: list[str] = []
    return server, "/" + "/".join(_segment(segments, at, named) for at in range(len(segments)))


def _segment(segments: list[str], at: int, named: list[str]) -> str:
    """A segment of a path as it stands in a template; the names of parameters are noted in `named`."""
    segment = segments[at]
    variable = _VARIABLE.fullmatch(segment)
    if variable is None and not _ID.fullmatch(segment):
        return segment.replace("{", "").replace("}", "")
    before = singular(segments[at - 1]) if at else "item"
    plain = re.sub(r"\W+", "_", (variable[1] or variable[2]) if variable else f"{before}_id").strip("_") or "id"
    name = plain
    while name in named:
        name += "_2"
    named.append(name)
    return f"{{{name}}}"


def _operation(item: Item, path: str) -> dict[str, Json]:
    request = item.request
    operation: dict[str, Json] = {"summary": item.name} if item.name else {}
    text = _description(request.record.get("description"))
    operation |= {"description": text} if text else {}
    operation |= {"tags": [item.folders[0]]} if item.folders and item.folders[0] else {}
    parameters = _parameters(item, path)
    operation |= {"parameters": parameters} if parameters else {}
    if request.body:
        operation["requestBody"] = {"content": _content(request.body, request.headers.get("content-type", ""))}
    operation["responses"] = {}
    _add_responses(operation, item)
    return operation


def _parameters(item: Item, path: str) -> list[Json]:
    url = mapping(item.request.record.get("url"))
    texts = {string(one.get("key")): one for one in map(mapping, sequence(url.get("variable")))}
    found: list[Json] = []
    for name in parameters_of(path):
        parameter: dict[str, Json] = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        found.append(_described(parameter, texts.get(name, {})))
    listed = {string(one.get("key")): one for one in map(mapping, sequence(url.get("query"))) if one.get("key")}
    sent = dict.fromkeys(name for name, _ in parse_qsl(split_url(item.request.url).query, keep_blank_values=True))
    for name in dict.fromkeys([*listed, *sent]):
        found.append(_described({"name": name, "in": "query", "schema": {}}, listed.get(name, {})))
    for name in item.request.headers:
        if name not in _OF_THE_CONNECTION:
            found.append({"name": name, "in": "header", "schema": {"type": "string"}})
    return found


def _described(parameter: dict[str, object], record: dict[str, object]) -> dict[str, Json]:
    text = _description(record.get("description"))
    return parameter | {"description": text} if text else parameter


def _description(text: object) -> str:
    return string(mapping(text).get("content")) if isinstance(text, dict) else string(text)


def _add_responses(operation: dict[str, Json], item: Item) -> None:
    """Add the forms of the saved examples, one a status."""
    responses = operation["responses"]
    for response in map(mapping, sequence(item.record.get("response"))):
        status = response.get("code")
        if type(status) is not int or not 100 <= status <= 599 or str(status) in responses:
            continue
        headers = {
            string(one.get("key")).lower(): string(one.get("value"))
            for one in map(mapping, sequence(response.get("header")))
        }
        told: dict[str, Json] = {"description": string(response.get("status")) or string(response.get("name"))}
        body = string(response.get("body"))
        told |= {"content": _content(body, headers.get("content-type", ""))} if body else {}
        responses[str(status)] = told
    if not responses:
        responses["default"] = {"description": ""}
    elif len(responses) > 1:
        responses.pop("default", None)


def _content(body: str, content_type: str) -> dict[str, Json]:
    media_type = essence(content_type)
    if media_type == FORM:
        names = dict.fromkeys(name for name, _ in parse_qsl(body, keep_blank_values=True))
        return {media_type: {"schema": {"type": "object", "properties": {name: {} for name in names}}}}
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {media_type or "text/plain": {"schema": {"type": "string"}}}
    return {media_type if "json" in media_type else "application/json": {"schema": _schema(value, _DEEPEST)}}


def _schema(value: object, depth: int) -> dict[str, Json]:
    """The form of a value: types, members, items; nothing below `depth`."""
    if isinstance(value, dict) and len(value) <= _MOST_MEMBERS and depth:
        return {"type": "object", "properties": {name: _schema(part, depth - 1) for name, part in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": _schema(value[0], depth - 1) if value and depth else {}}
    names: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object"}
    return {"type": names[type(value)]} if type(value) in names else {}


def _name(operations: dict[tuple[str, str], dict[str, object]]) -> None:
    """An operationId for each operation, of its name, else of its method and path."""
    plain = {
        place: legal(string(operation.get("summary"))) or legal(f"{place[1]}{place[0]}") or "operation"
        for place, operation in operations.items()
    }
    for place, name in unique(plain, {place: place for place in plain}).items():
        operations[place]["operationId"] = name
