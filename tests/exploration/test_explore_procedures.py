"""APIs of RPC style: what is read is read, and nothing but the run's own is changed or removed, in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.records import OperationKey
from docrev.spec import Catalog, load

TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
NUMBERS = {"type": "array", "items": NUMBER}
DEPOTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "depots.list": ({}, []),
    "depots.info": ({"depot": NUMBER}, ["depot"]),
    "depots.create": ({"title": TEXT, "city": TEXT}, ["title"]),
    "depots.update": ({"depot": NUMBER, "city": TEXT}, ["depot"]),
    "depots.delete": ({"depot": NUMBER, "everything": {"type": "boolean"}}, ["depot"]),
    "parcels.list": ({"depot_id": NUMBER, "limit": NUMBER}, []),
    "parcels.info": ({"parcel_id": NUMBER}, ["parcel_id"]),
    "parcels.create": ({"depot_id": NUMBER, "label": TEXT}, ["depot_id", "label"]),
    "parcels.seal": ({"parcel_id": NUMBER}, ["parcel_id"]),
    "parcels.remove": ({"parcel_ids": NUMBERS}, ["parcel_ids"]),
    "parcels.count": ({}, []),
}
"""Members of the body, and which are required, by procedure."""


def spec(folder: Path, style: Callable[[str], str]) -> Path:
    """A document of the procedures; `style` makes a path of `depots.list`."""
    paths: dict[str, Any] = {}
    for name, (properties, required) in DEPOTS.items():
        schema = {"type": "object", "properties": properties, "required": required}
        body = {"required": bool(required), "content": {"application/json": {"schema": schema}}}
        answers = {"200": {"description": "done", "content": {"application/json": {"schema": {}}}}}
        paths[style(name)] = {"post": {"requestBody": body, "responses": answers}}
    file = folder / "depots.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Depots", "version": "1"}, "paths": paths}))
    return file


def dotted(name: str) -> str:
    return f"/api/{name}"


def nested(name: str) -> str:
    return f"/v2/{name.replace('.', '/')}"


class Depots:
    """Depots with parcels, two of each somebody's, behind procedures."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:", check_same_thread=False)
        self.db.executescript(
            """
            CREATE TABLE depots (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, city TEXT);
            CREATE TABLE parcels (id INTEGER PRIMARY KEY AUTOINCREMENT, depot_id INT, label TEXT, sealed INT DEFAULT 0);
            INSERT INTO depots (title, city) VALUES ('North', 'Bremen'), ('South', 'Ulm');
            INSERT INTO parcels (depot_id, label) VALUES (1, 'books'), (2, 'tools');
            """
        )

    def rows(self) -> list[tuple[Any, ...]]:
        return [*self.db.execute("SELECT * FROM depots"), *self.db.execute("SELECT * FROM parcels")]

    def answer(self, request: Received) -> Answer:
        table, _, deed = request.path.strip("/").partition("/")[2].replace("/", ".").partition(".")
        body = request.json if request.body else {}
        found = DEPOTS.get(f"{table}.{deed}")
        if found is None or any(name not in body for name in found[1]):
            return reply({"error": "missing_argument"}, 400)
        result: Answer = getattr(self, deed)(table, body)
        return result

    def one(self, table: str, body: dict[str, Any]) -> dict[str, Any] | None:
        id = body.get("depot") if table == "depots" else body.get("parcel_id")
        return next((row for row in self.all(table) if row["id"] == id), None)

    def all(self, table: str) -> list[dict[str, Any]]:
        cursor = self.db.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def list(self, table: str, body: dict[str, Any]) -> Answer:
        wanted = body.get("depot_id")
        return reply({table: [row for row in self.all(table) if wanted in (None, row.get("depot_id"))]})

    def count(self, table: str, body: dict[str, Any]) -> Answer:
        return reply({"count": len(self.all(table))})

    def info(self, table: str, body: dict[str, Any]) -> Answer:
        found = self.one(table, body)
        return reply(found) if found else reply({"error": "not_found"}, 404)

    def create(self, table: str, body: dict[str, Any]) -> Answer:
        if table == "parcels" and self.one("depots", {"depot": body["depot_id"]}) is None:
            return reply({"error": "no such depot"}, 422)
        first, second = ("title", "city") if table == "depots" else ("depot_id", "label")
        cursor = self.db.execute(
            f"INSERT INTO {table} ({first}, {second}) VALUES (?, ?)", (body[first], body.get(second))
        )
        return reply(next(row for row in self.all(table) if row["id"] == cursor.lastrowid))

    def update(self, table: str, body: dict[str, Any]) -> Answer:
        self.db.execute("UPDATE depots SET city = ? WHERE id = ?", (body.get("city"), body["depot"]))
        return self.info(table, body)

    def seal(self, table: str, body: dict[str, Any]) -> Answer:
        self.db.execute("UPDATE parcels SET sealed = 1 WHERE id = ?", (body["parcel_id"],))
        return self.info(table, body)

    def delete(self, table: str, body: dict[str, Any]) -> Answer:
        if self.one(table, body) is None:
            return reply({"error": "not_found"}, 404)
        which = "1" if body.get("everything") else "id = ?"
        self.db.execute(f"DELETE FROM depots WHERE {which}", () if body.get("everything") else (body["depot"],))
        return reply({"deleted": True})

    def remove(self, table: str, body: dict[str, Any]) -> Answer:
        for id in body["parcel_ids"]:
            self.db.execute("DELETE FROM parcels WHERE id = ?", (id,))
        return reply({"removed": len(body["parcel_ids"])})


@pytest.mark.parametrize("style", [dotted, nested])
def test_procedures_are_reached_and_nothing_of_others_is_changed(tmp_path: Path, style: Callable[[str], str]) -> None:
    depots, file = Depots(), spec(tmp_path, style)
    before = depots.rows()
    with Server({"POST /*": depots.answer}) as server:
        summary = docrev.explore(
            file, base_urls=server.url, out=tmp_path / "evidence", max_calls=400, allow=["POST"]
        ).summary
    assert depots.rows() == before
    assert not summary["missed"]
    deletions = [request.json for request in server.requests if request.path.endswith("delete")]
    assert deletions
    assert all(body.keys() == {"depot"} and body["depot"] > 2 for body in deletions)


def routes(catalog: Catalog) -> dict[str, str]:
    return {op.path: op.route.operation for op in catalog.operations}


def test_the_route_of_a_procedure_says_what_it_does_to_which_thing(tmp_path: Path) -> None:
    assert routes(load(spec(tmp_path, dotted))) == {
        "/api/depots.list": "GET /api/depots",
        "/api/depots.info": "GET /api/depots/{body:depot:integer}",
        "/api/depots.create": "POST /api/depots",
        "/api/depots.update": "PATCH /api/depots/{body:depot:integer}",
        "/api/depots.delete": "DELETE /api/depots/{body:depot:integer}",
        "/api/parcels.list": "GET /api/parcels",
        "/api/parcels.info": "GET /api/parcels/{body:parcel_id:integer}",
        "/api/parcels.create": "POST /api/parcels",
        "/api/parcels.seal": "POST /api/parcels/{body:parcel_id:integer}/parcels.seal",
        "/api/parcels.remove": "DELETE /api/parcels/{body:parcel_ids:integer[]}",
        "/api/parcels.count": "GET /api/parcels/parcels.count",
    }


@pytest.mark.parametrize(
    ("path", "summary"),
    [("/jobs/get_next", ""), ("/jobs/find_or_create", ""), ("/jobs/get", "Removes and returns a job")],
)
def test_what_does_more_than_read_is_not_taken_for_reading(tmp_path: Path, path: str, summary: str) -> None:
    answers = {"responses": {"200": {"description": "done"}}, "summary": summary}
    paths = {
        name: {"post": answers if name == path else {"responses": {}}} for name in ("/jobs/create", "/jobs/list", path)
    }
    file = tmp_path / "jobs.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Jobs", "version": "1"}, "paths": paths}))
    assert "GET" not in routes(load(file))[path]


def test_what_an_api_of_resources_reads_by_post_is_no_procedure(tmp_path: Path) -> None:
    operations = ["GET /notes/{id}", "POST /notes", "DELETE /notes/{id}", "POST /notes/search", "POST /notes/filter"]
    operations += [
        "POST /notes/{id}/get",
        "POST /notes/{id}/add",
        "POST /notes/{id}/delete",
        "POST /version",
        "POST /reset",
    ]
    paths: dict[str, Any] = {}
    for line in operations:
        method, path = line.split()
        paths.setdefault(path, {})[method.lower()] = {"responses": {"200": {"description": "done"}}}
    file = tmp_path / "notes.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Notes", "version": "1"}, "paths": paths}))
    catalog = load(file)
    assert all(op.route == op.key == OperationKey("notes", f"{op.method} {op.path}") for op in catalog.operations)


def test_a_read_that_marks_what_it_reads_is_not_called_again(tmp_path: Path) -> None:
    db = sqlite3.connect(":memory:", check_same_thread=False)
    db.executescript(
        """
        CREATE TABLE parcels (id INTEGER PRIMARY KEY, depot_id INT, label TEXT, seen INT DEFAULT 0);
        INSERT INTO parcels (depot_id, label) VALUES (1, 'books'), (1, 'tools'), (2, 'maps');
        """
    )

    def answer(request: Received) -> Answer:
        body = request.json if request.body else {}
        table, _, deed = request.path.strip("/").partition(".")
        if table == "depots":
            return reply([{"id": 1, "title": "North"}, {"id": 2, "title": "South"}])
        if "depot_id" not in body:
            return reply({"error": "depot_id is required"}, 400)
        if deed == "get_status":
            db.execute("UPDATE parcels SET seen = seen + 1 WHERE depot_id = ?", (body["depot_id"],))
        rows = db.execute("SELECT id, label, seen FROM parcels WHERE depot_id = ?", (body["depot_id"],))
        return reply([dict(zip(("id", "label", "seen"), row, strict=True)) for row in rows])

    schema = {"type": "object", "properties": {"depot_id": NUMBER}, "required": ["depot_id"]}
    body = {"content": {"application/json": {"schema": schema}}}
    answers = {"200": {"description": "done", "content": {"application/json": {"schema": {}}}}}
    asked: dict[str, Any] = {"requestBody": body, "responses": answers}
    names = ("depots.create", "depots.get_all", "parcels.create", "parcels.get_all", "parcels.get_status")
    paths = {f"/{name}": {"post": asked if name.startswith("parcels") else {"responses": answers}} for name in names}
    file = tmp_path / "depots.json"
    file.write_text(json.dumps({"openapi": "3.1.0", "info": {"title": "Depots", "version": "1"}, "paths": paths}))
    with Server({"POST /*": answer}) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", max_calls=150, allow=["POST"])
    assert db.execute("SELECT max(seen) FROM parcels").fetchone() == (1,)


class Careless(Depots):
    """An update reads the ID under another name than is documented, and changes all depots without it; what seals a
    parcel takes it away, and somebody else's gets its ID.
    """

    def update(self, table: str, body: dict[str, Any]) -> Answer:
        self.db.execute("UPDATE depots SET city = ?", (body.get("city"),))
        return reply({"updated": len(self.all(table))})

    def seal(self, table: str, body: dict[str, Any]) -> Answer:
        if self.one(table, body) is None:
            return reply({"error": "not_found"}, 404)
        self.db.execute("UPDATE parcels SET depot_id = 1, label = 'theirs' WHERE id = ?", (body["parcel_id"],))
        return reply({"sealed": True})


def test_a_change_that_goes_further_than_its_target_is_not_made_again(tmp_path: Path) -> None:
    depots = Careless()
    with Server({"POST /*": depots.answer}) as server:
        summary = docrev.explore(
            spec(tmp_path, nested), base_urls=server.url, out=tmp_path / "evidence", max_calls=400, allow=["POST"]
        ).summary
    sent = [(request.path, request.json) for request in server.requests if request.body]
    assert sum(path.endswith("update") and "depot" in body for path, body in sent) == 1
    sealed = [body["parcel_id"] for path, body in sent if path.endswith("seal")]
    there = {row["id"] for row in depots.all("parcels") if row["label"] == "theirs"}
    assert sealed
    assert there == set(sealed)
    assert {f"/v2/parcels/{id}" for id in sealed} <= {item["path"] for item in summary["left"]}
