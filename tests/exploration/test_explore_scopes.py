"""Things that are found by whose they are: `user_id`, which a creation may leave out and requests to them need."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.calls.routes import Routes
from docrev.conventions.ids import names_owner
from docrev.spec import load

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
OK = {"responses": {"200": {"description": "ok", "content": {"application/json": {}}}}}


def document(owner: str = "user_id", made_with: str = "user_id") -> dict[str, Any]:
    """Sessions, whose requests need an `owner` in the query; a creation may send it as `made_with`."""
    query = {"name": owner, "in": "query", "required": True, "schema": TEXT}
    id = {"name": "session_id", "in": "path", "required": True, "schema": NUMBER}
    body = {"type": "object", "properties": {"name": TEXT, made_with: TEXT}}
    sent = {"requestBody": {"content": {"application/json": {"schema": body}}}}
    return {
        "openapi": "3.0.3",
        "info": {"title": "desk", "version": "1"},
        "paths": {
            "/sessions": {"get": {"parameters": [query], **OK}, "post": {**sent, **OK}},
            "/sessions/{session_id}": {
                "parameters": [id, query],
                "get": OK,
                "put": {**sent, **OK},
                "delete": OK,
            },
        },
    }


class Desk:
    """Sessions of several users, one of them somebody's: a request shows, changes and removes its own user's alone."""

    def __init__(self) -> None:
        self.sessions: dict[int, dict[str, Any]] = {1: {"id": 1, "name": "theirs", "user_id": "ruth"}}
        self.next = 2

    def answer(self, request: Received) -> Answer:
        tail = request.path.removeprefix("/sessions").strip("/")
        if request.method == "POST":
            made = {"id": self.next, "user_id": None, "name": None, **request.json, "more": "x"}
            self.sessions[self.next] = {**made, "id": self.next}
            self.next += 1
            return reply(self.sessions[self.next - 1])
        if "user_id" not in request.query:
            return reply({"detail": [{"loc": ["query", "user_id"], "msg": "Field required", "type": "missing"}]}, 422)
        [user] = request.query["user_id"]
        if not tail:
            return reply([one for one in self.sessions.values() if one["user_id"] == user])
        found = self.sessions.get(int(tail)) if tail.isdecimal() else None
        if found is None or found["user_id"] != user:
            return reply({"detail": "Session not found"}, 404)
        if request.method == "DELETE":
            del self.sessions[found["id"]]
        elif request.method == "PUT":
            found.update({"user_id": None, "name": None, **request.json, "id": found["id"]})
        return reply(found)


def explored(desk: Desk, folder: Path, max_calls: int = 300) -> docrev.Exploration:
    file = folder / "desk.json"
    file.write_text(json.dumps(document()))
    with Server({f"{method} /*": desk.answer for method in ("GET", "POST", "PUT", "DELETE")}) as server:
        return docrev.explore(
            file, base_urls=server.url, out=folder / "evidence", max_calls=max_calls, allow=["POST,PUT,DELETE"]
        )


def test_a_thing_is_made_and_looked_for_under_the_owner_that_it_is_found_by(tmp_path: Path) -> None:
    """Without it, nobody would find, or remove, what was made."""
    desk = Desk()
    summary = explored(desk, tmp_path).summary
    assert summary["missed"] == []
    assert desk.sessions == {1: {"id": 1, "name": "theirs", "user_id": "ruth"}}, "all of its own is gone"
    assert summary["left"] == []
    assert summary["created"] > 1


def test_a_later_clean_up_finds_it_too(tmp_path: Path) -> None:
    desk = Desk()
    summary = explored(desk, tmp_path, max_calls=12).summary
    left = [one for one in desk.sessions.values() if one["user_id"] != "ruth"]
    assert len(left) == len(summary["left"])


@pytest.mark.parametrize(
    ("owner", "made_with", "expected"),
    [
        ("user_id", "user_id", ["user_id"]),
        ("owner", "owner", ["owner"]),
        # What a thing is called itself is another for each, and so is what its body does not have.
        ("session_id", "session_id", []),
        ("name", "name", []),
        ("key", "key", []),
        ("user_id", "userName", []),
    ],
)
def test_which_members_say_whose_a_thing_is(tmp_path: Path, owner: str, made_with: str, expected: list[str]) -> None:
    file = tmp_path / "desk.json"
    file.write_text(json.dumps(document(owner, made_with)))
    routes = Routes(load([file]).operations)
    [creation] = [op for op in routes.operations if op.method == "POST"]
    assert routes.scoping(creation) == expected


def test_names_of_owners() -> None:
    names = ["user_id", "projectId", "owner", "tenant", "id", "name", "limit", "date", "key"]
    assert [name for name in names if names_owner(name)] == ["user_id", "projectId", "owner", "tenant"]


def rooms() -> dict[str, Any]:
    """Projects and views of them; what lists views needs the project, in whose views none is documented as required."""
    query = {"name": "project", "in": "query", "required": True, "schema": NUMBER}
    id = {"name": "id", "in": "path", "required": True, "schema": NUMBER}
    project, view = ({"type": "object", "properties": part} for part in ({"title": TEXT}, {"project": NUMBER}))
    sent, viewed = (
        {"requestBody": {"content": {"application/json": {"schema": schema}}}} for schema in (project, view)
    )
    return {
        "openapi": "3.0.3",
        "info": {"title": "rooms", "version": "1"},
        "paths": {
            "/projects": {"get": OK, "post": {**sent, **OK}},
            "/projects/{id}": {"parameters": [id], "get": OK, "delete": OK},
            "/views": {"get": {"parameters": [query], **OK}, "post": {**viewed, **OK}},
            "/views/{id}": {"parameters": [id], "get": OK, "delete": OK},
        },
    }


class Rooms:
    """Projects, one of them somebody's, which has a view; a view is of a project that is there."""

    def __init__(self) -> None:
        self.things: dict[str, dict[int, dict[str, Any]]] = {
            "projects": {1: {"id": 1, "title": "theirs"}},
            "views": {1: {"id": 1, "project": 1}},
        }
        self.next = 7

    def answer(self, request: Received) -> Answer:
        kind, _, id = request.path.strip("/").partition("/")
        there = self.things[kind]
        if request.method == "POST":
            if kind == "views" and request.json.get("project") not in self.things["projects"]:
                return reply({"project": ["This field is required."]}, 400)
            self.next += 1
            there[self.next] = {**request.json, "id": self.next}
            return reply(there[self.next], 201)
        if not id:
            projects = [int(value) for value in request.query.get("project", [])]
            return reply([one for one in there.values() if kind == "projects" or one["project"] in projects])
        found = there.get(int(id)) if id.isdecimal() else None
        if found is None:
            return reply({"detail": "Not found."}, 404)
        if request.method == "DELETE":
            del there[int(id)]
        return reply(found)


def test_what_the_api_makes_itself_is_not_made_up_as_an_owner(tmp_path: Path) -> None:
    """A view is made in a project of the run, and not in one that is not there."""
    file, rooms_there = tmp_path / "rooms.json", Rooms()
    file.write_text(json.dumps(rooms()))
    with Server({f"{method} /*": rooms_there.answer for method in ("GET", "POST", "DELETE")}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=300, allow=["POST,DELETE"]
        ).summary
    assert summary["missed"] == []
    assert rooms_there.things == {
        "projects": {1: {"id": 1, "title": "theirs"}},
        "views": {1: {"id": 1, "project": 1}},
    }
