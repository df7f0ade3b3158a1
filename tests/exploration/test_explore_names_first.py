"""What the names of new things come to is found out for each kind before what POSTs that read and shared headers do."""

from __future__ import annotations

import json
import re
from itertools import count
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence
from docrev.records import Fact

KINDS = ("bins", "crates", "hooks", "pallets", "racks", "shelves", "tubs", "vans")
MOST = 200
RULE = "The name must only contain lowercase letters, numbers, and dashes."
CALLS = 700


class Depot:
    """Things of several kinds, each with a name that no other of its kind has, and a POST that lists them."""

    def __init__(self) -> None:
        self.things: dict[str, dict[str, Any]] = {
            kind: {f"{kind}-{number}": {"id": f"{kind}-{number}", "name": f"{kind}-no-{number}"} for number in range(4)}
            for kind in KINDS
        }
        self.numbers = count(100)

    def __call__(self, request: Received) -> Answer:
        kind, _, id = request.path.strip("/").partition("/")
        things = self.things[kind]
        if request.method == "POST":
            try:
                body = json.loads(request.body or "{}")
            except ValueError:
                return reply({"detail": "no JSON"}, 400)
            return self.listed(things, body) if id == "filter" else self.made(kind, things, body)
        if id not in things:
            return reply({"detail": "Not found."}, 404)
        return reply(things[id]) if request.method == "GET" else self.removed(things, id)

    @staticmethod
    def removed(things: dict[str, Any], id: str) -> Answer:
        del things[id]
        return Answer(204)

    @staticmethod
    def listed(things: dict[str, Any], body: dict[str, Any]) -> Answer:
        limit = body.get("limit", MOST)
        if not isinstance(limit, int):
            return reply({"detail": [{"loc": ["body", "limit"], "msg": "Input should be a valid integer"}]}, 422)
        if limit > MOST:
            return reply({"detail": f"Invalid limit: must be less than or equal to {MOST}."}, 422)
        names = body.get("names")
        found = [one for one in things.values() if names is None or one["name"] in names]
        return reply(found[: max(limit, 0)])

    def made(self, kind: str, things: dict[str, Any], body: dict[str, Any]) -> Answer:
        name = body.get("name")
        if not isinstance(name, str):
            return reply({"detail": [{"loc": ["body", "name"], "msg": "Field required"}]}, 422)
        if not re.fullmatch(r"[a-z0-9-]*", name):
            return reply({"detail": [{"loc": ["body", "name"], "msg": RULE}]}, 422)
        if any(one["name"] == name for one in things.values()):
            return reply({"detail": f"The name {name} already exists."}, 409)
        id = f"{kind}-{next(self.numbers)}"
        things[id] = {"id": id, "name": name}
        return reply(things[id], 201)


def document() -> dict[str, Any]:
    answers = {"200": {"description": ""}}
    trace = {"name": "x-api-version", "in": "header", "schema": {"type": "string"}}
    id = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}

    def body(**parts: Any) -> dict[str, Any]:
        return {"content": {"application/json": {"schema": {"type": "object", "properties": parts}}}}

    paths: dict[str, Any] = {}
    for kind in KINDS:
        item = {"parameters": [id, trace], "responses": answers}
        made = body(name={"type": "string"})
        listed = body(limit={"type": "integer"}, names={"type": "array", "items": {"type": "string"}})
        paths[f"/{kind}"] = {"post": {"summary": "Create", "requestBody": made, "responses": answers}}
        paths[f"/{kind}/filter"] = {
            "post": {"summary": f"List {kind}", "parameters": [trace], "requestBody": listed, "responses": answers}
        }
        paths[f"/{kind}/{{id}}"] = {"get": item, "delete": item}
    return {"openapi": "3.0.3", "info": {"title": "depot", "version": "1"}, "paths": paths}


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> list[Fact]:
    folder = tmp_path_factory.mktemp("depot")
    path = folder / "depot.json"
    path.write_text(json.dumps(document()))
    depot = Depot()
    with Server({f"{method} /*": depot for method in ("GET", "POST", "DELETE")}) as server:
        docrev.explore(path, base_urls=server.url, allow=("POST,DELETE",), out=str(folder / "out"), max_calls=CALLS)
    with Evidence.open(folder / "out", write=False) as evidence:
        return evidence.facts()


def test_of_each_kind_it_is_known_that_a_name_is_unique(facts: list[Fact]) -> None:
    unique = {fact.key.operation for fact in facts if fact.kind == "exists"}
    assert unique == {f"POST /{kind}" for kind in KINDS}


def test_the_size_of_a_page_is_known_of_a_post_that_lists(facts: list[Fact]) -> None:
    bounds = {fact.value.get("maximum") for fact in facts if fact.kind == "range" and fact.location == "body:/limit"}
    assert bounds == {MOST}


def test_which_characters_a_name_may_have_is_known_of_each_kind(facts: list[Fact]) -> None:
    found = {fact.key.operation: fact.value for fact in facts if fact.kind == "characters"}
    assert found == {f"POST /{kind}": {"allowed": "[a-z0-9-]"} for kind in KINDS}
