"""Reading a thing that its query names, which nothing has: null where others have the thing."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_facts_states import ITEM, Calls, calls, evidence

from docrev.evidence import Evidence
from docrev.facts import infer, shows
from docrev.records import Call, Json, OperationKey
from docrev.spec import load

__all__ = ["calls", "evidence"]

NAME = "docrev-00000000-{}".format
SPEC = """
openapi: 3.0.3
info: {title: shelf, version: "1"}
paths:
  /boxes:list: {get: {responses: {"200": {description: ok}}}}
  /boxes:get: {get: {parameters: [{$ref: "#/components/parameters/key"}], responses: {"200": {description: ok}}}}
  /boxes:destroy: {post: {parameters: [{$ref: "#/components/parameters/key"}], responses: {"200": {description: ok}}}}
components: {parameters: {key: {name: boxId, in: query, schema: {type: string}}}}
"""
GET = OperationKey("shelf", "GET /boxes:get")
THING: Json = {"data": {"id": "a", "name": "A"}}


@pytest.mark.parametrize(
    ("there", "answer", "told"),
    [
        (THING, {"data": None}, {"returns": "null", "at": "/data"}),
        ({**THING, "ok": True}, {"data": None, "ok": True}, {"returns": "null", "at": "/data"}),
        (THING, {"data": {}}, None),
        # What differs beside the null is the thing itself, which has no such part.
        ({"id": "a", "data": {"size": 1}}, {"id": "b", "data": None}, None),
        # A value that is null in one thing.
        ({"data": "a"}, {"data": None}, None),
    ],
)
def test_a_null_in_place_of_a_thing_that_the_query_names(
    tmp_path: Path, there: Json, answer: Json, told: dict[str, Json] | None
) -> None:
    (tmp_path / "shelf.yaml").write_text(SPEC)
    catalog = load(tmp_path / "shelf.yaml")
    with Evidence.open(tmp_path / "out", write=True) as store:
        store.begin({})
        for number, (id, body) in enumerate([("a", there), (NAME(7), answer), (NAME(8), answer)]):
            call = Call(f"c{number}", GET, {"query:boxId": id}, "http://a", 200, {}, body, "application/json", "probe")
            store.calls.put(call)
        facts = [fact for fact in infer(catalog, store) if fact.kind == "missing"]
    assert [fact.value for fact in facts] == ([{"parameter": "query:boxId", "status": 200, **told}] if told else [])
    assert [shows(fact, call) for fact in facts] == [True] * len(facts)


def test_a_null_below_an_id_in_the_path_is_told_by_its_place(calls: Calls) -> None:
    calls(ITEM, 200, {"box": {"size": 3}}, path__id="a")
    null = calls(ITEM, 200, {"box": None}, path__id=NAME(7))
    value = {"parameter": "path:id", "status": 200, "returns": "null", "at": "/box"}
    [fact] = calls.facts("missing")
    assert fact.value == value
    assert shows(fact, null)
    assert not shows(fact, calls(ITEM, 200, {"box": {"size": 4}}, path__id=NAME(8)))


def test_an_invented_value_beside_the_id_may_be_why_nothing_is_found(calls: Calls) -> None:
    calls(ITEM, 200, {"box": {"size": 3}}, path__id="a")
    calls(ITEM, 200, {"box": None}, path__id=NAME(7), query__colour=NAME(9))
    assert calls.facts("missing") == []
    null = calls(ITEM, 200, {"box": None}, path__id=NAME(7))
    calls(ITEM, 200, {}, path__id=NAME(7), query__size=NAME(9))
    assert [fact.calls for fact in calls.facts("missing")] == [(null.id,)]
