"""A property that one kind of body needs is required of all only if the error says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docrev.facts.kinds.required import speaks_of_kind
from docrev.facts.strong_proof import is_proven
from docrev.records import Call, Fact, OperationKey
from docrev.spec import load

MAKE = OperationKey("files", "POST /files")
KIND = {"type": "string", "description": "The kind: 'file' or 'folder'"}
SCHEMA = {"type": "object", "properties": {"kind": KIND, "content": {"type": "string"}}}
SPEC = {
    "openapi": "3.0.3",
    "info": {"title": "files", "version": "1"},
    "paths": {
        "/files": {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": SCHEMA}}},
                "responses": {"201": {"description": "Made"}},
            }
        }
    },
}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("no content provided", False),
        ("missing field `content`", True),
        ("missing field `content` of the file", False),
    ],
)
def test_an_error_says_whether_all_kinds_need_it(tmp_path: Path, message: str, expected: bool) -> None:
    (tmp_path / "files.json").write_text(json.dumps(SPEC))
    call = Call("1", MAKE, {"body:": {"kind": "file"}}, "", 422, {}, {"message": message}, "application/json", "probe")
    fact = Fact(MAKE, "required", "body:/content", True, ("1",))
    assert is_proven(fact, load(tmp_path / "files.json")[MAKE], (), {"1": call}.get) is expected


def test_a_refusal_that_names_a_kind_speaks_of_that_kind_alone() -> None:
    def refused(message: str) -> Call:
        return Call("1", MAKE, {"body:": {}}, "", 400, {}, {"message": message}, "application/json", "probe")

    kinds = {"/kind": {"file", "folder"}, "/format": {"text", "base64"}}
    assert speaks_of_kind(refused("Must specify format of file contents as 'text' or 'base64'"), "/format", kinds)
    assert not speaks_of_kind(refused("Must specify format as 'text' or 'base64'"), "/format", kinds)
    assert not speaks_of_kind(refused("No kind provided"), "/kind", kinds)
