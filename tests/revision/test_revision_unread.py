"""What a document declares elsewhere, or as a map: of it, nothing is said to be undeclared."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from revisekit import call, explored, fact
from test_revision_texts import revised, texts

ELSEWHERE = "https://example.org/shapes.yaml#/components"
SHOP = {"type": "object", "properties": {"name": {"type": "string"}}}
BOTH = [{"size": 1, "owner": "ann"}, {"size": 2, "owner": "bob"}]


def spec(response: object, parameters: list[object]) -> str:
    get = {"parameters": parameters, "responses": {"200": response}}
    return yaml.safe_dump(
        {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "paths": {"/shops/{name}": {"get": get}}}
    )


def content(schema: object) -> dict[str, object]:
    return {"description": "OK", "content": {"application/json": {"schema": schema}}}


@pytest.mark.parametrize("edit", ["docs", "contract"])
@pytest.mark.parametrize(
    "response",
    [
        {"$ref": f"{ELSEWHERE}/responses/Shop"},
        content({"$ref": f"{ELSEWHERE}/schemas/Shop"}),
        content({"allOf": [SHOP, {"$ref": f"{ELSEWHERE}/schemas/Shop"}]}),
    ],
)
def test_what_cannot_be_read_is_neither_replaced_nor_called_undeclared(
    tmp_path: Path, response: object, edit: str
) -> None:
    text = spec(response, [{"$ref": f"{ELSEWHERE}/parameters/name"}])
    calls = [call("GET /shops/{name}", body, path_name=body["owner"]) for body in BOTH]
    facts = [fact("GET /shops/{name}", "format", "200:/owner", "uuid")]
    assert revised(*explored(tmp_path, text, calls=calls, facts=facts), edit=edit).changes == ()


@pytest.mark.parametrize(("things", "said"), [(SHOP, False), ({"type": "string"}, True)])
def test_names_that_are_declared_to_be_data_are_no_fields(tmp_path: Path, things: object, said: bool) -> None:
    text = spec(content({"type": "object", "additionalProperties": things}), [])
    calls = [call("GET /shops/{name}", {"north": body, "south": body}, path_name=body["owner"]) for body in BOTH]
    found = texts(revised(*explored(tmp_path, text, calls=calls)))
    assert ("/paths/~1shops~1{name}/get" in found) == said
