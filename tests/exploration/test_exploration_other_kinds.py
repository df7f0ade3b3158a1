"""Of which kinds of things a refused request body is sent again."""

from __future__ import annotations

from pathlib import Path

from docrev.exploration.state_bodies import other_kinds
from docrev.records import Call, Json, OperationKey
from docrev.spec import load

SPEC = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /boxes:
    post:
      requestBody: {content: {application/json: {schema: {properties: {
        kind: {type: string, description: "'file', 'folder' or 'link'"}, note: {type: string}}}}}}
      responses: {"201": {description: ok}}
"""
MAKE = OperationKey("shelf", "POST /boxes")


def call(**sent: Json) -> Call:
    return Call(str(sent), MAKE, {"body:": dict(sent)}, "http://a", 201, {}, {}, "application/json", "survey")


def test_documented_kinds_that_were_accepted_are_tried_of_a_refused_body(tmp_path: Path) -> None:
    (tmp_path / "shelf.yaml").write_text(SPEC)
    operation = load(tmp_path / "shelf.yaml")[MAKE]
    good = [call(kind="folder", note="a"), call(kind="docrev-00000000-1"), call(kind="file", note="b"), call()]
    assert other_kinds(operation, {"kind": "file", "note": "x"}, good) == [("kind", ["folder"])]
    assert other_kinds(operation, {"note": "x"}, good) == []
