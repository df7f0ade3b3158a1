"""How Atlas words what it refuses: 422 with a `detail` list, in the manner of FastAPI and pydantic."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from docrev.records import Json
from docrev.sandbox.web import InvalidRequest, NotFound, ParameterFault, answer, encode

NUMBERS = {"integer": ("int", "a valid integer"), "number": ("float", "a valid number")}


def invalid(request: Request, error: Exception) -> Response:
    """422 with one entry a fault."""
    assert isinstance(error, InvalidRequest)
    return answer(encode({"detail": [_entry(fault) for fault in error.faults]}), 422)


def not_found(request: Request, error: Exception) -> Response:
    """404 that names what was looked for."""
    assert isinstance(error, NotFound)
    return answer(encode({"detail": f"{error.noun} not found"}), 404)


def http(request: Request, error: Exception) -> Response:
    """What the framework refuses: no such path, no such method."""
    assert isinstance(error, HTTPException)
    return answer(encode({"detail": error.detail}), error.status_code)


def _entry(fault: ParameterFault) -> Json:
    kind, text = _words(fault)
    return {"loc": [part for part in (fault.where, fault.name) if part], "msg": text, "type": kind}


def _words(fault: ParameterFault) -> tuple[str, str]:
    param = fault.param
    if fault.kind == "type":
        return _type(fault)
    if fault.kind == "choice":
        *most, last = (f"'{choice}'" for choice in param.choices)
        return "literal_error", f"Input should be {', '.join(most)} or {last}"
    low, high = param.length
    return {
        "missing": ("missing", "Field required"),
        "minimum": ("greater_than_equal", f"Input should be greater than or equal to {param.minimum}"),
        "maximum": ("less_than_equal", f"Input should be less than or equal to {param.maximum}"),
        "short": ("string_too_short", f"String should have at least {low} characters"),
        "long": ("string_too_long", f"String should have at most {high} characters"),
        "unknown": ("value_error", f"Value error, no such {param.name}"),
    }[fault.kind]


def _type(fault: ParameterFault) -> tuple[str, str]:
    if fault.param.type == "date":
        return "date_from_datetime_parsing", "Input should be a valid date in the format YYYY-MM-DD"
    if fault.param.type in NUMBERS:
        short, long = NUMBERS[fault.param.type]
        return f"{short}_parsing", f"Input should be {long}, unable to parse string as a number"
    if not fault.name:
        return "json_invalid", "Input should be a valid JSON object"
    return "string_type", "Input should be a valid string"
