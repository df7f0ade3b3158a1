"""What the members around the data of a response say of it."""

from __future__ import annotations

import pytest

from docrev.conventions.envelopes import says_error
from docrev.records import Json

FAILED: tuple[Json, ...] = (
    {"error": "boom"},
    {"errors": [{"message": "no"}], "data": None},
    {"success": False, "message": "Invalid key"},
    {"ok": False, "error": "not_authed"},
    {"code": 500, "message": "Internal error", "data": []},
    {"status": "fail", "data": {}},
    {"status": "error", "message": "unknown"},
    {"code": 1, "message": "padID does not exist", "data": None},
)
FINE: tuple[Json, ...] = (
    None,
    [],
    {},
    "error",
    {"error": None, "data": [1]},
    {"errors": [], "result": {"id": 1}},
    {"errors": [{"message": "one part failed"}], "data": {"user": {"id": 1}}},
    {"success": True, "message": "Saved"},
    {"id": 7, "error": "disk full"},
    {"status": "failed", "id": "job-1", "name": "import"},
    {"code": "BE", "name": "Belgium"},
    {"status": "ok"},
    {"code": 1, "message": "Deleted", "data": None},
    {"code": 0, "message": "padID does not exist", "data": None},
    {"code": 1, "message": "No name is set", "data": {"id": 7}},
    {"items": [{"error": "x"}]},
)


@pytest.mark.parametrize("body", FAILED)
def test_a_body_without_data_that_says_that_the_call_failed(body: Json) -> None:
    assert says_error(body)


@pytest.mark.parametrize("body", FINE)
def test_what_has_data_or_does_not_say_so_is_no_error(body: Json) -> None:
    assert not says_error(body)
