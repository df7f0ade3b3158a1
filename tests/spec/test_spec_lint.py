"""Lint: the validator's verdict with places, the census, and what is said of texts and names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import HANGS

from docrev.spec import Catalog, Count, Document, census, is_good_text, is_restated, lint, load, validate
from docrev.spec.texts import count_words, first_paragraph

Json = Any

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
shared = pytest.mark.shared


def data(name: str) -> Path:
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip("the reference data ../shared/data is not here")
    return path


def catalog_of(paths: Json, version: str = "3.0.3", **more: Json) -> Catalog:
    tree = {"openapi": version, "info": {"title": "T", "version": "1"}, "paths": paths, **more}
    return Catalog.of([Document.parse(json.dumps(tree, indent=1), "t.json")])


def operation(**more: Json) -> Json:
    return {
        "operationId": "listShops",
        "description": "The shops of a town, the nearest first.",
        "responses": {"200": {"description": "Fine."}},
        **more,
    }


def found(catalog: Catalog) -> list[tuple[str, str, str]]:
    return [(one.id, one.level, one.pointer) for one in lint(catalog)]


def test_a_good_spec_has_no_findings() -> None:
    assert lint(catalog_of({"/shops": {"get": operation()}})) == []


def test_the_validators_errors_have_pointer_and_line_of_the_fault_itself() -> None:
    listed = [{"name": "q", "in": "query", "required": "true", "schema": {"type": "string"}}]
    catalog = catalog_of({"/shops": {"get": operation(parameters=listed)}})
    [finding] = validate(catalog.documents["t.json"])
    assert (finding.id, finding.level) == ("invalid", "error")
    assert finding.pointer == "/paths/~1shops/get/parameters/0/required"
    assert finding.message == "'true' is not of type 'boolean'"
    assert '"required": "true"' in catalog.documents["t.json"].text.splitlines()[finding.line - 1]


@pytest.mark.parametrize(
    ("schema", "below", "message"),
    [
        ({"type": "integer", "default": "x"}, "/default", "'x' is not of type 'integer'"),
        ({"type": "integer", "maximum": "5"}, "/maximum", "'5' is not of type 'number'"),
        (
            {"properties": {"a": {"items": {"minLength": -1}}}},
            "/properties/a/items/minLength",
            "-1 is less than the minimum of 0",
        ),
    ],
)
def test_errors_within_schemas_are_placed_in_the_document(schema: Json, below: str, message: str) -> None:
    catalog = catalog_of({}, components={"schemas": {"Thing": schema}})
    assert ("/components/schemas/Thing" + below, message) in [
        (one.pointer, one.message) for one in validate(catalog.documents["t.json"])
    ]


def test_the_second_pass_of_the_validator_is_placed_too() -> None:
    catalog = catalog_of({"/a/{id}": {"get": operation()}, "/b": {"get": operation()}})
    told = [(one.pointer, one.message) for one in validate(catalog.documents["t.json"])]
    assert ("/paths/~1a~1{id}/get", "Path parameter 'id' for 'get' operation in '/a/{id}' was not resolved") in told
    assert ("/paths/~1b/get", "Operation ID 'listShops' for 'get' in '/b' is not unique") in told


def test_broken_references_are_reported_once_and_stop_no_validation() -> None:
    listed = [{"$ref": "#/nowhere"}, {"name": "q", "in": "query", "required": "x", "schema": {}}]
    catalog = catalog_of({"/shops": {"get": operation(parameters=listed)}})
    assert found(catalog) == [
        ("unresolved-ref", "error", "/paths/~1shops/get/parameters/0/$ref"),
        ("invalid", "error", "/paths/~1shops/get/parameters/1/required"),
        ("string-boolean", "warning", "/paths/~1shops/get/parameters/1/required"),
    ]


@pytest.mark.parametrize("version", ["3.0.0", "3.1.0"])
def test_what_breaks_the_validator_is_a_finding(version: str) -> None:
    # What is valid is found out without going down by Python's stack.
    schema: Json = {"type": 3}
    for _ in range(400):
        schema = {"properties": {"a": schema}}
    catalog = catalog_of({"/shops": {"get": operation()}}, version, components={"schemas": {"Deep": schema}})
    told = validate(catalog.documents["t.json"])
    assert [(one.id, one.level) for one in told] == [("validator-stopped", "info")] * len(told)
    assert told


def test_a_document_that_is_too_large_for_the_validator_is_a_finding() -> None:
    catalog = catalog_of({"/shops": {"get": operation()}})
    document = catalog.documents["t.json"]
    assert [(one.id, one.level) for one in validate(document, max_nodes=6)] == [("not-validated", "info")]
    assert validate(document, max_nodes=7) == []


def test_remote_references_hidden_from_the_reader_are_not_fetched() -> None:
    schema = {
        "$dynamicRef": "http://127.0.0.1:9/x",
        "properties": {"a": {"$id": "http://127.0.0.1:9/", "default": 1, "$ref": "y"}},
    }
    catalog = catalog_of({"/shops": {"get": operation()}}, "3.1.0", components={"schemas": {"S": schema}})
    assert not [one for one in validate(catalog.documents["t.json"]) if "refused" in one.message.lower()]


def test_operation_ids() -> None:
    paths = {
        "/a": {"get": operation()},
        "/b": {"get": operation()},
        "/c": {"get": operation(operationId="x" * 65)},
        "/d": {"get": operation(operationId=None)},
    }
    told = [one for one in found(catalog_of(paths)) if "operation-id" in one[0]]
    assert told == [
        ("duplicate-operation-id", "error", "/paths/~1b/get/operationId"),
        ("unfit-operation-id", "info", "/paths/~1c/get/operationId"),
        ("missing-operation-id", "info", "/paths/~1d/get"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("undocumented-operation", "info", "/paths/~1shops/get")),
        ("List shops.", ("restated-name", "info", "/paths/~1shops/get/description")),
        ("word " * 70, ("long-first-paragraph", "info", "/paths/~1shops/get/description")),
        ("word " * 250, ("description-too-long", "warning", "/paths/~1shops/get/description")),
        ("First, the nearest.\n\n" + "word " * 100, None),
    ],
)
def test_texts_of_operations(text: str, expected: tuple[str, str, str] | None) -> None:
    assert found(catalog_of({"/shops": {"get": operation(description=text)}})) == ([expected] if expected else [])


def test_texts_of_parameters_where_they_stand() -> None:
    def listed(**parameter: Json) -> Json:
        return [{"name": "town_id", "in": "query", "schema": {"type": "string"}, **parameter}]

    def told(parameters: Json) -> list[tuple[str, str, str]]:
        return found(catalog_of({"/shops": {"get": operation(parameters=parameters)}}))

    here = "/paths/~1shops/get/parameters/0"
    assert told(listed(description="The town id.")) == [("restated-name", "info", f"{here}/description")]
    assert told(listed(description="word " * 70)) == [("long-description", "info", f"{here}/description")]
    assert told(listed(description="word " * 150)) == [("description-too-long", "warning", f"{here}/description")]
    assert told(listed(schema={"description": "Town ID"})) == [("restated-name", "info", f"{here}/schema")]


def test_duplicate_keys_are_told_with_their_line() -> None:
    source = 'openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {}\ninfo: {title: U, version: "1"}\n'
    told = lint(Catalog.of([Document.parse(source, "t.yaml")]))
    assert [(one.id, one.line, one.pointer) for one in told if one.id == "duplicate-key"] == [
        ("duplicate-key", 4, "/info")
    ]


def test_findings_come_in_the_order_of_the_file_and_the_same_each_time() -> None:
    paths = {f"/{name}/{{id}}": {"get": {"deprecated": "true"}} for name in "zyx"}
    first, second = lint(catalog_of(paths)), lint(catalog_of(paths))
    assert first == second
    assert [one.line for one in first] == sorted(one.line for one in first)


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_findings_are_the_same_in_each_process(tmp_path: Path, version: str) -> None:
    """The validator goes by sets of names, and Python orders these by a seed."""
    wrong = {f"p{number}": {"type": "string", "maximum": "1"} for number in range(9)}
    content = {"application/json": {"schema": {"properties": wrong}}}
    paths = {"/shops": {"get": operation(responses={"200": {"description": "Fine.", "content": content}})}}
    tree = {"openapi": version, "info": {"title": "T", "version": "1"}, "paths": paths}
    (tmp_path / "t.json").write_text(json.dumps(tree, indent=1))
    command = [sys.executable, "-m", "docrev", "lint", "t.json"]
    printed = {
        subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, timeout=HANGS
        ).stdout
        for seed in "1234"
    }
    assert len(printed) == 1
    assert b"[invalid]" in printed.pop()


def test_the_census_counts_each_definition_once() -> None:
    page = {
        "name": "page",
        "in": "query",
        "schema": {"type": "integer"},
        "description": "Which page, from 1 on, of the list.",
    }
    shop = {"properties": {"id": {}, "name": {"description": "The name."}, "town": {"properties": {"id": {}}}}}
    answer = {
        "200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Shop"}}}}
    }
    node = operation(parameters=[{"$ref": "#/components/parameters/Page"}], responses=answer)
    body = {
        "content": {
            "application/json": {"schema": {"properties": {"stars": {"description": "One to five; five is the best."}}}}
        }
    }
    catalog = catalog_of(
        {"/a": {"get": node}, "/b": {"get": node | {"description": "  "}, "post": node | {"requestBody": body}}},
        components={"parameters": {"Page": page}, "schemas": {"Shop": shop}},
    )
    counted = census(catalog)
    assert counted.operations == Count(total=3, described=2, good=2)
    assert counted.parameters == Count(total=1, described=1, good=1)
    assert counted.body_properties == Count(total=1, described=1, good=1)
    assert counted.response_properties == Count(total=4, described=1, good=0)
    assert counted.as_json()["response_properties"] == {"total": 4, "described": 1, "good": 0, "missing": 3}


@pytest.mark.parametrize(
    ("text", "name", "restated"),
    [
        ("The movie id.", "movie_id", True),
        ("ID of the movie", "movieId", True),
        ("Get the list of movies", "getMovies", True),
        ("Movie identifier, as found by a search.", "movie_id", False),
        ("`movie_id`", "movie_id", True),
        ("Die Kennung des Films", "movie_id", False),
        ("电影", "movie_id", False),
        ("", "movie_id", False),
    ],
)
def test_restated_names(text: str, name: str, restated: bool) -> None:
    assert is_restated(text, name) is restated


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("The number of results on a page.", True),
        ("Number of results", False),
        ("Get shops. Returns the list of the shops.", False),
        ("按照城市名称搜索附近的商店并返回结果", True),
        ("<p>Get <b>shops</b></p> [x](http://a.test/very/long/path/of/a/link)", False),
        ("", False),
    ],
)
def test_good_texts(text: str, good: bool) -> None:
    assert is_good_text(text, "listShops", "/shops") is good


def test_words_and_paragraphs() -> None:
    assert count_words("A `page`-number, e.g. **1**.") == 6
    assert first_paragraph("  One\n line.\n  \nTwo.") == "One line."


@shared
@pytest.mark.parametrize(
    ("name", "operations", "errors"),
    [
        ("restbench/spotify_oas.json", 40, 93),
        ("restbench/tmdb_oas.json", 54, 1),
        ("openapi/genome-nexus.json", 23, 0),
        ("openapi/language-tool.json", 2, 0),
        ("openapi/rest-countries.json", 21, 0),
        ("openapi/youtube.json", 1, 0),
    ],
)
def test_public_specs(name: str, operations: int, errors: int) -> None:
    catalog = load(data(name))
    told = lint(catalog)
    assert len(catalog) == operations
    assert sum(one.id == "invalid" for one in told) == errors
    assert all(one.line > 1 or not one.pointer for one in told)


@shared
def test_the_census_of_a_public_spec() -> None:
    counted = census(load(data("restbench/tmdb_oas.json")))
    assert (counted.operations.total, counted.parameters.total, counted.parameters.missing) == (54, 145, 48)
