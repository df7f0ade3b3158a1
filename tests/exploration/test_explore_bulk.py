"""Operations on several things that a body names: they are sent one thing of the run's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, key
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body, texts

LINES = ["GET /notes", "POST /notes", "GET /notes/{id}", "DELETE /notes/{id}"]
IDS = {"type": "array", "items": {"type": "integer"}}
TEXT = {"type": "string"}
BULK: dict[str, dict[str, Any]] = {
    "POST /notes/archive": {"type": "object", "required": ["note_ids"], "properties": {"note_ids": IDS}},
    "POST /notes/bulk-delete": {"type": "object", "required": ["ids"], "properties": {"ids": IDS}},
    "PATCH /notes": {
        "type": "array",
        "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "text": TEXT}},
    },
}


class Notes(Shop):
    """Notes are changed one by one and by lists of IDs. `sent` are the IDs that lists had."""

    def __init__(self) -> None:
        super().__init__({f"/notes/{number}": {"text": f"old {number}"} for number in (70, 71)})
        self.sent: list[int] = []

    def __call__(self, request: Received) -> Answer:
        path = request.path.rstrip("/")
        if (request.method, path) == ("PATCH", "/notes"):
            changed = {item["id"]: item for item in request.json}
            return self._changed(changed, lambda place: self.things[place].update(changed[int(place[7:])]))
        if path == "/notes/archive":
            return self._changed(request.json["note_ids"], lambda place: self.things[place].update(archived=True))
        if path == "/notes/bulk-delete":
            return self._changed(request.json["ids"], lambda place: self.things.pop(place))
        return super().__call__(request)

    def _changed(self, ids: Any, change: Any) -> Answer:
        self.sent += ids
        if any(f"/notes/{id}" not in self.things for id in ids):
            return reply({"error": "not found"}, 404)
        for id in ids:
            change(f"/notes/{id}")
        return reply({"changed": len(ids)})


def test_what_goes_to_several_things_is_sent_one_of_the_runs_own(tmp_path: Path) -> None:
    notes, lines = Notes(), [*LINES, *BULK]
    bodies = {line: of_body(schema) for line, schema in BULK.items()}
    reached, _ = explored(tmp_path, notes, lines, **{"POST /notes": texts("text")}, **bodies)
    assert reached == set(lines)
    assert notes.things == Notes().things
    assert notes.sent
    assert {70, 71}.isdisjoint(notes.sent)


@pytest.mark.parametrize(
    ("line", "body", "wanted"),
    [
        ("POST /notes/bulk-delete", {"ids": IDS}, "POST /notes/{body:ids:integer[]}/delete"),
        ("POST /notes/delete-many", {"ids": IDS}, "POST /notes/{body:ids:integer[]}/delete"),
        ("POST /notes/bulk", {"ids": IDS, "action": TEXT}, "POST /notes/{body:ids:integer[]}/bulk"),
        ("PATCH /notes", {"ids": IDS, "text": TEXT}, "POST /notes/{body:ids:integer[]}/update"),
        # More than the IDs may choose, or what is not named is changed, too.
        ("POST /notes/bulk-delete", {"ids": IDS, "filter": TEXT}, None),
        ("POST /notes/bulk-delete", {"ids": IDS, "all": {"type": "boolean"}}, None),
        ("POST /notes/archive", {"ids": IDS, "keep": IDS}, None),
        ("POST /notes/reorder", {"ids": IDS}, None),
        ("POST /notes/sync", {"ids": IDS}, None),
        ("POST /notes/import", {"ids": IDS}, None),
        ("POST /notes/members", {"ids": IDS}, None),
        ("POST /notes/delete", {"tag_ids": IDS}, None),
        ("DELETE /notes", {"ids": IDS}, None),
        ("PUT /notes", {"ids": IDS}, None),
    ],
)
def test_which_operations_go_to_each_of_several_things(
    tmp_path: Path, line: str, body: dict[str, Any], wanted: str | None
) -> None:
    schema = {"type": "object", "required": [*body], "properties": body}
    found = catalog(tmp_path, [*LINES, line], **{line: of_body(schema)})[key(line)].rpc_route
    assert (found and found.operation) == wanted
    queried = {"parameters": [{"name": "all", "in": "query", "schema": {"type": "boolean"}}]}
    found = catalog(tmp_path, [*LINES, line], **{line: of_body(schema) | queried})[key(line)].rpc_route
    assert found is None
    free = catalog(tmp_path, [*LINES, line], **{line: of_body({"type": "object", "properties": body})})
    assert free[key(line)].rpc_route is None
