"""What is said to be free of faults of meaning is so by the validator itself."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from functools import partial
from typing import Any

import openapi_spec_validator as library
import pytest
from openapi_schema_validator import OAS31Validator

from docrev.spec.dialects import follows
from docrev.spec.second_pass import nothing_to_say

FAULTS: tuple[Any, ...] = (
    None, True, 1, 1.5, "x", [], {}, ["id"], "integer", {"$ref": "#"}, {"$ref": "#/components/schemas/Thing"},
    {"allOf": [{"properties": {"id": {}}}], "required": ["other"]}, {"type": "integer", "default": "1"},
)  # fmt: skip
KEYS = (
    "default allOf required type enum minimum items not properties $ref operationId parameters tags parent $schema $id"
)
SMALL: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "T", "version": "1"},
    "tags": [{"name": "things"}],
    "paths": {
        "/things/{id}": {
            "get": {
                "operationId": "one",
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}},
                    {"name": "how", "in": "query", "schema": {"type": "string", "enum": ["a", "b"], "default": "a"}},
                ],
                "responses": {
                    "200": {
                        "description": "OK",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}},
                    }
                },
            },
            "delete": {
                "operationId": "two",
                "parameters": [{"$ref": "#/components/parameters/id"}],
                "responses": {"204": {"description": "Gone"}},
            },
        }
    },
    "components": {
        "parameters": {"id": {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}},
        "schemas": {
            "Thing": {
                "type": "object",
                "required": ["id"],
                "properties": {
                    "id": {"type": "integer", "default": 1, "maximum": 9},
                    "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Thing"}},
                    "kind": {"anyOf": [{"type": "string"}, {"not": {"type": "null"}}]},
                },
            },
            "Both": {"allOf": [{"$ref": "#/components/schemas/Thing"}, {"properties": {"more": {"type": "string"}}}]},
        },
    },
}


def _is_sure(tree: dict[str, Any]) -> bool:
    return nothing_to_say(tree, partial(follows, OAS31Validator))


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/tags", [{"name": "a"}, {"name": "a"}]),
        ("/paths/~1things~1{id}/get/operationId", "two"),
        ("/paths/~1things~1{id}/get/parameters/0/name", "other"),
        ("/paths/~1things~1{id}/get/parameters/1/schema/default", "c"),
        ("/paths/~1things~1{id}/get/parameters/1/schema/type", 5),
        ("/components/schemas/Thing/properties/id/default", 10),
        ("/components/schemas/Thing/properties/id/default", True),
        ("/components/schemas/Both/required", ["nothing"]),
        ("/components/schemas/Both/$schema", "https://example.org/unknown"),
    ],
)
def test_each_fault_is_left_to_the_validator(pointer: str, value: Any) -> None:
    tree = deepcopy(SMALL)
    assert _is_sure(tree)
    *way, last = [part.replace("~1", "/") for part in pointer[1:].split("/")]
    holder: Any = tree
    for part in way:
        holder = holder[int(part) if isinstance(holder, list) else part]
    holder[last] = value
    assert not _is_sure(tree)
    assert _errors(tree)


@pytest.mark.long
def test_the_validator_agrees_with_all_that_is_sure() -> None:
    """Damaged documents that follow the published schema: where there is no doubt, the validator finds nothing."""
    drawn, sure = random.Random(0), 0
    for _ in range(300):
        tree = deepcopy(SMALL)
        _damage(tree, drawn)
        # Of what is not sure the validator, which is slow, is not asked.
        errors = _errors(tree) if _is_sure(tree) else None
        if errors is not None:
            sure += 1
            assert not errors, json.dumps(tree)
    assert sure > 30


def _damage(tree: dict[str, Any], drawn: random.Random) -> None:
    nodes: list[Any] = [tree["paths"], tree["components"], tree["tags"]]
    for node in nodes:
        below = node.values() if isinstance(node, dict) else node
        nodes += [value for value in below if isinstance(value, dict | list)]
    node = drawn.choice(nodes)
    if isinstance(node, list):
        node.append(deepcopy(drawn.choice([*node, *FAULTS])))
    else:
        node[drawn.choice([*node, *KEYS.split()])] = deepcopy(drawn.choice([*node.values(), *FAULTS]))


def _errors(tree: dict[str, Any]) -> list[Any] | None:
    """What the second pass finds; None if the first one finds something, or the validator fails."""
    validator = library.OpenAPIV31SpecValidator(tree)
    try:
        if not validator.schema_validator.is_valid(tree):
            return None
        return list(validator.root_validator(validator.schema_path))
    except Exception:
        # The second pass itself may fail, as at a `$ref` of a number: that is no verdict.
        return ["failed"]
