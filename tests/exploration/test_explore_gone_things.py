"""What becomes of a thing that is deleted: it is gone, or it can still be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
BODY = {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": TEXT}}}}}
OK = {"responses": {"200": {"description": "ok"}}}


class Keeping(Shop):
    """Marks what is deleted, and shows it further on."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "DELETE" and request.path in self.things:
            self.things[request.path]["state"] = "closed"
            return reply({"done": True})
        return super().__call__(request)


def fact_and_text(shop: Shop, folder: Path, summary: str) -> tuple[list[str], str]:
    """What is found of the deletion, and what is written of it."""
    shop.things = {"/orders/1": {"name": "first"}}
    parameters = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    paths = {
        "/orders": {"get": OK, "post": {"requestBody": BODY, **OK}},
        "/orders/{id}": {"parameters": parameters, "get": OK, "delete": {"summary": summary, **OK}},
    }
    file, out = folder / "library.json", folder / "evidence"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "library", "version": "1"}, "paths": paths}))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",))
    with Evidence.open(out, write=False) as evidence:
        facts = [str(fact.value["thing"]) for fact in evidence.facts() if fact.kind == "deletes"]
    changes = docrev.revise(file, evidence=out).changes
    return facts, " ".join(str(one.after) for one in changes if "~1{id}/delete" in one.pointer)


@pytest.mark.parametrize(("summary", "is_told"), [("Cancel order", True), ("Delete order", False)])
def test_what_is_deleted_under_another_name_is_gone(tmp_path: Path, summary: str, is_told: bool) -> None:
    facts, text = fact_and_text(Shop(), tmp_path, summary)
    assert facts == ["gone"]
    assert ("Deletes the order: it can no longer be read." in text) is is_told


def test_what_can_still_be_read_is_kept(tmp_path: Path) -> None:
    facts, text = fact_and_text(Keeping(), tmp_path, "Delete order")
    assert facts == ["kept"]
    assert "The order can still be read afterwards" in text
