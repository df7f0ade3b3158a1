"""What a service says when it refuses something reaches its documentation, if calls bear it out."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from servers import Answer, Received, Server, reply
from shop import Shop
from test_revision_texts import revised

import docrev
from docrev.revision.quotations import is_quotable

_NAME = re.compile(r"[a-z0-9]([a-z0-9._-]{1,30}[a-z0-9])")
_RULE = (
    "Validation error: name: Expected a name containing 3-32 characters from [a-z0-9._-], starting and ending with a"
    " character in [a-z0-9]. Got: {}"
)


def body(**properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"content": {"application/json": {"schema": schema}}}


ITEM = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "space": {"type": "string"}},
}
OK = {"description": "OK", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Index"}}}}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
TEXT = {"type": "string"}
SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "vectors", "version": "1"},
    "paths": {
        "/indexes": {
            "get": {
                "parameters": [
                    {"name": name, "in": "query", "schema": {"type": "integer"}} for name in ("skip", "top")
                ],
                "responses": {"200": {"description": "OK"}},
            },
            "post": {"requestBody": body(name=TEXT, space=TEXT), "responses": {"201": OK}},
        },
        "/indexes/{id}": {
            "get": {"parameters": [ID], "responses": {"200": OK}},
            "patch": {
                "parameters": [ID],
                "requestBody": body(space=TEXT, note=TEXT, author=TEXT),
                "responses": {"200": OK},
            },
            "delete": {"parameters": [ID], "responses": {"204": {"description": "Deleted"}}},
        },
    },
    "components": {"schemas": {"Index": ITEM}},
}


class Vectors(Shop):
    """Indexes whose names have a form, whose space is one of three, and whose changes must change something."""

    def __call__(self, request: Received) -> Answer:
        sent = request.json if request.body else None
        if request.method == "GET" and "skip" in request.query and "top" not in request.query:
            return reply({"message": "skip can only be used with top"}, 400)
        if request.method == "POST":
            if not isinstance(sent, dict) or "name" not in sent:
                return reply({"message": "missing field `name`"}, 422)
            if not isinstance(sent["name"], str) or not _NAME.fullmatch(sent["name"]):
                return reply({"message": _RULE.format(sent["name"])}, 400)
        if isinstance(sent, dict) and sent.get("space", "l2") not in ("l2", "cosine", "ip"):
            text = f"space: unknown variant `{sent['space']}`, expected one of `l2`, `cosine`, `ip`"
            return reply({"message": text}, 422)
        if request.method == "PATCH" and not (isinstance(sent, dict) and {"space", "note"} & sent.keys()):
            return reply({"message": "Provide at least one of space or note"}, 400)
        return super().__call__(request)

    def listed(self, collection: str, **selected: list[str]) -> list[dict[str, Any]]:
        """All indexes are on the first page, whatever its size, and none on others."""
        skipped, _ = selected.pop("skip", None), selected.pop("top", None)
        return [] if skipped else super().listed(collection, **selected)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("vectors")
    path = folder / "vectors.json"
    path.write_text(json.dumps(SPEC))
    with Server(Vectors({"/indexes/900": {"name": "films", "space": "cosine"}}).routes) as server:
        allow = ["POST,PATCH,DELETE"]
        docrev.explore(path, base_urls=server.url, out=folder / "evidence", max_calls=400, allow=allow)
    [found] = revised(path, folder / "evidence", edit="contract").documents.values()
    return found.tree


def test_a_rule_on_names_that_an_error_states_is_documented_at_the_name(document: Any) -> None:
    schema = document["paths"]["/indexes"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    name = schema["properties"]["name"]
    assert "description" not in name, "the pattern says it"
    assert (name["minLength"], name["maxLength"]) == (3, 32)
    assert name["pattern"] == "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$"


def test_the_values_that_an_error_lists_are_documented(document: Any) -> None:
    schema = document["paths"]["/indexes"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    space = schema["properties"]["space"]
    assert space["enum"] == ["l2", "cosine", "ip"]
    assert "description" not in space


def test_a_relation_that_an_error_states_is_documented_at_the_operation(document: Any) -> None:
    text = document["paths"]["/indexes/{id}"]["patch"]["description"]
    assert "Requires at least one of `space` and `note`." in text


def test_what_an_error_wants_beside_a_parameter_is_documented_at_the_parameter(document: Any) -> None:
    skip, top, *_ = document["paths"]["/indexes"]["get"]["parameters"]
    assert "Only together with `top`." in skip["description"]
    assert "together" not in top.get("description", "")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Cannot read properties of undefined (reading 'isMeta')", False),
        ("'NoneType' object has no attribute 'strip'", False),
        ("runtime error: invalid memory address or nil pointer dereference", False),
        ("list index out of range", False),
        ("docrev-00000000-1 is taken", False),
        ("Validation failed for /sets/01a22384-dddb-7443-aa69-41a6448e8fd5", False),
        ("Invalid proxy, currently supported proxies are 'none configured'", False),
        ("", False),
        ("The page index is out of range", True),
        ("The category still has products", True),
        ("The room is currently in use", True),
    ],
)
def test_what_interpreters_say_of_the_code_is_not_quoted(message: str, expected: bool) -> None:
    assert is_quotable(message) is expected
