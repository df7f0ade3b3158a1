"""Errors under a status that says otherwise: `{"success": false}` with 200, "No such user" with 403."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docrev.conventions.envelopes import says_error
from docrev.conventions.error_claims import ON_CALLS
from docrev.conventions.error_hints import hints_of, read_hints
from docrev.conventions.error_states import is_unrouted
from docrev.conventions.statuses import BAD_REQUEST, FORBIDDEN, NOT_FOUND, is_not_found

if TYPE_CHECKING:
    from docrev.records import Call


def is_disguised(call: Call) -> bool:
    """Whether a call was answered 2xx with a body that says that it failed."""
    return call.read(_says_error)


def meant_status(call: Call) -> int | None:
    """The status of a call, or that which others give for a disguised error: 404 or 400; for a 403 that says that
    something does not exist, and nothing of credentials, it is 404."""
    if not is_disguised(call):
        return min(NOT_FOUND) if call.status == FORBIDDEN and _says_absence(call) else call.status
    return min(NOT_FOUND) if "not-found" in call.read(_kinds) else BAD_REQUEST


def says_why(call: Call) -> bool:
    """Whether a disguised error says that what was sent is wrong, or names what is not there: others may mean anything,
    or nothing but the call as a whole."""
    return bool(call.read(_kinds) - ON_CALLS)


def shows_nothing(call: Call) -> bool:
    """Whether a response says that nothing is there: by its status, or in a body with the status of success.

    That no route leads there says nothing of the thing.
    """
    not_found = is_not_found(call) or (is_disguised(call) and meant_status(call) in NOT_FOUND)
    return not_found and not call.read(_is_unrouted)


def _says_error(call: Call) -> bool:
    return call.ok and says_error(call.body)


def _says_absence(call: Call) -> bool:
    kinds = {hint.kind for hint in hints_of(call)}
    return "not-found" in kinds and "credentials" not in kinds


def _is_unrouted(call: Call) -> bool:
    return any(is_unrouted(hint.text) for hint in hints_of(call) if hint.kind == "unsupported")


def _kinds(call: Call) -> frozenset[str]:
    """The kinds of what an error hints at."""
    return frozenset(hint.kind for hint in read_hints(BAD_REQUEST, {}, call.body))
