"""What a creation makes besides the thing itself, and what a deletion takes besides it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from servers import Answer, Received, reply
from shop import Shop
from test_explore_changes import explored

TEXT = {"type": "string"}
BODY = {
    "content": {"application/json": {"schema": {"type": "object", "properties": {"name": TEXT}, "required": ["name"]}}}
}
OK = {"responses": {"200": {"description": "ok"}}}


class Desk(Shop):
    """Starts an engine for each session, or uses a `shared` one, and stops with the session what was started for it."""

    def __init__(self, *, shared: bool) -> None:
        super().__init__({"/engines/901": {"state": "idle"}})
        self.shared = shared

    def shown(self, path: str) -> dict[str, Any]:
        shown = super().shown(path)
        return {**shown, "engine": {"id": shown["engine"]}} if "engine" in shown else shown

    def _collection(self, request: Received, path: str) -> Answer:
        if request.method != "POST":
            return super()._collection(request, path)
        number = next(self._numbers)
        engine = 901 if self.shared else 901 + number
        self.things[f"{path}/{number}"] = {"name": request.json["name"], "engine": engine}
        self.things.setdefault(f"/engines/{engine}", {"state": "idle"})
        return reply(self.shown(f"{path}/{number}"), 201)

    def _remove(self, path: str) -> None:
        engine = f"/engines/{self.things[path]['engine']}"
        super()._remove(path)
        if not self.shared:
            del self.things[engine]


def document() -> dict[str, Any]:
    id = [{"name": "id", "in": "path", "required": True, "schema": TEXT}]
    return {
        "openapi": "3.0.3",
        "info": {"title": "desk", "version": "1"},
        "paths": {
            "/sessions": {"get": OK, "post": {"requestBody": BODY, **OK}},
            "/sessions/{id}": {"parameters": id, "get": OK, "delete": OK},
            "/engines": {"get": OK},
            "/engines/{id}": {"parameters": id, "get": OK},
        },
    }


def test_what_is_made_and_taken_beside_a_thing_is_told(tmp_path: Path) -> None:
    facts, written = explored(Desk(shared=False), document(), tmp_path)
    assert facts["also-deletes", "DELETE /sessions/{id}"] == ["desk GET /engines/{id}"]
    assert facts["also-creates", "POST /sessions"] == ["desk GET /engines/{id}"]
    assert "Also deletes its engine." in written
    assert "Also creates an engine, unless the request has the ID of one." in written


def test_what_is_only_named_is_neither_made_nor_taken(tmp_path: Path) -> None:
    facts, written = explored(Desk(shared=True), document(), tmp_path)
    assert not {"also-deletes", "also-creates"} & {kind for kind, _ in facts}
    assert "Also" not in written
