"""Services that keep what is deleted: in a trash, or unseen in its list. It is removed from there, or told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop
from test_explore_reach import texts

import docrev

LINES = ["GET /notes", "POST /notes", "GET /notes/{id}", "DELETE /notes/{id}"]
THEIRS = {"/notes/501": {"name": "first"}, "/notes/502": {"name": "second"}}


class Trashing(Shop):
    """Moves what is deleted to a trash, where it has the same ID."""

    def __init__(self, trash: str) -> None:
        super().__init__({**THEIRS, "/trash/400": {"name": "old"}})
        self.trash = trash

    def __call__(self, request: Received) -> Answer:
        if request.method == "DELETE" and request.path in self.things and request.path.startswith("/notes/"):
            self.things[f"/trash/{request.path.rpartition('/')[2]}"] = self.things.pop(request.path)
            return Answer(204)
        path = request.path.replace(self.trash, "/trash", 1)
        return super().__call__(Received(request.method, path, request.headers, request.body))


class Hiding(Shop):
    """Marks what is deleted, and shows it in its list alone, to those who ask for it."""

    def __init__(self) -> None:
        super().__init__(THEIRS)

    def __call__(self, request: Received) -> Answer:
        thing = self.things.get(request.path)
        if request.method == "DELETE" and thing is not None:
            self.things[request.path] = {**thing, "archived_at": "2026-01-01T00:00:00Z"}
            return Answer(204)
        if thing is not None and "archived_at" in thing:
            return reply({"error": "not found"}, 404)
        if request.method == "GET" and request.path == "/notes":
            shown = [one for one in self.listed("/notes") if request.query or "archived_at" not in one]
            return reply({"data": shown})
        return super().__call__(request)


class Purging(Shop):
    """Marks what is deleted, and removes it if it is asked to do it for good."""

    def __init__(self) -> None:
        super().__init__(THEIRS)

    def __call__(self, request: Received) -> Answer:
        if request.method == "DELETE" and request.path in self.things and "permanent" not in request.query:
            self.things[request.path] = {**self.things[request.path], "status": "archived"}
            return Answer(204)
        return super().__call__(request)


def explored(folder: Path, shop: Shop, lines: list[str], **extras: Any) -> tuple[dict[str, str], set[str]]:
    """What the account of an exploration tells to be left, with its reasons, and the paths of what is left."""
    before = dict(shop.things)
    file = folder / "shop.json"
    file.write_text(json.dumps(document(lines, **{"POST /notes": texts("name"), **extras})))
    with Server(shop.routes) as server:
        found = docrev.explore(file, base_urls=server.url, allow="POST,DELETE", max_calls=120, out=folder)
    assert {path: shop.things.get(path) for path in before} == before
    return {item["path"]: item["reason"] for item in found.summary["left"]}, shop.things.keys() - before.keys()


@pytest.mark.parametrize("trash", ["/trash", "/notes/trash", "/archive"])
def test_what_lies_in_a_trash_is_removed_from_it(tmp_path: Path, trash: str) -> None:
    shop = Trashing(trash)
    told, left = explored(tmp_path, shop, [*LINES, f"GET {trash}", f"DELETE {trash}/{{id}}"])
    # What has no name of the run may be somebody's.
    assert {path.rpartition("/")[2] for path in told} == {path.rpartition("/")[2] for path in left}
    assert not [path for path in left if "docrev" in str(shop.things[path])]


def test_what_nothing_removes_from_a_trash_is_told(tmp_path: Path) -> None:
    shop = Trashing("/notes/trash")
    told, left = explored(tmp_path, shop, [*LINES, "GET /notes/trash"])
    named = {path.rpartition("/")[2] for path in left if "docrev" in str(shop.things[path])}
    assert named
    kept = {path.rpartition("/")[2] for path, why in told.items() if why == "the run deleted it, and it is kept there"}
    assert kept == named


def test_what_a_list_shows_only_if_it_is_asked_is_told(tmp_path: Path) -> None:
    asked = {"parameters": [{"name": "include_archived", "in": "query", "schema": {"type": "boolean"}}]}
    told, left = explored(tmp_path, Hiding(), LINES, **{"GET /notes": asked})
    assert left
    assert left == told.keys()


def test_what_is_only_marked_is_removed_for_good_if_that_can_be_said(tmp_path: Path) -> None:
    names = ("id", "path", "string"), ("permanent", "query", "boolean")
    parameters = [
        {"name": name, "in": place, "required": place == "path", "schema": {"type": type}}
        for name, place, type in names
    ]
    shop = Purging()
    told, left = explored(tmp_path, shop, LINES, **{"DELETE /notes/{id}": {"parameters": parameters}})
    assert left == told.keys()
    assert not [path for path in left if "docrev" in str(shop.things[path])]
