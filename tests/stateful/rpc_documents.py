"""What the spec of a service of RPC style has of an operation: its texts, and its arguments."""

from __future__ import annotations

from random import Random

from stateful.description import Json, Kind, Operation, Service
from stateful.rpc_drawing import example_of

_TEXTS = {
    "make": "Create a {}", "list": "List {}s", "read": "Get a {}", "change": "Update a {}", "remove": "Delete a {}",
    "act": "{verb} a {}", "take": "{verb} a {}", "merge": "{verb} a {}", "member": "{verb}", "mark": "Show a {}",
    "read-singleton": "Get settings", "write-singleton": "{verb} settings",
}  # fmt: skip
_MISLEADING = ("Details", "More", "A thing", "Endpoint", "Entry")


def texts(service: Service, operation: Operation, rng: Random) -> dict[str, Json]:
    """The summary and the operationId, which tell or say nothing; a trap whose summary tells has it in any case."""
    options, writing = operation.options, service.writing
    noun = service.kind(operation.kind).singular if operation.kind else ""
    verb = operation.verb.replace("_", " ").capitalize()
    found: dict[str, Json] = {}
    if writing.summaries != "none" or "summary" in options:
        telling = options.get("summary") or _TEXTS[options["deed"]].format(noun, verb=verb)
        neutral = writing.summaries == "misleading" and "summary" not in options
        found["summary"] = rng.choice(_MISLEADING) if neutral else telling
    if writing.operation_ids:
        found["operationId"] = "_".join(step for step in operation.path.strip("/").split("/") if "{" not in step)
    return found


def arguments(service: Service, operation: Operation) -> tuple[dict[str, Json], list[str]]:
    """The schemas of the arguments, and which are required."""
    options, properties, required = operation.options, {}, []
    if not operation.kind:
        return {"theme": {"type": "string"}, "limit": {"type": "integer"}}, []
    kind = service.kind(operation.kind)
    if options["above"]:
        properties[options["above"]] = {"type": _type(service.kind(kind.parent))}
        required.append(options["above"])
    for name in options["documented"]:
        first = name.removeprefix("=").partition(".")[0]
        properties[first] = _named(service, operation, kind, name)
        required += [first] if options["required"] and len(options["documented"]) == 1 else []
    if "other" in options:
        other = service.kind(options["of"]) if "of" in options else kind
        properties[options["other"]] = {"type": _type(other)}
    properties |= _values(service, operation, kind)
    required += [field.name for field in kind.fields if field.required and options["deed"] == "make"]
    if options.get("flag"):
        properties[options["flag"]] = {"type": "boolean"}
    if options["new_name"]:
        properties["new_name"] = {"type": "string"}
    properties |= {name: {"type": "boolean"} for name in options["extra"]}
    return properties, required


def _values(service: Service, operation: Operation, kind: Kind) -> dict[str, Json]:
    from stateful.documents import _field

    deed = operation.options["deed"]
    if deed in ("make", "change"):
        return {field.name: _field(service, kind, field) for field in kind.fields}
    if deed == "list" and kind.paging:
        name = {"page": "page", "offset": "offset", "cursor": "cursor"}[kind.paging]
        return {name: {"type": "string" if kind.paging == "cursor" else "integer"}, "limit": {"type": "integer"}}
    return {}


def _named(service: Service, operation: Operation, kind: Kind, name: str) -> Json:
    """The schema of an argument that names a thing, or several."""
    example = {"example": example_of(service, kind)} if operation.options["example"] else {}
    if name == "filter":
        return {"type": "object"}
    if "." in name:
        return {"type": "object", "properties": {name.partition(".")[2]: {"type": _type(kind)} | example}}
    if name.endswith("ids"):
        return {"type": "array", "items": {"type": _type(kind)}}
    return {"type": "string" if name.startswith("=") else _type(kind)} | example


def _type(kind: Kind) -> str:
    return "integer" if kind.ids == "int" else "string"
