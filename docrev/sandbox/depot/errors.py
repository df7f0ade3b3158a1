"""How Depot words what it refuses: 400 as `application/problem+json` (RFC 9457), one entry a fault."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from docrev.sandbox.web import InvalidRequest, NotFound, ParameterFault, encode


def invalid(request: Request, error: Exception) -> Response:
    """400 with the faults."""
    assert isinstance(error, InvalidRequest)
    return _problem(400, "Invalid request", errors=[_entry(fault) for fault in error.faults])


def not_found(request: Request, error: Exception) -> Response:
    """404 that names what was looked for."""
    assert isinstance(error, NotFound)
    return _problem(404, f"No such {error.noun}")


def http(request: Request, error: Exception) -> Response:
    """What the framework refuses, and what the state of a record forbids."""
    assert isinstance(error, HTTPException)
    return _problem(error.status_code, error.detail)


def _problem(status: int, title: str, **more: object) -> Response:
    return Response(encode({"title": title, "status": status, **more}), status, media_type="application/problem+json")


def _entry(fault: ParameterFault) -> dict[str, str]:
    low, high = fault.param.length
    reasons = {
        "missing": "is required",
        "type": f"must be of type {fault.param.type}",
        "choice": f"must be one of {', '.join(fault.param.choices)}",
        "minimum": f"must be {fault.param.minimum:g} or greater" if fault.param.minimum is not None else "",
        "maximum": f"must be {fault.param.maximum:g} or less" if fault.param.maximum is not None else "",
        "short": f"must have at least {low} characters",
        "long": f"must have at most {high} characters",
        "unknown": "does not exist",
    }
    return {"in": fault.where, "name": fault.name, "reason": reasons[fault.kind]}
