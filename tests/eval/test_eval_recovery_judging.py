"""Right, wrong or silent: place and value decide, and a weaker statement is no lie."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from docrev.eval.judging import judge
from docrev.eval.recovery import RecoveryPlan, truth_in
from docrev.eval.scores import score
from docrev.eval.statements import TextStatement, statements_of
from docrev.eval.truth import Truth
from docrev.records import Fact, Json, OperationKey

SPECS = tuple(Path(str(files("docrev.sandbox") / name / "truth.yaml")) for name in ("airfield", "atlas"))
CITIES, COUNTRIES, NEAREST = "GET /cities", "GET /countries", "GET /cities/nearest"
REGIONS = ["Africa", "Antarctica", "Asia", "Europe", "North America", "Oceania", "South America"]


@pytest.fixture(scope="module", params=[True, False], ids=["closed", "open"])
def truth(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Truth:
    plan = RecoveryPlan(SPECS, closed=request.param)
    return truth_in(plan, tmp_path_factory.mktemp("truth") / "copies")


def fact(operation: str, kind: str, location: str, value: Json) -> Fact:
    return Fact(OperationKey("atlas", operation), kind, location, value, ("0",), ("1",))


def verdicts(truth: Truth, one: Fact) -> set[str]:
    return {judge(statement, truth) for statement in statements_of([one])}


@pytest.mark.parametrize(
    ("operation", "kind", "location", "value"),
    [
        (CITIES, "type", "query:page", "integer"),
        (CITIES, "default", "query:page", 1),
        (CITIES, "default", "query:page", "1"),
        (CITIES, "range", "query:page", {"minimum": 1}),
        (CITIES, "clamps", "query:per_page", {"maximum": 100.0}),
        (NEAREST, "range", "query:lat", {"minimum": -90, "maximum": 90}),
        (COUNTRIES, "allowed-values", "query:region", REGIONS[::-1]),
        (COUNTRIES, "filters", "query:region", "200:/data/0/region"),
        (COUNTRIES, "sorts", "query:sort", {"value": "-name", "field": "200:/data/0/name", "order": "descending"}),
        (COUNTRIES, "observed-values", "query:region", ["Asia", "Europe"]),
        (COUNTRIES, "pages", "query:page", {"by": "page", "list": "200:/data"}),
        (COUNTRIES, "ignored", "query:lang", True),
        (COUNTRIES, "status", "", {"status": 422, "cause": "region not valid", "parameter": "query:region"}),
        (COUNTRIES, "unknown-parameters", "", "ignored"),
        ("GET /reports/density", "needs-credentials", "", {"status": 401}),
        ("GET /countries/{code}", "nullable", "200:/capital", True),
        ("GET /countries/{code}", "required", "path:code", True),
        # Another place that holds the same, told in the same words.
        ("GET /countries/{code}", "comes-from", "path:code", {"operation": "atlas GET /regions/{region}/countries", "field": "200:/data/0/code"}),  # noqa: E501
    ],
)  # fmt: skip
def test_right(truth: Truth, operation: str, kind: str, location: str, value: Json) -> None:
    assert verdicts(truth, fact(operation, kind, location, value)) == {"right"}


@pytest.mark.parametrize(
    ("operation", "kind", "location", "value"),
    [
        (CITIES, "type", "query:page", "string"),
        (NEAREST, "type", "query:lat", "integer"),
        (CITIES, "default", "query:per_page", 10),
        (CITIES, "range", "query:per_page", {"maximum": 100}),
        (CITIES, "clamps", "query:page", {"minimum": 1}),
        (COUNTRIES, "allowed-values", "query:region", REGIONS[1:]),
        (COUNTRIES, "observed-values", "query:region", ["Atlantis", "Europe"]),
        (COUNTRIES, "filters", "query:region", "200:/data/0/name"),
        (COUNTRIES, "filters", "query:page", "200:/data/0/population"),
        (COUNTRIES, "ignored", "query:region", True),
        (COUNTRIES, "sorts", "query:sort", {"value": "-name", "field": "200:/data/0/name", "order": "ascending"}),
        (COUNTRIES, "required", "query:region", True),
        (COUNTRIES, "unknown-parameters", "", "filter"),
        (COUNTRIES, "nullable", "200:/data/0/name", True),
        (COUNTRIES, "type", "200:/data/0/name", "integer"),
        ("GET /status", "observed-values", "200:/requests_served", [1, 2]),
        ("GET /nowhere", "type", "query:page", "integer"),
    ],
)  # fmt: skip
def test_wrong(truth: Truth, operation: str, kind: str, location: str, value: Json) -> None:
    assert verdicts(truth, fact(operation, kind, location, value)) == {"wrong"}


@pytest.mark.parametrize(
    ("operation", "kind", "location", "value"),
    [
        (COUNTRIES, "type", "200:/data/0/planet", "string"),
        (COUNTRIES, "field", "200:/data/0/planet", True),
        (COUNTRIES, "type", "query:planet", "string"),
        (COUNTRIES, "status", "", {"status": 410, "cause": "gone"}),
        (COUNTRIES, "allowed-values", "query:currency", ["EUR", "USD"]),
        (COUNTRIES, "broken", "", {"status": 500}),
    ],
)  # fmt: skip
def test_a_whole_truth_denies_what_it_does_not_have(
    truth: Truth, operation: str, kind: str, location: str, value: Json
) -> None:
    expected = {"wrong"} if truth.closed else {"silent"}
    assert verdicts(truth, fact(operation, kind, location, value)) == expected


@pytest.mark.parametrize(
    ("operation", "kind", "location", "value"),
    [
        (CITIES, "type", "query:page", "number"),
        (COUNTRIES, "needs-first", "", {"operation": "atlas POST /notes", "status": 404}),
        (COUNTRIES, "empty", "200:/data", {"status": 200}),
        (COUNTRIES, "default", "query:currency", "EUR"),
    ],
)  # fmt: skip
def test_silent(truth: Truth, operation: str, kind: str, location: str, value: Json) -> None:
    assert verdicts(truth, fact(operation, kind, location, value)) == {"silent"}


def test_a_half_right_range_counts_as_two(truth: Truth) -> None:
    one = fact(NEAREST, "range", "query:lat", {"minimum": -90, "maximum": 180})
    total = score(statements_of([one]), truth, lambda told: told.location == "query:lat").total
    assert (total.hidden, total.recovered, total.right, total.wrong) == (4, 1, 1, 1)


def test_only_what_was_hidden_counts_as_recovered(truth: Truth) -> None:
    facts = [fact(CITIES, "default", "query:page", 1), fact(CITIES, "type", "query:page", "number")]
    page = OperationKey("atlas", CITIES)
    found = score(
        statements_of(facts), truth, lambda told: (told.key, told.kind, told.location) == (page, "type", "query:page")
    )
    # "number" of an integer is no lie, and finds nothing.
    assert (found.kinds["type"].hidden, found.kinds["type"].recovered, found.kinds["type"].silent) == (1, 0, 1)
    assert (found.kinds["default"].hidden, found.kinds["default"].right) == (0, 1)
    assert [one.location for one in found.missed] == ["query:page"]


def test_an_origin_counts_once_and_only_where_it_is_listed(truth: Truth) -> None:
    place = {"operation": "atlas GET /countries/{code}", "field": "200:/neighbours/0"}
    listed = {"operation": "atlas GET /cities", "field": "200:/data/0/country_code"}
    hidden = lambda told: told.place == (OperationKey("atlas", CITIES), "comes-from", "query:country", "")  # noqa: E731
    elsewhere = score(statements_of([fact(CITIES, "comes-from", "query:country", place)]), truth, hidden).total
    assert (elsewhere.right, elsewhere.recovered) == (1, 0)
    both = [fact(CITIES, "comes-from", "query:country", one) for one in (place, listed)]
    found = score(statements_of(both), truth, hidden).total
    assert (found.right, found.recovered, found.hidden) == (2, 1, 1)


def test_statements_are_said_once(truth: Truth) -> None:
    again = [fact(CITIES, "default", "query:page", 1), fact(CITIES, "default", "query:page", 1)]
    assert statements_of(again) == [TextStatement(OperationKey("atlas", CITIES), "default", "query:page", "", 1)]
