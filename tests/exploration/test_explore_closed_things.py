"""Things of the run's own that an action closes: it goes to spare ones, or what they refuse is asked of others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import texts

import docrev
from docrev.calls.closing_actions import closes
from docrev.spec import load

PARTS = ("notes", "files", "tags")
OPERATIONS = (
    *("GET /rooms", "POST /rooms", "GET /rooms/{room}", "DELETE /rooms/{room}"),
    *(line for part in PARTS for line in (f"GET /rooms/{{room}}/{part}", f"POST /rooms/{{room}}/{part}")),
    *(f"{method} /rooms/{{room}}/{part}/{{id}}" for part in PARTS for method in ("GET", "PUT", "PATCH", "DELETE")),
)
BODIES = {
    "POST /rooms": texts("name"),
    **{f"POST /rooms/{{room}}/{part}": texts("text") for part in PARTS},
    **{f"{method} /rooms/{{room}}/{part}/{{id}}": texts("text") for part in PARTS for method in ("PUT", "PATCH")},
}


class Rooms(Shop):
    """A room that was closed by `action` takes nothing more, but for being deleted."""

    def __init__(self, action: str) -> None:
        super().__init__({"/rooms/ours": {"name": "ours"}, "/rooms/ours/notes/ours": {"text": "ours"}})
        self.action = action
        self.closed: set[str] = set()

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        room = "/".join(path.split("/")[:3])
        if path == f"{room}/{self.action}" and room in self.things:
            self.closed.add(room)
            return reply({})
        if room in self.closed and path != room:
            return reply({"error": "you cannot do this here"}, 403)
        return super().__call__(request)


@pytest.mark.parametrize("action", ["archive", "change_readonly", "finish"])
def test_what_closes_a_thing_keeps_nothing_else_from_being_reached(tmp_path: Path, action: str) -> None:
    rooms = Rooms(action)
    lines = [*OPERATIONS, f"PUT /rooms/{{room}}/{action}"]
    file = tmp_path / "rooms.json"
    extras: dict[str, Any] = BODIES
    file.write_text(json.dumps(document(lines, **extras)))
    with Server(rooms.routes) as server:
        found = docrev.explore(
            file, base_urls=server.url, allow="POST,PUT,PATCH,DELETE", max_calls=250, out=tmp_path / "evidence"
        )
    assert [row for row in found.summary["missed"] if row["kind"] != "consent"] == []
    assert set(rooms.things) == {"/rooms/ours", "/rooms/ours/notes/ours"}
    changes = docrev.revise(file, evidence=tmp_path / "evidence").changes
    assert not [one for one in changes if "403 if" in str(one.after)]


@pytest.mark.parametrize(
    ("line", "is_closing"),
    [
        ("POST /rooms/{room}/archive", True),
        ("PUT /rooms/{room}/change_readonly", True),
        ("PUT /rooms/{room}/set-read-only", True),
        ("POST /rooms/{room}:disable", True),
        ("GET /rooms/{room}/archive", False),
        ("POST /rooms/{room}/enable", False),
        ("POST /rooms/archive", False),
        ("PATCH /rooms/{room}", False),
        ("POST /rooms/{room}/archives", False),
    ],
)
def test_an_action_is_known_by_its_name(tmp_path: Path, line: str, is_closing: bool) -> None:
    file = tmp_path / "rooms.json"
    file.write_text(json.dumps(document([line])))
    assert closes(load([file]).operations[0]) is is_closing
