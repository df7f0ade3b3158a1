"""Lists that begin with what was created last, though their items have no time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Server
from shop import Shop

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
BODY = {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": TEXT}}}}}
OK = {"responses": {"200": {"description": "ok"}}}


class Pile(Shop):
    """Lists what was put there last first, but for what is pinned."""

    pinned = ""

    def listed(self, collection: str, **selected: list[str]) -> list[dict[str, Any]]:
        found = super().listed(collection, **selected)[::-1]
        return sorted(found, key=lambda thing: thing.get("name") != self.pinned)


@pytest.mark.parametrize("pinned", ["", "first"])
def test_the_newest_come_first_only_if_they_always_do(tmp_path: Path, pinned: str) -> None:
    shop = Pile({"/notes/71": {"name": "first"}, "/notes/72": {"name": "second"}})
    shop.pinned = pinned
    one = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    listed: dict[str, Any] = {"get": OK, "post": {"requestBody": BODY, **OK}}
    paths = {"/notes": listed, "/notes/{id}": {"parameters": one, "get": OK, "delete": OK}}
    file, out = tmp_path / "notes.json", tmp_path / "evidence"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "n", "version": "1"}, "paths": paths}))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",), max_calls=300)
    with Evidence.open(out, write=False) as evidence:
        facts = [fact.key.operation for fact in evidence.facts() if fact.kind == "newest-first"]
    text = " ".join(str(one.after) for one in docrev.revise(file, evidence=out).changes if "~1notes/get" in one.pointer)
    assert facts == ([] if pinned else ["GET /notes"])
    assert ("What was created last comes first." in text) is not bool(pinned)
