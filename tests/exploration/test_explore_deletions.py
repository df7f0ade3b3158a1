"""Deleting what is not empty: what lies in it goes too, or the deletion is refused until it is empty."""

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
BODY = {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": TEXT}}}}}
OK = {"responses": {"200": {"description": "ok"}}}


class Careful(Shop):
    """Deletes nothing with something in it."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "DELETE" and any(path.startswith(f"{request.path}/") for path in self.things):
            return reply({"message": "Remove all books from the shelf first."}, 409)
        return super().__call__(request)


def document(end: str) -> dict[str, Any]:
    """The paths of shelves and books, each with the same end."""
    paths: dict[str, Any] = {}
    for collection, names in (("/shelves", ["id"]), ("/shelves/{shelf_id}/books", ["shelf_id", "id"])):
        parameters = [{"name": name, "in": "path", "required": True, "schema": TEXT} for name in names]
        paths[collection + end] = {"parameters": parameters[:-1], "get": OK, "post": {"requestBody": BODY, **OK}}
        paths[f"{collection}/{{id}}{end}"] = {"parameters": parameters, "get": OK, "delete": OK}
    return {"openapi": "3.0.3", "info": {"title": "library", "version": "1"}, "paths": paths}


def deletion_of_a_shelf(shop: Shop, folder: Path, end: str = "") -> tuple[dict[str, Any], str]:
    """The facts on it beside statuses and shapes, and what is written of it."""
    shop.things = {"/shelves/1": {"name": "first"}, "/shelves/1/books/2": {"name": "second"}}
    file, out = folder / "library.json", folder / "evidence"
    file.write_text(json.dumps(document(end)))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",))
    with Evidence.open(out, write=False) as evidence:
        facts = [fact for fact in evidence.facts() if fact.key.operation == f"DELETE /shelves/{{id}}{end}"]
    changes = docrev.revise(file, evidence=out).changes
    text = " ".join(str(one.after) for one in changes if f"~1{{id}}{end.replace('/', '~1')}/delete" in one.pointer)
    assert shop.things.keys() == {"/shelves/1", "/shelves/1/books/2"}
    return {fact.kind: fact.value for fact in facts if fact.kind in ("also-deletes", "not-empty")}, text


READER, MAKER = "library GET /shelves/{shelf_id}/books/{id}", "library POST /shelves/{shelf_id}/books"


@pytest.mark.parametrize("end", ["", "/"])
def test_what_lies_in_a_thing_is_deleted_with_it(tmp_path: Path, end: str) -> None:
    facts, text = deletion_of_a_shelf(Shop(), tmp_path, end)
    assert facts == {"also-deletes": READER + end}
    assert "Also deletes its books." in text


def test_what_is_not_empty_is_not_deleted(tmp_path: Path) -> None:
    facts, text = deletion_of_a_shelf(Careful(), tmp_path)
    message = "Remove all books from the shelf first."
    assert facts == {"not-empty": {"status": 409, "operation": MAKER, "message": message}}
    assert "Returns 409 while there are books in the shelf: `Remove all books from the shelf first`." in text
