"""Examples that contradict a type which was put right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from revisekit import call, explored, fact
from test_revision_texts import revised

STATUS = """\
openapi: "3.0.3"
info: {title: Mill, version: "1"}
paths:
  /status:
    get:
      responses:
        200:
          description: OK
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Status'}
              example: {uptime: "2 days", owner: 7, wheels: [{turns: "many"}, {turns: 4}]}
components:
  schemas:
    Status:
      type: object
      properties:
        uptime: {type: string}
        owner: {type: integer}
        wheels: {type: array, items: {type: object, properties: {turns: {type: string}}}}
"""
OLD = """\
swagger: "2.0"
info: {title: Mill, version: "1"}
paths:
  /status:
    get:
      responses:
        200:
          description: OK
          schema: {$ref: '#/definitions/Status'}
          examples: {application/json: {uptime: "2 days", owner: 7}}
definitions:
  Status: {type: object, properties: {uptime: {type: string}, owner: {type: integer}}}
"""
FACTS = [
    fact("GET /status", "type", "200:/uptime", "number"),
    fact("GET /status", "type", "200:/owner", "string"),
    fact("GET /status", "type", "200:/wheels/0/turns", "integer"),
]


def document(tmp_path: Path, spec: str) -> Any:
    body = {"uptime": 12.5, "owner": "somebody", "wheels": [{"turns": 3}]}
    calls = [call("GET /status", body, query_n=number) for number in range(3)]
    [found] = revised(*explored(tmp_path, spec, calls=calls, facts=FACTS), edit="contract").documents.values()
    return found.tree


def corrected(tmp_path: Path, spec: str) -> Any:
    return document(tmp_path, spec)["paths"]["/status"]["get"]["responses"]["200"]


def test_what_contradicts_a_corrected_type_leaves_the_examples(tmp_path: Path) -> None:
    content = corrected(tmp_path, STATUS)["content"]["application/json"]
    assert content["example"] == {"uptime": 12.5, "wheels": [{"turns": 3}, {"turns": 4}]}


def test_so_it_does_where_they_have_names(tmp_path: Path) -> None:
    named = STATUS.replace("example: {uptime", "examples: {long: {value: {uptime").replace("4}]}", "4}]}}}")
    content = corrected(tmp_path, named)["content"]["application/json"]
    assert content["examples"] == {"long": {"value": {"uptime": 12.5, "wheels": [{"turns": 3}, {"turns": 4}]}}}


def test_the_schema_has_no_such_example_either(tmp_path: Path) -> None:
    stated = OLD.replace("uptime: {type: string}", 'uptime: {type: string, example: "2 days"}')
    tree = document(tmp_path, stated.replace("owner: {type: integer}", "owner: {type: integer, example: 7}"))
    properties = tree["definitions"]["Status"]["properties"]
    assert properties["uptime"] == {"type": "number", "example": 12.5}
    assert properties["owner"] == {"type": "string"}


def test_so_it_does_in_swagger_2(tmp_path: Path) -> None:
    assert corrected(tmp_path, OLD)["examples"] == {"application/json": {"uptime": 12.5}}
