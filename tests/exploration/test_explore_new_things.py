"""The state that new things are in, and whether the name of a deleted one may be used again."""

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
TICKET = {"type": "object", "required": ["name"], "properties": {"name": TEXT, "note": TEXT}}
MADE = {"type": "object", "properties": {"id": {"type": "integer"}, "name": TEXT, "status": TEXT, "state": TEXT}}
RESPONSES = {"201": {"description": "made", "content": {"application/json": {"schema": MADE}}}}
BODY = {"content": {"application/json": {"schema": TICKET}}}
OK: dict[str, Any] = {"responses": {"200": {"description": "ok"}}}


class Tickets(Shop):
    """Tickets of which no two may have the same name; of those that were deleted neither, unless they are `forgotten`.
    A new one has a status, and beside it says how the request went."""

    def __init__(self, *, forgotten: bool) -> None:
        super().__init__({"/tickets/71": {"name": "first", "status": "open"}})
        self.names, self.forgotten = {"first"}, forgotten

    def __call__(self, request: Received) -> Answer:
        if request.method == "DELETE" and self.forgotten:
            self.names.discard(self.things.get(request.path, {}).get("name", ""))
        if request.method != "POST":
            return super().__call__(request)
        if not isinstance(request.json.get("name"), str):
            return reply({"error": "name is required"}, 400)
        if request.json["name"] in self.names:
            return reply({"error": "the name is already in use"}, 409)
        self.names.add(request.json["name"])
        made = super().__call__(request)
        place = list(self.things)[-1]
        self.things[place]["status"] = "draft"
        return reply({**self.shown(place), "state": "success"}, made.status)


@pytest.mark.parametrize("forgotten", [False, True])
def test_how_new_things_start_and_whether_names_of_deleted_ones_are_free(tmp_path: Path, *, forgotten: bool) -> None:
    tickets, file, out = Tickets(forgotten=forgotten), tmp_path / "tickets.json", tmp_path / "evidence"
    one = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    paths = {
        "/tickets": {"get": OK, "post": {"requestBody": BODY, "responses": RESPONSES}},
        "/tickets/{id}": {"parameters": one, "get": OK, "delete": OK},
    }
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths}))
    with Server(tickets.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",), max_calls=300)
    with Evidence.open(out, write=False) as evidence:
        facts = {fact.kind: (fact.key.operation, fact.location, fact.value) for fact in evidence.facts()}
    assert facts["starts-as"] == ("POST /tickets", "201:/status", "draft")
    taken = {"operation": "tickets POST /tickets", "status": 409}
    assert facts.get("stays-taken") == (None if forgotten else ("DELETE /tickets/{id}", "", taken))
    written = " ".join(str(change.after) for change in docrev.revise(file, evidence=out).changes)
    assert "A new ticket has `draft` as its `status`." in written
    after = "The same ticket cannot be created again afterwards: `POST /tickets` returns 409."
    assert (after in written) is not forgotten
    assert tickets.things == {"/tickets/71": {"name": "first", "status": "open"}}
