"""Things that are called in the singular beside their list, and that their deletion only marks."""

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
BODY = {
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "required": ["name", "ends_at"],
                "properties": {"name": TEXT, "ends_at": {"type": "string", "format": "date-time"}},
            }
        }
    }
}
OK = {"responses": {"200": {"description": "ok"}}}
PATHS = ("/vouchers", "/voucher/{id}")


class Vouchers(Shop):
    """Lists `/vouchers`, of which `/voucher/{id}` is one; a voucher ends after now, and a deletion ends it at once."""

    ends = True

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and str(request.json.get("ends_at"))[:4] < "2030":
            return reply({"error": "too old"}, 400)
        path = request.path.replace("/voucher/", "/vouchers/")
        if request.method == "POST":
            answer = super().__call__(request)
            self.things[next(reversed(self.things))]["state"] = "active"
            return answer
        if request.method == "DELETE" and path in self.things and self.ends:
            self.things[path] |= {"state": "expired"}
            return Answer(204)
        return super()._item(request, path) if path != "/vouchers" else super().__call__(request)


@pytest.mark.parametrize("ends", [True, False])
def test_what_is_still_read_after_its_deletion_is_not_called_removed(tmp_path: Path, ends: bool) -> None:
    there = {"/vouchers/71": {"name": "first", "state": "active"}, "/vouchers/72": {"name": "old", "state": "expired"}}
    shop = Vouchers(there)
    shop.ends = ends
    before = json.dumps(shop.things)
    one = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    listed: dict[str, Any] = {"get": OK, "post": {"requestBody": BODY, **OK}}
    paths = {PATHS[0]: listed, PATHS[1]: {"parameters": one, "get": OK, "delete": OK}}
    file, out = tmp_path / "vouchers.json", tmp_path / "evidence"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "m", "version": "1"}, "paths": paths}))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",), max_calls=400)
    with Evidence.open(out, write=False) as evidence:
        facts = [fact.value for fact in evidence.facts() if fact.kind == "deletes"]
    changes = docrev.revise(file, evidence=out).changes
    text = " ".join(str(one.after) for one in changes if "/delete" in one.pointer)
    assert not any("First create the voucher" in str(one.after) for one in changes)
    assert json.dumps({path: shop.things[path] for path in ("/vouchers/71", "/vouchers/72")}) == before
    expected = [{"thing": "kept", "field": "/state", "value": "expired"}] if ends else [{"thing": "gone"}]
    assert facts == expected
    told = "The voucher can still be read afterwards, with `state` `expired`."
    assert (told in text) is ends
