"""`--edit contract`: proven keywords in each dialect, valid, and the same the second time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from revisekit import call, explored, fact, keep, write_spec
from test_revision_texts import revised

from docrev.records import Fact
from docrev.revision import Revision, write
from docrev.revision.selection import WantedChanges
from docrev.spec import load
from docrev.spec.lock import LOCK_NAME, read_lock

OLD = """\
swagger: "2.0"
info: {title: Library, version: "1"}
paths:
  /authors:
    get:
      parameters:
        - {name: limit, in: query, type: string}
        - {name: order, in: query, type: string}
      responses:
        200:
          description: OK
          schema: {type: object, properties: {items: {type: array, items: {type: object}}}}
    post:
      parameters:
        - {name: body, in: body, schema: {type: object}}
      responses:
        201: {description: Made}
"""
NEW = """\
openapi: "%s"
info: {title: Library, version: "1"}
paths:
  /authors:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: string}}
        - {name: order, in: query}
      responses:
        200:
          description: OK
          content:
            application/json:
              schema: {type: object, properties: {items: {type: array, items: {type: object}}}}
    post:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        201: {description: Made}
"""
GET, POST = "GET /authors", "POST /authors"
FACTS = [
    fact(GET, "limits", "query:limit", "200:/items"),
    fact(GET, "type", "query:limit", "integer"),
    fact(GET, "range", "query:limit", {"minimum": 1}),
    fact(GET, "clamps", "query:limit", {"maximum": 100}),
    fact(GET, "default", "query:limit", "20"),
    fact(GET, "allowed-values", "query:order", ["asc", "desc"]),
    fact(GET, "required", "query:order", True),
    fact(GET, "searches", "query:q", ["200:/items/0/name"]),
    fact(GET, "length", "query:q", {"minimum": 2, "maximum": 80}),
    fact(GET, "nullable", "200:/items/0/born", True),
    fact(GET, "format", "200:/items/0/born", "date"),
    fact(POST, "wrapped-in", "body:", "author"),
    fact(POST, "required", "body:", True),
    fact(POST, "required", "body:/author/name", True),
    fact(POST, "pattern", "body:/author/name", "^[A-Z]"),
    fact(POST, "type", "body:/author/name", "string"),
]
ITEMS = [{"name": "Eco", "born": "1932-01-05"}, {"name": "Homer", "born": None}]
CALLS = [
    call(GET, {"items": ITEMS}, query_limit=2, query_order="asc"),
    call(GET, {"items": ITEMS[:1]}, query_limit=1, query_order="desc"),
    call(POST, {"id": 1}, status=201, body_={"author": {"name": "Eco", "whim": "docrev"}}),
    call(POST, {"id": 2}, status=201, body_={"author": {"name": "Calvino", "whim": "docrev"}}),
]


def library(tmp_path: Path, spec: str, facts: list[Fact] | None = None) -> tuple[Path, Path]:
    path = write_spec(tmp_path / "specs", spec)
    return path, keep(tmp_path / "evidence", load([path]), CALLS, facts=FACTS if facts is None else facts)


def tree(revision: Revision) -> Any:
    [document] = revision.documents.values()
    return document.tree


def without_texts(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: without_texts(value) for key, value in node.items() if key != "description"}
    return [without_texts(value) for value in node] if isinstance(node, list) else node


def flat(parameter: dict[str, Any]) -> dict[str, Any]:
    """A parameter as Swagger 2.0 writes it, with its schema's keywords beside its name."""
    return {name: value for name, value in parameter.items() if name != "schema"} | parameter.get("schema", {})


@pytest.mark.parametrize("spec", [OLD, NEW % "3.0.3", NEW % "3.1.0"], ids=["2.0", "3.0", "3.1"])
def test_proven_keywords_are_written_in_the_documents_dialect(tmp_path: Path, spec: str) -> None:
    path, evidence = library(tmp_path, spec)
    revision = revised(path, evidence, edit="contract")
    assert revision.findings == ()
    paths = without_texts(tree(revision))["paths"]["/authors"]
    old = spec is OLD
    limit, order, text = map(flat, paths["get"]["parameters"])
    assert limit == {"name": "limit", "in": "query", "type": "integer", "minimum": 1, "default": 20}
    assert order == {"name": "order", "in": "query", "required": True, "type": "string", "enum": ["asc", "desc"]}
    assert text == {"name": "q", "in": "query", "type": "string", "minLength": 2, "maxLength": 80}
    answer = paths["get"]["responses"]["200"]
    schema = answer["schema"] if old else answer["content"]["application/json"]["schema"]
    null = {"type": "string", "x-nullable": True} if old else {"type": "string", "nullable": True}
    born = {"type": ["string", "null"]} if "3.1" in spec else null
    assert schema["properties"]["items"]["items"]["properties"] == {
        "name": {"type": "string"},
        "born": {**born, "format": "date"},
    }
    body = paths["post"]["parameters"][0] if old else paths["post"]["requestBody"]["content"]["application/json"]
    assert body["schema"] == {
        "type": "object",
        "properties": {
            "author": {
                "type": "object",
                "properties": {"name": {"type": "string", "pattern": "^[A-Z]"}},
                "required": ["name"],
            }
        },
    }
    assert (body if old else paths["post"]["requestBody"])["required"] is True
    made = paths["post"]["responses"]["201"]
    assert (made if old else made["content"]["application/json"])["schema"]["properties"] == {"id": {"type": "integer"}}


@pytest.mark.parametrize("spec", [OLD, NEW % "3.0.3", NEW % "3.1.0"], ids=["2.0", "3.0", "3.1"])
@pytest.mark.parametrize("profile", ["none", "gpt-actions", "bedrock"])
def test_a_second_time_nothing_changes(tmp_path: Path, spec: str, profile: Any) -> None:
    path, evidence = library(tmp_path, spec)
    revision = revised(path, evidence, edit="contract", links=True, profile=profile)
    write([(revision.documents[str(path)], path)])
    assert revised(path, evidence, edit="contract", links=True, profile=profile).changes == ()


def test_a_response_that_contradicts_its_schema_gets_another_and_a_stored_thing_that_of_what_was_sent(
    tmp_path: Path,
) -> None:
    spec = OLD.replace("schema: {type: object}}", 'schema: {$ref: "#/definitions/Author"}}').replace(
        "201: {description: Made}", "200: {description: OK, schema: {type: string}}"
    )
    spec += "definitions: {Author: {type: object, properties: {name: {type: string}, born: {type: string}}}}\n"
    types = [fact(POST, "type", f"{status}:", "object") for status in (200, 201)]
    fields = [fact(POST, "field", f"201:/{name}", True) for name in ("name", "born")]
    statuses = [fact(POST, "status", "", {"status": status, "cause": "success"}) for status in (200, 201)]
    path, evidence = library(tmp_path, spec, [*types, *fields, *statuses])
    revision = revised(path, evidence, edit="contract")
    responses = tree(revision)["paths"]["/authors"]["post"]["responses"]
    assert without_texts(responses) == {
        "200": {"schema": {"type": "object"}},
        "201": {"schema": {"$ref": "#/definitions/Author"}},
    }
    assert [change.classes for change in revision.changes if change.pointer.endswith("200/schema")] == [("correction",)]


def test_docs_leave_the_contract_alone(tmp_path: Path) -> None:
    path, evidence = library(tmp_path, NEW % "3.0.3")
    before = load([path]).documents[str(path)].tree
    after = tree(revised(path, evidence))
    assert "x-docrev" not in after
    assert without_texts(after) == without_texts(before)


def test_texts_say_what_the_facts_show(tmp_path: Path) -> None:
    path, evidence = library(tmp_path, NEW % "3.0.3")
    get = tree(revised(path, evidence))["paths"]["/authors"]["get"]
    limit, order = (one["description"] for one in get["parameters"])
    assert limit == "Defaults to `20`. Silently capped at the server's limit (100)."
    assert order == "Required. One of `asc`, `desc`."


def test_what_an_alias_shares_gets_no_keywords(tmp_path: Path) -> None:
    spec = (
        (NEW % "3.0.3")
        .replace("schema: {type: string}}", "schema: &text {type: string}}")
        .replace("{name: order, in: query}", "{name: order, in: query, schema: *text}")
    )
    path, evidence = library(tmp_path, spec)
    parameters = tree(revised(path, evidence, edit="contract"))["paths"]["/authors"]["get"]["parameters"]
    assert parameters[0]["schema"] == parameters[1]["schema"] == {"type": "string"}
    assert parameters[1]["required"] is True


def test_what_was_only_invented_and_let_through_is_no_property(tmp_path: Path) -> None:
    path, evidence = library(tmp_path, OLD)
    assert "whim" not in revised(path, evidence, edit="contract").documents[str(path)].text


def test_what_changed_the_contract_alone_is_noted_beside_the_spec(tmp_path: Path) -> None:
    path, evidence = library(tmp_path, NEW % "3.0.3")
    bounds = WantedChanges(only=["bound"])
    revision = revised(path, evidence, edit="contract", words=0, selection=bounds)
    assert {change.edit for change in revision.changes} == {"contract"}
    write((document, path) for document in revision.documents.values())
    [section] = read_lock(path.parent / LOCK_NAME).sections.values()
    assert section["/paths/~1authors/get/parameters/query:order/required"].classes == ("bound",)
    again = revised(path, evidence, edit="contract", words=0, selection=bounds)
    assert (again.changes, again.findings) == ((), ())
    assert read_lock(path.parent / LOCK_NAME).section(path.name, tree(again)) == section


def test_what_is_known_of_the_items_of_a_list_is_no_property_of_the_list(tmp_path: Path) -> None:
    spec = (
        NEW.replace("schema: {type: object}}}}", "schema: {type: object, properties: {tags: {type: array}}}}}}")
        % "3.0.3"
    )
    known = [fact(POST, kind, "body:/tags/0", value) for kind, value in (("required", True), ("format", "uuid"))]
    calls = [call(POST, {"id": 1}, status=201, body_={"tags": ["x"]})]
    [document] = revised(*explored(tmp_path, spec, calls=calls, facts=known), edit="contract").documents.values()
    tags = document.get("/paths/~1authors/post/requestBody/content/application~1json/schema/properties/tags")
    assert "properties" not in tags
    assert "required" not in tags
