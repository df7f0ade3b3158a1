"""What refusals look like where no document says so: plain text, and failures in the place of refusals."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_changes import document, explored


class Plain(Shop):
    """Refuses in plain text: always, or with 404 alone."""

    def __init__(self, *, always: bool) -> None:
        super().__init__()
        self.always = always

    def __call__(self, request: Received) -> Answer:
        if request.method in ("POST", "PUT", "PATCH") and not (
            request.body and isinstance(request.json.get("name"), str)
        ):
            return self.refused(400) if self.always else reply({"error": "no name"}, 400)
        answer = super().__call__(request)
        return self.refused(404) if answer.status == 404 else answer

    def refused(self, status: int) -> Answer:
        return Answer(status, b"no such thing", {"Content-Type": "text/plain"})


@pytest.mark.parametrize(
    ("always", "text"),
    [(True, "Most errors are plain text, not JSON."), (False, "Errors with 404 may be plain text, not JSON.")],
)
def test_errors_in_plain_text_are_told_once(always: bool, text: str, tmp_path: Path) -> None:
    _, written = explored(Plain(always=always), document("notes", "pens"), tmp_path)
    assert written.count(text) == 1


def test_declared_texts_are_no_news(tmp_path: Path) -> None:
    declared = {"description": "no", "content": {"text/plain": {"schema": {"type": "string"}}}}
    whole = document("notes", "pens")
    for path in whole["paths"].values():
        for name, operation in path.items():
            if name != "parameters":
                operation["responses"] |= {"400": declared, "404": declared}
    _, written = explored(Plain(always=True), whole, tmp_path)
    assert "plain text" not in written


class Quoting(Plain):
    """Says why in a text, as JSON."""

    def refused(self, status: int) -> Answer:
        return reply("no such thing", status)


def test_a_text_in_json_is_no_plain_text(tmp_path: Path) -> None:
    _, written = explored(Quoting(always=True), document("notes", "pens"), tmp_path)
    assert "plain text" not in written


class Mislabelled(Plain):
    """Calls JSON what is plain text."""

    def refused(self, status: int) -> Answer:
        return Answer(status, b"no such thing", {"Content-Type": "application/json"})


def test_text_that_is_labelled_as_json_is_told(tmp_path: Path) -> None:
    _, written = explored(Mislabelled(always=False), document("notes"), tmp_path)
    assert "The body of a 404 is plain text, though its `Content-Type` says JSON." in written
    (tmp_path / "honest").mkdir()
    _, written = explored(Plain(always=False), document("notes"), tmp_path / "honest")
    assert "labelled" not in written


class Failing(Shop):
    """Fails where a size is no number."""

    def _collection(self, request: Received, path: str) -> Answer:
        size = request.query.get("size", ["5"])[0]
        if request.method == "GET" and re.search("[a-z]", size):
            return reply({"error": "Internal Server Error"}, 500)
        return super()._collection(request, path)

    def listed(self, collection: str, **selected: list[str]) -> list[dict[str, Any]]:
        return super().listed(collection)[: max(int(float(selected.get("size", ["5"])[0])), 0)]


def test_a_value_that_makes_the_service_fail_is_told_at_its_parameter(tmp_path: Path) -> None:
    shop = Failing({f"/notes/{number}": {"name": f"n{number}"} for number in range(7)})
    whole = document("notes")
    whole["paths"] = {"/notes": {"get": whole["paths"]["/notes"]["get"]}}
    size = {"name": "size", "in": "query", "schema": {"type": "integer"}}
    whole["paths"]["/notes"]["get"] = json.loads(json.dumps(whole["paths"]["/notes"]["get"])) | {"parameters": [size]}
    facts, written = explored(shop, whole, tmp_path)
    causes = [value["cause"] for value in facts["status", "GET /notes"]]
    assert "server error for size" in causes
    # Nobody sends a word where a number is declared.
    assert "returns 500" not in written
