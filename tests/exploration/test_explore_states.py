"""Facts on states, learned from the bundled services by a whole run and held against their truth."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import pytest
import yaml
from services import whole_exploration

from docrev.evidence import Evidence
from docrev.records import Call, Fact

NAMES = ("airfield", "atlas")


@pytest.fixture(scope="module")
def learned() -> tuple[list[Fact], dict[str, Call], dict[str, Any]]:
    """The facts of one run with everything allowed, its calls by id, and its summary."""
    out, done, _ = whole_exploration()
    with Evidence.open(out, write=False) as evidence:
        return evidence.facts(), {call.id: call for call in evidence.calls.select()}, done.summary


@cache
def truth(tool: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(files(f"docrev.sandbox.{tool}").joinpath("truth.yaml").read_text("utf-8"))
    return loaded


def operation(tool: str, name: str) -> dict[str, Any]:
    method, _, path = name.partition(" ")
    found: dict[str, Any] = truth(tool)["paths"][path][method.lower()]
    return found


def resolved(tool: str, schema: dict[str, Any]) -> dict[str, Any]:
    return truth(tool)["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def schema_at(tool: str, node: dict[str, Any], pointer: str) -> dict[str, Any]:
    schema = resolved(tool, node["content"]["application/json"]["schema"])
    for name in pointer.split("/")[1:]:
        schema = resolved(tool, schema["items"] if name == "0" and "items" in schema else schema["properties"][name])
    return schema


def places(status: str, keep: Any) -> set[tuple[str, str, str]]:
    """All (tool, operation, location) of JSON responses whose schema `keep` accepts."""
    found = set()
    for tool in NAMES:
        for path, item in truth(tool)["paths"].items():
            for method, node in item.items():
                for code, response in node.get("responses", {}).items():
                    if code.startswith(status) and "application/json" in response.get("content", {}):
                        name = f"{method.upper()} {path}"
                        schema = response["content"]["application/json"]["schema"]
                        found |= {(tool, name, f"{code}:{at}") for at in walk(tool, schema, "", keep)}
    return found


def walk(tool: str, schema: dict[str, Any], pointer: str, keep: Any) -> set[str]:
    schema = resolved(tool, schema)
    found = {pointer} if keep(schema) else set()
    for name, part in schema.get("properties", {}).items():
        found |= walk(tool, part, f"{pointer}/{name}", keep)
    if "items" in schema:
        found |= walk(tool, schema["items"], f"{pointer}/0", keep)
    return found


def of_kind(facts: list[Fact], kind: str) -> set[tuple[str, str, str]]:
    return {(fact.key.tool, fact.key.operation, fact.location) for fact in facts if fact.kind == kind}


def nullable(schema: dict[str, Any]) -> bool:
    return "null" in schema.get("type", ())


def test_every_field_said_to_be_null_may_be_and_most_are_found(learned: Any) -> None:
    found, true = of_kind(learned[0], "nullable"), places("2", nullable)
    assert found <= true
    assert len(found) >= 0.6 * len(true)


def test_formats_of_responses_are_those_of_the_truth(learned: Any) -> None:
    for fact in learned[0]:
        if fact.kind == "format" and fact.location[:1].isdecimal():
            status, _, pointer = fact.location.partition(":")
            node = operation(fact.key.tool, fact.key.operation)["responses"][status]
            assert schema_at(fact.key.tool, node, pointer).get("format") == fact.value, fact
    assert {("atlas", "GET /status", "200:/server_time"), ("airfield", "GET /status", "200:/time")} <= of_kind(
        learned[0], "format"
    )


def test_errors_have_the_form_that_the_truth_gives_them(learned: Any) -> None:
    fields = [fact for fact in learned[0] if fact.kind == "field" and fact.location[0] == "4"]
    assert len(fields) >= 10
    for fact in fields:
        status, _, pointer = fact.location.partition(":")
        responses = operation(fact.key.tool, fact.key.operation)["responses"]
        if status in responses:
            assert schema_at(fact.key.tool, responses[status], pointer), fact


def test_broken_and_secured_operations_are_those_of_the_truth(learned: Any) -> None:
    true: dict[str, set[tuple[str, str, str]]] = {"x-broken": set(), "security": set()}
    for tool in NAMES:
        for path, item in truth(tool)["paths"].items():
            for method, node in item.items():
                for name in true:
                    if isinstance(node, dict) and node.get(name):
                        true[name].add((tool, f"{method.upper()} {path}", ""))
    assert of_kind(learned[0], "broken") == true["x-broken"]
    assert of_kind(learned[0], "needs-credentials") == true["security"]


def test_required_body_properties_are_those_of_the_truth(learned: Any) -> None:
    true = set()
    for tool in NAMES:
        for path, item in truth(tool)["paths"].items():
            for method, node in item.items():
                body = node.get("requestBody") if isinstance(node, dict) else None
                schema = resolved(tool, body["content"]["application/json"]["schema"]) if body else {}
                true |= {(tool, f"{method.upper()} {path}", f"body:/{name}") for name in schema.get("required", ())}
                true |= {(tool, f"{method.upper()} {path}", "body:")} if body and body["required"] else set()
    assert {place for place in of_kind(learned[0], "required") if place[2].startswith("body:")} == true


def test_what_a_write_creates_is_read_where_it_says(learned: Any) -> None:
    facts, calls, _ = learned
    found = {fact.key.operation: fact for fact in facts if fact.kind == "creates"}
    assert {name: fact.value["operation"] for name, fact in found.items()} == {
        "POST /notes": "atlas GET /notes/{id}",
        "POST /watchlists": "airfield GET /watchlists/{watchlist_id}",
        "POST /watchlists/{watchlist_id}/items": "airfield GET /watchlists/{watchlist_id}/items",
    }
    for name, fact in found.items():
        assert {calls[id].key.operation for id in (*fact.calls, *fact.replays)} >= {name}


def test_what_must_be_first_is_refused_without_it(learned: Any) -> None:
    facts, calls, _ = learned
    needs = [fact for fact in facts if fact.kind == "needs-first"]
    assert {(fact.key.operation, fact.value["operation"]) for fact in needs} == {
        ("GET /notes/{id}", "atlas POST /notes"),
        ("GET /watchlists/{watchlist_id}", "airfield POST /watchlists"),
        ("GET /watchlists/{watchlist_id}/items", "airfield POST /watchlists"),
        ("POST /watchlists/{watchlist_id}/items", "airfield POST /watchlists"),
        ("PUT /watchlists/{watchlist_id}", "airfield POST /watchlists"),
    }
    for fact in needs:
        shown = [calls[id] for id in (*fact.calls, *fact.replays)]
        assert len(shown) >= 2
        assert {call.status for call in shown} == {fact.value["status"]} == {404}


def test_nothing_that_moves_is_a_fact_and_nothing_is_left(learned: Any) -> None:
    facts, _, told = learned
    moving = {f"200:/{name}" for name in ("server_time", "uptime_seconds", "requests_served", "time", "request_count")}
    assert not [fact for fact in facts if fact.kind == "observed-values" and fact.location in moving]
    assert told["findings"] == []
    assert told["left"] == []
    assert told["requests"] <= 50 * told["operations"]
