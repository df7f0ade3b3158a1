"""Solutions as Arazzo workflows: what is an input, what an output, what stays as it was sent."""

from __future__ import annotations

import json
from typing import Any

from clikit import document

from docrev.records import Call, Given, Goal, JournalItem, Node, OperationKey, Plan, Scenario, Solution
from docrev.spec import Catalog, Document
from docrev.spec.formats.arazzo.cleaning import Cleaning
from docrev.spec.formats.arazzo.writer import workflows

OPERATIONS = ("GET /shops", "GET /shops/{id}/items", "POST /orders")
DELETE = "DELETE /orders/{number}"


def call(operation: str, arguments: dict[str, Any], body: Any, status: int = 200) -> Call:
    key = OperationKey("shop", operation)
    return Call(operation, key, arguments, "http://x", status, {}, body, "application/json", "scenario")


def solved(name: str, answer: Any, *calls: Call) -> Solution:
    nodes = [Node(f"{name}/bfs/{n}", None, name, "bfs", n, Plan("", one.key), one) for n, one in enumerate(calls)]
    return Solution(name, "bfs", tuple(nodes), answer)


SHOPS = call("GET /shops", {"query:name": "Corner"}, {"data": [{"id": "a7", "name": "Corner"}]})
ITEMS = call("GET /shops/{id}/items", {"path:id": "a7", "query:limit": 5}, {"items": [{"sku": "x1"}, {"sku": "x2"}]})
ORDER = call("POST /orders", {"body:": {"sku": "x1", "count": 5, "gift": True}}, {"number": 12}, 201)
GOAL = Goal((Given("name", "Corner"), Given("count", 5)), "number")
TEXT = 'Order 5 of the first item of the shop "Corner". What is the number?'


def written(*solutions: Solution, goal: Goal | None = GOAL) -> dict[str, Any]:
    text = json.dumps(document(OPERATIONS))
    catalog = Catalog.of([Document.parse(text, "shop.json")])
    scenarios = [Scenario(one.scenario, TEXT, (), goal) for one in solutions]
    return workflows(catalog, {"shop": "./shop.json"}, scenarios, solutions)


def test_what_is_given_is_an_input_and_what_was_returned_an_output() -> None:
    tree = written(solved("s1", 12, SHOPS, ITEMS, ORDER))
    assert tree["arazzo"] == "1.0.1"
    assert tree["sourceDescriptions"] == [{"name": "shop", "url": "./shop.json", "type": "openapi"}]
    [workflow] = tree["workflows"]
    properties = workflow["inputs"]["properties"]
    assert properties["name"] == {"type": "string", "default": "Corner"}
    assert properties["count"] == {"type": "integer", "default": 5}
    shops, items, order = workflow["steps"]
    assert shops["parameters"] == [{"name": "name", "in": "query", "value": "$inputs.name"}]
    assert shops["outputs"] == {"id": "$response.body#/data/0/id"}
    assert items["parameters"][0]["value"] == f"$steps.{shops['stepId']}.outputs.id"
    assert order["requestBody"]["payload"] == {
        "sku": f"$steps.{items['stepId']}.outputs.sku",
        "count": "$inputs.count",
        "gift": True,
    }
    assert order["successCriteria"] == [{"condition": "$statusCode == 201"}]
    assert workflow["outputs"] == {"answer": f"$steps.{order['stepId']}.outputs.number"}
    place = shops.get("operationPath", "{$sourceDescriptions.shop.url}#/paths/~1shops/get")
    assert place == "{$sourceDescriptions.shop.url}#/paths/~1shops/get"


def removable(*items: JournalItem) -> dict[str, Any]:
    """The document of a solution that creates an order, if these items are known of it."""
    catalog = Catalog.of([Document.parse(json.dumps(document((*OPERATIONS, DELETE))), "shop.json")])
    cleaning = Cleaning(items, {OperationKey("shop", DELETE): 204})
    scenarios = [Scenario("s1", TEXT, (), GOAL)]
    return workflows(catalog, {"shop": "./shop.json"}, scenarios, [solved("s1", 12, SHOPS, ITEMS, ORDER)], cleaning)


def item(number: int, **known: Any) -> JournalItem:
    path = f"/orders/{number}"
    return JournalItem(f"shop {path}", "shop", path, {"path:number": number}, ORDER.id, **known)


def test_what_a_workflow_creates_its_last_step_deletes() -> None:
    [workflow] = removable(item(12, deleted=True))["workflows"]
    deletion, order = workflow["steps"][-1], workflow["steps"][-2]
    assert deletion["operationPath"].endswith("#/paths/~1orders~1{number}/delete")
    assert [each["value"] for each in deletion["parameters"]] == [f"$steps.{order['stepId']}.outputs.number"]
    assert deletion["successCriteria"] == [{"condition": "$statusCode == 204"}]


def test_a_workflow_that_would_leave_something_behind_is_left_out() -> None:
    # Clean-up failed; its ID stands in no response; nothing is known of what was created.
    for items in ([item(12)], [item(99, deleted=True)], []):
        assert removable(*items)["workflows"] == []


def test_workflows_of_the_same_steps_are_one_and_secrets_stay_out() -> None:
    other = call("GET /shops", {"query:name": "Corner"}, {"data": [{"id": "b9", "name": "Corner"}]})
    masked = call("POST /orders", {"body:": {"password": "[redacted]"}}, {"number": 1})
    tree = written(solved("s1", "a7", SHOPS), solved("s2", "b9", other), solved("s3", 1, masked))
    assert len(tree["workflows"]) == 1


def test_a_small_number_that_a_step_returned_by_chance_is_no_output() -> None:
    listed = call("GET /shops", {}, {"data": [{"id": "a7", "rank": 5}]})
    [workflow] = written(solved("s1", None, listed, ITEMS), goal=None)["workflows"]
    assert {"name": "limit", "in": "query", "value": 5} in workflow["steps"][1]["parameters"]
