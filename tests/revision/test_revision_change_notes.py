"""What is written on changes: not what the contract says already."""

from __future__ import annotations

from pathlib import Path

import pytest

from docrev.records import Call, Fact, OperationKey
from docrev.revision.change_notes import sent_back, withheld
from docrev.revision.observations import ObservedOperation
from docrev.spec import load

SPEC = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /boxes/{id}:
    put:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        content: {application/json: {schema: {properties: {size: {type: SENT}}}}}
      responses:
        "200":
          description: OK
          content: {application/json: {schema: {properties: {size: {type: string, description: 'TEXT'}}}}}
"""
KEY = OperationKey("shelf", "PUT /boxes/{id}")
READER = "shelf GET /boxes/{id}"


def observed(folder: Path, *facts: Fact, sent: str = "string", text: str = "Its size.") -> ObservedOperation:
    (folder / "shelf.yaml").write_text(SPEC.replace("SENT", sent).replace("TEXT", text))
    given = {"path:id": "a", "body:": {"size": None}}
    refused = Call("c1", KEY, given, "http://a", 422, {}, {}, "application/json", "survey")
    by_location = {fact.location: (fact,) for fact in facts}
    return ObservedOperation(load(folder / "shelf.yaml")[KEY], (), (refused,), by_location)


@pytest.mark.parametrize(("text", "told"), [("Its size.", 1), ("Its size, if it was measured (otherwise null).", 0)])
def test_a_field_whose_text_says_that_it_may_be_null_is_not_told(text: str, told: int, tmp_path: Path) -> None:
    fact = Fact(KEY, "withheld", "200:/size", READER, ("c1",))
    assert len([*withheld(observed(tmp_path, fact, text=text))]) == told


@pytest.mark.parametrize(("sent", "told"), [("string", 0), ("string, nullable: true", 1)])
def test_a_null_that_the_schema_does_not_allow_either_is_no_trap(sent: str, told: int, tmp_path: Path) -> None:
    value = {"status": 422, "operation": READER, "message": "Cannot read size: null, and so on…"}
    assert len([*sent_back(observed(tmp_path, Fact(KEY, "sent-back", "", value, ("c1",)), sent=sent))]) == told


@pytest.mark.parametrize(("closed", "told"), [("", 1), (", additionalProperties: false", 0)])
def test_that_a_closed_body_takes_nothing_else_is_no_trap(closed: str, told: int, tmp_path: Path) -> None:
    schema = "{properties: {size: {type: string}}"
    document = SPEC.replace("SENT", "string").replace(f"{schema}}}}}}}", f"{schema}{closed}}}}}}}")
    (tmp_path / "shelf.yaml").write_text(document)
    given = {"path:id": "a", "body:": {"size": "s", "id": "a"}}
    error = {"detail": [{"type": "extra_forbidden", "loc": ["body", "id"], "msg": "Extra inputs are not permitted"}]}
    refused = Call("c1", KEY, given, "http://a", 422, {}, error, "application/json", "survey")
    value = {"status": 422, "operation": READER, "message": "Extra inputs are not permitted"}
    facts = {"": (Fact(KEY, "sent-back", "", value, ("c1",)),)}
    seen = ObservedOperation(load(tmp_path / "shelf.yaml")[KEY], (), (refused,), facts)
    assert len([*sent_back(seen)]) == told
