"""Bodies that the description of an operation spells out in code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.exploration.bodies import body_variants
from docrev.exploration.described_bodies import described_bodies
from docrev.records import Json
from docrev.spec import Schema, load

MADE_UP = "docrev-00000000-1"
PROPERTIES: dict[str, Any] = {
    "paid": {"type": "boolean", "default": True},
    "forced": {"type": "boolean", "default": False},
    "amount": {"type": "number", "minimum": 0},
    "unit": {"type": "string", "default": "sat"},
    "memo": {"type": "string"},
    "receipt": {"type": "string"},
}
TEXT = (
    "Makes or settles a bill. To make one, send `paid: false`,\n  `amount`, `unit` and `memo`. To settle one, send "
    "`paid: true` and the `receipt`. Without `amount`, it fails. With `forced: true`, it takes another's place."
)


def document() -> dict[str, Json]:
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": PROPERTIES}}}}
    ok: dict[str, Json] = {"responses": {"200": {"description": "ok"}}}
    id: Json = {"in": "path", "name": "id", "required": True, "schema": {"type": "integer"}}
    paths: dict[str, Json] = {
        "/bills": {"get": ok, "post": {"description": TEXT, "requestBody": body, **ok}},
        "/bills/{id}": {"parameters": [id], "get": ok, "delete": ok},
    }
    return {"openapi": "3.0.3", "info": {"title": "bills", "version": "1"}, "paths": paths}


@pytest.fixture
def schema(tmp_path: Path) -> Schema:
    (tmp_path / "bills.json").write_text(json.dumps(document()))
    [post] = [operation for operation in load(tmp_path / "bills.json").operations if operation.method == "POST"]
    assert post.body_schema is not None
    return post.body_schema


FULL: dict[str, Json] = {"paid": True, "amount": 0, "unit": "sat", "memo": MADE_UP, "receipt": MADE_UP, "forced": False}


def test_what_a_sentence_gives_a_value_is_sent_with_what_it_names(schema: Schema) -> None:
    made = {"amount": 1, "unit": "sat", "memo": MADE_UP, "paid": False}
    assert list(described_bodies(TEXT, schema, {}, FULL)) == [made, {"receipt": MADE_UP, "paid": True}]


def test_nothing_that_may_be_somebodys_is_sent_for_what_a_sentence_names(schema: Schema) -> None:
    [body] = described_bodies(TEXT, schema, {}, {**FULL, "receipt": "R-17"})
    assert "receipt" not in body


def test_what_is_on_anyway_is_tried_switched_off(schema: Schema) -> None:
    singles = list(body_variants(schema, {}, FULL))
    assert {"paid": False} in singles
    assert {"paid": True} not in singles
    assert {"forced": False} in singles


class Bills:
    """Bills of which nobody says why they are refused: with an amount, and not paid."""

    def __init__(self) -> None:
        self.there: dict[int, Json] = {1: {"id": 1, "memo": "theirs"}}

    def answer(self, request: Received) -> Answer:
        id = int(request.path.rpartition("/")[2]) if request.path != "/bills" else 0
        if request.method == "POST":
            return self.made(request.json)
        if not id:
            return reply([*self.there.values()])
        if request.method == "DELETE":
            return reply({}, 200 if self.there.pop(id, None) else 404)
        return reply(self.there[id]) if id in self.there else reply({}, 404)

    def made(self, body: dict[str, Any]) -> Answer:
        if body.get("paid", True) or not body.get("amount") or "memo" not in body:
            return reply({"detail": "failed"}, 400)
        id = max(self.there) + 1
        self.there[id] = {"id": id, "memo": body["memo"]}
        return reply(self.there[id], 201)


def test_what_only_a_description_tells_is_reached(tmp_path: Path) -> None:
    file, bills = tmp_path / "bills.json", Bills()
    file.write_text(json.dumps(document()))
    with Server({f"{method} /*": bills.answer for method in ("GET", "POST", "DELETE")}) as server:
        explored = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=60, allow=["POST,DELETE"]
        )
    assert explored.summary["missed"] == []
    assert [*bills.there] == [1]
