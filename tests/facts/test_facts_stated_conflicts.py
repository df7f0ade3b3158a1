"""What refusals state of what is there already: which property is in use, and what is no such statement."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_facts_outcomes import DELETE, NAME, calls, made
from test_facts_states import MAKE, Calls

from docrev.evidence import Evidence
from docrev.facts import infer
from docrev.records import Call, JournalItem, Json, OperationKey
from docrev.spec import load

__all__ = ["DELETE", "calls"]

RPC = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /boxes:list: {get: {responses: {"200": {description: ok}}}}
  /boxes:get: {get: {parameters: [{$ref: "#/components/parameters/key"}], responses: {"200": {description: ok}}}}
  /boxes:create:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {code: {}, title: {}}}}}}
      responses: {"200": {description: ok}}
  /boxes:destroy: {post: {parameters: [{$ref: "#/components/parameters/key"}], responses: {"200": {description: ok}}}}
components: {parameters: {key: {name: boxId, in: query, schema: {type: integer}}}}
"""
REST = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /boxes:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {}, handle: {}}}}}}
      responses: {"201": {description: ok}}
  /boxes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {}}]
    get: {responses: {"200": {description: ok}}}
"""


def told(tmp_path: Path, spec: str, key: OperationKey, answers: list[tuple[Json, int, Json]]) -> list[Json]:
    """The facts `exists` that creations show, the accepted of which are known to the journal if they have a path."""
    (tmp_path / "shelf.yaml").write_text(spec)
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        for number, (sent, status, body) in enumerate(answers):
            call = Call(f"c{number}", key, {"body:": sent}, "http://a", status, {}, body, "application/json", "probe")
            store.calls.put(call)
            if status == 201:
                path = f"/boxes/{number}"
                store.journal.put(JournalItem(f"shelf {path}", "shelf", path, {"path:id": str(number)}, call.id))
        return [fact.value for fact in infer(load(tmp_path / "shelf.yaml"), store) if fact.kind == "exists"]


@pytest.mark.parametrize(
    ("message", "sent", "found"),
    [
        ("code already exists", {"code": NAME(1), "title": NAME(2)}, [{"status": 400, "by": "/code"}]),
        # A code that no earlier request had, and a message that names no property.
        ("code already exists", {"code": NAME(3)}, []),
        ("it already exists", {"code": NAME(1)}, []),
        ("code does not exist", {"code": NAME(1)}, []),
    ],
)
def test_a_thing_without_a_path_is_there_already_if_a_refusal_says_what_is_in_use(
    tmp_path: Path, message: str, sent: Json, found: list[Json]
) -> None:
    first: Json = {"code": NAME(1), "title": NAME(1)}
    answers = [(first, 200, {"data": {"id": 1, **first}}), (sent, 400, {"errors": [{"message": message}]})]
    assert told(tmp_path, RPC, OperationKey("shelf", "POST /boxes:create"), answers) == found


@pytest.mark.parametrize("message", ["property size should not exist", "No shelf exists with this name"])
def test_what_should_not_or_does_not_exist_is_not_taken(calls: Calls, message: str) -> None:
    made(calls, "a", name=NAME(1))
    calls(MAKE, 400, {"message": message}, sent={"name": NAME(1), "size": 3})
    assert calls.told("exists") == set()
    calls(MAKE, 422, {"message": "Box with name already exists"}, sent={"name": NAME(1)})
    assert calls.told("exists") == {(MAKE.operation, "", "{'status': 422, 'by': '/name'}")}


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("Box with handle x already exists.", {"status": 422}),
        ("Box already exists.", {"status": 422, "by": "/title"}),
    ],
)
def test_a_refusal_that_names_what_was_not_sent_is_not_blamed_on_what_was(
    tmp_path: Path, message: str, found: Json
) -> None:
    sent: Json = {"title": NAME(1)}
    answers = [(sent, 201, {"id": "0", **sent}), (sent, 422, {"message": message})]
    assert told(tmp_path, REST, OperationKey("shelf", "POST /boxes"), answers) == [found]


def test_values_that_are_alike_by_chance_are_not_blamed_for_a_refusal(tmp_path: Path) -> None:
    def sent(number: int) -> Json:
        return {"title": NAME(number), "rate": 3, "currency": "eur"}

    answers = [
        (sent(1), 201, {"id": "0", **sent(1)}),
        (sent(2), 422, {"message": "Iceland already exists in a region"}),
    ]
    assert told(tmp_path, REST, OperationKey("shelf", "POST /boxes"), answers) == []
