"""Changes of one thing: under a condition that is false, and with null for what had a value."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import CopyingShop, Shop

import docrev
from docrev.evidence import Evidence

TEXT = {"type": "string"}
NOTE = {"type": "object", "properties": {"name": TEXT, "text": TEXT}, "required": ["name"]}
BODY = {"content": {"application/json": {"schema": NOTE}}}
OK = {"responses": {"200": {"description": "ok"}}}


class Tagged(Shop):
    """Answers with a tag of each thing; `heeds` the conditions of writes."""

    def __init__(self, *, heeds: bool) -> None:
        super().__init__()
        self.heeds = heeds

    def tag(self, path: str) -> str:
        return '"' + hashlib.sha256(json.dumps(self.things[path]).encode()).hexdigest()[:16] + '"'

    def _item(self, request: Received, path: str) -> Answer:
        if self.heeds and request.method in ("PUT", "PATCH") and path in self.things:
            wanted = request.headers.get("if-match", self.tag(path))
            if wanted != self.tag(path) or request.headers.get("if-none-match") == "*":
                return reply({"error": "somebody else was here"}, 412)
        answer = super()._item(request, path)
        return reply(self.shown(path), answer.status, etag=self.tag(path)) if path in self.things else answer


def document(*collections: str, headers: tuple[str, ...] = ()) -> dict[str, Any]:
    parameters = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    asked = [{"name": name, "in": "header", "schema": TEXT} for name in headers]
    change = {"parameters": asked, "requestBody": BODY, **OK}
    paths: dict[str, Any] = {}
    for name in collections:
        paths[f"/{name}"] = {"get": OK, "post": {"requestBody": BODY, **OK}}
        paths[f"/{name}/{{id}}"] = {"parameters": parameters, "get": OK, "put": change, "patch": change, "delete": OK}
    return {"openapi": "3.0.3", "info": {"title": "desk", "version": "1"}, "paths": paths}


def explored(shop: Shop, document: dict[str, Any], folder: Path) -> tuple[dict[tuple[str, str], list[Any]], str]:
    """The values of facts by kind and operation, and all that is written."""
    there = dict(shop.things)
    file, out = folder / "desk.json", folder / "evidence"
    file.write_text(json.dumps(document))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,PUT,PATCH,DELETE",))
    assert shop.things == there
    facts: dict[tuple[str, str], list[Any]] = {}
    with Evidence.open(out, write=False) as evidence:
        for fact in evidence.facts():
            facts.setdefault((fact.kind, fact.key.operation), []).append(fact.value)
    return facts, "\n".join(str(one.after) for one in docrev.revise(file, evidence=out).changes)


def test_what_a_false_condition_returns_is_told_once(tmp_path: Path) -> None:
    facts, written = explored(Tagged(heeds=True), document("notes", "pens"), tmp_path)
    assert {"header": "If-Match", "status": 412} in facts["conditions", "PATCH /notes/{id}"]
    assert {"header": "If-None-Match", "status": 412} in facts["conditions", "PUT /notes/{id}"]
    assert written.count("A write with an `If-Match` that is not the current `ETag` returns 412.") == 1
    assert written.count("A `PUT` with `If-None-Match: *` returns 412 if there is something already.") == 1
    assert "docrev-" not in written


def test_an_ignored_condition_is_told_only_where_it_is_declared(tmp_path: Path) -> None:
    for name, headers in (("plain", ()), ("declared", ("If-Match",))):
        (tmp_path / name).mkdir()
        facts, written = explored(Tagged(heeds=False), document("notes", headers=headers), tmp_path / name)
        assert facts["conditions", "PUT /notes/{id}"] == [{"header": "If-Match"}]
        assert ("`If-Match` is ignored." in written) == bool(headers)


def test_without_a_tag_no_condition_is_sent(tmp_path: Path) -> None:
    facts, _ = explored(Shop(), document("notes"), tmp_path)
    assert not any(kind == "conditions" for kind, _ in facts)


class Clearing(Shop):
    """Does with null what it is told: removes the property, keeps its value, or stores null."""

    def __init__(self, does: str) -> None:
        super().__init__()
        self.does = does

    def _item(self, request: Received, path: str) -> Answer:
        answer = super()._item(request, path)
        if request.method != "PATCH" or path not in self.things or not request.body:
            return answer
        for name in [name for name, value in request.json.items() if value is None]:
            if self.does == "removes":
                del self.things[path][name]
            elif self.does == "resets":
                self.things[path][name] = "untitled"
        return reply(self.shown(path))


@pytest.mark.parametrize(
    ("does", "value", "text"),
    [
        ("removes", "removed", "In a `PATCH`, a property that is sent as null is removed."),
        ("resets", "reset", "In a `PATCH`, a property that is sent as null gets its default value."),
        ("stores", "stored", "In a `PATCH`, a property that is sent as null is not removed: null is stored."),
    ],
)
def test_what_null_does_in_a_change_is_told_once(does: str, value: str, text: str, tmp_path: Path) -> None:
    facts, written = explored(Clearing(does), document("notes", "pens"), tmp_path)
    assert facts["nulls", "PATCH /notes/{id}"] == [value]
    assert written.count(text) == 1


def test_null_is_told_of_the_media_type_that_was_sent_where_there_are_others(tmp_path: Path) -> None:
    merging = document("notes", "pens")
    for path in ("/notes/{id}", "/pens/{id}"):
        schemas = BODY["content"] | {"application/merge-patch+json": {"schema": NOTE}}
        merging["paths"][path]["patch"] = {"requestBody": {"content": schemas}, **OK}
    _, written = explored(Clearing("stores"), merging, tmp_path)
    assert "In a `PATCH`, with `application/json`, a property that is sent as null is not removed" in written


def test_a_thing_that_nobody_can_remove_is_changed_under_its_own_name(tmp_path: Path) -> None:
    """Its PUT wants a name; another one would make a second thing."""
    shop, file, out = CopyingShop(), tmp_path / "desk.json", tmp_path / "evidence"
    spec = document("notes")
    del spec["paths"]["/notes/{id}"]["delete"]
    file.write_text(json.dumps(spec))
    with Server(shop.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,PUT,PATCH,DELETE",))
    assert len(shop.things) == 1
    with Evidence.open(out, write=False) as evidence:
        reached = {call.key.operation for call in evidence.calls.select() if call.ok}
    assert {"PUT /notes/{id}", "PATCH /notes/{id}"} <= reached
