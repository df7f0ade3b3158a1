"""Writes the OpenAPI 3.1 document of a generated service, as well or as badly as its `Writing` says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

from stateful import rpc_documents
from stateful.description import Field, Json, Kind, Operation, Service
from stateful.seeding import first_label

_TYPES = {"enum": "string", "list": "array"}
_WORDS = {
    "list": "List {plural}", "read": "Get one {singular}", "create": "Create a {singular}",
    "put": "Replace a {singular}", "patch": "Change a {singular}", "delete": "Delete a {singular}",
    "merge": "{verb} {plural}", "delete-many": "{verb} {plural}", "update-many": "Change {plural}",
    "replace-all": "Replace all {plural}", "defaults": "Create default {plural}", "search": "Search {plural}",
    "ask": "Query a {singular}", "join": "{verb} a {singular}",
    "read-singleton": "Get settings", "write-singleton": "Change settings",
    "write-part": "Change the settings of a {singular}", "log-in": "Log in", "batch": "Send several requests",
    "act": "{verb} a {singular}", "copy": "{verb} a {singular}",
}  # fmt: skip
_MISLEADING = ("Check the state", "Get details", "List everything", "Create a thing", "Show more")


def write_document(service: Service, folder: Path) -> Path:
    """Write the spec into a folder; returns its path."""
    path = folder / "api.json"
    path.write_text(json.dumps(document(service), indent=1))
    return path


def document(service: Service) -> dict[str, Json]:
    """The spec as JSON."""
    paths: dict[str, dict[str, Json]] = {}
    rng = Random(f"document of {service.seed}")
    for operation in service.operations:
        ends = service.slashes == "all" or (service.slashes == "collections" and not operation.path.endswith("}"))
        path = operation.path + "/" * ends
        paths.setdefault(path, {})[operation.method.lower()] = _operation(service, operation, rng)
    return {
        "openapi": "3.1.0",
        "info": {"title": f"Service {service.seed}", "version": "1"},
        "paths": paths,
        "components": {"schemas": {_pascal(kind.singular): _schema(service, kind) for kind in service.kinds}},
    }


def _operation(service: Service, operation: Operation, rng: Random) -> dict[str, Json]:
    described: dict[str, Json] = {"responses": _responses(service, operation)}
    if parameters := _parameters(service, operation):
        described["parameters"] = parameters
    if (body := _body(service, operation)) is not None:
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return described | _texts(service, operation, rng)


def _texts(service: Service, operation: Operation, rng: Random) -> dict[str, Json]:
    writing, texts = service.writing, {}
    if operation.effect in ("call", "single"):
        return rpc_documents.texts(service, operation, rng)
    kind = service.kind(operation.kind) if operation.kind else None
    noun = (kind.singular, kind.plural) if kind else ("", "")
    truth = _WORDS[operation.effect].format(verb=operation.verb.capitalize(), singular=noun[0], plural=noun[1])
    misleading = writing.summaries == "misleading" and operation.method != "GET"
    if writing.summaries != "none":
        texts["summary"] = rng.choice(_MISLEADING) if misleading else truth
    if writing.operation_ids:
        texts["operationId"] = _operation_id(operation, truth)
    if "told" in operation.options:
        return _documented_operation(operation, truth, noun[0], rng)
    if operation.effect == "act" and not operation.foreseeable:
        return {"summary": f"Show the {operation.path.rpartition('/')[2]} of a {noun[0]}"}
    return texts


def _documented_operation(operation: Operation, truth: str, noun: str, rng: Random) -> dict[str, Json]:
    """The texts of a GET that acts: its verb stands where `told` says, and perhaps nowhere else."""
    neutral = {"operationId": f"{noun}Page{rng.randint(1, 999)}", "summary": f"{_pascal(noun)} page"}
    telling = {"operationId": _operation_id(operation, truth), "summary": truth}
    place = {"before": "summary", "collection": "summary"}.get(operation.options["told"], operation.options["told"])
    there = {name for name in neutral if name == place or rng.random() < 0.7}
    return {name: telling[name] if name == place else neutral[name] for name in sorted(there)}


def _operation_id(operation: Operation, text: str) -> str:
    first, *rest = re.findall(r"[A-Za-z]+", text)
    tail = "".join(word.capitalize() for word in rest if word not in ("a", "of", "the"))
    end = operation.path.rpartition("/")[2].strip("{}").replace("_", " ").title().replace(" ", "").replace("-", "")
    depth = operation.path.count("{")
    named = end if operation.effect in ("act", "ask", "copy") else ""
    return f"{first.lower()}{tail}{named}{depth or ''}{_suffix(operation)}"


def _suffix(operation: Operation) -> str:
    if operation.effect == "delete-many":
        return {"DELETE": "All", "GET": "Page"}.get(operation.method, "")
    off = "Off" if operation.effect == "act" else ""
    return {"PUT": "Put", "PATCH": "Patch", "DELETE": off}.get(operation.method, "")


def _parameters(service: Service, operation: Operation) -> list[Json]:
    found: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"\{(\w+)\}", operation.path)
    ]
    kind = service.kind(operation.kind) if operation.kind else None
    if operation.effect == "list" and kind is not None and kind.paging:
        name = {"page": "page", "offset": "offset", "cursor": "cursor"}[kind.paging]
        type_ = "string" if kind.paging == "cursor" else "integer"
        found += [_query(name, {"type": type_}), _query("limit", {"type": "integer", "default": kind.page_size})]
    if operation.effect in ("call", "single") and operation.method == "GET":
        given, required = rpc_documents.arguments(service, operation)
        found += [{**_query(name, schema), "required": name in required} for name, schema in given.items()]
    found += [_query(name, _acting(name)) for name in operation.options.get("changing", ())]
    if operation.options.get("ids"):
        found.append(_query("ids", {"type": "string"}))
    if operation.options.get("override") == "query":
        found.append(_query("_method", {"type": "string", "enum": ["PATCH", "DELETE"]}))
    return found


def _query(name: str, schema: Json) -> Json:
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _acting(name: str) -> Json:
    words = {"muted": ["muted", "unmuted"], "paused": ["paused", "unpaused"], "action": ["archive", "clear"]}
    return {"type": "string", "enum": words[name]} if name in words else {"type": "string"}


def _responses(service: Service, operation: Operation) -> dict[str, Json]:
    good: dict[str, Json] = {"description": "Success"}
    if operation.kind and service.writing.schemas == "full" and service.writing.responses == "full":
        kind = service.kind(operation.kind)
        item = {"$ref": f"#/components/schemas/{_pascal(kind.singular)}"}
        if operation.effect in ("read", "put", "patch"):
            good["content"] = {"application/json": {"schema": item}}
        elif operation.effect == "list" and kind.envelope not in ("map", "names"):
            many: Json = {"type": "array", "items": item}
            schema = many if kind.envelope == "bare" else {"type": "object", "properties": {kind.envelope: many}}
            good["content"] = {"application/json": {"schema": schema}}
    status = {"create": "201", "delete": "204"}.get(operation.effect, "200")
    if service.writing.responses == "missing":
        return {status: {"description": ""}}
    return {status: good, "404": {"description": "Not found"}, "422": {"description": "Not valid"}}


# Bodies


def _body(service: Service, operation: Operation) -> Json | None:
    """The schema of a request body; None if there is none."""
    if operation.method in ("GET", "DELETE"):
        return None
    if operation.effect in ("call", "single"):
        given, required = rpc_documents.arguments(service, operation)
        bare = service.writing.schemas == "none"
        return {"type": "object"} | (
            {} if bare else {"properties": given} | ({"required": required} if required else {})
        )
    properties = _properties(service, operation)
    if properties is None:
        return None
    if isinstance(properties, dict) and operation.options.get("override") == "body":
        properties = {**properties, "_method": {"type": "string", "enum": ["PATCH", "DELETE"]}}
    if operation.effect == "replace-all":
        return {"type": "array", "items": {"type": "object", "properties": properties}}
    schemas = service.writing.schemas
    explained = operation.effect in ("search", "batch")
    if schemas == "none" and not explained and operation.options.get("override") != "body":
        return {"type": "object"}
    schema: dict[str, Json] = {"type": "object", "properties": properties}
    if operation.effect in ("create", "put") and schemas == "full":
        required = [field.name for field in service.kind(operation.kind).fields if field.required]
        return schema | ({"required": required} if required else {})
    return schema


def _properties(service: Service, operation: Operation) -> dict[str, Json] | None:
    kind = service.kind(operation.kind) if operation.kind else None
    ids = {"type": "array", "items": {"type": "string"}}
    fields = {field.name: _field(service, kind, field) for field in kind.fields} if kind else {}
    options = operation.options
    fixed: dict[str, dict[str, Json] | None] = {
        "create": fields, "put": fields, "patch": fields, "replace-all": fields,
        "delete-many": {"ids": ids, "filter": {"type": "object"}},
        "update-many": {"ids": ids, "set": {"type": "object", "properties": fields}},
        "merge": {options[n]: {"type": "string"} for n in ("source", "target") if n in options},
        "search": fields, "ask": {"query": {"type": "string"}},
        "write-singleton": {"theme": {"type": "string"}, "notify": {"type": "boolean"}, "limit": {"type": "integer"}},
        "write-part": {"theme": {"type": "string"}}, "log-in": {"user": {"type": "string"}},
        "batch": {"requests": {"type": "array", "items": {"type": "object", "properties": {
            "method": {"type": "string"}, "path": {"type": "string"}, "body": {"type": "object"}}}}},
    }  # fmt: skip
    if operation.effect == "act":
        return (
            {"ids": ids, "values": {"type": "array", "items": {}}} if operation.options.get("count") == "size" else None
        )
    return fixed.get(operation.effect)


def _schema(service: Service, kind: Kind) -> Json:
    fields = {field.name: _field(service, kind, field) for field in kind.fields}
    extra = {"owner": {"type": "string"}, "size": {"type": "integer"}}
    id_ = {"type": "integer" if kind.ids == "int" else "string"}
    return {"type": "object", "properties": {"id": id_, **fields, **extra}}


def _field(service: Service, kind: Kind | None, field: Field) -> Json:
    if field.type == "reference" and not field.by_name:
        return {"type": "integer" if service.kind(field.refers).ids == "int" else "string"}
    schema: dict[str, Json] = {"type": "string" if field.by_name else _TYPES.get(field.type, field.type)}
    if field.type == "enum" and service.writing.schemas == "full":
        schema["enum"] = list(field.choices)
    if field.type == "list":
        schema["items"] = {"type": "string"}
    if kind is not None and field is kind.fields[0] and kind.collision.startswith("upsert") and service.seed % 3 == 0:
        # A temptation: the example of the document is the name of what is there.
        schema["example"] = first_label(kind)
    return schema


def _pascal(text: str) -> str:
    return text[:1].upper() + text[1:]
