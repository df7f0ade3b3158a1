"""What is said of a property that several operations share: once, where it is defined, and of one of them what holds
there alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from revisekit import call, fact, keep, write_spec
from test_revision_texts import revised

from docrev.records import Fact, Json
from docrev.spec import load

SPEC = """\
openapi: "3.0.3"
info: {title: Library, version: "1"}
paths:
  /rooms:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
      responses: {201: {description: Made}}
  /rooms/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
      responses: {200: {description: OK}}
components:
  schemas:
    Room: {type: object, properties: {name: {type: string}, floor: {type: integer}}}
"""
POST, PUT = "POST /rooms", "PUT /rooms/{id}"


def of(name: str, kind: str, value: Json, location: str = "body:/name") -> Fact:
    return fact(name, kind, location, value)


def texts(
    tmp_path: Path, facts: list[Fact], put: dict[str, Any], spec: str = SPEC, **options: Any
) -> tuple[str, str, Any]:
    """What is written of creations, of replacements, and the properties that they share."""
    path = write_spec(tmp_path, spec)
    calls = [
        call(POST, {"id": "a", "name": "Reading room"}, status=201, body_={"name": "Reading room"}),
        call(PUT, {"id": "a", **put}, path_id="a", body_=put),
    ]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=facts)
    [document] = revised(path, evidence, **options).documents.values()
    paths, schemas = document.tree["paths"], document.tree["components"]["schemas"]
    made, replaced = (
        paths[at][method].get("description", "") for at, method in (("/rooms", "post"), ("/rooms/{id}", "put"))
    )
    return made, replaced, schemas["Room"]["properties"]


def test_what_holds_for_all_users_is_not_said_again_at_any(tmp_path: Path) -> None:
    facts = [of(name, *one) for name in (POST, PUT) for one in (("required", True), ("length", {"maximum": 60}))]
    made, replaced, properties = texts(tmp_path, facts, {"name": "Hall"})
    assert properties["name"]["description"] == "Required. Must be 60 characters or fewer."
    assert not any(word in made + replaced for word in ("required", "characters"))


def test_an_end_that_was_found_at_one_of_them_is_no_other_rule(tmp_path: Path) -> None:
    facts = [of(POST, "length", {"minimum": 1, "maximum": 60}), of(PUT, "length", {"maximum": 60})]
    made, replaced, properties = texts(tmp_path, facts, {"name": "Hall"})
    assert properties["name"]["description"] == "Must be 1 to 60 characters long."
    assert not any(word in made + replaced for word in ("required", "characters"))


@pytest.mark.parametrize(("most", "put"), [(60, "A1"), (40, "Hall")], ids=["a shorter value", "another end"])
def test_ends_that_another_user_contradicts_are_said_of_each(tmp_path: Path, most: int, put: str) -> None:
    facts = [of(POST, "length", {"minimum": 3, "maximum": most}), of(PUT, "length", {"maximum": 60})]
    made, replaced, properties = texts(tmp_path, facts, {"name": put})
    assert "description" not in properties["name"]
    assert f"`name` must be 3 to {most} characters long." in made
    assert "`name` must be 60 characters or fewer." in replaced


@pytest.mark.parametrize("edit", ["docs", "contract"])
def test_what_one_user_accepts_requests_without_is_required_at_the_other(tmp_path: Path, edit: str) -> None:
    made, replaced, properties = texts(tmp_path, [of(POST, "required", True)], {"floor": 2}, edit=edit)
    assert "`name` is required." in made
    assert "required" not in replaced
    assert "Required" not in properties["name"].get("description", "")


@pytest.mark.parametrize(("text", "told"), [("", True), ("List of IP addresses of its doors.", False)])
def test_a_form_that_the_text_names_is_not_said_of_one_user(text: str, told: bool, tmp_path: Path) -> None:
    doors = f", doors: {{type: array, items: {{type: string}}, description: '{text}'}}}}"
    facts = [of(POST, "format", "ip", "body:/doors/0")]
    made, _, _ = texts(tmp_path, facts, {"doors": ["north"]}, SPEC.replace("}}\n", doors + "}\n"))
    assert ("Each of `doors` must be an IP address." in made) is told
