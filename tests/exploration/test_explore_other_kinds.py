"""A call that changes things of another kind: found out at the first time where a name or a text speaks of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from servers import Answer, Received, Server
from shop import Shop
from test_explore_reach import texts

import docrev

LINES = [f"{method} /{name}" for name in ("archives", "bills") for method in ("GET", "POST")]
LINES += [f"{method} /{name}/{{id}}" for name in ("archives", "bills") for method in ("GET", "DELETE")]


class Books(Shop):
    """With each archive that is made, or with the first one, something becomes of the bills."""

    def __init__(self, bill: dict[str, Any], becomes: dict[str, Any] | None) -> None:
        bills = {f"/bills/{number}": {"name": f"bill {number}", **bill} for number in (501, 502, 503)}
        super().__init__({**bills, "/archives/400": {"name": "old"}})
        self.becomes, self.made = becomes, 0

    def __call__(self, request: Received) -> Answer:
        answer = super().__call__(request)
        if request.method == "POST" and request.path == "/archives" and answer.status == 201:
            self.made += 1
            theirs = [path for path in self.things if path.startswith("/bills/5")]
            for path in theirs:
                if self.becomes is None:
                    del self.things[path]
                else:
                    self.things[path] = {**self.things[path], **self.becomes}
        return answer


def explored(folder: Path, shop: Books, text: str = "") -> dict[str, Any]:
    file = folder / "books.json"
    bodies = {f"POST /{name}": texts("name") for name in ("archives", "bills")}
    bodies["POST /archives"] = {**bodies["POST /archives"], "description": text}
    file.write_text(json.dumps(document(LINES, **bodies)))
    with Server(shop.routes) as server:
        found = docrev.explore(file, base_urls=server.url, allow="POST,DELETE", max_calls=200, out=folder)
    return found.summary


@pytest.mark.parametrize(
    ("bill", "becomes", "text"),
    [
        ({"archived": False}, {"archived": True}, ""),
        ({"archived_at": None}, {"archived_at": "2026-01-01"}, ""),
        ({"status": "open"}, {"status": "archived"}, "Puts all bills of the month away."),
        ({"open": True}, {"open": False}, "Closes the bills of the month."),
        ({}, None, "Puts all bills of the month away."),
    ],
)
def test_a_creation_that_changes_what_others_have_is_sent_once_and_told(
    tmp_path: Path, bill: dict[str, Any], becomes: dict[str, Any] | None, text: str
) -> None:
    shop = Books(bill, becomes)
    summary = explored(tmp_path, shop, text)
    assert shop.made == 1
    assert [(row["operation"], row["unforeseen"]) for row in summary["changed"]] == [("POST /archives", True)]
    assert summary["left"] == []


@pytest.mark.parametrize(
    ("bill", "becomes"), [({"archived": False, "number": 7}, {"number": 8}), ({"status": "new"}, {"status": "running"})]
)
def test_what_changes_by_itself_forbids_nothing(tmp_path: Path, bill: dict[str, Any], becomes: dict[str, Any]) -> None:
    shop = Books(bill, becomes)
    summary = explored(tmp_path, shop, "Keeps copies of bills.")
    assert shop.made > 1
    assert summary["changed"] == []
