"""Names of the run that a service puts into what was there before: the account tells where, and by what call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import of_body

import docrev

TEXT = {"type": "string"}
TASK = {"type": "object", "required": ["title", "type"], "properties": {"title": TEXT, "type": TEXT}}


class Board(Shop):
    """Keeps each type that a task was given among its settings, and in a list of words without IDs."""

    def __init__(self) -> None:
        super().__init__({"/tasks/901": {"title": "wash", "type": "plain"}})
        self.types: list[dict[str, Any]] = [{"label": "plain", "color": "grey"}]

    def __call__(self, request: Received) -> Answer:
        if request.path == "/settings":
            return reply({"theme": "dark", "task_types": self.types})
        if request.path == "/words":
            return reply([{"word": each["label"], "long": False} for each in self.types])
        known = [each["label"] for each in self.types]
        if request.method == "POST" and request.body and isinstance(request.json, dict):
            sent = request.json.get("type")
            if not isinstance(sent, str) or not isinstance(request.json.get("title"), str):
                return reply({"error": "title and type must be texts"}, 422)
            self.types += [{"label": sent, "color": ""}] if sent not in known else []
        return super().__call__(request)


def test_names_of_the_run_in_what_was_there_before_are_told_with_what_sent_them(tmp_path: Path) -> None:
    board, lines = Board(), ["GET /settings", "GET /words", "GET /tasks", "POST /tasks"]
    lines += ["GET /tasks/{id}", "DELETE /tasks/{id}"]
    file = tmp_path / "board.json"
    file.write_text(json.dumps(document(lines, **{"POST /tasks": of_body(TASK)})))
    with Server(board.routes) as server:
        found = docrev.explore(file, base_urls=server.url, allow="POST,DELETE", max_calls=200, out=tmp_path)
    assert any("docrev" in each["label"] for each in board.types)
    told = {item["path"]: item["reason"] for item in found.summary["left"]}
    for path in ("/settings", "/words"):
        assert "docrev-" in told[path]
        assert told[path].endswith("POST /tasks was sent it first")
    assert not [path for path in told if path.startswith("/tasks")]


def test_what_was_removed_is_not_told_by_its_name(tmp_path: Path) -> None:
    board, lines = Board(), ["GET /settings", "GET /words", "GET /tasks", "POST /tasks"]
    board.types = []
    lines += ["GET /tasks/{id}", "DELETE /tasks/{id}"]
    file = tmp_path / "board.json"
    plain = {
        **TASK,
        "properties": {"title": TEXT, "type": {"type": "string", "enum": ["plain", "steep"]}},
    }
    file.write_text(json.dumps(document(lines, **{"POST /tasks": of_body(plain)})))
    with Server({**board.routes, "GET /settings": reply({"theme": "dark"}), "GET /words": reply([])}) as server:
        found = docrev.explore(file, base_urls=server.url, allow="POST,DELETE", max_calls=200, out=tmp_path)
    assert found.summary["left"] == []


class Vocabularies(Shop):
    """Keeps each label that a task was given in two lists of words."""

    def __init__(self) -> None:
        super().__init__({"/tasks/901": {"title": "wash", "type": "plain"}})
        self.labels = ["plain"]

    def __call__(self, request: Received) -> Answer:
        if request.path in ("/labels", "/kinds"):
            return reply(self.labels)
        if request.method == "POST" and request.body and isinstance(request.json.get("type"), str):
            self.labels += [request.json["type"]] if request.json["type"] not in self.labels else []
        return super().__call__(request)


def test_a_name_in_two_lists_is_told_in_both(tmp_path: Path) -> None:
    shop, lines = Vocabularies(), ["GET /labels", "GET /kinds", "GET /tasks", "POST /tasks"]
    lines += ["GET /tasks/{id}", "DELETE /tasks/{id}"]
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(document(lines, **{"POST /tasks": of_body(TASK)})))
    with Server(shop.routes) as server:
        found = docrev.explore(file, base_urls=server.url, allow="POST,DELETE", max_calls=60, out=tmp_path)
    assert 1 < len(shop.labels) < 20
    told = {unquote(item["path"]) for item in found.summary["left"]}
    assert told == {f"/{name}/{label}" for name in ("labels", "kinds") for label in shop.labels[1:]}
