"""Services that write addresses, IDs, refusals and keys otherwise: `/crates/7.json`, `ID`, 500 for a bad request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev

OK = {"responses": {"200": {"description": "ok"}}}
TEXT = {"type": "string"}


class Crates(Shop):
    """Knows its things by a number under the name `ID`, and answers 500 where the `owner` is missing."""

    form = ""

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and "owner" not in request.json:
            return reply({"message": "creating crate: owner must not be empty"}, 500)
        path = request.path.removesuffix(".json").removesuffix("/json").removesuffix("/create")
        return self._collection(request, path) if path == "/crates" else self._item(request, path)

    def shown(self, path: str) -> dict[str, Any]:
        return {"ID": f"c{path.rpartition('/')[2]}f3", "Spec": self.things[path]}

    def _item(self, request: Received, path: str) -> Answer:
        id = path.rpartition("/")[2]
        known = id[:1] == "c" and id.endswith("f3")
        return super()._item(request, f"/crates/{id[1:-2]}") if known else reply({"error": "not found"}, 404)


def document(paths: dict[str, str]) -> dict[str, Any]:
    properties = dict.fromkeys(("name", "owner"), TEXT)
    schema = {"type": "object", "required": ["name"], "properties": properties}
    body = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    one = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": TEXT}]}
    found: dict[str, Any] = {}
    for deed, path in paths.items():
        operation = OK | (body if deed == "post" else {}) | (one if "{" in path else {})
        found.setdefault(path, {})["get" if deed == "list" else deed] = operation
    return {"openapi": "3.0.3", "info": {"title": "crates", "version": "1"}, "paths": found}


@pytest.mark.parametrize(
    "paths",
    [
        {"list": "/crates.json", "post": "/crates.json", "get": "/crates/{id}.json", "delete": "/crates/{id}.json"},
        {"list": "/crates/json", "post": "/crates/create", "get": "/crates/{id}/json", "delete": "/crates/{id}"},
    ],
)
def test_what_is_made_at_addresses_with_a_format_is_read_and_removed(tmp_path: Path, paths: dict[str, str]) -> None:
    theirs = {"/crates/71": {"name": "first", "owner": "ruth"}}
    shop = Crates(theirs)
    before = json.dumps(shop.things)
    file = tmp_path / "crates.json"
    file.write_text(json.dumps(document(paths)))
    with Server(shop.routes) as server:
        found = docrev.explore(file, base_urls=server.url, out=tmp_path / "e", allow=("POST,DELETE",), max_calls=120)
    assert found.summary["missed"] == []
    assert json.dumps(shop.things) == before


def test_the_key_is_not_made_up_where_it_is_documented_as_a_parameter_too(tmp_path: Path) -> None:
    spec = document({"list": "/crates"})
    header = {"name": "x-key", "in": "header", "required": True, "schema": TEXT}
    spec["paths"]["/crates"]["get"] = OK | {"parameters": [header]}

    sent = []

    def answer(request: Received) -> Answer:
        sent.append(request.headers.get("x-key"))
        return reply({"data": [{"id": 1}]})

    file = tmp_path / "crates.json"
    file.write_text(json.dumps(spec))
    with Server({"GET /*": answer}) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "e", max_calls=20, headers=("X-Key: k-1",))
    assert set(sent) <= {"k-1", None}
