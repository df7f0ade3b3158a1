"""Things that are made as one kind and addressed as another, of which they are one: a form is a view."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts

TABLES = ["GET /tables", "POST /tables", "GET /tables/{table_id}", "DELETE /tables/{table_id}"]
VIEWS = [
    *("POST /tables/{table_id}/forms", "PATCH /forms/{form_view_id}"),
    *("PATCH /views/{view_id}", "POST /views/{view_id}/hide", "DELETE /views/{view_id}"),
]
RUTH = {"/tables/1": {"name": "Ruth's"}, "/views/vwq3q8t5lok16o6p": {"title": "Ruth's", "table": "1"}}


class Tables(Shop):
    """Forms of tables, each of which is a view; no list shows any, and a table that is removed takes its own along."""

    def __init__(self, *, drawn: bool = True) -> None:
        super().__init__(RUTH)
        self.ids = random.Random(4)
        self.drawn = drawn

    def __call__(self, request: Received) -> Answer:
        kind, id, below = [*request.path.strip("/").split("/"), "", ""][:3]
        if kind == "tables" and below == "forms":
            return self._made(id, request) if f"/tables/{id}" in self.things else reply({"error": "not found"}, 404)
        if kind not in ("forms", "views"):
            answer = super().__call__(request)
            self.things = {path: thing for path, thing in self.things.items() if self._is_kept(thing)}
            return answer
        if not id or request.method == "GET":
            return reply({"error": "not found"}, 404)
        if below == "hide":
            return reply({"hidden": True}) if f"/views/{id}" in self.things else reply({"error": "not found"}, 404)
        return self._item(request, f"/views/{id}")

    def _made(self, table: str, request: Received) -> Answer:
        if "title" not in request.json:
            return reply({"error": "title is required"}, 400)
        letters = "".join(self.ids.choice("abcdefghij0123456789") for _ in range(18))
        id = f"vw{letters}"[:16] if self.drawn else str(self.ids.randrange(100, 999))
        self.things[f"/views/{id}"] = {**request.json, "table": table}
        return reply(self.shown(f"/views/{id}"))

    def _is_kept(self, thing: dict[str, Any]) -> bool:
        return "table" not in thing or f"/tables/{thing['table']}" in self.things


@pytest.mark.parametrize("drawn", [True, False])
def test_what_is_of_a_kind_is_addressed_as_one_of_it_if_nothing_else_has_its_id(tmp_path: Path, drawn: bool) -> None:
    tables, extras = (
        Tables(drawn=drawn),
        {"POST /tables": texts("name"), "POST /tables/{table_id}/forms": texts("title")},
    )
    changing = {"PATCH /forms/{form_view_id}": texts("title"), "PATCH /views/{view_id}": texts("title")}
    reached, server = explored(tmp_path, tables, [*TABLES, *VIEWS], **extras, **changing)
    assert reached == {*TABLES, *VIEWS} if drawn else not reached & {*VIEWS[2:]}
    assert tables.things == RUTH
    assert not [line for line in server.changes if "/views/vwq3q8t5lok16o6p" in line]
