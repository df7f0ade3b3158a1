"""What a refusal calls what it did not find: `strategy type` for what is listed under `/strategies`."""

from __future__ import annotations

from pathlib import Path

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts

from docrev.conventions.error_absence import absent_thing

LINES = [
    *("GET /strategies", "GET /strategies/{name}", "GET /flags", "POST /flags", "GET /flags/{id}"),
    *("DELETE /flags/{id}", "GET /flags/{id}/rules", "POST /flags/{id}/rules"),
    *("GET /flags/{id}/rules/{number}", "DELETE /flags/{id}/rules/{number}"),
]
THEIRS = {f"/strategies/{name}": {"name": name} for name in ("gradual", "by-host")} | {"/flags/9": {"label": "theirs"}}


class Flags(Shop):
    """A flag is switched by one of the kinds of strategies that there are."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and request.path.endswith("/rules"):
            name = request.json.get("scheme") if request.body else None
            if f"/strategies/{name}" not in self.things:
                return reply({"message": f"Could not find strategy type with name {name}"}, 400)
        return super().__call__(request)


def test_a_member_is_sent_what_a_refusal_says_that_it_must_name(tmp_path: Path) -> None:
    flags = Flags(dict(THEIRS))
    bodies = {"POST /flags": texts("label"), "POST /flags/{id}/rules": texts("scheme")}
    reached, server = explored(tmp_path, flags, LINES, **bodies)
    assert "POST /flags/{id}/rules" in reached
    assert flags.things == THEIRS
    assert not any(got.method == "POST" and got.path.startswith("/flags/9/") for got in server.requests)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Could not find strategy type with name x1", ("strategy type", "x1")),
        ("No document type with id 5", ("document type", "5")),
        ("Strategy type not found", ("Strategy type", "")),
        ("Unknown stream type 'tape'", None),
        ("Content type not found", None),
        ("media type application/x not found", None),
        ("Could not find type 'foo'", None),
    ],
)
def test_a_kind_may_be_called_a_type(text: str, wanted: tuple[str, str] | None) -> None:
    assert absent_thing(text) == wanted
