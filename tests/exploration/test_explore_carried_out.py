"""What takes effect elsewhere: an edit of somebody's order is the run's own, and confirming it changes the order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from callkit import document
from servers import Answer, Received, Server, reply

import docrev

LINES = (
    "GET /orders",
    "GET /orders/{id}",
    "GET /edits",
    "POST /edits",
    "GET /edits/{id}",
    "DELETE /edits/{id}",
    "POST /edits/{id}/confirm",
    "POST /edits/{id}/star",
)
PROPERTIES = {"order_id": {"type": "string"}, "note": {"type": "string"}}


class Desk:
    """Orders of others, which no operation makes, and edits of them, which take effect once they are confirmed."""

    def __init__(self) -> None:
        self.orders: dict[str, dict[str, Any]] = {"or-1": {"id": "or-1", "edited": False}}
        self.edits: dict[str, dict[str, Any]] = {}
        self.next = 1

    def answer(self, request: Received) -> Answer:
        kind, *rest = request.path.strip("/").split("/")
        things = self.orders if kind == "orders" else self.edits
        if not rest:
            return reply(list(things.values())) if request.method == "GET" else self.made(request.json)
        if rest[0] not in things:
            return reply({"message": "not found"}, 404)
        if request.method == "DELETE":
            return reply(things.pop(rest[0]))
        if rest[1:] == ["confirm"]:
            self.orders[things[rest[0]]["order_id"]]["edited"] = True
        return reply(things[rest[0]])

    def made(self, body: dict[str, Any]) -> Answer:
        if body.get("order_id") not in self.orders:
            return reply({"message": "No order with this order_id"}, 400)
        id, self.next = f"ed-{self.next}", self.next + 1
        self.edits[id] = {**body, "id": id}
        return reply(self.edits[id], 201)


def test_what_is_about_somebodys_thing_is_not_carried_out(tmp_path: Path) -> None:
    file, desk = tmp_path / "desk.json", Desk()
    theirs = json.dumps(desk.orders)
    schema = {"type": "object", "required": ["order_id"], "properties": PROPERTIES}
    body = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    file.write_text(json.dumps(document(LINES, **{"POST /edits": body})))
    with Server({f"{method} /*": desk.answer for method in ("GET", "POST", "DELETE")}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=120, allow=["POST,DELETE"]
        ).summary
    assert json.dumps(desk.orders) == theirs
    missed = {each["operation"]: each for each in summary["missed"]}
    assert list(missed) == ["POST /edits/{id}/confirm"]
    assert missed["POST /edits/{id}/confirm"]["kind"] == "consent"
