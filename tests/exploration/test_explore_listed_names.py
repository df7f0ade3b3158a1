"""Lists of plain names that are called after their path alone: `["main"]` of `/schemas`, for `schema_name`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev

OK = {"responses": {"200": {"description": "ok", "content": {"application/json": {}}}}}


def document() -> dict[str, Any]:
    """Databases, whose schemas are listed, and whose tables are looked for, or described, by the name of a schema."""
    id = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    name = {"name": "schema_name", "required": True, "schema": {"type": "string"}}
    return {
        "openapi": "3.0.3",
        "info": {"title": "lake", "version": "1"},
        "paths": {
            "/databases": {"get": OK},
            "/databases/{id}/schemas": {"get": {"parameters": [id], **OK}},
            "/databases/{id}/tables": {"get": {"parameters": [id, {**name, "in": "query"}], **OK}},
            "/databases/{id}/sql": {"get": {"parameters": [id], **OK}},
            "/databases/{id}/sql/{schema_name}": {"get": {"parameters": [id, {**name, "in": "path"}], **OK}},
        },
    }


@pytest.mark.parametrize("listed", [["m7"], {"result": ["m7"]}])
def test_a_list_of_names_is_called_after_its_path(tmp_path: Path, listed: object) -> None:
    def answer(request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        if len(parts) == 1:
            return reply([{"id": 31, "title": "shop"}])
        if parts[1] != "31":
            return reply({"message": "Not found"}, 404)
        if parts[2] == "schemas":
            return reply(listed)
        given = parts[3:] or request.query.get("schema_name", ["m7"])
        return reply({"result": "SELECT 1"}) if given == ["m7"] else reply({"message": "Fatal error"}, 500)

    file = tmp_path / "lake.json"
    file.write_text(json.dumps(document()))
    with Server({"GET /*": answer}) as server:
        summary = docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", max_calls=40).summary
    assert summary["missed"] == []
