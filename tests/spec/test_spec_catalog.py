"""Loading: what every other part of docrev reads of a spec."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docrev.records import OperationKey
from docrev.spec import MISSING, Catalog, Document, Operation, Place, load
from docrev.spec.operation import FORM, MULTIPART

Json = Any


def catalog_of(tree: Json, name: str = "shop.json") -> Catalog:
    return Catalog.of([Document.parse(json.dumps(tree), name)])


def openapi(paths: Json, version: str = "3.0.3", **more: Json) -> Json:
    return {"openapi": version, "info": {"title": "Shop", "version": "1"}, "paths": paths, **more}


def swagger(paths: Json, **more: Json) -> Json:
    return {"swagger": "2.0", "info": {"title": "Shop", "version": "1"}, "paths": paths, **more}


def only(catalog: Catalog) -> Operation:
    assert len(catalog) == 1
    return catalog.operations[0]


def ids(catalog: Catalog) -> list[str]:
    return [finding.id for finding in catalog.findings]


OK = {"200": {"description": "Fine."}}


def test_an_operation_has_its_texts_tags_and_place() -> None:
    node = {
        "operationId": "list",
        "summary": "S",
        "description": "D",
        "tags": ["a"],
        "deprecated": True,
        "responses": OK,
    }
    catalog = catalog_of(openapi({"/a b~/{x}": {"get": node | {"parameters": []}}}))
    operation = only(catalog)
    assert operation.key == OperationKey("shop", "GET /a b~/{x}")
    assert (operation.operation_id, operation.summary, operation.description) == ("list", "S", "D")
    assert operation.tags == ("a",)
    assert operation.place == Place("shop.json", "/paths/~1a b~0~1{x}/get")
    assert catalog[operation.key] is operation
    assert catalog.get(OperationKey("shop", "GET /other")) is None


def test_operations_come_in_file_order_and_tools_sorted() -> None:
    first = Document.parse(json.dumps(openapi({"/z": {"post": {}, "get": {}}, "/a": {"get": {}}})), "b/zoo.json")
    second = Document.parse(json.dumps(openapi({"/m": {"get": {}}})), "b/ant.json")
    catalog = Catalog.of([first, second])
    assert catalog.tools == ("ant", "zoo")
    assert [str(operation.key) for operation in catalog.operations] == [
        "ant GET /m",
        "zoo POST /z",
        "zoo GET /z",
        "zoo GET /a",
    ]


def test_the_same_stem_twice_makes_two_tools() -> None:
    documents = [Document.parse(json.dumps(openapi({"/a": {"get": {}}})), f"{folder}/api.json") for folder in "ba"]
    catalog = Catalog.of(documents)
    assert catalog.tools == ("api", "api-2")
    assert catalog.files == {"api": "a/api.json", "api-2": "b/api.json"}


def test_parameters_of_the_path_item_are_the_operations_own_and_are_overridden_by_it() -> None:
    item = {
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
            {"name": "lang", "in": "query", "schema": {"type": "string"}, "description": "of the item"},
        ],
        "get": {"parameters": [{"name": "lang", "in": "query", "schema": {"type": "string", "enum": ["de"]}}]},
    }
    operation = only(catalog_of(openapi({"/a/{id}": item})))
    assert [parameter.key for parameter in operation.parameters] == ["path:id", "query:lang"]
    assert operation.parameters[1].schema.enum == ["de"]
    assert operation.parameters[1].place.pointer == "/paths/~1a~1{id}/get/parameters/0"
    assert operation.parameters[0].place.pointer == "/paths/~1a~1{id}/parameters/0"


def test_a_referenced_parameter_has_the_place_of_its_definition() -> None:
    shared = {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}, "example": 3}
    tree = openapi(
        {"/a": {"get": {"parameters": [{"$ref": "#/components/parameters/Page"}]}}},
        components={"parameters": {"Page": shared}},
    )
    parameter = only(catalog_of(tree)).parameters[0]
    assert parameter.place == Place("shop.json", "/components/parameters/Page")
    assert parameter.schema.place.pointer == "/components/parameters/Page/schema"
    assert (parameter.example, parameter.schema.default) == (3, 1)


def test_a_path_parameter_that_is_not_declared_is_one_all_the_same() -> None:
    catalog = catalog_of(openapi({"/a/{id}/{key}.csv": {"get": {}}}))
    parameters = only(catalog).parameters
    assert [(one.key, one.required, one.declared, one.schema.type) for one in parameters] == [
        ("path:id", True, False, "string"),
        ("path:key", True, False, "string"),
    ]
    assert ids(catalog) == ["undeclared-path-parameter", "undeclared-path-parameter"]


def test_a_path_parameter_that_the_path_has_not_is_left_out_with_a_finding() -> None:
    node = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]}
    catalog = catalog_of(openapi({"/a": {"get": node}}))
    assert only(catalog).parameters == ()
    assert ids(catalog) == ["path-parameter-not-in-path"]


def test_headers_and_cookies_are_arguments_but_authorization_is_not() -> None:
    listed = [
        {"name": name, "in": where, "schema": {"type": "string"}}
        for name, where in [("X-Trace", "header"), ("Authorization", "header"), ("accept", "header"), ("sid", "cookie")]
    ]
    operation = only(catalog_of(openapi({"/a": {"get": {"parameters": listed}}})))
    assert [parameter.key for parameter in operation.parameters] == ["header:X-Trace", "cookie:sid"]


@pytest.mark.parametrize(
    ("told", "meant"), [("true", True), ("false", False), ("False", False), (True, True), (None, False)]
)
def test_flags_are_read_by_meaning(told: Json, meant: bool) -> None:
    node = {"parameters": [{"name": "q", "in": "query", "required": told, "schema": {"type": "string"}}]}
    catalog = catalog_of(openapi({"/a": {"get": node}}))
    assert only(catalog).parameters[0].required is meant
    assert ids(catalog) == (["string-boolean"] if isinstance(told, str) else [])


def test_an_operation_without_an_id_has_a_name() -> None:
    operation = only(catalog_of(openapi({"/v1/movies/{movie_id}/cast-members": {"get": {}}})))
    assert operation.operation_id == ""
    assert operation.name == "get_v1_movies_by_movie_id_cast_members"


def test_of_several_media_types_json_is_taken_then_a_form() -> None:
    def body(*types: str) -> Operation:
        content = {name: {"schema": {"type": "object"}} for name in types}
        return only(catalog_of(openapi({"/a": {"post": {"requestBody": {"content": content, "required": True}}}})))

    taken = body("text/csv", "application/x-www-form-urlencoded", "application/json; charset=utf-8").body
    assert taken is not None
    assert (taken.media_type, taken.required) == ("application/json", True)
    assert taken.others == ("text/csv", "application/x-www-form-urlencoded")
    form = body("text/csv", "application/x-www-form-urlencoded").body
    assert form is not None
    assert form.media_type == "application/x-www-form-urlencoded"
    vendor = body("application/xml", "application/vnd.api+json").body
    assert vendor is not None
    assert vendor.media_type == "application/vnd.api+json"


def test_responses_are_found_exactly_by_class_and_by_default() -> None:
    responses = {"2XX": {"description": "two"}, "404": {"description": "none"}, "default": {"description": "rest"}}
    operation = only(catalog_of(openapi({"/a": {"get": {"responses": responses}}})))

    def told(status: int) -> str:
        found = operation.response(status)
        return found.description if found else ""

    assert [told(status) for status in (201, 404, 500)] == ["two", "none", "rest"]
    assert operation.success is operation.responses["2XX"]


def test_a_response_has_examples_headers_and_a_schema_where_it_is_defined() -> None:
    tree = openapi(
        {"/a": {"get": {"responses": {"200": {"$ref": "#/components/responses/Page"}}}}},
        components={
            "responses": {
                "Page": {
                    "description": "A page.",
                    "headers": {"X-Total": {"schema": {"type": "integer"}}},
                    "content": {
                        "application/json": {
                            "schema": {"$ref": "#/components/schemas/Page"},
                            "examples": {"one": {"value": {"total": 7}}},
                        }
                    },
                }
            },
            "schemas": {"Page": {"properties": {"total": {"type": "integer"}}}},
        },
    )
    response = only(catalog_of(tree)).responses["200"]
    assert response.place.pointer == "/components/responses/Page"
    assert response.example == {"total": 7}
    assert response.headers["X-Total"].type == "integer"
    assert response.schema is not None
    assert response.schema.place.pointer == "/components/schemas/Page"
    assert response.schema.properties()["total"].place.pointer == "/components/schemas/Page/properties/total"


def test_swagger_2_has_its_types_on_the_parameters_and_the_body_among_them() -> None:
    node = {
        "consumes": ["application/xml", "application/json"],
        "produces": ["application/json"],
        "parameters": [
            {"name": "ids", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "pipes"},
            {"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}},
        ],
        "responses": {
            "200": {"description": "Fine.", "schema": {"type": "array", "items": {"$ref": "#/definitions/Pet"}}}
        },
    }
    pet = {"type": "object", "properties": {"name": {"type": "string"}}}
    operation = only(catalog_of(swagger({"/pets": {"post": node}}, definitions={"Pet": pet})))
    ids_ = operation.parameters[0]
    items = ids_.schema.items()
    assert (ids_.schema.type, ids_.style, ids_.explode) == ("array", "pipeDelimited", False)
    assert items is not None
    assert items.type == "integer"
    assert operation.body is not None
    assert operation.body.schema is not None
    assert (operation.body.media_type, operation.body.required) == ("application/json", True)
    assert operation.body.schema.place.pointer == "/definitions/Pet"
    assert operation.success is not None
    assert operation.success.media_type == "application/json"


def test_swagger_2_form_fields_make_one_body() -> None:
    fields = [
        {"name": "title", "in": "formData", "type": "string", "required": "true", "description": "Its title."},
        {"name": "pages", "in": "formData", "type": "integer"},
    ]
    body = only(catalog_of(swagger({"/books": {"post": {"parameters": fields}}}))).body
    assert body is not None
    assert body.schema is not None
    assert (body.media_type, body.required) == ("application/x-www-form-urlencoded", True)
    assert body.schema.required == {"title"}
    assert {name: one.type for name, one in body.schema.properties().items()} == {"title": "string", "pages": "integer"}
    assert body.schema.properties()["title"].place.pointer == "/paths/~1books/post/parameters/0"


def test_a_file_among_the_form_fields_makes_it_multipart() -> None:
    fields = [{"name": "photo", "in": "formData", "type": "file"}]
    body = only(catalog_of(swagger({"/a": {"post": {"parameters": fields}}}))).body
    assert body is not None
    assert body.media_type == "multipart/form-data"


@pytest.mark.parametrize(
    ("types", "required", "wanted"),
    [
        ([FORM, MULTIPART], [], MULTIPART),
        (["application/json", FORM, MULTIPART], ["photo"], MULTIPART),
        (["application/json", MULTIPART], [], "application/json"),
        (["application/json", FORM], ["photo"], "application/json"),
    ],
)
def test_a_body_is_sent_in_parts_where_nothing_else_can_hold_its_file(
    types: list[str], required: list[str], wanted: str
) -> None:
    properties = {"photo": {"type": "string", "format": "binary"}, "title": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "required": required}
    content = {"content": {name: {"schema": schema} for name in types}}
    body = only(catalog_of(openapi({"/a": {"post": {"requestBody": content}}}))).body
    assert body is not None
    assert (body.media_type, body.others) == (wanted, tuple(name for name in types if name != wanted))


def test_a_body_that_json_has_its_own_members_for_is_sent_in_json() -> None:
    file = {"type": "object", "required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}}}
    rows = {"type": "object", "required": ["rows"], "properties": {"rows": {"type": "array", "items": {}}}}
    content = {"content": {"application/json": {"schema": rows}, MULTIPART: {"schema": file}}}
    body = only(catalog_of(openapi({"/a": {"post": {"requestBody": content}}}))).body
    assert body is not None
    assert body.media_type == "application/json"


def test_servers_with_variables_and_host_with_base_path() -> None:
    server = {"url": "https://{region}.shop.test/v1/", "variables": {"region": {"default": "eu"}}}
    new = catalog_of(openapi({}, servers=[server, {"url": "/v2"}]))
    assert new.servers == {"shop": ("https://eu.shop.test/v1", "/v2")}
    old = catalog_of(swagger({}, host="shop.test", basePath="/v1/", schemes=["http", "https", "ws"]))
    assert old.servers == {"shop": ("https://shop.test/v1", "http://shop.test/v1")}


def test_security_is_the_operations_or_else_the_documents() -> None:
    paths = {
        "/a": {"get": {}},
        "/b": {"get": {"security": []}},
        "/c": {"get": {"security": [{"key": []}, {"o": ["x"]}]}},
    }
    catalog = catalog_of(openapi(paths, security=[{"key": []}]))
    assert [operation.security for operation in catalog.operations] == [("key",), (), ("key", "o")]


def test_methods_and_paths_are_read_by_meaning() -> None:
    catalog = catalog_of(openapi({"a": {"GET": {}, "x-get": {}, "summary": "no operation"}, "x-b": {"get": {}}}))
    assert [operation.key.operation for operation in catalog.operations] == ["GET /a"]
    assert "path-without-slash" in ids(catalog)


@pytest.mark.parametrize(
    "paths",
    [None, [], "x", {"/a": None}, {"/a": []}, {"/a": {"get": None}}, {"/a": {"get": "x"}}, {"/a": {"parameters": {}}}],
)
def test_what_cannot_be_read_is_left_out(paths: Json) -> None:
    catalog = catalog_of(openapi({"/ok": {"get": {}}}) | {"paths": paths})
    assert len(catalog) == 0
    assert ids(catalog)


def test_malformed_parameters_and_responses_leave_the_operation_usable() -> None:
    node = {
        "parameters": [None, "x", {}, {"name": "a"}, {"in": "query"}, {"name": "q", "in": "query"}],
        "requestBody": 5,
        "responses": {"200": None, "404": [], "500": {"content": 7}},
    }
    catalog = catalog_of(openapi({"/a": {"post": node}}))
    operation = only(catalog)
    assert [parameter.key for parameter in operation.parameters] == ["query:q"]
    assert operation.parameters[0].schema.type is None
    assert operation.body is None
    assert list(operation.responses) == ["500"]
    assert ids(catalog).count("malformed") == 8


def test_the_digest_is_of_the_contents_not_of_the_place(tmp_path: Path) -> None:
    digests = []
    for folder, title in [("a", "One"), ("b", "One"), ("c", "Two")]:
        (tmp_path / folder).mkdir()
        tree = openapi({"/a": {"get": {}}}) | {"info": {"title": title, "version": "1"}}
        (tmp_path / folder / "shop.json").write_text(json.dumps(tree))
        digests.append(load(tmp_path / folder).digest)
    assert digests[0] == digests[1] != digests[2]


def test_yaml_scalars_are_those_of_yaml_1_2() -> None:
    source = """
openapi: 3.1.0
info: {title: T, version: 1.0.0}
paths:
  /a:
    get:
      parameters:
        - {name: no, in: query, schema: {type: string, enum: [no, on, 010, 2020-01-01]}}
      responses:
        200: {description: Fine.}
"""
    operation = only(Catalog.of([Document.parse(source, "t.yaml")]))
    assert operation.parameters[0].name == "no"
    assert operation.parameters[0].schema.enum is not None
    assert operation.parameters[0].schema.enum[:2] == ["no", "on"]
    assert operation.parameters[0].schema.enum[3] == "2020-01-01"
    assert list(operation.responses) == ["200"]


def test_a_yaml_alias_is_placed_where_its_text_stands() -> None:
    source = """
openapi: 3.0.3
info: {title: T, version: 1.0.0}
paths:
  /a:
    get:
      parameters: [&page {name: page, in: query, schema: {type: integer}}]
  /b:
    get:
      parameters: [*page]
"""
    first, second = Catalog.of([Document.parse(source, "t.yaml")]).operations
    assert first.parameters[0].place == second.parameters[0].place == Place("t.yaml", "/paths/~1a/get/parameters/0")


def test_a_parameter_with_content_or_with_an_inline_type_has_a_schema() -> None:
    listed = [
        {"name": "filter", "in": "query", "content": {"application/json": {"schema": {"type": "object"}}}},
        {"name": "page", "in": "query", "type": "integer"},
    ]
    operation = only(catalog_of(openapi({"/a": {"get": {"parameters": listed}}})))
    assert [parameter.schema.type for parameter in operation.parameters] == ["object", "integer"]


def test_no_example_is_missing_and_not_none() -> None:
    listed = [
        {"name": "a", "in": "query", "schema": {"type": "string"}},
        {"name": "b", "in": "query", "schema": {"type": "string", "nullable": True, "example": None}},
    ]
    first, second = only(catalog_of(openapi({"/a": {"get": {"parameters": listed}}}))).parameters
    assert first.example is MISSING
    assert second.example is None
