"""The whole benchmark, on live services: what it counts, what it writes, and that a lie is found out."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from clikit import docrev
from services import running

from docrev import cli
from docrev.eval.hiding import Hiding
from docrev.eval.recovery import Point, RecoveryPlan, curve, run
from docrev.eval.recovery_command import recall_over_calls
from docrev.sandbox.atlas import KEY

SPEC = Path(str(files("docrev.sandbox") / "atlas" / "truth.yaml"))
PLAN = RecoveryPlan((SPEC,), headers=(f"X-Api-Key: {KEY}",), closed=True)


def atlas() -> Any:
    return running("atlas")


@pytest.fixture(scope="module")
def found() -> Any:
    return run(PLAN, atlas)


def test_a_bundled_service_gives_its_facts_away_and_no_lie_is_told(found: Any) -> None:
    total = found.facts.total
    assert total.hidden > 500
    assert not [str(said) for said, _ in found.facts.wrong]
    assert total.recall > 0.5
    assert found.reached == found.operations == 18
    assert found.calls_per_operation <= 40


def test_everything_hidden_is_recovered_or_missed(found: Any) -> None:
    total = found.facts.total
    assert len(found.facts.missed) == total.hidden - total.recovered
    assert all(tally.recovered <= tally.hidden for tally in found.facts.kinds.values())
    assert found.facts.kinds["response type"].recovered > 100


def test_a_truth_that_lies_makes_the_same_facts_wrong(tmp_path: Path) -> None:
    text = SPEC.read_text()
    lying = tmp_path / "atlas.yaml"
    lying.write_text(text.replace("area_km2:\n          type: number", "area_km2:\n          type: string"))
    assert lying.read_text() != text
    wrong = run(replace(PLAN, specs=(lying,), calls=20), atlas, revised=False).facts.wrong
    assert {said.location for said, _ in wrong} == {"200:/data/0/area_km2", "200:/area_km2"}


def test_only_hidden_kinds_are_scored() -> None:
    found = run(replace(PLAN, hiding=Hiding.parse("bounds"), calls=4), atlas, revised=False).facts
    assert {name for name, tally in found.kinds.items() if tally.hidden} == {"range", "clamps", "length"}


def test_what_may_not_be_called_is_not_asked_for() -> None:
    found = run(replace(PLAN, allow=(), calls=4), atlas, revised=False)
    assert {said.key.method for said in found.facts.missed} == {"GET"}
    assert found.left_out["the operation may not be called"] > 50


def test_a_curve_spends_more_calls_at_each_point() -> None:
    points = curve(PLAN, atlas, ["poorest"], budgets=(4, 12))
    assert [point.budget for point in points] == [4, 12]
    assert 0 < points[0].calls <= 4 < points[1].calls <= 12
    assert points[0].recall is not None
    assert points[0].recall <= (points[1].recall or 0)


def test_the_command_on_a_simulated_world_writes_json_and_a_plot(tmp_path: Path) -> None:
    spec = tmp_path / "library.json"
    spec.write_text(json.dumps(LIBRARY))
    out = tmp_path / "out"
    printed = docrev("bench", "recovery", spec, "--simulate", "--json", "--calls", "30", "--out", out)
    assert printed.code == 0, printed.err
    told = printed.json
    assert told == json.loads((out / "recovery.json").read_text())
    assert told["facts"]["total"]["hidden"] > 10
    assert told["facts"]["total"]["recovered"] > 0
    assert told["calls_per_operation"] <= 30
    assert (out / "recovery.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ([str(SPEC)], "docrev: where is the service?; give --base-url URL or --simulate, not both"),
        ([str(SPEC), "--simulate", "--hide", "typos"], "docrev: --hide: no kind typos to hide; one of all, "),
        (["missing.yaml", "--simulate"], "docrev: missing.yaml: no such file; name a good spec"),
        ([str(SPEC), "--base-url", "shop=http://127.0.0.1:1"], "docrev: --base-url: no spec shop; one of atlas"),
    ],
)
def test_wrong_use_is_one_line(options: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["bench", "recovery", *options]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(line)
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_a_plot_has_a_line_for_each_order() -> None:
    points = [
        Point(order, budget, budget, budget / 50, None, 1.0) for order in ("poorest", "random") for budget in (5, 40)
    ]
    drawing = recall_over_calls(points, "Recall of <shop>")
    assert drawing.count("<polyline") == 2
    assert drawing.count("<circle") == 4
    assert "&lt;shop&gt;" in drawing


BOOK = {
    "type": "object",
    "required": ["id", "title", "pages"],
    "properties": {"id": {"type": "integer"}, "title": {"type": "string"}, "pages": {"type": "integer"}},
}
LIBRARY = {
    "openapi": "3.0.3",
    "info": {"title": "Library", "version": "1"},
    "paths": {
        "/books": {
            "get": {
                "operationId": "listBooks",
                "parameters": [
                    {
                        "name": "limit",
                        "in": "query",
                        "schema": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
                    },
                    {"name": "sort", "in": "query", "schema": {"type": "string", "enum": ["pages", "-pages"]}},
                ],
                "responses": {
                    "200": {
                        "description": "Books.",
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "required": ["books"],
                                    "properties": {"books": {"type": "array", "items": BOOK}},
                                }
                            }
                        },
                    }
                },
            }
        },
        "/books/{id}": {
            "get": {
                "operationId": "getBook",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {
                    "200": {"description": "A book.", "content": {"application/json": {"schema": BOOK}}},
                    "404": {"description": "None."},
                },
            }
        },
    },
}
