"""What a good spec says that a call can show, and what is left out and why."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from docrev.eval.recovery import RecoveryPlan, truth_in
from docrev.eval.truth import Truth, truth_of
from docrev.records import Json, OperationKey
from docrev.spec import load

SPECS = tuple(Path(str(files("docrev.sandbox") / name / "truth.yaml")) for name in ("airfield", "atlas"))


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return truth_in(RecoveryPlan(SPECS, closed=True), tmp_path_factory.mktemp("truth") / "copies")


def of(truth: Truth, operation: str, location: str) -> dict[str, Json]:
    tool, _, name = operation.partition(" ")
    key = OperationKey(tool, name)
    found = [one for one in truth.statements.values() if one.key == key and one.location == location]
    return {f"{one.kind} {one.part}".strip(): one.value for one in found}


def test_keywords_and_extensions_become_statements(bundled: Truth) -> None:
    assert of(bundled, "atlas GET /cities", "query:per_page") == {
        "type": "integer",
        "default": 20,
        "range minimum": 1,
        "clamps maximum": 100,
        "limits": "200:/data",
    }
    assert of(bundled, "atlas GET /cities", "query:q") == {
        "type": "string",
        "length minimum": 2,
        "length maximum": 80,
        "searches": ["200:/data/0/name"],
    }
    assert of(bundled, "atlas GET /cities", "query:min_population")["at-least"] == "200:/data/0/population"
    assert of(bundled, "atlas GET /cities/nearest", "query:lat") == {
        "required": True,
        "type": "number",
        "range minimum": -90,
        "range maximum": 90,
    }


def test_a_sort_value_is_a_statement_each(bundled: Truth) -> None:
    found = of(bundled, "atlas GET /cities", "query:sort")
    assert found["sorts -population"] == {"field": "200:/data/0/population", "order": "descending"}
    assert found["sorts name"] == {"field": "200:/data/0/name", "order": "ascending"}


def test_bodies_answers_and_statuses(bundled: Truth) -> None:
    assert of(bundled, "atlas POST /notes", "body:/rating") == {
        "type": "integer",
        "range minimum": 1,
        "range maximum": 5,
    }
    assert of(bundled, "atlas POST /notes", "body:/text")["required"] is True
    assert of(bundled, "atlas GET /countries/{code}", "200:/capital") == {
        "field": True,
        "type": "string",
        "nullable": True,
    }
    operation = of(bundled, "atlas GET /cities/{id}", "")
    assert {name for name in operation if name.startswith("status")} == {"status 200", "status 404", "status 422"}
    assert of(bundled, "atlas POST /notes", "")["creates"] == {
        "operation": "atlas GET /notes/{id}",
        "field": "201:/id",
    }


def test_what_no_call_shows_is_left_out_with_a_reason(bundled: Truth) -> None:
    assert of(bundled, "airfield GET /airports/{iata}/weather", "") == {"broken": {"status": 500}}
    assert of(bundled, "atlas GET /countries", "query:lang") == {"ignored": True}
    # The items of /countries do not show their currency, so no call shows that it is filtered by.
    assert "filters" not in of(bundled, "atlas GET /countries", "query:currency")
    reasons = {(str(key), location): why for key, _, location, why in bundled.left_out}
    assert reasons["atlas GET /countries", "query:currency"] == "the answer does not have the field"
    assert reasons["airfield GET /airports/{iata}/weather", ""] == "the operation never works"


def test_statuses_that_nothing_announces_are_left_out(tmp_path: Path) -> None:
    answers = {status: {"description": ""} for status in ("200", "401", "404", "429", "500", "default")}
    item = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "format": "int32"}}
    paths = {
        "/things": {"get": {"responses": answers}},
        "/things/{id}": {"get": {"parameters": [item], "responses": answers}},
    }
    spec = tmp_path / "shop.yaml"
    spec.write_text(yaml.safe_dump({"openapi": "3.0.0", "info": {"title": "", "version": ""}, "paths": paths}))
    truth = truth_of(load([spec]))
    assert set(of(truth, "shop GET /things", "")) == {"status 200"}
    assert set(of(truth, "shop GET /things/{id}", "")) == {"status 200", "status 404"}
    assert set(of(truth, "shop GET /things/{id}", "path:id")) == {"type"}
    assert "int32 is not seen in a value" in {why for _, _, _, why in truth.left_out}
