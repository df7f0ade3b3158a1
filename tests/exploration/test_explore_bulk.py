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


class Sheets(Shop):
    """Rows are made by lists alone, in sheets, and are read and removed at `/rows/{id}`."""

    def __init__(self, member: str) -> None:
        super().__init__({"/sheets/7": {"name": "theirs"}, "/rows/70": {"cell": "theirs", "sheet": 7}})
        self.member = member

    def __call__(self, request: Received) -> Answer:
        if not request.path.startswith("/sheets/") or "/rows" not in request.path:
            return super().__call__(request)
        sheet = request.path.split("/")[2]
        if request.method == "GET":
            return reply({"data": self.listed("/rows", sheet=[sheet])})
        sent = request.json if request.body else None
        rows = (sent.get(self.member) if isinstance(sent, dict) else None) if self.member else sent
        if not isinstance(rows, list) or not all(isinstance(row, dict) and row.get("cell") for row in rows):
            return reply({"error": "a list of rows with cells is required"}, 422)
        made = []
        for row in rows:
            place = next(free for n in self._numbers if (free := f"/rows/{n}") not in self.things)
            self.things[place] = {**row, "sheet": int(sheet)}
            made.append(self.shown(place))
        return reply({self.member: made} if self.member else made, 201)


@pytest.mark.parametrize("member", ["items", ""])
def test_what_is_made_by_lists_is_the_runs_own_and_removed_again(tmp_path: Path, member: str) -> None:
    sheets, many = Sheets(member), "POST /sheets/{sheet}/rows/bulk"
    lines = ["GET /sheets", "POST /sheets", "DELETE /sheets/{sheet}", "GET /sheets/{sheet}/rows", many]
    lines += ["GET /rows/{row}", "DELETE /rows/{row}", "POST /rows/{row}/marks", "GET /rows/{row}/marks"]
    rows = {"type": "array", "items": {"type": "object", "required": ["cell"], "properties": {"cell": TEXT}}}
    body = {"type": "object", "required": [member], "properties": {member: rows}} if member else rows
    extras = {"POST /sheets": texts("name"), "POST /rows/{row}/marks": texts("name"), many: of_body(body)}
    reached, _ = explored(tmp_path, sheets, lines, **extras)
    assert reached == set(lines)
    assert sheets.things == Sheets(member).things


@pytest.mark.parametrize(
    ("path", "members", "makes"),
    [
        ("/notes/bulk", {"text": TEXT}, True),
        ("/notes/bulk_create", {"text": TEXT, "url": TEXT}, True),
        ("/notes/batch", {"text": TEXT, "id": TEXT}, True),
        # What changes, is asked for or is done, and what makes things that nothing lists.
        ("/notes/bulk_update", {"text": TEXT}, False),
        ("/notes/batch", {"method": TEXT, "text": TEXT}, False),
        ("/notes/batch", {"url": TEXT, "body": TEXT}, False),
        ("/notes/bulk", {"op": TEXT, "text": TEXT}, False),
        ("/other/bulk", {"text": TEXT}, False),
    ],
)
def test_which_operations_make_each_of_several_things(
    tmp_path: Path, path: str, members: dict[str, Any], makes: bool
) -> None:
    line, each = f"POST {path}", {"type": "object", "properties": members}
    listed = {"type": "object", "properties": {"notes": {"type": "array", "items": each}}}
    found = catalog(tmp_path, [*LINES, line], **{line: of_body(listed)})[key(line)].rpc_route
    assert (found is not None and found.operation == "POST /notes") == makes
    changing = {"type": "array", "items": {**each, "required": ["id"], "properties": {**members, "id": TEXT}}}
    found = catalog(tmp_path, [*LINES, line], **{line: of_body(changing)})[key(line)].rpc_route
    assert found is None or found.operation != "POST /notes"


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
