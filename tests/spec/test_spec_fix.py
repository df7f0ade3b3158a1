"""Mechanical repairs: each fault mended where it stands, every other byte as it was."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

import pytest

from docrev.spec import Catalog, Document, fixed, fixes, load, validate

Json = Any

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def fix(source: str, name: str = "t.yaml", **others: str) -> tuple[Document, list[str]]:
    """The repaired document and the ids of what was repaired; repaired again, it stays as it is."""
    documents = [Document.parse(source, name)] + [Document.parse(text, other) for other, text in others.items()]
    after, faults = fixed(Catalog.of(documents))
    assert fixes(after) == []
    return after.documents[name], [fault.id for fault in faults]


def changed(before: str, after: str) -> list[str]:
    """The lines that a repair wrote."""
    pairs = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line[2:].strip() for line in pairs if line.startswith("+ ")]


def spec(paths: str, version: str = "3.0.3") -> str:
    return f"# a comment\nopenapi: {version}\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}"


ANSWER = "      responses: {'200': {description: Fine.}}\n"


def check(source: str, ids: list[str], lines: list[str]) -> None:
    after, repaired = fix(source)
    assert repaired == ids
    assert changed(source, after.text) == lines
    assert validate(after) == []


def test_booleans_written_as_strings() -> None:
    source = spec(
        "  /a:\n    get:\n      deprecated: 'false'\n      parameters:\n"
        '        - {name: q, in: query, required: "true", schema: {type: string, nullable: "False"}}  # q\n' + ANSWER
    )
    check(
        source,
        ["string-boolean"] * 3,
        [
            "deprecated: false",
            "- {name: q, in: query, required: true, schema: {type: string, nullable: false}}  # q",
        ],
    )


def test_numbers_written_as_strings_in_limits_defaults_examples_and_enums() -> None:
    source = spec(
        "  /a:\n    get:\n      parameters:\n        - name: n\n          in: query\n          schema:\n"
        "            type: integer\n            maximum: '50'\n            default: '20'\n            example: \"7\"\n"
        "            enum: ['7', 20]\n" + ANSWER
    )
    check(source, ["string-number"] * 4, ["maximum: 50", "default: 20", "example: 7", "enum: [7, 20]"])


def test_strings_that_look_like_numbers_stay_where_strings_are_meant() -> None:
    source = spec(
        "  /a:\n    get:\n      parameters:\n"
        "        - {name: q, in: query, example: '5', schema: {type: string, default: '20', enum: ['20', '30']}}\n"
        + ANSWER
    )
    check(source, [], [])


def test_integer_response_codes_are_quoted() -> None:
    source = spec(
        "  /a:\n    get:\n      responses:\n        200: {description: Fine.}\n        '404': {description: No.}\n"
    )
    after, repaired = fix(source)
    assert repaired == ["integer-response-code"]
    assert changed(source, after.text) in (['"200": {description: Fine.}'], ["'200': {description: Fine.}"])
    assert list(after.get("/paths/~1a/get/responses")) == ["200", "404"]


def test_path_parameters_are_declared() -> None:
    source = spec(
        "  /a/{id}/{key}:\n    get:\n"
        + ANSWER
        + "  /b/{id}:\n    get:\n      parameters:\n        - {name: q, in: query, schema: {type: string}}\n"
        + ANSWER
    )
    after, repaired = fix(source)
    assert repaired == ["undeclared-path-parameter"] * 3
    assert validate(after) == []
    declared = {"in": "path", "required": True, "schema": {"type": "string"}}
    assert after.get("/paths/~1a~1{id}~1{key}/get/parameters") == [
        {"name": "id", **declared},
        {"name": "key", **declared},
    ]
    assert after.get("/paths/~1b~1{id}/get/parameters/1") == {"name": "id", **declared}
    assert "        - {name: q, in: query, schema: {type: string}}\n" in after.text


def test_path_parameters_are_declared_as_swagger_2_does() -> None:
    tree = {
        "swagger": "2.0",
        "info": {"title": "T", "version": "1"},
        "paths": {"/a/{id}": {"get": {"responses": {"200": {}}}}},
    }
    after, repaired = fix(json.dumps(tree), "t.json")
    assert repaired == ["missing-response-description", "undeclared-path-parameter"]
    assert after.get("/paths/~1a~1{id}/get/parameters") == [
        {"name": "id", "in": "path", "required": True, "type": "string"}
    ]
    assert after.get("/paths/~1a~1{id}/get/responses/200/description") == "OK"
    assert validate(after) == []


def test_unknown_keys_move_under_x_and_misspelt_ones_are_spelt() -> None:
    source = spec(
        "  /a:\n    GET:\n      cache: {ttl: 5}  # kept\n      x-cache: 1\n      operationid: listA\n      responses:\n"
        "        '200': {Description: Fine., code: 1}\n"
    )
    check(
        source,
        ["unknown-key"] * 5,
        ["get:", "x-cache-2: {ttl: 5}  # kept", "operationId: listA", "'200': {description: Fine., x-code: 1}"],
    )


def test_keys_of_openapi_3_1_schemas_are_free() -> None:
    source = spec(
        "  /a:\n    get:\n      parameters:\n        - {name: q, in: query, schema: {type: string, myKey: 1}}\n"
        + ANSWER,
        "3.1.0",
    )
    check(source, [], [])


def test_types_that_json_does_not_have() -> None:
    source = spec(
        "  /a:\n    get:\n      parameters:\n        - {name: q, in: query, schema: {type: Int}}\n"
        "        - {name: d, in: query, schema: {type: date}}\n" + ANSWER
    )
    check(
        source,
        ["unknown-type"] * 2,
        [
            "- {name: q, in: query, schema: {type: integer}}",
            "- {name: d, in: query, schema: {type: string, format: date}}",
        ],
    )


def test_properties_that_say_of_themselves_that_they_are_required() -> None:
    schema = {
        "required": ["z"],
        "properties": {"a": {"type": "string", "required": True}, "b": {"required": False}, "z": {}},
    }
    tree = {
        "openapi": "3.0.3",
        "info": {"title": "T", "version": "1"},
        "paths": {},
        "components": {"schemas": {"S": schema}},
    }
    after, repaired = fix(json.dumps(tree), "t.json")
    assert repaired == ["required-flag"]
    assert after.get("/components/schemas/S") == {
        "required": ["z", "a"],
        "properties": {"a": {"type": "string"}, "b": {}, "z": {}},
    }


def test_types_beside_a_parameter_move_into_its_schema() -> None:
    source = spec(
        "  /a:\n    get:\n      parameters:\n        - name: n\n          in: query\n"
        "          type: integer\n          minimum: 1\n" + ANSWER
    )
    after, repaired = fix(source)
    assert "inline-schema" in repaired
    assert after.get("/paths/~1a/get/parameters/0") == {
        "name": "n",
        "in": "query",
        "schema": {"type": "integer", "minimum": 1},
    }
    assert validate(after) == []


def test_path_parameters_say_that_they_are_required() -> None:
    source = spec(
        "  /a/{id}:\n    get:\n      parameters:\n        - {name: id, in: path, schema: {type: string}}\n" + ANSWER
    )
    check(source, ["path-parameter-not-required"], ["- {name: id, in: path, required: true, schema: {type: string}}"])


def test_versions_that_are_numbers_or_too_short() -> None:
    source = 'swagger: 2.0\ninfo: {title: T, version: "1"}\npaths: {}\n'
    after, repaired = fix(source)
    assert repaired == ["version-number"]
    assert after.get("/swagger") == "2.0"
    assert validate(after) == []
    assert fix(source.replace("swagger: 2.0", "openapi: 3.0"))[0].get("/openapi") == "3.0.0"


def test_broken_references_are_set_aside_with_what_they_said() -> None:
    tree = {
        "openapi": "3.0.3",
        "info": {"title": "T", "version": "1"},
        "x-policy": {"$ref": "../policies.yaml", "kept": 1},
        "paths": {
            "/a": {
                "post": {
                    "parameters": [
                        {"$ref": "#/components/parameters/Gone"},
                        {
                            "name": "q",
                            "in": "query",
                            "required": "true",
                            "schema": {"$ref": "gone.yaml", "description": "Q."},
                        },
                        {"$ref": "#/components/parameters/Lost"},
                    ],
                    "requestBody": {"$ref": "#/components/requestBodies/Gone"},
                    "responses": {
                        "200": {"$ref": "#/components/responses/Gone"},
                        "400": {"$ref": "http://x.test/r.json"},
                    },
                }
            }
        },
    }
    after, repaired = fix(json.dumps(tree, indent=2), "t.json")
    assert sorted(repaired) == ["string-boolean"] + ["unresolved-ref"] * 6
    assert after.get("/x-policy") == {"x-unresolved-ref": "../policies.yaml", "kept": 1}
    node = after.get("/paths/~1a/post")
    assert node["parameters"] == [
        {"name": "q", "in": "query", "required": True, "schema": {"x-unresolved-ref": "gone.yaml", "description": "Q."}}
    ]
    assert node["requestBody"] == {"x-unresolved-ref": "#/components/requestBodies/Gone", "content": {}}
    assert node["responses"]["200"] == {"x-unresolved-ref": "#/components/responses/Gone", "description": ""}
    assert node["responses"]["400"] == {"$ref": "http://x.test/r.json"}
    assert validate(after) == []


def test_references_that_lead_in_a_circle_are_set_aside() -> None:
    schemas = {
        "A": {"$ref": "#/components/schemas/B"},
        "B": {"$ref": "#/components/schemas/A"},
        "C": {"items": {"$ref": "#/components/schemas/C"}},
    }
    tree = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {}, "components": {"schemas": schemas}}
    after, repaired = fix(json.dumps(tree), "t.json")
    assert set(repaired) == {"circular-ref"}
    assert after.get("/components/schemas/C") == schemas["C"]
    assert "$ref" not in after.get("/components/schemas/A") or "$ref" not in after.get("/components/schemas/B")


def test_what_an_alias_shares_is_mended_once_where_it_is_written() -> None:
    source = spec(
        "  /a:\n    get:\n      parameters: "
        "[&q {name: q, in: query, required: 'true', cache: 1, schema: {type: string}}]\n"
        + ANSWER
        + "  /b:\n    get:\n      parameters: [*q]\n"
        + ANSWER
    )
    after, _ = fix(source)
    assert changed(source, after.text) == [
        "parameters: [&q {name: q, in: query, required: true, x-cache: 1, schema: {type: string}}]"
    ]
    assert validate(after) == []


def test_files_that_are_referred_to_are_mended_too() -> None:
    source = spec("  /a:\n    get:\n      parameters: [{$ref: 'shared.yaml#/Q'}]\n" + ANSWER)
    shared = "Q: {name: q, in: query, required: 'true', schema: {type: string}}\nOther: {required: 'true'}\n"
    documents = [Document.parse(source, "t.yaml"), Document.parse(shared, "shared.yaml")]
    after, _ = fixed(Catalog.of(documents))
    assert after.documents["t.yaml"].text == source
    assert after.documents["shared.yaml"].text == shared.replace("required: 'true', schema", "required: true, schema")


def test_a_repair_keeps_line_ends_and_byte_order_mark() -> None:
    source = "\ufeff" + spec("  /a:\n    get:\n      deprecated: 'true'\n" + ANSWER).replace("\n", "\r\n")
    after, _ = fix(source)
    assert after.to_bytes() == source.replace("'true'", "true").encode()


@pytest.mark.shared
@pytest.mark.parametrize(("name", "errors", "lines"), [("spotify_oas.json", 93, 207), ("tmdb_oas.json", 1, 1)])
def test_public_specs_are_valid_afterwards(name: str, errors: int, lines: int) -> None:
    path = SHARED / "data" / "restbench" / name
    if not path.exists():
        pytest.skip("the reference data ../shared/data is not here")
    catalog = load(path)
    before = catalog.documents[str(path)]
    assert len(validate(before)) == errors
    after, faults = fixed(catalog)
    assert validate(after.documents[str(path)]) == []
    assert fixes(after) == []
    assert len(changed(before.text, after.documents[str(path)].text)) == len(faults) == lines
