"""Actions: the state that they set, and what the same request comes to when it is sent again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
BODY = {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": TEXT}}}}}
OK = {"responses": {"200": {"description": "ok"}}}
ONE = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]


class Desk(Shop):
    """Tickets: closing one twice is refused, starring one twice takes the star away; `pinned` is the action's name."""

    def __call__(self, request: Received) -> Answer:
        above, _, action = request.path.rpartition("/")
        if request.method != "POST" or action not in ("close", "star", "pin"):
            return super().__call__(request)
        if above not in self.things:
            return reply({"error": "not found"}, 404)
        thing = self.things[above]
        if action == "close" and thing["status"] == "closed":
            return reply({"error": "Only an open ticket can be closed"}, 409)
        done = {
            "close": {"status": "closed"},
            "star": {"is_favourite": not thing["is_favourite"]},
            "pin": {"pinned": True},
        }
        self.things[above] = {**thing, **done[action]}
        return reply(self.shown(above))

    def _collection(self, request: Received, path: str) -> Answer:
        answer = super()._collection(request, path)
        if request.method == "POST" and answer.status == 201:
            place = next(reversed(self.things))
            self.things[place] |= {"status": "open", "is_favourite": False, "pinned": False}
            return reply(self.shown(place), 201)
        return answer


def test_what_actions_set_and_what_a_second_time_does_is_told(tmp_path: Path) -> None:
    desk = Desk({"/tickets/71": {"name": "first", "status": "open", "is_favourite": True, "pinned": False}})
    paths: dict[str, Any] = {
        "/tickets": {"get": OK, "post": {"requestBody": BODY, **OK}},
        "/tickets/{id}": {"parameters": ONE, "get": OK, "delete": OK},
        **{f"/tickets/{{id}}/{action}": {"parameters": ONE, "post": OK} for action in ("close", "star", "pin")},
    }
    file, out = tmp_path / "desk.json", tmp_path / "evidence"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "d", "version": "1"}, "paths": paths}))
    with Server(desk.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",), max_calls=400)
    with Evidence.open(out, write=False) as evidence:
        found = {(fact.kind, fact.key.operation, json.dumps(fact.value)) for fact in evidence.facts()}
    assert {(kind, operation) for kind, operation, _ in found if kind in ("sets", "repeated")} == {
        ("sets", "POST /tickets/{id}/close"),
        ("repeated", "POST /tickets/{id}/close"),
        ("sets", "POST /tickets/{id}/pin"),
        ("repeated", "POST /tickets/{id}/star"),
    }
    texts = {one.pointer: str(one.after) for one in docrev.revise(file, evidence=out).changes}
    close = next(text for pointer, text in texts.items() if "~1close" in pointer)
    assert "Returns 409 if it was done before: `Only an open ticket can be closed`. Sets `status` to `closed`." in close
    assert any("~1star" in pointer and "undoes what the first request did" in text for pointer, text in texts.items())
    assert not any("~1pin" in pointer and "Sets" in text for pointer, text in texts.items())
