"""What is found out about the parameters of the bundled services, held against the truth about them.

A call can show less than is true: no parameter that the published spec does not have, nothing of an operation that
never answers, no list of allowed values that the service does not tell, no filter or order by a field that the answer
does not have. All else is expected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from services import whole_exploration

from docrev.evidence import Evidence
from docrev.facts.registry import names
from docrev.records import Fact, Json, OperationKey
from docrev.spec import load
from docrev.spec.operation import Operation

FROM_TRIALS = names(lambda kind: kind.from_trials is not None)

ROOT = Path(__file__).resolve().parents[2]
SPECS = [ROOT / "specs" / "atlas.yaml", ROOT / "specs" / "airfield.json"]
UNREACHED = {"GET /airports/{iata}/weather", "GET /reports/density"}
TELLS_CHOICES = {"atlas"}
"""Services whose refusals list what they would take."""

Name = tuple[OperationKey, str, str, str]


@dataclass(frozen=True)
class Explored:
    facts: list[Fact]
    summary: dict[str, Any]


@pytest.fixture(scope="module")
def explored() -> Explored:
    out, done, _ = whole_exploration()
    with Evidence.open(out, write=False) as evidence:
        facts = [fact for fact in evidence.facts() if fact.kind in FROM_TRIALS and not fact.location[:1].isdecimal()]
    return Explored(facts, done.summary)


@pytest.fixture(scope="module")
def truths() -> dict[str, Any]:
    folder = ROOT / "docrev" / "sandbox"
    return {name: yaml.safe_load((folder / name / "truth.yaml").read_text()) for name in ("atlas", "airfield")}


# The truth as facts


def true_facts(truths: dict[str, Any]) -> Iterator[tuple[OperationKey, str, str, Json]]:
    """(operation, location, kind, value) of everything that is true of parameters and properties of bodies."""
    for tool, truth in truths.items():
        for path, methods in truth["paths"].items():
            for method, operation in methods.items():
                if method not in ("get", "post", "put", "patch", "delete"):
                    continue
                key = OperationKey(tool, f"{method.upper()} {path}")
                fields = items_of(truth, operation)
                for parameter in [*methods.get("parameters", []), *operation.get("parameters", [])]:
                    location = f"{parameter['in']}:{parameter['name']}"
                    for kind, value in of_schema(parameter["schema"]):
                        yield key, location, kind, value
                    if parameter.get("required") and parameter["in"] != "path":
                        yield key, location, "required", True
                    for kind, value in of_effect(parameter, fields):
                        yield key, location, kind, value
                if method == "get" and any(p["in"] == "query" for p in operation.get("parameters", [])):
                    yield key, "", "unknown-parameters", truth["x-unknown-parameters"]
                body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
                schema = resolved(truth, body or {})
                if operation.get("requestBody", {}).get("required"):
                    yield key, "body:", "required", True
                for name, part in schema.get("properties", {}).items():
                    for kind, value in of_schema(part):
                        yield key, f"body:/{name}", kind, value
                    if name in schema.get("required", []):
                        yield key, f"body:/{name}", "required", True


def resolved(truth: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return truth["components"]["schemas"][name] if name else schema


def items_of(truth: dict[str, Any], operation: dict[str, Any]) -> dict[str, set[str]]:
    """The fields of the items of each list that an operation answers, by pointer."""
    content = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
    schema = resolved(truth, content.get("schema", {}))
    found = {}
    for name, part in schema.get("properties", {}).items():
        if part.get("type") == "array":
            found[f"/{name}"] = set(resolved(truth, part["items"]).get("properties", {}))
    return found


def of_schema(schema: dict[str, Any]) -> Iterator[tuple[str, Json]]:
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    yield "type", next(kind for kind in kinds if kind != "null")
    for name, kind in (
        ("format", "format"),
        ("enum", "allowed-values"),
        ("default", "default"),
        ("pattern", "pattern"),
    ):
        if name in schema:
            yield kind, schema[name]
    bounds = {name: schema[name] for name in ("minimum", "maximum") if name in schema}
    lengths = {name[:3] + "imum": schema[name] for name in ("minLength", "maxLength") if name in schema}
    if bounds:
        yield "range", bounds
    if lengths:
        yield "length", lengths


def of_effect(parameter: dict[str, Any], fields: dict[str, set[str]]) -> Iterator[tuple[str, Json]]:
    pointer = next(iter(fields), "")
    if "x-searches" in parameter:
        yield "searches", sorted(f"200:{pointer}/0/{name}" for name in parameter["x-searches"])
    elif "x-filters" in parameter:
        kind = "at-least" if parameter["name"].startswith("min_") else "filters"
        yield kind, f"200:{pointer}/0/{parameter['x-filters']}"
    for value in parameter["schema"]["enum"] if "x-sorts" in parameter else ():
        order = "descending" if value.startswith("-") else "ascending"
        yield "sorts", {"value": value, "field": f"200:{pointer}/0/{value.lstrip('-')}", "order": order}
    if "x-limits" in parameter:
        yield "limits", f"200:{parameter['x-limits']}"
    if "x-pages" in parameter:
        pages = parameter["x-pages"]
        told = {"by": pages["by"], "list": f"200:{pages['list']}"}
        yield "pages", told | ({"next": f"200:{pages['next']}"} if "next" in pages else {})
    if parameter.get("x-ignored"):
        yield "ignored", True
    if parameter.get("x-clamps"):
        yield "clamps", {"maximum": parameter["schema"]["maximum"]}


def as_told(key: OperationKey, location: str, kind: str, value: Json, known: list[Any]) -> Json:
    """A truth as facts put it: a clamped bound is no range; a searched field may be a list of several."""
    if kind == "range" and any(one[:3] == (key, location, "clamps") for one in known):
        return {name: bound for name, bound in value.items() if name != "maximum"}
    return sorted(value, key=str) if kind == "allowed-values" else value


def name_of(key: OperationKey, location: str, kind: str, value: Json) -> Name:
    return key, location, kind, yaml.safe_dump(sorted(value, key=str) if isinstance(value, list) else value)


@cache
def published() -> dict[OperationKey, Operation]:
    return {operation.key: operation for operation in load(SPECS).operations}


def can_be_shown(key: OperationKey, location: str, kind: str, value: Json, truths: dict[str, Any]) -> bool:
    """Whether calls of the published operation can show a truth: see the top of this module."""
    operation = published()[key]
    if key.operation in UNREACHED or key.method == "DELETE":
        return False
    if location.startswith(("query:", "path:")) and operation.parameter(location) is None:
        return False
    if kind == "allowed-values":
        return key.tool in TELLS_CHOICES and not location.startswith("path:")
    if kind == "type" and location.startswith("path:"):
        return bool(value != "string")
    if kind in ("filters", "sorts", "at-least"):
        field = value if isinstance(value, str) else value["field"]
        body = truths[key.tool]["paths"][key.path][key.method.lower()]
        return any(field.rpartition("/")[2] in names for names in items_of(truths[key.tool], body).values())
    return True


@pytest.fixture(scope="module")
def expected(truths: dict[str, Any]) -> list[tuple[OperationKey, str, str, Json]]:
    known = list(true_facts(truths))
    told = [(key, location, kind, as_told(key, location, kind, value, known)) for key, location, kind, value in known]
    return [one for one in told if one[3] != {}]


def is_one_bound(fact: Fact, expected: list[Any]) -> bool:
    """Whether a fact tells one of two bounds: that is no falsehood, and what is missing counts as missed."""
    alike = (one[3] for one in expected if one[:3] == (fact.key, fact.location, fact.kind))
    return any(isinstance(value, dict) and fact.value.items() <= value.items() for value in alike)


def test_no_fact_on_a_parameter_is_false(explored: Explored, expected: list[Any]) -> None:
    true = {name_of(*one) for one in expected}
    told = {name_of(fact.key, fact.location, fact.kind, fact.value): fact for fact in explored.facts}
    false = [name for name, fact in told.items() if name not in true and not is_one_bound(fact, expected)]
    assert not false, "\n".join(map(str, false))
    assert len(told) > 100


def test_nine_in_ten_of_what_calls_can_show_is_found(
    explored: Explored, expected: list[Any], truths: dict[str, Any]
) -> None:
    told = {name_of(fact.key, fact.location, fact.kind, fact.value) for fact in explored.facts}
    wanted = [one for one in expected if can_be_shown(*one, truths)]
    missed = [one for one in wanted if name_of(*one) not in told]
    all_of, missed_of = Counter(one[2] for one in wanted), Counter(one[2] for one in missed)
    table = [f"{kind}: {count - missed_of[kind]}/{count}" for kind, count in sorted(all_of.items())]
    print("recall:", "; ".join(table), *(f"\nmissed: {key} {rest}" for key, *rest in missed))
    assert len(missed) <= 0.1 * len(wanted), missed
    assert len(wanted) > 100


def test_it_takes_at_most_fifty_calls_an_operation(explored: Explored) -> None:
    assert explored.summary["requests"] <= 50 * explored.summary["operations"]
    assert not explored.summary["budget_spent"]


def test_every_fact_names_calls_and_replays(explored: Explored) -> None:
    assert all(fact.calls and fact.replays and not set(fact.calls) & set(fact.replays) for fact in explored.facts)
