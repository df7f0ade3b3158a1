"""Responses that are described as another thing: the loans and counts of a library, declared as the library."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml
from revisekit import call, explored
from test_revision_texts import revised, texts

from docrev.records import Call

AT, LOANS, COUNTS = "GET /libraries/{id}", "GET /libraries/{id}/loans", "GET /libraries/{id}/counts"
SHELVES = "GET /libraries/{id}/shelves"
FORM = {"name": "format", "in": "query", "schema": {"type": "string", "enum": ["csv", "json", "json-flat"]}}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
LIBRARY = {name: {"type": "string"} for name in ("name", "city", "street", "opened")}
LOAN = {name: {"type": "string"} for name in ("book", "reader", "until")}
PAGE = {"total": {"type": "integer"}, "rows": {"type": "array", "items": {"$ref": "#/components/schemas/Loan"}}}


def returning(name: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}
    return {"get": {"parameters": [FORM], "responses": {"200": {"description": "OK", "content": content}}}}


def thing(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}


SPEC: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Libraries", "version": "1"},
    "paths": {
        "/loans": returning("Loans"),
        **{f"/libraries/{{id}}{below}": returning("Library") for below in ("", "/loans", "/counts", "/shelves")},
    },
    "components": {"schemas": {"Library": thing(LIBRARY), "Loan": thing(LOAN), "Loans": thing(PAGE)}},
}
for path in SPEC["paths"]:
    SPEC["paths"][path]["parameters"] = [ID] if "{" in path else []
RIGA = {"name": "Old", "city": "Riga", "street": "Mill 1", "opened": "1901"}
ROWS = {"total": 1, "rows": [{"book": "Emma", "reader": "Ann", "until": "May"}]}
CALLS = [
    call("GET /loans", ROWS),
    call(AT, RIGA, path_id="old"),
    call(AT, {**RIGA, "name": "New"}, path_id="new"),
    call(LOANS, ROWS, path_id="old"),
    call(LOANS, {"total": 0, "rows": []}, path_id="new"),
    call(COUNTS, {"lent": 3, "late": 1, "lost": 0}, path_id="old"),
    call(COUNTS, {"lent": 9, "late": 2, "lost": 1}, path_id="new"),
    call(SHELVES, {**RIGA, "shelves": 7}, path_id="old"),
    call(SHELVES, {**RIGA, "shelves": 9}, path_id="new"),
]


def at(path: str, document: Any) -> Any:
    return document["paths"][f"/libraries/{{id}}{path}"]["get"]["responses"]["200"]["content"]["application/json"]


def contract(tmp_path: Path, calls: list[Call]) -> Any:
    [document] = revised(*explored(tmp_path, yaml.safe_dump(SPEC), calls=calls), edit="contract").documents.values()
    return document.tree


def test_a_response_that_is_another_object_says_nothing_of_the_one_it_is_declared_as(tmp_path: Path) -> None:
    found = contract(tmp_path, CALLS[:7])
    assert found["components"]["schemas"]["Library"] == SPEC["components"]["schemas"]["Library"]
    assert at("", found) == at("", SPEC)


def test_it_is_declared_as_where_it_is_returned_elsewhere_or_by_its_own_properties(tmp_path: Path) -> None:
    found = contract(tmp_path, CALLS)
    assert at("/loans", found)["schema"] == {"$ref": "#/components/schemas/Loans"}
    counts = at("/counts", found)["schema"]
    assert "$ref" not in counts
    assert {*counts["properties"]} == {"lent", "late", "lost"}


def test_what_has_what_is_declared_and_more_is_no_other_object(tmp_path: Path) -> None:
    assert at("/shelves", contract(tmp_path, CALLS)) == at("/shelves", SPEC)


def test_what_several_operations_may_declare_is_named_by_none(tmp_path: Path) -> None:
    two = deepcopy(SPEC)
    two["components"]["schemas"]["Fines"] = thing(PAGE)
    two["paths"]["/fines"] = returning("Fines")
    found = texts(revised(*explored(tmp_path, yaml.safe_dump(two), calls=CALLS)))
    assert "like that of" not in found["/paths/~1libraries~1{id}~1loans/get"].after


def test_texts_name_the_operation_that_declares_it_or_its_fields(tmp_path: Path) -> None:
    found = texts(revised(*explored(tmp_path, yaml.safe_dump(SPEC), calls=CALLS)))
    assert found["/paths/~1libraries~1{id}~1loans/get"].after.startswith("Returns a list like that of `GET /loans`.")
    assert "`late`, `lent` and `lost`" in found["/paths/~1libraries~1{id}~1counts/get"].after
    assert "/paths/~1libraries~1{id}/get" not in found
