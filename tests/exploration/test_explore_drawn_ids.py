"""Things that paths know by another ID than the one that is called `id`: `documentId`, which is drawn."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence

LINES = ("GET /cities", "POST /cities", "GET /cities/{id}", "PUT /cities/{id}", "DELETE /cities/{id}")
SCHEMA = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}
BODY = {"content": {"application/json": {"schema": SCHEMA}}}


class Cities:
    """A DELETE is answered 204 whatever it is sent, and two cities cannot have the same name."""

    def __init__(self) -> None:
        self.numbers, self.things = itertools.count(1), dict[str, dict[str, Any]]()
        for name in ("Lyon", "Sevilla", "Roma", "Milano"):
            self.add(name)

    def add(self, name: str) -> dict[str, Any]:
        number = next(self.numbers)
        drawn = f"x{number}k7v2q9m4w{number % 10}t8b3n5"
        self.things[drawn] = {"id": number, "documentId": drawn, "name": name}
        return self.things[drawn]

    def __call__(self, request: Received) -> Answer:
        id = request.path.removeprefix("/cities").strip("/")
        if request.method == "DELETE":
            self.things.pop(id, None)
            return Answer(204)
        if id and id not in self.things:
            return reply({"error": "Not Found"}, 404)
        if request.method == "GET":
            return reply({"data": self.things[id] if id else [*self.things.values()]})
        name = request.json.get("name") if request.body and isinstance(request.json, dict) else None
        if not isinstance(name, str) or any(thing["name"] == name for thing in self.things.values()):
            return reply({"error": "name must be unique"}, 400)
        if id:
            self.things[id]["name"] = name
            return reply({"data": self.things[id]})
        return reply({"data": self.add(name)}, 201)


class Chained(Cities):
    """What is shown under an ID is the city before, and nothing shows by what a city is known itself."""

    def __call__(self, request: Received) -> Answer:
        drawn = ["x0k7v2q9m4w0t8b3n5", *self.things]
        if request.path.strip("/") != "cities" or request.method != "GET":
            return super().__call__(request)
        listed = [{**thing, "documentId": drawn[at]} for at, thing in enumerate(self.things.values())]
        return reply({"data": listed})


def explored(folder: Path, cities: Cities, lines: tuple[str, ...]) -> dict[str, Any]:
    ok = {"200": {"description": "ok"}}
    id = [{"name": "id", "in": "path", "required": True, "schema": {"type": "number"}}]
    paths: dict[str, Any] = {}
    for line in lines:
        method, path = line.lower().split()
        body = (
            {"requestBody": {"content": {"application/json": {"schema": SCHEMA}}}} if method in ("post", "put") else {}
        )
        paths.setdefault(path, {"parameters": id if "{" in path else []})[method] = {**body, "responses": ok}
    file = folder / "cities.json"
    file.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "cities", "version": "1"}, "paths": paths}))
    with Server({f"{method} /*": cities for method in ("GET", "POST", "PUT", "DELETE")}) as server:
        found = docrev.explore(file, base_urls=server.url, out=folder, allow=("POST,PUT,DELETE",), max_calls=200)
    return dict(found.summary)


def test_a_thing_of_the_run_is_addressed_by_the_drawn_id_that_its_path_takes(tmp_path: Path) -> None:
    cities = Cities()
    before = json.dumps(cities.things)
    told = explored(tmp_path, cities, LINES)
    assert told["missed"] == []
    assert json.dumps(cities.things) == before


def test_a_thing_that_another_one_names_by_a_drawn_id_is_not_taken_for_that_one(tmp_path: Path) -> None:
    cities = Chained()
    theirs = json.loads(json.dumps(cities.things))
    explored(tmp_path, cities, LINES)
    assert {id: cities.things.get(id) for id in theirs} == theirs


def test_what_is_listed_after_its_deletion_is_not_called_gone_with_its_name_in_use(tmp_path: Path) -> None:
    """No GET shows by which ID things are addressed, and each DELETE says that it did what it was asked."""
    cities = Cities()
    explored(tmp_path, cities, tuple(line for line in LINES if line not in ("GET /cities/{id}", "PUT /cities/{id}")))
    with Evidence.open(tmp_path, write=False) as evidence:
        assert [*evidence.facts(kind="stays-taken")] == []
