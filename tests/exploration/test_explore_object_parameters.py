"""Lists that take an object in one query parameter, as JSON, with pages that are counted from 0."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, Server, reply

import docrev
from docrev.evidence import Evidence
from docrev.records import Json

LISTS = [f"/list{number}" for number in range(6)]
LONG = LISTS[2:4]
TEXTS = {"page": "Which part.", "size": "How much."}
MOST, USUAL = 10, 5


class Lists:
    """Lists of which two are long; `begin` is the number of the first page."""

    def __init__(self, begin: int) -> None:
        self.begin = begin

    def answer(self, request: Received) -> Answer:
        given: dict[str, Any] = json.loads(request.query.get("q", ["{}"])[0])
        page, size = given.get("page", self.begin), given.get("size", USUAL)
        if type(page) is not int or type(size) is not int:
            return reply({"message": "not an integer"}, 400)
        size = min(size, MOST) if size > 0 else USUAL
        number = int(request.path[-1])
        things = [{"id": n, "name": f"thing {n} of {number}"} for n in range(30 if request.path in LONG else 3)]
        at = max(0, page - self.begin) * size
        return reply({"result": things[at : at + size], "count": len(things)})


def document() -> dict[str, Json]:
    query = {"type": "object", "properties": {n: {"type": "integer", "description": t} for n, t in TEXTS.items()}}
    referred = {"application/json": {"schema": {"$ref": "#/components/schemas/query"}}}
    get: Json = {
        "parameters": [{"in": "query", "name": "q", "content": referred}],
        "responses": {"200": {"description": "ok"}},
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": "lists", "version": "1"},
        "paths": {path: {"get": get} for path in LISTS},
        "components": {"schemas": {"query": query}},
    }


@pytest.mark.parametrize(("begin", "told"), [(0, "Which part. Defaults to `0`."), (1, "Which part.")])
def test_what_members_do_is_written_where_they_are_defined(tmp_path: Path, begin: int, told: str) -> None:
    file = tmp_path / "lists.json"
    file.write_text(json.dumps(document()))
    with Server({"GET /*": Lists(begin).answer}) as server:
        docrev.explore(file, base_urls=server.url, out=tmp_path / "evidence", max_calls=160)
    with Evidence.open(tmp_path / "evidence", write=False) as evidence:
        shown = {(fact.location, fact.key.path) for fact in evidence.facts(kind="pages")}
    assert shown >= {("query:page", path) for path in LONG}
    revision = docrev.revise(file, evidence=tmp_path / "evidence")
    [revised] = revision.documents.values()
    members = revised.get("/components/schemas/query/properties", {})
    assert members["page"]["description"] == told
    assert members["size"]["description"].startswith("How much. ")
    assert f"{MOST}" in members["size"]["description"]
