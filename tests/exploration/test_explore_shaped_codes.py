"""Codes that have a form of which the documentation says nothing: a new one is made after those that are there."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest
from callkit import document
from servers import Answer, Received, Server, reply

import docrev
from docrev.conventions.run_names import renumbered, run_name
from docrev.conventions.shaped_values import examples_in, shaped_like

OPERATIONS = ["GET /projects", "POST /projects", "GET /projects/{id}", "DELETE /projects/{id}"]
BODY = {
    "type": "object",
    "required": ["title", "code"],
    "properties": {"title": {"type": "string"}, "code": {"type": "string"}},
}


class Projects:
    """Projects whose codes are two capitals and a number, and unique; `refusal` is what it says of any other."""

    def __init__(self, refusal: str, *codes: str) -> None:
        self.refusal, self._ids = refusal, itertools.count(1 + len(codes))
        self.items = {number: {"id": number, "title": "x", "code": code} for number, code in enumerate(codes, 1)}
        self.theirs = json.dumps(self.items)

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            return self._make(request.json)
        if request.path == "/projects":
            return reply([*self.items.values()])
        number = int(last) if (last := request.path.rpartition("/")[2]).isdecimal() else 0
        if number not in self.items:
            return reply({"message": "no such project"}, 404)
        if request.method == "DELETE":
            del self.items[number]
            return Answer(204)
        return reply(self.items[number])

    def _make(self, body: dict[str, str]) -> Answer:
        if not body.get("title") or not re.fullmatch(r"[A-Z]{2}-\d{1,6}", body.get("code", "")):
            return reply({"errors": {"code": [self.refusal]}}, 422)
        if any(item["code"] == body["code"] for item in self.items.values()):
            return reply({"errors": {"code": ["has already been taken"]}}, 422)
        number = next(self._ids)
        self.items[number] = {"id": number, **body}
        return reply(self.items[number], 201)


@pytest.mark.parametrize(
    ("refusal", "codes"), [("is invalid", ("AL-1", "BE-22")), ("must look like AB-123", ())], ids=["seen", "told"]
)
def test_a_code_is_made_after_one_that_was_seen_or_told(tmp_path: Path, refusal: str, codes: tuple[str, ...]) -> None:
    service, file = Projects(refusal, *codes), tmp_path / "projects.json"
    made = {"requestBody": {"content": {"application/json": {"schema": BODY}}}}
    file.write_text(json.dumps(document(OPERATIONS, **{"POST /projects": made})))
    with Server(dict.fromkeys(["GET /*", "POST /*", "DELETE /*"], service)) as server:
        found = docrev.explore(file, base_urls=server.url, allow="POST,DELETE", max_calls=200, out=tmp_path / "out")
    assert [row["operation"] for row in found.summary["missed"]] == []
    assert json.dumps(service.items) == service.theirs


def test_a_code_has_the_shape_of_another_and_no_word_is_one() -> None:
    [code] = shaped_like(["AL-1", "BE-2", "open", "two words", "7", 7, "a@b1.org"], "4")
    assert re.fullmatch(r"[A-Z]{2}-[1-9]", str(code))
    assert shaped_like(["AL-1"], "4") == [code]
    assert shaped_like(["AL-1"], "5") != [code]


def test_the_code_of_the_next_thing_is_another_and_nobody_elses_is_changed() -> None:
    [code] = shaped_like(["AL-1"], "4")
    body = {"title": run_name(4), "code": code, "country": "ABC", "year": "2024"}
    after = renumbered(body, 5, "b")
    assert after == {**body, "title": run_name(5, "b"), "code": shaped_like(["AL-1"], "b5")[0]}
    assert after["code"] != code


def test_the_examples_of_an_error_are_read() -> None:
    assert examples_in("must look like AB-123.") == ["AB-123"]
    assert examples_in('invalid code, e.g. "X 1" or, for example, `B2`') == ["B2"]
    assert examples_in("I do not like it") == []
