"""What bodies must have that no schema declares, and the codes that such a property may be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from revisekit import call, explored, fact
from test_revision_texts import revised

SPEC = """\
openapi: "3.0.3"
info: {title: Shelf, version: "1"}
paths:
  /boxes:
    get: {responses: {200: {description: OK}}}
    post: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {201: {description: OK}}}
"""
KINDS = ["WoodBox", "TinBox", "WoodBox"]


def text(folder: Path, kinds: list[str], sent: str = "TinBox") -> str:
    things = [{"id": number, "kind": kind, "label": f"label {number}"} for number, kind in enumerate(kinds)]
    made = replace(call("POST /boxes", things[0], status=201), arguments={"body:": {"kind": sent}})
    calls = [call("GET /boxes", things), made]
    facts = [fact("POST /boxes", "required", "body:/kind", True)]
    [document] = revised(*explored(folder, SPEC, calls=calls, facts=facts)).documents.values()
    return str(document.get("/paths/~1boxes/post/description"))


def test_codes_that_things_have_are_named_beside_what_is_required(tmp_path: Path) -> None:
    assert "Requires `kind` in the request body. `kind` is, for example, `TinBox` or `WoodBox`." in text(
        tmp_path, KINDS
    )


@pytest.mark.parametrize(
    ("kinds", "sent"),
    [
        # Each has its own: a name. Or nobody knows whether they may be sent.
        (["WoodBox", "TinBox", "GlassBox"], "TinBox"),
        (["a box of wood", "a box of tin", "a box of wood"], "a box of tin"),
        (KINDS, "PaperBox"),
    ],
)
def test_what_may_be_a_name_or_was_not_accepted_is_no_code(tmp_path: Path, kinds: list[str], sent: str) -> None:
    said = text(tmp_path, kinds, sent)
    assert "Requires `kind` in the request body." in said
    assert "for example" not in said
