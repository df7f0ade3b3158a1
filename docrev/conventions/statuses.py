"""What HTTP statuses mean, by RFC 9110 and by what APIs customarily do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docrev.records import Call

REJECTED_INPUT = frozenset({400, 406, 416, 422})
"""Refused for what was sent: not for who sent it, nor since nothing was found."""
INVALID = frozenset({400, 422})
"""The request is not valid."""
ON_ARGUMENTS = INVALID | {409}
"""The error is on what was sent: not valid, or in conflict with what there is."""
BODY_REFUSED = frozenset({400, 411, 415, 422})
"""The request's body is missing, or not of a kind that is taken."""
NOT_FOUND = frozenset({404, 410})
"""There is nothing at this address, or no more."""
NOT_THERE = NOT_FOUND | {403}
"""As `NOT_FOUND`, or hidden: with 403 some APIs do not say whether it ever existed."""
CREDENTIALS = frozenset({401, 403})
"""Refused for who sent it."""
BUSY = frozenset({429, 503})
"""Later, the same request may be answered: too many requests, or unavailable for now."""
CREATED = 201
RATE_LIMITED = 429
BAD_REQUEST = 400
UNAUTHENTICATED = 401
FORBIDDEN = 403
NOT_ALLOWED = 405
NOT_ACCEPTABLE = 406
FEATURE_MISSING = 501
PASSING = frozenset({304, 429})
"""What depends on headers or on how fast requests came, and says nothing about an operation."""
REFUSALS = frozenset({400, 401, 403, 404, 405, 409, 410, 412, 415, 422})
"""What an operation may answer by design when it does not do what it was asked for."""

MEANINGS = {
    200: "success",
    201: "created",
    202: "accepted",
    204: "success, without content",
    304: "not modified",
    401: "credentials missing or wrong",
    402: "payment required",
    403: "forbidden",
    405: "method not allowed",
    406: "representation not available",
    409: "conflict",
    410: "gone",
    412: "precondition failed",
    413: "request too large",
    415: "media type not supported",
    428: "precondition required",
    501: "not implemented",
    503: "unavailable",
}
"""What a status says on its own, in words; of 400, 404 and 422 only the response says more."""


def is_not_found(call: Call) -> bool:
    """Whether a response says that nothing is there: 404 or 410, also with a page where the documentation says JSON."""
    return call.error in (None, "not-json") and call.status in NOT_FOUND


def is_success(status: int | None) -> bool:
    """2xx."""
    return status is not None and 200 <= status < 300


def is_redirection(status: int | None) -> bool:
    """3xx."""
    return status is not None and 300 <= status < 400


def is_client_error(status: int | None) -> bool:
    """4xx: the request was refused."""
    return status is not None and 400 <= status < 500


def is_server_fault(status: int | None) -> bool:
    """5xx."""
    return status is not None and 500 <= status < 600
