"""A creation whose thing is there already, by its name: it gets the other values that are sent, or keeps its own."""

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


def body_of(*names: str) -> dict[str, Any]:
    schema = {"type": "object", "required": ["name"], "properties": dict.fromkeys(names, TEXT)}
    return {"content": {"application/json": {"schema": schema}}}


BODY, NAME = body_of("name", "note"), body_of("name")
OK = {"responses": {"200": {"description": "ok"}}}


class Register(Shop):
    """Has one box of each name; what is sent for one that is there changes it, or nothing."""

    def __init__(self, *, updates: bool) -> None:
        super().__init__({"/boxes/71": {"name": "first", "note": "old"}})
        self.updates = updates

    def __call__(self, request: Received) -> Answer:
        sent = request.json if request.method == "POST" else {}
        there = next((path for path, box in self.things.items() if sent and box["name"] == sent.get("name")), None)
        if there is None:
            return super().__call__(request)
        self.things[there] |= sent if self.updates else {}
        return reply(self.shown(there), 200)


@pytest.mark.parametrize(
    ("updates", "body", "text"),
    [
        (True, BODY, "If the `name` is in use, updates the existing box, with 200."),
        (False, BODY, "If the `name` is in use, returns the existing box unchanged, with 200."),
        # Nothing was sent that could change it.
        (True, NAME, "If the `name` is in use, returns the existing box, with 200."),
    ],
)
def test_what_a_creation_does_to_what_is_there_by_its_name(
    tmp_path: Path, updates: bool, body: dict[str, Any], text: str
) -> None:
    register, file, out = Register(updates=updates), tmp_path / "register.json", tmp_path / "evidence"
    one = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    listed: dict[str, Any] = {"get": OK, "post": {"requestBody": body, **OK}}
    paths = {"/boxes": listed, "/boxes/{id}": {"parameters": one, "get": OK, "delete": OK}}
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "r", "version": "1"}, "paths": paths}))
    with Server(register.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",), max_calls=300)
    with Evidence.open(out, write=False) as evidence:
        facts = [fact.value for fact in evidence.facts() if fact.kind == "exists"]
    written = " ".join(str(one.after) for one in docrev.revise(file, evidence=out).changes)
    told = {"unchanged": False} if body is NAME else {"updated" if updates else "unchanged": True}
    assert facts == [{"status": 200, "by": "/name", **told}]
    assert text in written
    assert register.things == {"/boxes/71": {"name": "first", "note": "old"}}
