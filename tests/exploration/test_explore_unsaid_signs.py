"""Errors that name the characters of a name, some of which they leave out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from callkit import document
from servers import Answer, Received, Server, reply
from shop import Shop

import docrev
from docrev.evidence import Evidence

RULE = "The name must only contain lowercase letters, numbers, and dashes."
NAMED = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}


class Jars(Shop):
    """Things whose names have small letters, numbers, dashes, and perhaps a plus sign that its errors do not tell."""

    signs = ""

    def __call__(self, request: Received) -> Answer:
        if request.method == "POST":
            name = (request.json if request.body else {}).get("name")
            is_text = isinstance(name, str) and name != ""
            if not is_text or not re.fullmatch(rf"[a-z0-9{self.signs}-]+", name):
                said = RULE if is_text else "Field required"
                return reply({"detail": [{"loc": ["body", "name"], "msg": said}]}, 422)
        return super().__call__(request)


@pytest.mark.parametrize(("signs", "is_told"), [("", True), ("+", False)])
def test_a_sign_that_an_error_leaves_out_and_a_name_may_have_refutes_it(
    tmp_path: Path, signs: str, is_told: bool
) -> None:
    jars = Jars()
    jars.signs = signs
    lines = ["GET /jars", "POST /jars", "GET /jars/{id}", "DELETE /jars/{id}"]
    body = {"requestBody": {"content": {"application/json": {"schema": NAMED}}}}
    file = tmp_path / "jars.json"
    file.write_text(json.dumps(document(lines, **{"POST /jars": body})))
    with Server(jars.routes) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path, allow="POST,DELETE", max_calls=200)
    with Evidence.open(tmp_path, write=False) as evidence:
        assert ("characters" in {fact.kind for fact in evidence.facts()}) is is_told
    assert not jars.things
