"""How Airfield words what it refuses: 400 with a list of sentences a field, in the manner of Django REST framework."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from docrev.sandbox.web import InvalidRequest, ParameterFault, answer, encode


def invalid(request: Request, error: Exception) -> Response:
    """400 with the faults by field."""
    assert isinstance(error, InvalidRequest)
    if not error.faults[0].name:
        return answer(encode({"detail": "JSON parse error - expected an object"}), 400)
    return answer(encode({fault.name: [_sentence(fault)] for fault in error.faults}), 400)


def not_found(request: Request, error: Exception) -> Response:
    """404, which never says of what."""
    return answer(encode({"detail": "Not found."}), 404)


def http(request: Request, error: Exception) -> Response:
    """What the framework refuses: no such path, no such method."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return answer(encode({"detail": f'Method "{request.method}" not allowed.'}), 405)
    return answer(encode({"detail": "Not found."}), error.status_code)


def _sentence(fault: ParameterFault) -> str:
    param = fault.param
    low, high = param.length
    return {
        "missing": "This field is required.",
        "type": {
            "integer": "A valid integer is required.",
            "number": "A valid number is required.",
            "date": "Date has wrong format. Use one of these formats instead: YYYY-MM-DD.",
            "string": "Not a valid string.",
        }[param.type],
        "choice": "Not a valid choice.",
        "minimum": f"Ensure this value is greater than or equal to {param.minimum}.",
        "maximum": f"Ensure this value is less than or equal to {param.maximum}.",
        "short": f"Ensure this field has at least {low} characters.",
        "long": f"Ensure this field has no more than {high} characters.",
        "unknown": "Object does not exist.",
    }[fault.kind]
