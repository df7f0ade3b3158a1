"""The truth of a simulated world: what it does and shows, and what no call of it can show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docrev.eval.judging import judge
from docrev.eval.recovery import RecoveryPlan, truth_in
from docrev.eval.statements import TextStatement
from docrev.eval.truth import Truth
from docrev.records import Json, OperationKey

LIST, LATEST = OperationKey("films", "GET /films"), OperationKey("films", "GET /latest")
FILM = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "title": {"type": "string", "nullable": True},
        "release_date": {"type": "string", "format": "date"},
        "adult": {"type": "boolean"},
        "genre_ids": {"type": "array", "items": {"type": "integer"}},
        "episode_run_time": {"type": "integer"},
    },
}
GENRE = {"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}
PARAMETERS = {
    "year": {"schema": {"type": "integer"}},
    "include_adult": {"schema": {"type": "boolean", "default": False}},
    "with_genres": {"schema": {"type": "string"}},
    "without_genres": {"schema": {"type": "string"}},
    "with_runtime.gte": {"schema": {"type": "integer"}},
    "colour": {"schema": {"type": "string", "default": "red"}},
    "seats": {"schema": {"type": "integer"}},
    "volume": {"schema": {"type": "integer"}, "description": "From 0 to 10."},
    "page": {"schema": {"type": "integer", "default": 1}},
}


def answer(schema: Json, example: Json = None) -> Json:
    shown = {"schema": schema, **({"example": example} if example else {})}
    return {"description": "", "content": {"application/json": shown}}


def several(items: Json) -> Json:
    return {"type": "object", "properties": {"results": {"type": "array", "items": items}}}


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    declared = [{"name": name, "in": "query", **rest} for name, rest in PARAMETERS.items()]
    identity: dict[str, Any] = {"in": "path", "required": True, "schema": {"type": "integer"}}
    odd = {"type": "object", "properties": {"": FILM, "total": {"type": "integer"}}}
    page = {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}}
    paths = {
        "/films": {"get": {"parameters": declared, "responses": {"200": answer(several(FILM))}}},
        "/films/{film_id}": {
            "get": {"parameters": [{"name": "film_id", **identity}], "responses": {"200": answer(FILM)}}
        },
        "/films/{film_id}/genres": {
            "get": {"parameters": [{"name": "film_id", **identity}, page], "responses": {"200": answer(several(GENRE))}}
        },
        "/genres/{genre_id}": {
            "get": {"parameters": [{"name": "genre_id", **identity}], "responses": {"200": answer(GENRE)}}
        },
        "/latest": {"get": {"responses": {"200": answer(odd, {"results": [{"id": 7}], "total": 1})}}},
    }
    folder = tmp_path_factory.mktemp("worlds")
    spec = folder / "films.json"
    spec.write_text(json.dumps({"openapi": "3.0.3", "info": {"title": "f", "version": "1"}, "paths": paths}))
    return truth_in(RecoveryPlan((spec,), simulated=True), folder / "copies")


def of(truth: Truth, location: str, key: OperationKey = LIST) -> dict[str, Json]:
    found = [one for one in truth.statements.values() if one.key == key and one.location == location]
    return {f"{one.kind} {one.part}".strip(): one.value for one in found}


def test_each_way_to_choose_has_its_kind(truth: Truth) -> None:
    assert of(truth, "query:year")["in-year"] == "200:/results/0/release_date"
    assert of(truth, "query:include_adult")["includes"] == "200:/results/0/adult"
    assert of(truth, "query:include_adult")["default"] is False
    assert of(truth, "query:with_genres")["filters"] == "200:/results/0/genre_ids/0"
    assert of(truth, "query:without_genres")["excludes"] == "200:/results/0/genre_ids/0"
    assert of(truth, "query:with_runtime.gte")["at-least"] == "200:/results/0/episode_run_time"
    assert of(truth, "query:volume")["range maximum"] == 10


def test_what_no_call_of_a_world_shows_is_left_out_with_a_reason(truth: Truth) -> None:
    assert of(truth, "query:colour") == {"ignored": True}
    assert of(truth, "query:seats") == {"type": "integer"}
    genres = OperationKey("films", "GET /films/{film_id}/genres")
    assert "pages" in of(truth, "query:page")
    assert "pages" not in of(truth, "query:page", genres)
    why = {(str(key), kind, location): reason for key, kind, location, reason in truth.left_out}
    assert why[str(LIST), "type", "query:colour"] == "it is ignored, so any value is taken"
    assert why[str(LIST), "ignored", "query:seats"] == "it does nothing, but what is not of its type is refused"
    assert why[str(genres), "pages", "query:page"] == "no list in this world has a second page"


def test_what_only_an_example_shows_is_no_lie_and_nothing_hidden(truth: Truth) -> None:
    assert not any("//" in one.location for one in truth.statements.values() if one.key == LATEST)
    assert judge(TextStatement(LATEST, "field", "200:/results", "", True), truth) == "silent"
    assert judge(TextStatement(LATEST, "field", "200:/elsewhere", "", True), truth) == "wrong"


def test_nulls_that_are_allowed_and_ids_that_are_nobodys_are_no_lies(truth: Truth) -> None:
    one = OperationKey("films", "GET /films/{film_id}")
    assert judge(TextStatement(one, "nullable", "200:/release_date", "", True), truth) == "wrong"
    assert judge(TextStatement(one, "status", "", "404", True), truth) == "right"
    assert judge(TextStatement(LIST, "status", "", "404", True), truth) == "wrong"
    assert judge(TextStatement(one, "nullable", "200:/title", "", True), truth) == "right"
