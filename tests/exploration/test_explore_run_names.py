"""Two runs on a service: other names on the wire, the same bytes elsewhere; and what an earlier run left."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from clikit import docrev
from servers import Answer, Received, Server, reply

import docrev as library

OPERATIONS = ("GET /shelves", "POST /shelves", "GET /shelves/{id}", "PUT /shelves/{id}", "DELETE /shelves/{id}")
_TEXT = {"type": "string"}
_SHELF = {"type": "object", "properties": {"id": _TEXT, "name": _TEXT, "note": _TEXT}}
_NAMED = {"type": "object", "required": ["name"], "properties": {"name": _TEXT, "note": _TEXT, "owner": _TEXT}}


@dataclass
class Shelves:
    """A service whose items are called by their unique names, one of them somebody's."""

    items: dict[str, dict[str, Any]] = field(default_factory=lambda: {"old": {"id": "old", "name": "old", "note": "n"}})
    conflicts: list[str] = field(default_factory=list)

    def __call__(self, request: Received) -> Answer:
        parts = request.path.strip("/").split("/")
        if len(parts) == 1:
            sent = request.json if request.body else None
            return self._add(sent) if request.method == "POST" else reply({"items": list(self.items.values())})
        id = parts[1]
        if request.method == "PUT":
            new = id not in self.items
            self.items[id] = {"name": id, **request.json, "id": id}
            return reply(self.items[id], 201 if new else 200)
        if id not in self.items:
            return reply({"error": f"there is no shelf {id}"}, 404)
        return reply(self.items.pop(id) if request.method == "DELETE" else self.items[id])

    def _add(self, sent: Any) -> Answer:
        name = sent.get("name") if isinstance(sent, dict) else None
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9.-]{2,40}", name):
            return reply({"error": "name: must match ^[A-Za-z][A-Za-z0-9.-]{2,40}$"}, 400)
        if name in self.items:
            self.conflicts.append(name)
            return reply({"error": f"a shelf {name} exists"}, 409)
        self.items[name] = {"note": "", **sent, "id": name}
        return reply(self.items[name], 201, Location=f"/shelves/{name}")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    content = {"content": {"application/json": {"schema": _NAMED}}}
    answer = {"200": {"description": "ok", "content": {"application/json": {"schema": _SHELF}}}}
    extras = {"POST /shelves": {"requestBody": content}, "PUT /shelves/{id}": {"requestBody": content}}
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(document(OPERATIONS, **extras, **{"GET /shelves/{id}": {"responses": answer}})))
    return file


def serve(shelves: list[Shelves]) -> Server:
    """A server whose state is the last of `shelves`."""
    return Server({f"{method} /*": lambda request: shelves[-1](request) for method in ("GET", "POST", "PUT", "DELETE")})


def dump(folder: Path) -> list[str]:
    """Everything in the evidence of a folder, but the nonces of its runs and how long they took."""
    with sqlite3.connect(folder / "evidence.db") as db:
        db.execute("UPDATE runs SET nonce = '', checksum = 0")
        return [re.sub(r'"seconds":[0-9.]+', "", line) for line in db.iterdump()]


def names_sent(server: Server) -> set[str]:
    sent = "\n".join(f"{request.target} {request.body.decode()}" for request in server.requests)
    return set(re.findall(r"docrev-\d{8}-\w+", sent))


def test_two_runs_differ_on_the_wire_and_nowhere_else(tmp_path: Path, spec: Path) -> None:
    names, summaries, dumps, texts = [], [], [], []
    shelves = [Shelves()]
    with serve(shelves) as server:
        for number in range(2):
            shelves.append(Shelves())
            server.requests.clear()
            out = tmp_path / f"run{number}"
            # One at a time: the rows of the evidence are in the order of arrival.
            options: dict[str, Any] = {"allow": ("POST,PUT,PATCH,DELETE",), "concurrency": 1}
            told = library.explore(spec, base_urls=server.url, out=out, **options).summary
            names.append(names_sent(server))
            summaries.append({name: value for name, value in told.items() if name != "seconds"})
            documents = library.revise(spec, evidence=out).documents
            texts.append({name: found.text for name, found in documents.items()})
            dumps.append(dump(out))
            assert list(shelves[-1].items) == ["old"]
    assert all(names)
    assert not names[0] & names[1]
    assert not any("docrev-00000000" in name for name in names[0] | names[1])
    assert {re.sub(r"-\d{8}-", "-", name) for name in names[0]} == {re.sub(r"-\d{8}-", "-", name) for name in names[1]}
    assert summaries[0] == summaries[1]
    assert (summaries[0]["left"], summaries[0]["operations_2xx"]) == ([], 5)
    assert dumps[0] == dumps[1]
    assert any("docrev-00000000-1" in line for line in dumps[0])
    assert texts[0] == texts[1]
    assert spec.read_text() not in texts[0].values()
    assert not re.search(r"docrev-\d{8}", str(texts[0]))


def test_what_earlier_runs_left_neither_collides_nor_stays(tmp_path: Path, spec: Path) -> None:
    shelves, out = [Shelves()], tmp_path / "evidence"
    lefts = []
    with serve(shelves) as server:
        for _ in range(2):
            before = set(shelves[-1].items)
            shelves[-1].conflicts.clear()
            told = library.explore(spec, base_urls=server.url, out=out, allow=("POST,PUT",), fresh=True).summary
            left = json.dumps(told["left"])
            new = set(shelves[-1].items) - before
            assert new
            assert all(name in left for name in new), (new, left)
            assert not any(name in left for name in before)
            assert not before & set(shelves[-1].conflicts)
            lefts.append(new)
        nonces = [{re.sub(r"\D*(\d{8}).*", r"\1", name) for name in new} for new in lefts]
        assert len(nonces[0] | nonces[1]) == 2
        words = ["explore", spec, "--base-url", server.url, "--out", out, "--allow", "POST,PUT,DELETE", "--clean"]
        done = docrev(*words)
        assert (done.code, done.out.strip()) == (0, "Nothing is left.")
        assert list(shelves[-1].items) == ["old"]


def test_a_resumed_run_goes_on_under_its_names(tmp_path: Path, spec: Path) -> None:
    shelves, out = [Shelves()], tmp_path / "evidence"
    with serve(shelves) as server:
        small = library.explore(spec, base_urls=server.url, out=out, allow=("POST,PUT,DELETE",), max_calls=12)
        whole = library.explore(spec, base_urls=server.url, out=out, allow=("POST,PUT,DELETE",), max_calls=200)
        found = names_sent(server)
    assert whole.summary["calls"] > small.summary["calls"]
    assert found
    assert len({name.split("-")[1] for name in found}) == 1
