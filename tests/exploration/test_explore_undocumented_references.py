"""References that no document declares: an error asks for the ID of another thing, which the run has made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence

OK = {"responses": {"200": {"description": "ok"}}}
NAMED = {"type": "object", "properties": {"label": {"type": "string"}}}
BODY = {"requestBody": {"required": True, "content": {"application/json": {"schema": NAMED}}}}
ONE = [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]
PATHS: dict[str, Any] = {
    path: item
    for kind in ("document_types", "documents")
    for path, item in {
        f"/{kind}": {"get": OK, "post": BODY | OK},
        f"/{kind}/{{id}}": {"parameters": ONE, "get": OK, "delete": OK},
    }.items()
}


class Archive(Shop):
    """A document is of a type, of which only errors speak."""

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST" and request.path == "/documents":
            sent: Any = request.json if request.body else {}
            if "document_type_id" not in sent:
                return reply({"document_type_id": ["This field is required."]}, 400)
            if not isinstance(sent["document_type_id"], int):
                return reply({"document_type_id": ["A valid integer is required."]}, 400)
            if f"/document_types/{sent['document_type_id']}" not in self.things:
                return reply({"document_type_id": ["Object does not exist."]}, 400)
        return super().__call__(request)


def test_an_undocumented_reference_gets_the_id_of_the_runs_own_thing(tmp_path: Path) -> None:
    # `document_type_id` is no ID of a document, though there are documents with the same numbers.
    seeded = {f"/documents/{number}": {"label": f"old {number}"} for number in range(1, 8)}
    archive = Archive({"/document_types/3": {"label": "invoice"}} | seeded)
    file = tmp_path / "archive.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "archive", "version": "1"}, "paths": PATHS}))
    with Server(archive.routes) as server:
        found = docrev.explore(file, base_urls=server.url, out=tmp_path / "out", allow=("POST,DELETE",), max_calls=200)
    assert found.summary["operations_2xx"] == sum(len(item) - ("parameters" in item) for item in PATHS.values())
    assert archive.things.keys() == {"/document_types/3", *seeded}
    with Evidence.open(tmp_path / "out", write=False) as evidence:
        made = [call for call in evidence.calls.select() if call.key.operation == "POST /documents" and call.ok]
    assert {**made[0].arguments["body:"]}.keys() == {"label", "document_type_id"}
    assert "1" in {str(call.arguments["body:"]["document_type_id"]) for call in made}
