"""What errors mean that are told under a status of success."""

from __future__ import annotations

import pytest

from docrev.conventions.disguised_errors import is_disguised, meant_status, says_why, shows_nothing
from docrev.records import Call, Json, OperationKey

ABSENT = {"success": False, "error": "Booking 7 not found"}
INVALID = {"ok": False, "message": "seats must be at least 1"}
UNKNOWN = {"ok": False}


def answered(body: Json, status: int = 200) -> Call:
    return Call(
        "c1", OperationKey("desk", "GET /bookings/{id}"), {}, "/", status, {}, body, "application/json", "survey"
    )


@pytest.mark.parametrize(
    ("body", "status", "clear"),
    [(ABSENT, 404, True), (INVALID, 400, True), (UNKNOWN, 400, False)],
)
def test_an_error_under_a_status_of_success_means_another_one(body: Json, status: int, clear: bool) -> None:
    call = answered(body)
    assert (is_disguised(call), meant_status(call), says_why(call)) == (True, status, clear)
    assert shows_nothing(call) == (status == 404)


@pytest.mark.parametrize(("body", "status"), [({"id": 7}, 200), (INVALID, 422), (ABSENT, 404)])
def test_any_other_answer_means_what_its_status_says(body: Json, status: int) -> None:
    call = answered(body, status)
    assert (is_disguised(call), meant_status(call)) == (False, status)
    assert shows_nothing(call) == (status == 404)
