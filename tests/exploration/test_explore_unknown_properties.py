"""What becomes of what nobody declared, of what was deleted, and of what is sent once more."""

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
NOTE = {
    "type": "object",
    "properties": {"name": TEXT, "labels": {"type": "object", "additionalProperties": TEXT}},
    "required": ["name"],
}
BODY = {"content": {"application/json": {"schema": NOTE}}}
OK = {"responses": {"200": {"description": "ok"}}}


class Forgetful(Shop):
    """Keeps what it knows, and nothing else."""

    def __call__(self, request: Received) -> Answer:
        if request.method in ("POST", "PATCH") and request.body:
            known = {name: value for name, value in request.json.items() if name in NOTE["properties"]}  # type: ignore[operator]
            request = Received(request.method, request.target, request.headers, json.dumps(known).encode())
        return super().__call__(request)


class Strict(Shop):
    """Refuses what it does not know, and says so."""

    def __call__(self, request: Received) -> Answer:
        if request.method in ("POST", "PATCH") and request.body:
            unknown = [name for name in request.json if name not in NOTE["properties"]]  # type: ignore[operator]
            if unknown:
                return reply({"error": f"extra fields not permitted: {unknown[0]}"}, 422)
        return super().__call__(request)


def document(*collections: str, query: tuple[str, ...] = ()) -> dict[str, Any]:
    id = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    asked = [{"name": name, "in": "query", "schema": {"type": "integer"}} for name in query]
    change = {"requestBody": BODY, **OK}
    paths: dict[str, Any] = {}
    for name in collections:
        paths[f"/{name}"] = {"get": {"parameters": asked, **OK}, "post": {"requestBody": BODY, **OK}}
        paths[f"/{name}/{{id}}"] = {"parameters": id, "get": OK, "patch": change, "delete": OK}
    return {"openapi": "3.0.3", "info": {"title": "desk", "version": "1"}, "paths": paths}


def explored(shop: Shop, document: dict[str, Any], folder: Path) -> tuple[dict[tuple[str, str, str], Any], list[str]]:
    """The facts by kind, operation and location, and all that is written."""
    there = dict(shop.things)
    file, out = folder / "desk.json", folder / "evidence"
    file.write_text(json.dumps(document))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,PATCH,DELETE",))
    assert shop.things == there
    with Evidence.open(out, write=False) as evidence:
        facts = {(fact.kind, fact.key.operation, fact.location): fact.value for fact in evidence.facts()}
    return facts, [str(one.after) for one in docrev.revise(file, evidence=out).changes]


@pytest.mark.parametrize(
    ("shop", "value", "text"),
    [
        (Shop(), {"effect": "stored"}, "Unknown properties in request bodies are stored."),
        (Forgetful(), {"effect": "ignored"}, "Unknown properties in request bodies are ignored."),
        (Strict(), {"effect": "rejected", "status": 422}, "Unknown properties in request bodies return 422."),
    ],
)
def test_what_becomes_of_unknown_properties_is_told_once(
    shop: Shop, value: dict[str, Any], text: str, tmp_path: Path
) -> None:
    facts, written = explored(shop, document("notes", "pens"), tmp_path)
    assert facts["unknown-properties", "POST /notes", "body:"] == value
    assert facts["unknown-properties", "PATCH /pens/{id}", "body:"] == value
    assert sum(text in after for after in written) == 1
    assert not any("docrev-" in after or "Unknown properties in the request body" in after for after in written)


def test_what_free_form_bodies_take_is_no_unknown_property(tmp_path: Path) -> None:
    config = document("notes", "pens")
    free = {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}, **OK}
    config["paths"]["/settings"] = {"patch": free, "get": OK}
    _, written = explored(Forgetful(), config, tmp_path)
    assert any("Unknown properties in most request bodies are ignored." in one for one in written)


def test_a_schema_that_takes_any_properties_says_that_they_are_stored(tmp_path: Path) -> None:
    open_document = document("notes", "pens")
    text = json.dumps(open_document).replace('"required": ["name"]', '"additionalProperties": true')
    _, written = explored(Shop(), json.loads(text), tmp_path)
    assert not any("Unknown properties" in after for after in written)


class Remembering(Shop):
    """Lists what was deleted with `since`, marked."""

    def __init__(self) -> None:
        super().__init__({"/notes/a": {"name": "first"}, "/notes/b": {"name": "second"}})
        self.gone: list[str] = []

    def _collection(self, request: Received, path: str) -> Answer:
        if request.method != "GET":
            return super()._collection(request, path)
        if "since" not in request.query:
            return reply({"data": self.listed(path)})
        gone = [{"id": int(id) if id.isdecimal() else id, "deleted": True} for id in self.gone]
        return reply({"data": [*gone, *self.listed(path)]})

    def _remove(self, path: str) -> None:
        self.gone.append(path.rpartition("/")[2])
        super()._remove(path)


def test_a_parameter_with_which_deleted_things_are_listed_is_told(tmp_path: Path) -> None:
    facts, written = explored(Remembering(), document("notes", query=("since", "size")), tmp_path)
    value = {"items": "200:/data", "field": "deleted"}
    assert facts["returns-deleted", "GET /notes", "query:since"] == value
    assert ("returns-deleted", "GET /notes", "query:size") not in facts
    assert any("Also returns deleted notes, marked by `deleted`." in after for after in written)


def test_an_object_in_a_change_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    facts, written = explored(Shop(), document("notes"), tmp_path)
    assert facts["left-out", "PATCH /notes/{id}", "body:/labels"] == "removed"
    assert any("Fields of `labels` that are left out are removed." in after for after in written)


class Unique(Shop):
    def _collection(self, request: Received, path: str) -> Answer:
        names = [thing["name"] for thing in self.listed(path)]
        if request.method == "POST" and request.json["name"] in names:
            return reply({"error": "the name is taken"}, 409)
        return super()._collection(request, path)


def test_a_name_that_the_run_gave_a_property_is_not_told(tmp_path: Path) -> None:
    free = document("notes")
    text = json.dumps(free).replace('"name": {"type": "string"}', '"data": {"type": "object"}')
    facts, _ = explored(Shop(), json.loads(text.replace('"required": ["name"]', '"required": ["data"]')), tmp_path)
    assert facts.get(("exists", "POST /notes", ""), {}).get("by") != "/data/title"


def test_a_creation_that_is_repeated_makes_a_second_thing(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    facts, written = explored(Shop(), document("notes"), tmp_path / "one")
    assert facts["exists", "POST /notes", ""] == {"status": 201, "by": "/name", "second": True}
    assert any("If the `name` is in use, creates a second note with it." in after for after in written)
    facts, written = explored(Unique(), document("notes"), tmp_path / "two")
    assert facts["exists", "POST /notes", ""] == {"status": 409, "by": "/name"}
    assert not any("creates a second" in after for after in written)


class Sorting(Shop):
    """Sorts by any field, refuses sizes below 1, and has things with fields of their own."""

    def __init__(self) -> None:
        things = [("a", "y", 2), ("b", "x", 3), ("c", "z", 1)]
        super().__init__({f"/notes/{id}": {"name": name, "mood": mood} for id, name, mood in things})
        self.things["/notes/d"] = {"name": "w"}

    def _collection(self, request: Received, path: str) -> Answer:
        if request.method != "GET":
            return super()._collection(request, path)
        size, by = request.query.get("size", ["5"])[0], request.query.get("sort", ["id"])[0]
        if not size.isdecimal() or int(size) == 0:
            return reply({"error": "no such page"}, 400)
        listed = sorted(self.listed(path), key=lambda thing: str(thing.get(by.lstrip("-"), "")), reverse=by[:1] == "-")
        return reply({"data": listed[: int(size)]})


def test_what_only_some_things_have_is_no_example_to_sort_by(tmp_path: Path) -> None:
    notes = document("notes", query=("size", "sort"))
    notes["paths"] = {"/notes": {"get": notes["paths"]["/notes"]["get"]}}
    notes["paths"]["/notes"]["get"]["parameters"][1]["schema"] = TEXT
    facts, written = explored(Sorting(), notes, tmp_path)
    assert facts["sorts", "GET /notes", "query:sort"]["field"].startswith("200:/data/0/")
    examples = [after for after in written if "For example, `" in after]
    assert examples
    assert not any("mood" in after for after in examples)
    assert facts["range", "GET /notes", "query:size"] == {"minimum": 1}
