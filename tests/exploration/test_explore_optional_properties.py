"""What a creation may be sent besides what it needs: what is checked, must be a thing's own, or refers to nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence
from docrev.records import Fact, Json

TEXT = {"type": "string"}
FILM: dict[str, Any] = {
    "type": "object",
    "required": ["title"],
    "properties": {
        "id": {"type": "integer", "readOnly": True},
        "title": TEXT,
        "alias": TEXT,
        "tint": TEXT,
        "studio_id": {"type": "integer"},
        "callback_url": TEXT,
    },
}
JSON = {"application/json": {"schema": FILM}}
OK = {"description": "OK", "content": JSON}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
OF_FILMS: dict[str, Any] = {
    "get": {"responses": {"200": {"description": "OK"}}},
    "post": {"requestBody": {"content": JSON}, "responses": {"201": OK}},
}
OF_FILM: dict[str, Any] = {
    "get": {"parameters": [ID], "responses": {"200": OK}},
    "delete": {"parameters": [ID], "responses": {"204": {"description": "Deleted"}}},
}
PUT: dict[str, Any] = {"parameters": [ID], "requestBody": {"content": JSON}, "responses": {"200": OK, "201": OK}}


class Films(Shop):
    """Films of studio 1: `unknown` says what becomes of another studio. Aliases are their own, tints are checked, and
    a PUT refuses the title of another film."""

    unknown: Json = "kept"

    def __call__(self, request: Received) -> Answer:
        body = request.json if request.body and isinstance(request.json, dict) else {}
        if request.method == "POST":
            return self._create(request, body)
        if request.method == "PUT":
            others = (thing for path, thing in self.things.items() if path != request.path)
            if any(body.get("title") == one.get("title") for one in others):
                return reply({"error": "a film with this title exists"}, 409)
            status = 200 if request.path in self.things else 201
            self.things[request.path] = {**self.things.get(request.path, {}), **body}
            return reply(self.shown(request.path), status)
        return super().__call__(request)

    def _create(self, request: Received, body: dict[str, Json]) -> Answer:
        if not isinstance(body.get("title"), str):
            return reply({"detail": "title is required"}, 422)
        if "tint" in body and not str(body["tint"]).startswith("#"):
            return reply({"detail": [{"loc": ["body", "tint"], "msg": "must start with #"}]}, 422)
        if body.get("studio_id") not in (None, 1) and isinstance(self.unknown, int):
            return reply({"error": "nothing is there"}, self.unknown)
        answer = super().__call__(request)
        film = [*self.things.values()][-1]
        if "studio_id" in film and self.unknown == "replaced":
            film["studio_id"] = 1
        aliases = [one.get("alias") for one in self.things.values() if one is not film]
        if film.get("alias") in aliases:
            film["alias"] = f"{film['alias']}-1"
        return reply(self.shown([*self.things][-1]), 201) if answer.status == 201 else answer


def explored(folder: Path, service: Films, of_film: dict[str, Any]) -> list[Fact]:
    paths = {"/films": OF_FILMS, "/films/{id}": of_film}
    spec = folder / "films.json"
    spec.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "films", "version": "1"}, "paths": paths}))
    with Server(service.routes) as server:
        allow = ["POST,PUT,PATCH,DELETE"]
        docrev.explore(spec, base_urls=server.url, out=folder / "evidence", max_calls=300, allow=allow)
    with Evidence.open(folder / "evidence", write=False) as evidence:
        return evidence.facts()


def values(facts: list[Fact], kind: str, operation: str) -> list[Json]:
    return [fact.value for fact in facts if fact.kind == kind and fact.key.operation == operation]


def test_what_is_checked_in_what_nobody_must_send_is_tried(tmp_path: Path) -> None:
    facts = explored(tmp_path, Films(), OF_FILM)
    causes = [(value["cause"], value.get("message")) for value in values(facts, "status", "POST /films")]
    assert ("tint not valid", "tint: must start with #") in causes
    # Beside what is refused for it, what else is taken is seen to be a thing's own.
    renamed = {"status": 201, "by": "/alias", "second": True, "renamed": True}
    assert renamed in values(facts, "exists", "POST /films")


@pytest.mark.parametrize(
    ("unknown", "told"),
    [
        ("kept", [{"status": 201, "becomes": "kept"}]),
        ("replaced", [{"status": 201, "becomes": "replaced"}]),
        (404, [{"status": 404, "becomes": "refused"}]),
        (422, []),
    ],
)
def test_the_id_of_what_nothing_has_is_sent_and_told_unless_it_is_refused_as_invalid(
    tmp_path: Path, unknown: Json, told: list[Json]
) -> None:
    service = Films()
    service.unknown = unknown
    facts = explored(tmp_path, service, OF_FILM)
    assert values(facts, "unknown-references", "POST /films") == told


def test_a_put_where_nothing_is_has_a_name_of_its_own(tmp_path: Path) -> None:
    """Else the name of the film that the first PUT was on would be in use, and nothing of the rest would be seen."""
    facts = explored(tmp_path, Films(), {**OF_FILM, "put": PUT})
    assert values(facts, "left-out", "PUT /films/{id}") == ["kept"]
    assert any(value["status"] == 201 for value in values(facts, "status", "PUT /films/{id}"))
