"""What takes SQL is sent a statement that reads nothing but a name of the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev

EXAMPLE = "DELETE FROM orders"


class Database:
    """Runs queries; `asked` has what it was sent."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def __call__(self, request: Received) -> Answer:
        text = request.json.get("query", "")
        self.asked.append(text)
        if not text.upper().startswith("SELECT "):
            return reply({"message": f"Expected: an SQL statement, found: {text[:6]}"}, status=400)
        return reply({"rows": [{"name": text[8:-1]}]})


@pytest.mark.parametrize("example", [False, True])
def test_a_query_in_sql_is_reached_and_changes_nothing(tmp_path: Path, example: bool) -> None:
    schema = {"type": "object", "required": ["query"]}
    text = {"type": "string", "description": "SQL query to run against the storage"}
    schema["properties"] = {"query": text | ({"example": EXAMPLE} if example else {})}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    told = {"operationId": "query", "requestBody": body, "responses": {"200": {"description": "Rows"}}}
    document = {"openapi": "3.1.0", "info": {"title": "d", "version": "1"}, "paths": {"/query": {"post": told}}}
    (tmp_path / "database.json").write_text(json.dumps(document))
    database = Database()
    with Server({"POST *": database}) as server:
        found = docrev.explore(
            tmp_path / "database.json", base_urls=server.url, allow=["POST"], max_calls=40, out=tmp_path / "out"
        )
    assert not found.summary["missed"]
    assert any(text.startswith("SELECT 'docrev-") for text in database.asked)
    assert EXAMPLE not in database.asked
