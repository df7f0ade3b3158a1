"""Answers to what cannot be done, in the style that the spec documents for its errors."""

from __future__ import annotations

from docrev.json_values.leaves import parts
from docrev.language.words import words
from docrev.records import Json
from docrev.simulator.names import each
from docrev.spec import Operation, Response, Schema

MESSAGES = frozenset(each("message detail error title description msg reason errormessage statusmessage errors"))
STATUSES = frozenset(each("status code statuscode errorcode"))
PLACES = frozenset(each("parameter param field name location path pointer"))
_DEEPEST = 4


def error_body(operation: Operation | None, status: int, message: str, name: str) -> Json:
    """The body for an error: filled into the documented schema of this status, or of another error."""
    response = _documented(operation, status) if operation is not None else None
    if response is not None and response.schema is not None:
        body = _filled(response.schema, status, message, name, 0)
        if isinstance(body, dict) and message in [part for _, part in parts(body)]:
            return body
    plain: dict[str, Json] = {"status": status, "message": message}
    return {"error": {**plain, "parameter": name} if name else plain}


def _documented(operation: Operation, status: int) -> Response | None:
    exact = operation.responses.get(str(status)) or operation.responses.get("4XX")
    others = [response for code, response in operation.responses.items() if code[:1] in ("4", "d") and response.schema]
    return exact if exact is not None and exact.schema is not None else next(iter(others), None)


def _filled(schema: Schema, status: int, message: str, name: str, depth: int) -> Json:
    if schema.type == "array" or schema.items() is not None:
        items = schema.items()
        return [] if items is None or depth > _DEEPEST else [_filled(items, status, message, name, depth + 1)]
    body: dict[str, Json] = {}
    for key, child in schema.properties().items():
        if _is_nested(child) and depth < _DEEPEST:
            body[key] = _filled(child, status, message, name, depth + 1)
        elif (value := _scalar("".join(words(key)), child, status, message, name)) is not None:
            body[key] = value
        elif key in schema.required:
            body[key] = False if child.type == "boolean" else status
    return body if body else message


def _is_nested(schema: Schema) -> bool:
    return bool(schema.properties()) or schema.items() is not None


def _scalar(flat: str, schema: Schema, status: int, message: str, name: str) -> Json:
    """What a field of an error says by its name; None if nothing of its type is known."""
    if flat in STATUSES and schema.type in ("integer", "number", None):
        return status
    if schema.type not in ("string", None):
        return None
    if flat in MESSAGES:
        return message
    if schema.enum:
        return schema.enum[0]
    return name if flat in PLACES else str(status)
