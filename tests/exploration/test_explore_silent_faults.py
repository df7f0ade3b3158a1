"""Creations that fail without a word where a property is left out that nobody calls required."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev

CREWS = ("GET /crews", "POST /crews", "GET /crews/{id}", "DELETE /crews/{id}")
HOSTS = ("GET /crews/{id}/hosts", "POST /crews/{id}/hosts")
HOST = ("GET /crews/{id}/hosts/{host_id}", "DELETE /crews/{id}/hosts/{host_id}")
TEXT = {"type": "string"}


def sent(required: str, *optional: str) -> dict[str, Any]:
    properties = dict.fromkeys((required, *optional), TEXT) | {"parts": {}}
    schema = {"type": "object", "required": [required], "properties": properties}
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


class Careless(Shop):
    """Stores a host with its address, and fails without one; `sent` has the bodies until it stored one."""

    sent: list[Any]
    stored = False

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and request.path.endswith("/hosts"):
            self.sent += [] if self.stored else [request.json]
            self.stored |= "address" in request.json and "parts" not in request.json
            if "address" not in request.json:
                return reply({"message": "Internal Server Error"}, 500)
            if "parts" in request.json:
                return reply({"message": "What is this?"}, 500)
        return super().__call__(request)


def test_a_creation_that_fails_without_a_word_is_sent_what_else_is_documented(tmp_path: Path) -> None:
    crews = {f"/crews/{number}": {"name": f"crew {number}"} for number in (81, 82)}
    hosts = {f"/crews/81/hosts/{number}": {"description": f"host {number}"} for number in (91, 92, 93)}
    shop = Careless({**crews, **hosts})
    shop.sent = []
    extras = {
        "POST /crews": sent("name"),
        "POST /crews/{id}/hosts": sent("description", "address", "system", "gateway"),
    }
    file = tmp_path / "careless.json"
    file.write_text(json.dumps(document([*CREWS, *HOSTS, *HOST], **extras)))
    with Server(shop.routes) as server:
        explored = docrev.explore(file, base_urls=server.url, out=tmp_path, allow="POST,DELETE", max_calls=300)
    assert sorted(shop.things) == sorted({**crews, **hosts})
    assert "POST /crews/{id}/hosts" not in {missed["operation"] for missed in explored.summary["missed"]}
    assert [[*each] for each in shop.sent] == [["description"], ["description", "address", "system", "gateway"]]
