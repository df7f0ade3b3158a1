"""Lists that are objects with the IDs as keys, on an API that returns an empty object for what is not there."""

from __future__ import annotations

import json
from pathlib import Path
from uuid import UUID

from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
MARK = {"type": "object", "required": ["kind"], "properties": {"kind": TEXT, "name": TEXT, "note": TEXT}}
BODY = {"content": {"application/json": {"schema": MARK}}, "required": True}
OK = {"responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}}}
THEIRS = {"kind": "buoy", "name": "Reef", "note": "lit", "depth": 4, "colour": "red", "chart": "C7", "radar": True}


class Marks:
    """Things by ID: some have names of charts, those that are made get UUIDs; no object contains its ID."""

    def __init__(self) -> None:
        self.things: dict[str, object] = {"FI_191_reef": THEIRS, "FI_192_bank": {**THEIRS, "name": "Bank"}}
        self.made = 0

    def __call__(self, request: Received) -> Answer:
        id = request.path.removeprefix("/marks").strip("/")
        if request.method == "GET":
            return reply(self.things.get(id, {}) if id else self.things)
        if request.method == "DELETE":
            return reply({"state": "DONE"}) if self.things.pop(id, None) else reply({"message": "Not found"}, 404)
        body = request.json
        if not isinstance(body, dict) or "kind" not in body:
            return reply({"message": "kind is required"}, 400)
        if not id:
            self.made += 1
            id = str(UUID(int=self.made, version=4))
        self.things[id] = body
        return reply({"state": "DONE", "id": id})


def test_what_is_listed_by_id_is_made_and_removed_and_a_put_makes_what_is_not_there(tmp_path: Path) -> None:
    parameters = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    paths = {
        "/marks": {"get": OK, "post": {"requestBody": BODY, **OK}},
        "/marks/{id}": {"parameters": parameters, "get": OK, "put": {"requestBody": BODY, **OK}, "delete": OK},
    }
    file, out = tmp_path / "chart.json", tmp_path / "evidence"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "chart", "version": "1"}, "paths": paths}))
    marks = Marks()
    theirs = dict(marks.things)
    with Server({f"{method} *": marks for method in ("GET", "POST", "PUT", "DELETE")}) as server:
        explored = docrev.explore(file, base_urls=server.url, out=out, allow=("POST,PUT,DELETE",))
    with Evidence.open(out, write=False) as evidence:
        facts = {(fact.key.operation, fact.kind) for fact in evidence.facts()}
    texts = " ".join(str(one.after) for one in docrev.revise(file, evidence=out).changes)
    assert marks.things == theirs
    assert explored.summary["left"] == []
    assert ("PUT /marks/{id}", "creates") in facts
    assert "If the mark does not exist, creates it." in texts
    assert "can still be read" not in texts
