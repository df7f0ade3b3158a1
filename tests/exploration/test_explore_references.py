"""Deleting what another thing names by its ID: it is refused, that is deleted too, or its reference is cleared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
OK = {"responses": {"200": {"description": "ok"}}}
THINGS = {"authors": {"name": TEXT}, "books": {"title": TEXT, "author_id": NUMBER}}


class Library(Shop):
    """Authors, and books that name them; what becomes of these by the library's `rule`."""

    def __init__(self, rule: str) -> None:
        super().__init__({"/authors/1": {"name": "first"}, "/books/2": {"title": "second", "author_id": 1}})
        self.rule = rule

    def __call__(self, request: Received) -> Answer:
        kind, _, id = request.path.strip("/").partition("/")
        named = [path for path, thing in self.things.items() if str(thing.get("author_id")) == id]
        if request.method == "DELETE" and kind == "authors" and named and request.path in self.things:
            if self.rule == "refuse":
                return reply({"detail": "An author with books cannot be deleted."}, 400)
            for path in named:
                if self.rule == "cascade":
                    del self.things[path]
                elif self.rule == "clear":
                    self.things[path]["author_id"] = None
        return super().__call__(request)


def document() -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for kind, properties in THINGS.items():
        body = {"content": {"application/json": {"schema": {"type": "object", "properties": properties}}}}
        parameters = [{"name": "id", "in": "path", "required": True, "schema": NUMBER}]
        paths[f"/{kind}"] = {"get": OK, "post": {"requestBody": body, **OK}}
        paths[f"/{kind}/{{id}}"] = {"parameters": parameters, "get": OK, "delete": OK}
    return {"openapi": "3.0.3", "info": {"title": "library", "version": "1"}, "paths": paths}


MAKER = "library POST /books"


@pytest.mark.parametrize(
    ("rule", "value", "text"),
    [
        (
            "refuse",
            {"effect": "refused", "status": 400, "message": "An author with books cannot be deleted."},
            "Returns 400 while a book has it as `author_id`: `An author with books cannot be deleted`.",
        ),
        ("cascade", {"effect": "deleted"}, "Also deletes the books that have it as `author_id`."),
        ("clear", {"effect": "cleared"}, "Removes it from the `author_id` of books."),
        ("keep", None, ""),
    ],
)
def test_deleting_what_another_thing_names(tmp_path: Path, rule: str, value: dict[str, Any] | None, text: str) -> None:
    library, file, out = Library(rule), tmp_path / "library.json", tmp_path / "evidence"
    file.write_text(json.dumps(document()))
    with Server(library.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",))
    with Evidence.open(out, write=False) as evidence:
        facts = [fact.value for fact in evidence.facts() if fact.kind == "referred"]
    written = " ".join(str(one.after) for one in docrev.revise(file, evidence=out).changes)
    assert library.things.keys() == {"/authors/1", "/books/2"}
    assert facts == ([{"operation": MAKER, "pointer": "/author_id", **value}] if value else [])
    assert text in written
