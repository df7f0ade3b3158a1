"""Lists within one thing that have a part of their items, and bounds that texts state too high."""

from __future__ import annotations

from pathlib import Path

import pytest
from revisekit import call, explored, fact
from test_revision_texts import revised, texts

from docrev.records import Call

SPEC = """
openapi: 3.0.3
info: {title: library, version: "1"}
paths:
  /loans:
    get:
      parameters: [{name: limit, in: query, description: "How many, up to 500", schema: {type: integer}}]
      responses: {"200": {description: ok}}
  /loans/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {
        number: {type: integer}, books: {type: array, description: TEXT, items: {type: object}}}}}}}}
  /loans/{id}/books:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {responses: {"200": {description: ok}}}
"""
AT = "/paths/~1loans~1{id}/get…/properties/books"
ALL = "All books of the loan."


def loans(*counts: int, most: int = 2) -> list[Call]:
    """Loans with so many books, of which `most` are shown."""
    books = [[{"title": f"Book {number}"} for number in range(count)] for count in counts]
    shown = [{"number": len(every), "books": every[:most]} for every in books]
    return [call("GET /loans/{id}", body, path_id=at) for at, body in enumerate(shown)]


def books(at: int, count: int) -> Call:
    return call("GET /loans/{id}/books", {"books": [{"title": f"Book {n}"} for n in range(count)]}, path_id=at)


def written(tmp_path: Path, text: str, calls: list[Call]) -> str:
    changes = texts(revised(*explored(tmp_path, SPEC.replace("TEXT", text), calls=calls)))
    return str(changes[AT].after) if AT in changes else ""


@pytest.mark.parametrize(
    ("text", "more", "result"),
    [
        (ALL, [], "At most 2 books of the loan, not all. `number` is the number of all."),
        (ALL, [books(1, 3), books(0, 1)], "At most 2 books of the loan, not all. `GET /loans/{id}/books` returns all."),
        (ALL, [books(1, 2)], "At most 2 books of the loan, not all. `number` is the number of all."),
        ("The books.", [], "The books. At most 2; `number` is the number of all."),
    ],
)
def test_a_list_that_is_cut_is_said_to_be_with_what_returns_all(
    tmp_path: Path, text: str, more: list[Call], result: str
) -> None:
    assert written(tmp_path, text, [*loans(1, 3, 4, 5), *more]) == result


@pytest.mark.parametrize("counts", [(1, 2, 2), (1, 3, 4), (0, 3, 4, 5)])
def test_a_list_is_cut_only_if_several_things_have_more(tmp_path: Path, counts: tuple[int, ...]) -> None:
    assert written(tmp_path, ALL, loans(*counts)) == ""


def test_a_number_that_is_not_always_that_of_the_items_says_nothing(tmp_path: Path) -> None:
    other = call("GET /loans/{id}", {"number": 9, "books": []}, path_id=9)
    assert written(tmp_path, ALL, [*loans(1, 3, 4, 5), other]) == ""


def test_a_bound_that_a_text_states_too_high_is_corrected(tmp_path: Path) -> None:
    capped = fact("GET /loans", "clamps", "query:limit", {"maximum": 50})
    seen = call("GET /loans", {"books": []}, query_limit=60)
    found = texts(revised(*explored(tmp_path, SPEC, calls=[seen], facts=[capped])))
    assert found["/paths/~1loans/get/parameters/0"].after == "How many, up to 50, not 500."
