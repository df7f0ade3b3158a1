"""Any damage to a spec: it loads, is linted and repaired without an exception, and repairs never make it worse."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from docrev.spec import Catalog, Document, census, fixed, fixes, lint, validate

Json = Any

SHOP: Json = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://{a}.test", "variables": {"a": {"default": "x"}}}],
    "tags": [{"name": "shops"}],
    "paths": {
        "/shops/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}],
            "get": {
                "operationId": "getShop",
                "parameters": [{"$ref": "#/components/parameters/Lang"}],
                "responses": {"200": {"$ref": "#/components/responses/Shop"}, "404": {"description": "None."}},
            },
            "put": {
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Shop"}}}},
                "responses": {"2XX": {"description": "Done."}},
            },
        }
    },
    "components": {
        "parameters": {"Lang": {"name": "lang", "in": "query", "schema": {"type": "string", "enum": ["de", "en"]}}},
        "responses": {
            "Shop": {
                "description": "A shop.",
                "headers": {"X-Rate": {"schema": {"type": "integer"}}},
                "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/Shop"}, "example": {"id": 1}}
                },
            }
        },
        "schemas": {
            "Shop": {
                "allOf": [
                    {"$ref": "#/components/schemas/Thing"},
                    {"properties": {"stars": {"type": "number", "default": 3}}},
                ],
                "oneOf": [{"properties": {"near": {"type": "array", "items": {"$ref": "#/components/schemas/Shop"}}}}],
            },
            "Thing": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
        },
    },
}
PETS: Json = {
    "swagger": "2.0",
    "info": {"title": "Pets", "version": "1"},
    "host": "pets.test",
    "basePath": "/v1",
    "schemes": ["https"],
    "consumes": ["application/json"],
    "paths": {
        "/pets/{id}": {
            "get": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "type": "string"},
                    {
                        "name": "sort",
                        "in": "query",
                        "type": "array",
                        "items": {"type": "string"},
                        "collectionFormat": "csv",
                    },
                ],
                "responses": {"200": {"description": "A pet.", "schema": {"$ref": "#/definitions/Pet"}}},
            },
            "post": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "type": "string"},
                    {"name": "pet", "in": "body", "schema": {"$ref": "#/definitions/Pet"}},
                ],
                "responses": {"201": {"description": "Made."}},
            },
            "patch": {
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "type": "string"},
                    {"name": "photo", "in": "formData", "type": "file"},
                ],
                "responses": {"default": {"description": "Done."}},
            },
        }
    },
    "definitions": {"Pet": {"properties": {"name": {"type": "string"}, "parent": {"$ref": "#/definitions/Pet"}}}},
}
JUNK: list[Json] = [
    None, True, 1, 1.5, -1, "", "x", "#/", "true", "20", [], {}, [1], [[]], [None], {"a": {"b": 1}}, {"type": "object"},
    {"$ref": "#/nowhere"}, {"$ref": "#"}, {"$ref": ""}, {"$ref": 5}, {"$ref": "a~5"}, {"$ref": "#/a~5"},
    {"$ref": "http://127.0.0.1:9/y"}, {"$ref": "../../../etc/hostname"}, {"$ref": "#/paths"}, {"$ref": "x.yaml#/%zz"},
    {"allOf": [{"$ref": "#"}]}, {"cache": 1}, {"properties": {"a": {"required": True, "type": "Int"}}},
]  # fmt: skip
KEYS = ["required", "cache", "type", "default", "minimum", "explode", "x-a", "OperationID", "$ref", "description", "in"]


def damaged(tree: Json, seed: int) -> Json:
    """`tree` with up to eight of its values replaced, or keys added, by what does not belong there."""
    chance = random.Random(seed)
    broken = copy.deepcopy(tree)
    places = [place for place in _places(broken) if place[1] not in ("openapi", "swagger")]
    for _ in range(chance.choice([1, 3, 8])):
        owner, key = chance.choice(places)
        if isinstance(owner, dict) and chance.random() < 0.4:
            key = chance.choice(KEYS)
        owner[key] = copy.deepcopy(chance.choice(JUNK))
    return broken


def _places(node: Json) -> Iterator[tuple[Json, Json]]:
    for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(value, dict | list):
            yield from _places(value)


def read_all(catalog: Catalog) -> None:
    """Ask for everything that can be asked for."""
    for operation in catalog.operations:
        assert operation.name
        operation.response(200)
        schemas = [parameter.schema for parameter in operation.parameters]
        schemas += [found.schema for found in operation.responses.values() if found.schema is not None]
        if operation.body is not None and operation.body.schema is not None:
            schemas.append(operation.body.schema)
        assert operation.place.file in catalog.documents
        for _, schema in (pair for one in schemas for pair in one.walk()):
            assert schema.type in (None, "string", "integer", "number", "boolean", "array", "object", "null")
            assert schema.place.file in catalog.documents
            for name in ("enum", "example", "default", "description", "nullable", "required", "format"):
                getattr(schema, name)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("tree", [SHOP, PETS], ids=["openapi", "swagger"])
def test_damaged_specs(tree: Json, seed: int) -> None:
    broken = damaged(tree, seed)
    name = "t.json" if seed % 2 else "t.yaml"
    source = json.dumps(broken, indent=1) if seed % 2 else yaml.safe_dump(broken, sort_keys=False)
    document = Document.parse(source, name)
    catalog = Catalog.of([document])
    read_all(catalog)
    census(catalog)
    before = sum(one.id == "invalid" for one in lint(catalog))
    after, _ = fixed(catalog)
    read_all(after)
    assert fixes(after) == []
    left = validate(after.documents[name], after.refs)
    assert sum(one.id == "invalid" for one in left) <= before or any(
        one.id == "validator-stopped" for one in lint(catalog)
    )


def test_the_undamaged_specs_are_sound() -> None:
    for tree in (SHOP, PETS):
        assert validate(Document.parse(json.dumps(tree), "t.json")) == []
