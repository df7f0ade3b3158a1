"""Texts that hold JSON, and PUTs that wait for a thing of the run: the API chooses the IDs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from servers import Answer, Received, Server, reply

import docrev

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
OK = {"responses": {"200": {"description": "ok", "content": {"application/json": {}}}}}
THEIRS = {1: {"id": 1, "name": "theirs"}}


def document() -> dict[str, Any]:
    body = {"type": "object", "required": ["name", "json_data"], "properties": {"name": TEXT, "json_data": TEXT}}
    sent = {"requestBody": {"content": {"application/json": {"schema": body}}}}
    id = {"name": "id", "in": "path", "required": True, "schema": NUMBER}
    return {
        "openapi": "3.0.3",
        "info": {"title": "themes", "version": "1"},
        "paths": {
            "/themes": {"get": OK, "post": {**sent, **OK}},
            "/themes/{id}": {"parameters": [id], "get": OK, "put": {**sent, **OK}, "delete": OK},
        },
    }


class Themes:
    """Themes, one of them somebody's, whose data is an object in JSON, and not shown. It is checked before the ID."""

    def __init__(self) -> None:
        self.there = {id: dict(theme) for id, theme in THEIRS.items()}
        self.next = 2
        self.puts_nowhere = 0

    def answer(self, request: Received) -> Answer:
        id = request.path.removeprefix("/themes").strip("/")
        if request.method in ("POST", "PUT"):
            try:
                data = json.loads(request.json["json_data"])
            except (ValueError, KeyError):
                return reply({"message": {"json_data": ["Invalid JSON configuration"]}}, 400)
            if not isinstance(data, dict):
                return reply({"message": {"json_data": ["Invalid configuration structure"]}}, 400)
        if request.method == "POST":
            self.there[self.next] = {"name": request.json["name"], "id": self.next}
            self.next += 1
            return reply(self.there[self.next - 1], 201)
        if not id:
            return reply([*self.there.values()])
        found = self.there.get(int(id)) if id.isdecimal() else None
        if found is None:
            self.puts_nowhere += request.method == "PUT"
            return reply({"message": "Not found"}, 404)
        if request.method == "DELETE":
            del self.there[int(id)]
        elif request.method == "PUT":
            found["name"] = request.json["name"]
        return reply(found)


def test_an_object_in_json_is_sent_where_a_list_is_refused(tmp_path: Path) -> None:
    """What was learned of the text is sent to a thing of the run as soon as there is one."""
    file, themes = tmp_path / "themes.json", Themes()
    file.write_text(json.dumps(document()))
    with Server({f"{method} /*": themes.answer for method in ("GET", "POST", "PUT", "DELETE")}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=28, allow=["POST,PUT,DELETE"]
        ).summary
    assert summary["missed"] == []
    assert themes.there == THEIRS
    assert themes.puts_nowhere == 0
