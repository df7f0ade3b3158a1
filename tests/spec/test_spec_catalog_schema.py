"""The schema cursor: references followed, compositions merged, cycles survived."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docrev.spec import MISSING, Catalog, Document, Schema

Json = Any


def schema_of(node: Json, version: str = "3.1.0", **schemas: Json) -> Schema:
    """The cursor on `node`, with `schemas` as components beside it."""
    tree = {
        "openapi": version,
        "info": {"title": "T", "version": "1"},
        "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": node}}}}}}},
        "components": {"schemas": schemas},
    }
    catalog = Catalog.of([Document.parse(json.dumps(tree), "t.json")])
    schema = catalog.operations[0].responses["200"].schema
    assert schema is not None
    return schema


def types(schema: Schema) -> dict[str, str | None]:
    return {name: one.type for name, one in schema.properties().items()}


def test_all_of_is_merged_and_one_of_and_any_of_are_united() -> None:
    schema = schema_of(
        {
            "allOf": [
                {"$ref": "#/components/schemas/Base"},
                {"properties": {"b": {"type": "integer"}}, "required": ["b"]},
            ],
            "oneOf": [{"properties": {"c": {"type": "boolean"}}}, {"properties": {"d": {"type": "number"}}}],
        },
        Base={"description": "A base.", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
    )
    assert types(schema) == {"a": "string", "b": None, "c": "boolean", "d": "number"}
    assert schema.required == {"a", "b"}
    assert schema.description == "A base."
    assert schema.type == "object"
    assert schema.properties()["a"].place.pointer == "/components/schemas/Base/properties/a"


def test_a_part_of_all_of_says_what_may_not_be_sent() -> None:
    base = {"properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
    form = {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"id": {"readOnly": True}}}]}
    found = schema_of(form, Base=base).properties()
    assert {name: (part.type, part.get("readOnly")) for name, part in found.items()} == {
        "id": ("integer", True),
        "name": ("string", None),
    }
    assert found["id"].place.pointer == "/components/schemas/Base/properties/id"
    either = {"oneOf": form["allOf"]}
    assert schema_of(either, Base=base).properties()["id"].get("readOnly") is None


def test_a_schema_within_itself_is_walked_once() -> None:
    person = {
        "properties": {
            "name": {"type": "string"},
            "friends": {"type": "array", "items": {"$ref": "#/components/schemas/Person"}},
        }
    }
    schema = schema_of({"$ref": "#/components/schemas/Person"}, Person=person)
    assert [path for path, _ in schema.walk()] == ["", "/name", "/friends", "/friends/0"]


@pytest.mark.parametrize("keyword", ["allOf", "oneOf", "anyOf"])
def test_a_composition_of_itself_ends(keyword: str) -> None:
    loop = {keyword: [{"$ref": "#/components/schemas/Loop"}, {"properties": {"a": {"type": "string"}}}]}
    schema = schema_of({"$ref": "#/components/schemas/Loop"}, Loop=loop)
    assert types(schema) == {"a": "string"}
    assert [path for path, _ in schema.walk()] == ["", "/a"]


def test_nested_compositions_need_no_stack() -> None:
    node: Json = {"properties": {"deep": {"type": "string"}}}
    for _ in range(200):
        node = {"allOf": [node]}
    assert types(schema_of(node)) == {"deep": "string"}


def test_the_walk_of_a_wide_web_is_bounded() -> None:
    web = {
        f"N{i}": {"properties": {f"p{j}": {"$ref": f"#/components/schemas/N{j}"} for j in range(12)}} for i in range(12)
    }
    assert sum(1 for _ in schema_of({"$ref": "#/components/schemas/N0"}, **web).walk(12)) == 5000


def test_paths_are_escaped_and_items_are_0() -> None:
    schema = schema_of({"properties": {"a/b": {"items": {"properties": {"~x": {"type": "null"}}}}}})
    assert [path for path, _ in schema.walk()] == ["", "/a~1b", "/a~1b/0", "/a~1b/0/~0x"]
    assert [path for path, _ in schema.walk(max_depth=1)] == ["", "/a~1b"]


@pytest.mark.parametrize(
    ("node", "told"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["integer", "null"]}, "integer"),
        ({"type": ["integer", "string"]}, None),
        ({"type": "Int"}, "integer"),
        ({"type": "whatever"}, None),
        ({"type": 5}, None),
        ({"enum": ["a", "b"]}, "string"),
        ({"enum": [1, 2]}, None),
        ({"properties": {"a": {}}}, "object"),
        ({"items": {}}, "array"),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, "string"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, None),
        ({"allOf": [{"type": "object"}]}, "object"),
        (True, None),
        ({}, None),
    ],
)
def test_types_are_read_by_meaning(node: Json, told: str | None) -> None:
    assert schema_of(node).type == told


def test_null_may_be_allowed_in_four_ways() -> None:
    ways = [
        {"nullable": True},
        {"x-nullable": "true"},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    ]
    assert [schema_of(way).nullable for way in ways] == [True] * 4
    assert not schema_of({"type": "string", "nullable": "false"}).nullable


def test_numbers_and_booleans_written_as_strings_mean_what_they_say() -> None:
    schema = schema_of(
        {"type": "integer", "minimum": "1", "maximum": "50", "default": "20", "example": "7", "enum": ["7"]}
    )
    assert (schema.get("minimum"), schema.get("maximum"), schema.default, schema.example) == (1, 50, 20, 7)
    assert schema.enum == [7]
    assert schema_of({"type": "boolean", "default": "false"}).default is False
    assert schema_of({"type": "string", "default": "20"}).default == "20"
    assert schema_of({"type": "integer", "minimum": "few"}).get("minimum") is None


def test_enums_of_alternatives_are_united_where_all_have_one() -> None:
    assert schema_of({"oneOf": [{"const": "a"}, {"enum": ["b", "c"]}]}).enum == ["a", "b", "c"]
    assert schema_of({"oneOf": [{"const": "a"}, {"type": "string"}]}).enum is None


def test_the_text_beside_a_reference_comes_first() -> None:
    user = {"description": "A user."}
    beside = schema_of({"$ref": "#/components/schemas/User", "description": "Who wrote it."}, User=user)
    assert beside.description == "Who wrote it."
    assert beside.place.pointer == "/components/schemas/User"
    assert schema_of({"$ref": "#/components/schemas/User"}, User=user).description == "A user."


def test_a_property_may_say_of_itself_that_it_is_required() -> None:
    schema = schema_of({"properties": {"a": {"required": True}, "b": {"required": "false"}, "c": {"required": ["x"]}}})
    assert schema.required == {"a"}


def test_examples_in_each_spelling() -> None:
    assert schema_of({"example": 1}).example == 1
    assert schema_of({"examples": [2, 3]}).example == 2
    assert schema_of({"x-example": 4}).example == 4
    assert schema_of({"examples": []}).example is MISSING


def test_a_tuple_has_the_schema_of_its_first_item() -> None:
    for node in ({"prefixItems": [{"type": "number"}]}, {"items": [{"type": "number"}, {"type": "string"}]}):
        items = schema_of(node).items()
        assert items is not None
        assert items.type == "number"


def test_a_reference_may_lead_through_others_and_through_escaped_keys() -> None:
    schema = schema_of(
        {"$ref": "#/components/schemas/A"},
        A={"$ref": "#/components/schemas/B~1c%20d"},
        **{"B/c d": {"type": "string"}},
    )
    assert schema.type == "string"
    assert schema.place.pointer == "/components/schemas/B~1c d"


def test_what_stands_beside_much_is_walked() -> None:
    web = {
        f"N{i}": {"properties": {f"p{j}": {"$ref": f"#/components/schemas/N{j}"} for j in range(12)}} for i in range(12)
    }
    places = dict(
        schema_of({"properties": {"first": {"$ref": "#/components/schemas/N0"}, "count": {}}}, **web).walk(12)
    )
    assert "/count" in places
    assert "/first/p11" in places
    assert len(places) == 5000
