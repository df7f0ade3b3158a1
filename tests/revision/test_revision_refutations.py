"""What calls refute of the texts of people, and what they do not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from revisekit import call, explored, fact
from test_revision_texts import revised

from docrev.records import Fact, OperationKey
from docrev.revision import write
from docrev.revision.refutations import Shown, refutation

UUID = "1e30d217-3d78-4f8c-b244-79381dc6a254"


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("Tenant UUID", ["default_tenant", "other"], "Tenant identifier, not a UUID."),
        (
            "The UUID of the tenant that owns the database.",
            ["default_tenant"],
            "The identifier (not a UUID) of the tenant that owns the database.",
        ),
        ("`uuid` or UUID", ["default_tenant"], "`uuid` or identifier, not a UUID."),
        ("Name or UUID", ["default_tenant"], ""),
        ("The name of a tenant, which has a UUID of its own", ["default_tenant"], ""),
        ("Tenant UUID", [UUID], ""),
        ("Tenant UUID", [], ""),
        ("Tenant UUID", [UUID, "default_tenant"], ""),
        ("Date (DD.MM.YYYY)", ["2024-06-01"], "Dates are written as `YYYY-MM-DD`, not `DD.MM.YYYY`."),
        ("Date (DD.MM.YYYY)", ["01.06.2024"], ""),
        ('set to "Config"', ["8bit-dns", "any-to-tcp"], "Not always `Config`."),
        ('Sorts by it. By default it is set to "size".', ["weight", "name"], ""),
        ('set to "Config"', ["Config"], ""),
        ("If set to 'null', all permissions apply.", ["read"], ""),
        ("Can be set to 'auto'.", ["read"], ""),
        ("Name of the setting", ["8bit-dns"], ""),
    ],
)
def test_what_accepted_values_refute_is_named(text: str, values: list[Any], expected: str) -> None:
    assert refutation(text, Shown([], values)) == expected


def test_what_is_accepted_beside_the_one_value_that_is_to_be_sent_refutes_nothing() -> None:
    assert refutation("The type (always 'code')", Shown([], ["docrev"])) == "Not always `code`."
    assert refutation("The type (always 'code')", Shown([], ["docrev"], is_sent=True)) == ""


COMES_FROM = fact("GET /x", "comes-from", "query:hub", {"operation": "library GET /hubs", "field": "200:/0/code"})
AT_LEAST = fact("GET /x", "at-least", "query:population", "200:/data/0/population")
CURSOR = fact("GET /x", "pages", "query:cursor", {"by": "cursor", "list": "200:/items", "next": "200:/next"})
PAGE = fact("GET /x", "pages", "query:page", {"by": "page", "list": "200:/items"})
TEXT = fact("GET /x", "type", "query:size", "string")
DATE = fact("GET /x", "format", "query:since", "date")


@pytest.mark.parametrize(
    ("text", "shown", "expected"),
    [
        ("Name of the hub.", Shown([COMES_FROM], ["OSA", "DEN"]), "Code of the hub, not a name."),
        ("Name of the hub.", Shown([COMES_FROM], ["OSA", "Denver"]), ""),
        ("Name of the variable.", Shown([], ["PATH", "HOME"]), ""),
        ("Radius in miles.", Shown([], [5], name="radius_km"), "Radius in km, not in miles."),
        ("Population, as in `population`, not in thousands.", Shown([AT_LEAST], [5]), ""),
        ("Radius in km.", Shown([], [5], name="radius_km"), ""),
        ("Radius in miles.", Shown([], [5], name="radius"), ""),
        ("a or b", Shown([], ["c", "d"], ["a", "c", "d"]), "`c`, `d`, not a or b."),
        ("An integer.", Shown([TEXT], ["<5"]), "A string, not an integer."),
        ("A decimal integer, optionally prefixed by one of `<`, `>`.", Shown([TEXT], ["<5"]), ""),
        ("a or b", Shown([], ["c", "d"], ["c", "d"]), ""),
        ("a or b", Shown([], ["c"], ["a", "b", "c"]), "`c`, not a or b."),
        ("a or b", Shown([], ["c"], ["a", "c"]), ""),
        ("a or b", Shown([], ["b", "c"], ["a", "b", "c"]), ""),
        ("Customers since this year.", Shown([DATE], []), "Customers since this date (`YYYY-MM-DD`), not a year."),
        ("Population in thousands.", Shown([AT_LEAST], []), "Population, as in `population`, not in thousands."),
        (
            "The population that a city must have at least, in thousands.",
            Shown([AT_LEAST], []),
            "The population that a city must have at least, as in `population` (not in thousands).",
        ),
        ("Day of the year.", Shown([DATE], []), ""),
        ("Page number.", Shown([CURSOR], []), "Cursor (the `next` of the previous page), not a page number."),
        ("Page number.", Shown([PAGE], []), ""),
        (
            "Only airports in a radius in miles around this one.",
            Shown([], [5], name="radius_km"),
            "Only airports in a radius in km (not in miles) around this one.",
        ),
        ("Only airports in a radius in km (not in miles) around this one.", Shown([], [5], name="radius_km"), ""),
    ],
)
def test_what_calls_refute_is_named(text: str, shown: Shown, expected: str) -> None:
    assert refutation(text, shown) == expected


def test_another_type_is_named_with_the_one_that_was_told() -> None:
    shown = [fact("GET /authors", "type", "body:/data", "object")]
    assert refutation("Data of the author, as a string", Shown(shown, [])) == "An object, not a string."
    assert refutation("Data of the author, as an object", Shown(shown, [])) == ""
    assert refutation("The type of the data, e.g. string.", Shown(shown, [])) == ""
    assert refutation("What is stored, such as a string", Shown(shown, [])) == ""


def test_a_word_inside_a_value_or_in_code_names_no_type() -> None:
    text = [fact("GET /x", "type", "path:qop", "string")]
    assert refutation("auth or auth-int", Shown(text, ["auth"])) == ""
    assert refutation("Where it comes from:\n- `tag:<uuid>`: the tag with the given UUID", Shown([], ["watch"])) == ""
    assert refutation("A key or `tag:<uuid>`.", Shown([], ["watch"])) == ""


SPEC = """\
openapi: "3.0.3"
info: {title: Library, version: "1"}
paths:
  /shelves/{shelf_id}:
    get:
      parameters:
        - {name: shelf_id, in: path, required: true, description: Shelf UUID, schema: {type: string}}
      responses:
        200: {description: OK}
"""


def test_a_path_that_takes_a_name_where_an_id_is_told_says_so(tmp_path: Path) -> None:
    calls = [
        call("GET /shelves/{shelf_id}", {"id": UUID[:-1] + str(at), "name": name}, path_shelf_id=name)
        for at, name in enumerate(["poems", "plays"])
    ]
    [document] = revised(*explored(tmp_path, SPEC, calls=calls)).documents.values()
    parameter = document.tree["paths"]["/shelves/{shelf_id}"]["get"]["parameters"][0]
    assert parameter["description"] == "Shelf name."


LISTED = SPEC.replace("paths:", "paths:\n  /shelves:\n    get: {responses: {200: {description: OK}}}")


def test_that_something_is_no_uuid_is_said_where_one_that_is_listed_was_refused(tmp_path: Path) -> None:
    shelves = [{"id": UUID[:-1] + str(at), "name": name} for at, name in enumerate(["poems", "plays"])]
    calls = [call("GET /shelves", shelves)]
    for shelf in shelves:
        calls.append(call("GET /shelves/{shelf_id}", shelf, path_shelf_id=shelf["name"]))
        calls.append(call("GET /shelves/{shelf_id}", {"error": "no such shelf"}, status=404, path_shelf_id=shelf["id"]))
    [document] = revised(*explored(tmp_path, LISTED, calls=calls)).documents.values()
    parameter = document.tree["paths"]["/shelves/{shelf_id}"]["get"]["parameters"][0]
    assert parameter["description"] == "Shelf name, not a UUID."


def test_a_refuted_clause_of_a_longer_text_is_mended_and_the_rest_stays(tmp_path: Path) -> None:
    long = "Shelf UUID, which the librarian knows. Ask nobody else."
    calls = [
        call("GET /shelves/{shelf_id}", {"id": UUID[:-1] + str(at), "name": name}, path_shelf_id=name)
        for at, name in enumerate(["poems", "plays"])
    ]
    path, evidence = explored(tmp_path, SPEC.replace("Shelf UUID", f'"{long}"'), calls=calls)
    found = revised(path, evidence)
    [document] = found.documents.values()
    parameter = document.tree["paths"]["/shelves/{shelf_id}"]["get"]["parameters"][0]
    assert parameter["description"] == "Shelf name, which the librarian knows. Ask nobody else."
    assert found.changes[0].classes == ("correction",)
    write([(document, path)])
    assert revised(path, evidence).changes == ()


LISTS = """\
openapi: "3.0.3"
info: {title: Library, version: "1"}
paths:
  /shelves/{shelf}/books:
    get:
      parameters:
        - {name: shelf, in: path, required: true, description: Shelf UUID, schema: {type: string}}
      responses:
        200: {description: OK}
  /files/{path}:
    get:
      parameters: [{name: path, in: path, required: true, schema: {type: string}}]
      responses:
        200:
          description: OK
          content: {application/json: {schema: {type: object, properties: {content: {}, name: {type: string}}}}}
"""


def test_a_value_that_found_nothing_bears_no_text_out(tmp_path: Path) -> None:
    calls = [
        call("GET /shelves/{shelf}/books", [], path_shelf=UUID),
        call("GET /shelves/{shelf}/books", [{"title": "x"}], path_shelf="poems"),
    ]
    [document] = revised(*explored(tmp_path, LISTS, calls=calls)).documents.values()
    text = document.tree["paths"]["/shelves/{shelf}/books"]["get"]["parameters"][0]["description"]
    assert text.startswith("Shelf identifier, not a UUID.")


def test_what_only_some_contents_have_is_no_field_of_the_response(tmp_path: Path) -> None:
    calls = [
        call("GET /files/{path}", {"name": "a", "size": 1, "content": {"cells": []}}, path_path="a"),
        call("GET /files/{path}", {"name": "b", "size": 2, "content": "text"}, path_path="b"),
    ]
    [document] = revised(*explored(tmp_path, LISTS, calls=calls)).documents.values()
    text = document.tree["paths"]["/files/{path}"]["get"]["description"]
    assert "`size`" in text
    assert "cells" not in text


def test_string_keys_are_no_string() -> None:
    shown = Shown([Fact(OperationKey("t", "GET /a"), "type", "200:/meta", "object", ("c",))], [{"a": "b"}])
    assert refutation("Must be string key and value pairs.", shown) == ""
    assert refutation("A string.", shown) == "An object, not a string."
