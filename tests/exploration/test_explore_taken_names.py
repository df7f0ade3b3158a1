"""What each thing is known by: a change to what another one has is refused, and a creation says what none has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
ROOM = {"type": "object", "properties": {"id": {"type": "integer"}, "label": TEXT, "note": TEXT}}
JSON = {"application/json": {"schema": ROOM}}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
OK = {"description": "OK", "content": JSON}


class Rooms(Shop):
    """Rooms, no two of which may have the same label, if `unique`; notes may be alike."""

    unique = True

    def __call__(self, request: Received) -> Answer:
        label = request.json.get("label") if request.body and isinstance(request.json, dict) else None
        others = (thing for path, thing in self.things.items() if path != request.path)
        if self.unique and label is not None and any(thing.get("label") == label for thing in others):
            return reply({"error": "conflict"}, 409)
        return super().__call__(request)


@pytest.mark.parametrize(("method", "unique"), [("patch", True), ("put", True), ("patch", False)])
def test_a_change_to_a_name_that_is_taken_is_tried_and_what_it_returns_found(
    tmp_path: Path, method: str, unique: bool
) -> None:
    on_room: dict[str, Any] = {
        "get": {"parameters": [ID], "responses": {"200": OK}},
        method: {"parameters": [ID], "requestBody": {"content": JSON}, "responses": {"200": OK}},
        "delete": {"parameters": [ID], "responses": {"204": {"description": "Deleted"}}},
    }
    on_rooms = {
        "get": {"responses": {"200": {"description": "OK"}}},
        "post": {"requestBody": {"content": JSON}, "responses": {"201": OK}},
    }
    spec = {
        "openapi": "3.0.3",
        "info": {"title": "inn", "version": "1"},
        "paths": {"/rooms": on_rooms, "/rooms/{id}": on_room},
    }
    path = tmp_path / "inn.json"
    path.write_text(json.dumps(spec))
    service = Rooms()
    service.unique = unique
    with Server(service.routes) as server:
        allow = ["POST,PUT,PATCH,DELETE"]
        docrev.explore(path, base_urls=server.url, out=tmp_path / "evidence", max_calls=300, allow=allow)
    with Evidence.open(tmp_path / "evidence", write=False) as evidence:
        found = [fact.value for fact in evidence.facts() if fact.kind == "exists" and fact.key.method == method.upper()]
    assert found == ([{"status": 409, "by": "/label"}] if unique else [])


class Films(Shop):
    """Films, no two of which may have the same title of the same year, or of the same kind; of any if `by_title`."""

    by_title = False
    beside = "year"

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and isinstance(request.json, dict):
            names = ("title",) if self.by_title else ("title", self.beside)
            if any(all(one.get(name) == request.json.get(name) for name in names) for one in self.things.values()):
                return reply({"error": "a film with this title exists"}, 409)
        return super().__call__(request)


BESIDE: dict[str, Any] = {"year": {"type": "integer"}, "kind": {"type": "string", "enum": ["short", "long"]}}


@pytest.mark.parametrize("beside", list(BESIDE))
@pytest.mark.parametrize("by_title", [True, False])
def test_one_property_is_blamed_only_if_another_one_changes_nothing(
    tmp_path: Path, by_title: bool, beside: str
) -> None:
    required = ["title"] if beside == "year" else ["title", beside]
    film = {"type": "object", "required": required, "properties": {"title": TEXT, beside: BESIDE[beside]}}
    body = {"application/json": {"schema": film}}
    ok = {"description": "OK", "content": body}
    on_film = {
        "get": {"parameters": [ID], "responses": {"200": ok}},
        "delete": {"parameters": [ID], "responses": {"204": {"description": "Deleted"}}},
    }
    on_films = {
        "get": {"responses": {"200": {"description": "OK"}}},
        "post": {"requestBody": {"content": body}, "responses": {"201": ok}},
    }
    info = {"title": "films", "version": "1"}
    path = tmp_path / "films.json"
    path.write_text(
        json.dumps({"openapi": "3.0.3", "info": info, "paths": {"/films": on_films, "/films/{id}": on_film}})
    )
    service = Films()
    service.by_title, service.beside = by_title, beside
    with Server(service.routes) as server:
        allow = ["POST,PUT,PATCH,DELETE"]
        docrev.explore(path, base_urls=server.url, out=tmp_path / "evidence", max_calls=200, allow=allow)
    with Evidence.open(tmp_path / "evidence", write=False) as evidence:
        found = [fact.value for fact in evidence.facts() if fact.kind == "exists" and fact.key.method == "POST"]
    assert found == [{"status": 409, "by": "/title"} if by_title else {"status": 409}]


def test_what_each_thing_is_known_by_is_made_up_though_it_reads_like_a_reference(tmp_path: Path) -> None:
    member = {"type": "object", "properties": {"external_id": TEXT, "note": TEXT}, "required": ["external_id"]}
    body = {"requestBody": {"content": {"application/json": {"schema": member}}}, "responses": {"201": OK}}
    paths = {
        "/members": {"get": {"responses": {"200": {"description": "OK"}}}, "post": body},
        "/members/{id}": {"get": {"parameters": [ID], "responses": {"200": OK}}, "delete": {"parameters": [ID]}},
    }
    spec = tmp_path / "club.json"
    spec.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "club", "version": "1"}, "paths": paths}))
    club = Shop({"/members/1": {"external_id": "crm-81"}, "/members/2": {"external_id": "crm-95"}})
    with Server(club.routes) as server:
        docrev.explore(spec, base_urls=server.url, out=tmp_path / "evidence", max_calls=100, allow=["POST,DELETE"])
    with Evidence.open(tmp_path / "evidence", write=False) as evidence:
        made = [call.body.get("external_id") for call in evidence.calls.select() if call.status == 201]
    assert made
    assert not {"crm-81", "crm-95"}.intersection(made)
    assert len(club.things) == 2
