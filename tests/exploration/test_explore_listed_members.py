"""Lists in a body whose items are what another operation lists."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from servers import Answer, Received, Server, reply

import docrev
from docrev.records import Json

TEXT = {"type": "string"}
BODY = {
    "type": "object",
    "required": ["name", "permissions"],
    "properties": {"name": TEXT, "permissions": {"type": "array", "items": TEXT}},
}
THEIRS = {1: {"id": 1, "name": "theirs"}}


class Roles:
    """Roles that have permissions, of which nothing but the list of all tells; `shown` is that list."""

    def __init__(self, path: str, shown: Json) -> None:
        self.path, self.shown, self.next = path, shown, 2
        self.there = {id: dict(role) for id, role in THEIRS.items()}

    def answer(self, request: Received) -> Answer:
        if request.path == self.path:
            return reply(self.shown)
        id = request.path.removeprefix("/roles").strip("/")
        if request.method == "POST":
            return self.made(request.json)
        if not id:
            return reply([*self.there.values()])
        if not id.isdecimal() or int(id) not in self.there:
            return reply({"message": "not found"}, 404)
        if request.method == "DELETE":
            del self.there[int(id)]
            return Answer(204)
        return reply(self.there[int(id)])

    def made(self, body: dict[str, Any]) -> Answer:
        wanted = body.get("permissions")
        if not isinstance(wanted, list) or not wanted or not {*wanted} <= {"read:all", "write:all"}:
            return reply({"message": "bad request"}, 400)
        self.there[self.next] = {"id": self.next, "name": body["name"]}
        self.next += 1
        return reply(self.there[self.next - 1], 201)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/permissions/available", ["read:all", "write:all"]),
        ("/permissions", {"data": [{"id": "read:all", "label": "Read everything"}]}),
        ("/available-permissions", {"result": [{"id": 7, "key": "read:all", "label": "Read everything"}]}),
    ],
)
def test_a_list_takes_what_is_listed_under_its_name(tmp_path: Path, path: str, shown: Json) -> None:
    file, roles = tmp_path / "roles.json", Roles(path, shown)
    lines = [f"GET {path}", "GET /roles", "POST /roles", "GET /roles/{id}", "DELETE /roles/{id}"]
    body = {"requestBody": {"content": {"application/json": {"schema": BODY}}}}
    file.write_text(json.dumps(document(lines, **{"POST /roles": body})))
    with Server({f"{method} /*": roles.answer for method in ("GET", "POST", "DELETE")}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=40, allow=["POST,DELETE"]
        ).summary
    assert summary["missed"] == []
    assert roles.there == THEIRS
