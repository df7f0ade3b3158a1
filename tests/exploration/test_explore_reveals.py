"""Lists that leave out what was just created, unless a parameter asks for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Server
from shop import Shop

import docrev

TEXT = {"type": "string"}
BODY = {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": TEXT}}}}}
OK = {"responses": {"200": {"description": "ok"}}}
STATE = {"name": "shelf", "in": "query", "schema": {"type": "string", "enum": ["front", "all"]}}


class Archive(Shop):
    """Lists what is not stowed away, unless it is asked for all."""

    hides = True

    def listed(self, collection: str, **selected: list[str]) -> list[dict[str, Any]]:
        chosen = selected.pop("shelf", ["front" if self.hides else "all"])
        found = super().listed(collection, **selected)
        return found if chosen == ["all"] else [one for one in found if "box" not in one]


@pytest.mark.parametrize("hides", [True, False])
def test_what_a_list_leaves_out_unless_it_is_asked_for_is_told(tmp_path: Path, hides: bool) -> None:
    boxes = {f"/shows/7{number}": {"name": f"old {number}", "box": number} for number in range(3)}
    archive = Archive({**boxes, **{f"/shows/8{number}": {"name": f"new {number}"} for number in range(3)}})
    archive.hides = hides
    one = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    paths: dict[str, Any] = {
        "/shows": {"get": {"parameters": [STATE], **OK}, "post": {"requestBody": BODY, **OK}},
        "/shows/{id}": {"parameters": one, "get": OK, "delete": OK},
    }
    file, out = tmp_path / "shows.json", tmp_path / "evidence"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "s", "version": "1"}, "paths": paths}))
    with Server(archive.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, allow=("POST,DELETE",), max_calls=400)
    text = " ".join(str(one.after) for one in docrev.revise(file, evidence=out).changes)
    assert ("Without it, leaves out shows that `all` returns." in text) is hides


class Roots(Shop):
    """A crane, which has a drawn ID, sees one more place than everybody does."""

    def listed(self, collection: str, **selected: list[str]) -> list[dict[str, Any]]:
        crane = selected.pop("crane", [""])[0]
        more = [{"place": "hold"}] if f"/cranes/{crane}" in self.things else []
        return [*super().listed(collection, **selected), *more]


def test_what_one_thing_with_a_drawn_id_sees_is_nothing_that_a_list_leaves_out(tmp_path: Path) -> None:
    id = "00baf936-fb71-4eaf-b3ad-a152ce9f2db2"
    roots = Roots({f"/cranes/{id}": {"name": "old"}, "/places/71": {"place": "deck"}})
    crane = {"name": "crane", "in": "query", "schema": TEXT, "description": "crane uuid"}
    one = [{"name": "crane", "in": "path", "required": True, "schema": TEXT}]
    paths: dict[str, Any] = {"/cranes": {"get": OK}, "/cranes/{crane}": {"parameters": one, "get": OK}}
    paths["/places"] = {"get": {"parameters": [crane], **OK}}
    file, out = tmp_path / "cranes.json", tmp_path / "evidence"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "c", "version": "1"}, "paths": paths}))
    with Server(roots.routes) as server:
        docrev.explore(file, base_urls=server.url, out=out, max_calls=200)
        assert f"GET /places?crane={id}" in server.seen
    assert id not in str([one.after for one in docrev.revise(file, evidence=out).changes])
