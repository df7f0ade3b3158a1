"""Query parameters that are objects: callers choose their members, and these are sent as the document says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from docrev.calls.bases import Base
from docrev.calls.request import Builder
from docrev.calls.routes import template
from docrev.prompts.steps import Invoke
from docrev.records import Json
from docrev.spec import Catalog, load

PAGING: dict[str, Any] = {
    "type": "object",
    "properties": {"page": {"type": "integer"}, "size": {"type": "integer"}, "sort": {"type": "array"}},
}


def loaded(folder: Path, *parameters: dict[str, Any]) -> Catalog:
    listed = [{"in": "query", **parameter} for parameter in parameters]
    operation = {"parameters": listed, "responses": {"200": {"description": "ok"}}}
    document = {"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/things": {"get": operation}}}
    document["components"] = {"schemas": {"Paging": PAGING}}
    (folder / "shop.yaml").write_text(yaml.safe_dump(document))
    return load(folder / "shop.yaml")


def target(catalog: Catalog, **arguments: Json) -> str:
    [operation] = catalog.operations
    builder = Builder(operation, template(operation.path), Base("http://127.0.0.1:1", "", "127.0.0.1"))
    return builder.build(Invoke(operation.key, {f"query:{name}": value for name, value in arguments.items()})).target


REFERRED = {"$ref": "#/components/schemas/Paging"}
JSON = {"content": {"application/json": {"schema": REFERRED}}}


@pytest.mark.parametrize(
    ("parameter", "names", "sent"),
    [
        ({"schema": REFERRED}, ["page", "size", "sort"], "/things?page=2&sort=a&sort=b"),
        ({"schema": REFERRED, "required": True}, ["page", "size", "sort"], "/things?page=2&sort=a&sort=b"),
        (
            {"schema": REFERRED, "style": "deepObject", "explode": True},
            ["paging[page]", "paging[size]", "paging[sort]"],
            "/things?paging[page]=2&paging[sort]=a&paging[sort]=b",
        ),
        (JSON, ["page", "size", "sort"], "/things?paging=%7B%22page%22%3A2%2C%22sort%22%3A%5B%22a%22%2C%22b%22%5D%7D"),
    ],
)
def test_members_are_arguments(tmp_path: Path, parameter: dict[str, Any], names: list[str], sent: str) -> None:
    catalog = loaded(tmp_path, {"name": "paging", **parameter})
    [operation] = catalog.operations
    assert [(p.name, p.required, p.of) for p in operation.parameters] == [(name, False, "paging") for name in names]
    assert [p.place.pointer for p in operation.parameters] == [
        f"/components/schemas/Paging/properties/{name}" for name in ("page", "size", "sort")
    ]
    assert [p.name for p in operation.written_parameters] == ["paging"]
    assert target(catalog, **{names[0]: 2, names[2]: ["a", "b"]}) == sent


def test_a_whole_object_is_sent_as_the_document_says(tmp_path: Path) -> None:
    assert target(loaded(tmp_path, {"name": "q", **JSON}), q={"page": 2}) == "/things?q=%7B%22page%22%3A2%7D"


@pytest.mark.parametrize(
    "parameter",
    [
        {"schema": {**PAGING, "required": ["page"]}},
        {"content": {"application/json": {"schema": {**PAGING, "required": ["page"]}}}},
        {**JSON, "required": True},
        {"schema": REFERRED, "explode": False},
        {"schema": {"type": "object", "additionalProperties": {"type": "string"}}},
        {"content": {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}},
    ],
)
def test_what_belongs_together_stays_together(tmp_path: Path, parameter: dict[str, Any]) -> None:
    [operation] = loaded(tmp_path, {"name": "paging", **parameter}).operations
    assert [p.name for p in operation.parameters] == ["paging"]


def test_a_member_that_is_called_as_another_parameter_is_none_of_its_own(tmp_path: Path) -> None:
    [operation] = loaded(
        tmp_path, {"name": "paging", **JSON}, {"name": "size", "schema": {"type": "string"}}
    ).operations
    assert [p.name for p in operation.parameters] == ["paging", "size"]


def test_required_members_of_a_required_object_are_required(tmp_path: Path) -> None:
    schema = {**PAGING, "required": ["page"]}
    [operation] = loaded(tmp_path, {"name": "paging", "required": True, "schema": schema}).operations
    assert [p.name for p in operation.parameters if p.required] == ["page"]
