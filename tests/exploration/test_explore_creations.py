"""What creations and replacements on a whole service come to: IDs in bodies, unknown choices, what is filled in."""

from __future__ import annotations

import json
from itertools import count
from typing import Any
from urllib.parse import unquote

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence
from docrev.records import Fact, Json

THEIRS = {"id": "old", "title": "theirs", "kind": "wood", "mode": "LOOSE"}
KINDS = ("wood", "steel", "glass")


class Shelves:
    """Shelves whose ID the caller may choose: sent again, they are returned as they are. PUT forgets what it lacks."""

    def __init__(self) -> None:
        self.items: dict[str, dict[str, Any]] = {
            "old": {"id": "old", "title": "theirs", "kind": "wood", "mode": "LOOSE"}
        }
        self.numbers = count(1)

    def __call__(self, request: Received) -> Answer:
        id = unquote(request.path).removeprefix("/shelves").strip("/")
        if id and id not in self.items:
            return reply({"error": "no such shelf"}, 404)
        if request.method == "DELETE":
            del self.items[id]
            return Answer(204)
        if request.method == "GET":
            return reply(self.items[id] if id else list(self.items.values()))
        body = json.loads(request.body or b"{}")
        if "title" not in body or not all(isinstance(value, str) for value in body.values()):
            return reply({"error": "title is required, all are texts"}, 400)
        return self.write(body, id)

    def write(self, body: dict[str, Any], id: str) -> Answer:
        if not id and body.get("id") in self.items:
            return reply(self.items[body["id"]])
        fresh = id or body.get("id") or f"s{next(self.numbers)}"
        kind = body["kind"] if body.get("kind") in KINDS else "wood"
        kept = {name: body[name] for name in ("title", "note") if name in body}
        self.items[fresh] = {**kept, "id": fresh, "kind": kind, "mode": body.get("mode", "LOOSE")}
        return reply(self.items[fresh], 200 if id else 201)


def document() -> dict[str, Any]:
    properties: dict[str, Any] = {name: {"type": "string"} for name in ("id", "title", "note", "mode")}
    schema = {"type": "object", "properties": {**properties, "kind": {"type": "string", "enum": list(KINDS)}}}
    body = {"content": {"application/json": {"schema": schema}}}
    answers = {"default": {"description": ""}}
    paths: dict[str, Any] = {
        "/shelves": {"get": {"responses": answers}, "post": {"requestBody": body, "responses": answers}},
        "/shelves/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "put": {"requestBody": body, "responses": answers},
            **{method: {"responses": answers} for method in ("get", "delete")},
        },
    }
    return {"openapi": "3.0.3", "info": {"title": "shelves", "version": "1"}, "paths": paths}


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Fact], Shelves]:
    folder, shelves = tmp_path_factory.mktemp("shelves"), Shelves()
    (folder / "shelves.json").write_text(json.dumps(document()))
    with Server({f"{method} /*": shelves for method in ("GET", "POST", "PUT", "DELETE")}) as server:
        docrev.explore(
            folder / "shelves.json",
            base_urls=(server.url,),
            allow=("POST,PUT,DELETE",),
            out=str(folder / "out"),
            max_calls=400,
        )
    with Evidence.open(folder / "out", write=False) as evidence:
        return evidence.facts(), shelves


def values(explored: tuple[list[Fact], Shelves], kind: str) -> dict[tuple[str, str], Json]:
    return {(fact.key.operation, fact.location): fact.value for fact in explored[0] if fact.kind == kind}


def test_what_a_second_creation_under_one_id_returns_is_found(explored: tuple[list[Fact], Shelves]) -> None:
    assert values(explored, "exists") == {("POST /shelves", ""): {"status": 200, "by": "/id", "unchanged": True}}


def test_what_becomes_of_an_unknown_choice_is_found(explored: tuple[list[Fact], Shelves]) -> None:
    assert values(explored, "substitutes")["POST /shelves", "body:/kind"] == "wood"


def test_what_is_filled_in_is_the_default_if_another_value_is_kept(explored: tuple[list[Fact], Shelves]) -> None:
    assert values(explored, "default")["POST /shelves", "body:/mode"] == "LOOSE"


def test_what_a_put_forgets_is_found(explored: tuple[list[Fact], Shelves]) -> None:
    assert values(explored, "left-out") == {("PUT /shelves/{id}", "body:"): "removed"}


def test_an_id_in_the_body_of_a_put_has_no_effect(explored: tuple[list[Fact], Shelves]) -> None:
    found = values(explored, "no-effect")
    assert set(found) <= {("PUT /shelves/{id}", "body:/id")}


def test_what_was_there_is_there_and_nothing_else(explored: tuple[list[Fact], Shelves]) -> None:
    assert explored[1].items == {"old": THEIRS}
