"""A creation that returns what is there already, and shows nothing but its ID: do other values change it?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
BODY = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": TEXT, "note": TEXT, "muted": {"type": "boolean"}, "size": {"type": "integer"}},
}
SENT = {"requestBody": {"content": {"application/json": {"schema": BODY}}}}
OK = {"responses": {"200": {"description": "ok"}}}
PATHS = {
    "/tags": {"get": OK, "post": {**SENT, **OK}},
    "/tags/{id}": {
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": TEXT}],
        "get": OK,
        "delete": OK,
    },
}


class Tags:
    """Has one tag of each name; `updates` says whether what is there gets what is sent."""

    def __init__(self, *, updates: bool) -> None:
        self.updates, self.tags, self.made = updates, dict[str, dict[str, object]](), 0

    def __call__(self, request: Received) -> Answer:
        id = request.path.rpartition("/")[2]
        if request.method == "POST":
            return self._post(request.json)
        if request.path == "/tags":
            return reply([*self.tags.values()])
        if id not in self.tags:
            return reply({"message": "no such tag"}, 404)
        return reply(self.tags[id]) if request.method == "GET" else reply(self.tags.pop(id))

    def _post(self, sent: object) -> Answer:
        if not isinstance(sent, dict) or not isinstance(sent.get("name"), str) or not sent["name"]:
            return reply({"message": "name is required"}, 400)
        there = next((tag for tag in self.tags.values() if tag["name"] == sent["name"]), None)
        if there is None:
            self.made += 1
            there = {"id": f"k{self.made}x", "name": sent["name"], "note": "", "muted": False, "size": 1}
            self.tags[f"k{self.made}x"] = there
            there |= {name: value for name, value in sent.items() if name in there}
        elif self.updates:
            there |= {name: value for name, value in sent.items() if name in there}
        return reply({"id": there["id"]}, 201)


@pytest.mark.parametrize("updates", [True, False])
def test_what_becomes_of_what_is_returned_is_seen_by_a_look(tmp_path: Path, updates: bool) -> None:
    file = tmp_path / "desk.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "desk", "version": "1"}, "paths": PATHS}))
    tags = Tags(updates=updates)
    with Server({f"{method} *": tags for method in ("GET", "POST", "DELETE")}) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", allow=("POST,DELETE",), max_calls=400)
    with Evidence.open(tmp_path / "evidence", write=False) as evidence:
        [value] = [fact.value for fact in evidence.facts() if fact.kind == "exists"]
    assert value.get("updated") is (True if updates else None)
    assert value.get("unchanged") is (None if updates else True)
