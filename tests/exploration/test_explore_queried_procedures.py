"""APIs of RPC style whose arguments are all in the query, and whose errors come with 200: by GET as by POST."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence

PROCEDURES = {
    "pad/listAll": [],
    "pad/create": ["padID", "text"],
    "pad/getText": ["padID"],
    "pad/setText": ["padID", "text"],
    "pad/delete": ["padID"],
    "pad/appendText": ["padID", "text"],
    "group/listAll": [],
    "group/create": [],
    "group/delete": ["groupID"],
    "author/getColor": ["authorID"],
    "author/listAll": [],
}
"""The query parameters of each procedure, of which none is said to be required."""
THEIRS = [("minutes", "of Monday"), ("plan", "for May")]


class Pads:
    """Pads in SQLite, two of them somebody's: to create one that is there replaces it."""

    def __init__(self) -> None:
        self.database = sqlite3.connect(":memory:", check_same_thread=False)
        self.database.execute("CREATE TABLE pads (id TEXT PRIMARY KEY, text TEXT)")
        self.database.executemany("INSERT INTO pads VALUES (?, ?)", THEIRS)
        self.database.execute("CREATE TABLE groups (number INTEGER PRIMARY KEY AUTOINCREMENT)")
        self.database.execute("INSERT INTO groups VALUES (7)")

    @property
    def pads(self) -> list[tuple[str, str]]:
        return self.database.execute("SELECT id, text FROM pads ORDER BY id").fetchall()

    @property
    def groups(self) -> list[str]:
        return [f"g.{number}" for (number,) in self.database.execute("SELECT number FROM groups ORDER BY number")]

    def __call__(self, request: Received) -> Answer:
        deed = request.path.rpartition("/")[2]
        given = {name: values[0] for name, values in request.query.items()}
        if request.path.startswith("/group/"):
            return self._do_to_groups(deed, given.get("groupID"))
        if request.path == "/author/listAll":
            return _done({"authorIDs": ["a.91"]})
        if deed == "getColor":
            return _done({"color": "red"}) if given.get("authorID") == "a.91" else _failed("authorID does not exist")
        if deed == "listAll":
            return _done({"padIDs": [id for id, _ in self.pads]})
        if "padID" not in given:
            return _failed("padID is not a string")
        if deed != "create" and given["padID"] not in dict(self.pads):
            return _failed("padID does not exist")
        return self._do(deed, given["padID"], given.get("text", ""))

    def _do_to_groups(self, deed: str, id: str | None) -> Answer:
        if deed == "listAll":
            return _done({"groupIDs": self.groups})
        if deed == "create":
            self.database.execute("INSERT INTO groups DEFAULT VALUES")
            return _done({"groupID": self.groups[-1]})
        if id not in self.groups:
            return _failed("groupID does not exist")
        self.database.execute("DELETE FROM groups WHERE number = ?", (id[2:],))
        return _done(None)

    def _do(self, deed: str, id: str, text: str) -> Answer:
        if deed == "getText":
            return _done({"text": dict(self.pads)[id]})
        if deed == "appendText":
            self.database.execute("UPDATE pads SET text = text || ? WHERE id = ?", (text, id))
            return _done(None)
        statement = "DELETE FROM pads WHERE id = ?" if deed == "delete" else "INSERT OR REPLACE INTO pads VALUES (?, ?)"
        self.database.execute(statement, (id,) if deed == "delete" else (id, text))
        return _done(None)


def _done(data: Any) -> Answer:
    return reply({"code": 0, "message": "ok", "data": data})


def _failed(message: str) -> Answer:
    return reply({"code": 1, "message": message, "data": None})


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pads, docrev.Exploration, Path]:
    folder, pads = tmp_path_factory.mktemp("pads"), Pads()
    answers = {"200": {"description": "done", "content": {"application/json": {"schema": {}}}}}
    paths: dict[str, Any] = {}
    for name, parameters in PROCEDURES.items():
        queried = [{"name": one, "in": "query", "schema": {"type": "string"}} for one in parameters]
        paths[f"/{name}"] = {method: {"parameters": queried, "responses": answers} for method in ("get", "post")}
    (folder / "pads.json").write_text(
        json.dumps({"openapi": "3.0.3", "info": {"title": "Pads", "version": "1"}, "paths": paths})
    )
    with Server({"GET *": pads, "POST *": pads}) as server:
        told = docrev.explore(
            folder / "pads.json", base_urls=server.url, allow=("POST", "DELETE"), max_calls=300, out=folder / "evidence"
        )
    return pads, told, folder / "evidence"


def test_what_is_somebodys_is_neither_replaced_nor_changed(explored: tuple[Pads, docrev.Exploration, Path]) -> None:
    pads, told, _ = explored
    assert (pads.pads, pads.groups) == (THEIRS, ["g.7"])
    assert not told.summary["left"]


def test_values_of_lists_of_texts_and_names_of_the_run_reach_what_takes_them(
    explored: tuple[Pads, docrev.Exploration, Path],
) -> None:
    with Evidence.open(explored[2], write=False) as evidence:
        done = {call.key.operation for call in evidence.calls.select() if call.ok and call.body["code"] == 0}
    assert {f"GET /{name}" for name in ("pad/listAll", "pad/getText", "author/getColor")} <= done
    assert {f"POST /{name}" for name in ("pad/create", "pad/getText", "pad/setText", "pad/delete")} <= done


def test_what_removes_a_thing_by_its_name_alone_does_not_come_before_what_else_is_done_to_it(
    explored: tuple[Pads, docrev.Exploration, Path],
) -> None:
    with Evidence.open(explored[2], write=False) as evidence:
        done = {call.key.operation for call in evidence.calls.select() if call.ok and call.body["code"] == 0}
    assert {"GET /pad/delete", "GET /pad/appendText", "POST /pad/appendText"} <= done
