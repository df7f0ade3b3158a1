"""What a thing refuses until something is done to it, and objects whose members a service names itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import document
from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, of_body, texts

from docrev.conventions.error_hints import read_hints
from docrev.exploration.mending import ValueSources, mended
from docrev.exploration.unsaid_hints import hinted
from docrev.records import Json
from docrev.spec import Operation, load

ROWS = of_body(
    {
        "type": "object",
        "required": ["cells"],
        "properties": {"cells": {"type": "object"}, "marks": {"type": "object"}, "note": {"type": "string"}},
    }
)
OPERATIONS = (
    *("GET /sheets", "POST /sheets", "GET /sheets/{sheet}", "DELETE /sheets/{sheet}"),
    *("POST /sheets/{sheet}/rows/bulk", "PUT /sheets/{sheet}/publish", "POST /sheets/{sheet}/columns"),
)


class Sheets(Shop):
    """A sheet takes rows once it was published, which it can be with columns; its rows have a cell `first`."""

    def __init__(self) -> None:
        super().__init__({"/sheets/ours": {"name": "ours"}})
        self.published: set[str] = set()
        self.ready: set[str] = set()

    def __call__(self, request: Received) -> Answer:
        sheet, _, what = request.path.removeprefix("/sheets/").partition("/")
        if f"/sheets/{sheet}" not in self.things or not what:
            return super().__call__(request)
        if what == "columns":
            self.ready.add(sheet)
            return reply({"columns": ["first"]}, 201)
        if what == "publish":
            if sheet not in self.ready:
                return reply({"error": "a sheet cannot be published without columns"}, 422)
            self.published.add(sheet)
            return reply({"name": sheet, "state": "ready"})
        if sheet not in self.published:
            return reply({"error": "rows cannot be added to a sheet that nobody published"}, 422)
        return _row((request.json or {}).get("cells", {}))


def _row(cells: dict[str, Json]) -> Answer:
    if "first" not in cells:
        text = "missing value for cell: 'first'" if cells else "cells cannot be empty"
        return reply({"error": text}, 422)
    other = [name for name in cells if name != "first"]
    return (
        reply({"error": f"values for cells that are not configured: {other}"}, 422) if other else reply({"n": 1}, 201)
    )


def test_what_was_refused_is_sent_again_to_the_thing_that_something_was_done_to(tmp_path: Path) -> None:
    shop = Sheets()
    extras = {"POST /sheets": texts("name"), "POST /sheets/{sheet}/rows/bulk": ROWS}
    reached, server = explored(tmp_path, shop, list(OPERATIONS), **extras)
    assert "PUT /sheets/{sheet}/publish" in reached
    assert "POST /sheets/{sheet}/rows/bulk" in reached
    assert not [line for line in server.changes if "/sheets/ours" in line]


@pytest.fixture(scope="module")
def operation(tmp_path_factory: pytest.TempPathFactory) -> Operation:
    file = tmp_path_factory.mktemp("sheets") / "sheets.json"
    file.write_text(json.dumps(document(["POST /rows"], **{"POST /rows": ROWS})))
    return load([file]).operations[0]


@pytest.mark.parametrize(
    ("body", "error", "wanted"),
    [
        ({"cells": {}}, "no value for required cell 'first'", {"cells": {"first": "v"}}),
        ({"cells": {"a": "x", "title": "x"}}, "cells that are not configured: ['title']", {"cells": {"a": "x"}}),
        (
            {"cells": {"title": "x"}, "marks": {"title": "x"}},
            "mark with name=title does not exist",
            {"cells": {"title": "x"}, "marks": {}},
        ),
        ({"cells": {}}, "something cannot be empty", {"cells": {"title": "v"}}),
    ],
)
def test_members_of_an_object_that_may_have_any_are_those_that_errors_name(
    operation: Operation, body: dict[str, Any], error: str, wanted: Json
) -> None:
    arguments = {"body:": body}
    hints = read_hints(422, {}, {"error": error}, arguments)
    sources = ValueSources(lambda location: ["v"] if location.endswith(("title", "first")) else [], lambda value: value)
    found = (
        mended(operation, arguments, hints, sources),
        mended(operation, arguments, hinted(operation, arguments, error), sources),
    )
    assert next((idea["body:"] for ideas in found for idea in ideas), None) == wanted
