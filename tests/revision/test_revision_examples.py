"""Examples in texts are the service's own: what it lists first, nothing that docrev made up or sent to find a bound."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from revisekit import call, explored
from test_revision_texts import revised

SPEC = """\
openapi: "3.0.3"
info: {title: Library, version: "1"}
paths:
  /shelves:
    get:
      parameters:
        - {name: after, in: query, schema: {type: string}}
        - {name: depth, in: query, schema: {type: integer}}
      responses: {200: {description: OK}}
  /shelves/{shelf}:
    get:
      parameters: [{name: shelf, in: path, required: true, schema: {type: string}}]
      responses: {200: {description: OK}}
"""
SHELVES = [{"code": "north-1"}, {"code": "south-2"}]


def text(tmp_path: Path, parameter: int, path: str, *calls: Any) -> str:
    made = [call("GET /shelves", SHELVES), *calls]
    [document] = revised(*explored(tmp_path, SPEC, calls=made)).documents.values()
    return str(document.tree["paths"][path]["get"]["parameters"][parameter].get("description", ""))


def test_what_the_service_lists_comes_before_what_was_only_accepted(tmp_path: Path) -> None:
    sent = [call("GET /shelves", SHELVES[:1], query_after=value) for value in ("a-guess", "north-1")]
    assert "`a-guess`" not in text(tmp_path, 0, "/shelves", *sent)


@pytest.mark.parametrize("value", ["6f1d1a3e-0000-4000-8000-000000000001", "docrev-00000000-1"])
def test_what_stands_for_any_id_is_no_example(tmp_path: Path, value: str) -> None:
    assert "Example" not in text(tmp_path, 0, "/shelves", call("GET /shelves", SHELVES, query_after=value))


def test_a_number_beyond_all_sense_is_no_example(tmp_path: Path) -> None:
    sent = call("GET /shelves", SHELVES, query_depth=9223372036854775808)
    assert "9223372036854775808" not in text(tmp_path, 1, "/shelves", sent)


def test_an_id_that_nothing_returned_is_no_example(tmp_path: Path) -> None:
    sent = [call("GET /shelves/{shelf}", {"books": 3}, path_shelf=value) for value in ("guessed", "guessed-2")]
    assert "guessed" not in text(tmp_path, 0, "/shelves/{shelf}", *sent)


@pytest.mark.parametrize("listing", ["/shelves", "/shelves/"])
@pytest.mark.parametrize("item", ["/shelves/{shelf}", "/shelves/{shelf}/", "/shelves/{room}/{shelf}"])
def test_what_a_list_shows_is_no_example_however_its_path_is_written(tmp_path: Path, listing: str, item: str) -> None:
    spec = SPEC.replace("  /shelves:", f"  {listing}:").replace("/shelves/{shelf}", item)
    spec = spec.replace(
        "parameters: [{name: shelf",
        "parameters: [{name: room, in: path, required: true, schema: {type: string}}, {name: shelf",
    )
    sent = {"path_shelf": "north-1"} | ({"path_room": "a"} if "room" in item else {})
    made = [call(f"GET {listing}", SHELVES), call(f"GET {item}", {"code": "north-1"}, **sent)]
    [document] = revised(*explored(tmp_path, spec, calls=made)).documents.values()
    parameters = document.tree["paths"][item]["get"]["parameters"]
    assert not any("north-1" in one.get("description", "") for one in parameters)
