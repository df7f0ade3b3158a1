"""What an operation of RPC style may be sent: what its body names decides, as the path does elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, document, key

from docrev.calls.journal import Journal
from docrev.calls.policy import Policy
from docrev.calls.routes import Routes
from docrev.language.verbs import reading_verb
from docrev.records import Arguments
from docrev.spec import Catalog, load

NAME, NAMES = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
BODIES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "POST /teams/create": ({"name": NAME}, ["name"]),
    "POST /teams/list": ({}, []),
    "POST /teams/get": ({"name": NAME}, ["name"]),
    "POST /teams/update": ({"name": NAME, "color": NAME}, ["name"]),
    "POST /teams/archive": ({"name": NAME}, ["name"]),
    "POST /teams/set_default": ({"name": NAME}, ["name"]),
    "POST /teams/delete": (
        {"team_names": NAMES, "force": {"type": "boolean"}, "older_than": NAME},
        ["team_names", "force"],
    ),
    "POST /team/{team}/secrets/create": ({"key": NAME}, ["key"]),
    "POST /team/{team}/secrets/delete": ({"key": NAME}, ["key"]),
    "POST /team/{team}/secrets/list": ({}, []),
}
OURS = "docrev_00000000_3"


@pytest.fixture
def teams(tmp_path: Path) -> Catalog:
    extras = {
        line: {
            "requestBody": {
                "content": {
                    "application/json": {"schema": {"type": "object", "properties": parts, "required": required}}
                }
            }
        }
        for line, (parts, required) in BODIES.items()
    }
    return catalog(tmp_path, [*BODIES], **extras)


def body(**members: Any) -> Arguments:
    return {"body:": members}


@pytest.mark.parametrize(
    ("operation", "arguments", "is_sent"),
    [
        ("POST /teams/list", {}, True),
        ("POST /teams/get", body(name="theirs"), True),
        ("POST /teams/get", body(name="theirs", mark_read=True), False),
        ("POST /teams/update", body(name=OURS, color="red"), True),
        ("POST /teams/update", body(name="theirs", color="red"), False),
        ("POST /teams/update", body(color="red"), False),
        ("POST /teams/archive", body(name=OURS), True),
        ("POST /teams/archive", body(name="theirs"), False),
        ("POST /teams/set_default", body(name=OURS), False),
        ("POST /teams/delete", body(team_names=[OURS], force=True), True),
        ("POST /teams/delete", body(team_names=[OURS, "theirs"], force=True), False),
        ("POST /teams/delete", body(team_names=[], force=True), False),
        ("POST /teams/delete", body(team_names=[OURS], force=True, older_than="x"), False),
        ("POST /teams/delete", body(force=True), False),
        ("POST /teams/delete", {}, False),
        # A team of the run's own is one whether paths call its collection `team` or `teams`.
        ("POST /team/{team}/secrets/create", {"path:team": OURS, **body(key="docrev_00000000_4")}, True),
        ("POST /team/{team}/secrets/create", {"path:team": "theirs", **body(key="docrev_00000000_4")}, False),
    ],
)
def test_a_body_names_what_a_call_goes_to(teams: Catalog, operation: str, arguments: Arguments, is_sent: bool) -> None:
    journal = Journal(Routes(teams.operations))
    journal.record("shop", f"/teams/{OURS}", "c")
    policy = Policy.parse(["POST"]).judging(journal.effects)
    reason = policy.verdict(teams[key(operation)], arguments, journal)
    assert (reason is None) == is_sent, reason


def test_nothing_is_read_by_post_where_post_is_not_allowed(teams: Catalog) -> None:
    journal = Journal(Routes(teams.operations))
    policy = Policy.parse([]).judging(journal.effects)
    assert policy.verdict(teams[key("POST /teams/list")], {}, journal) == "POST is not allowed; give --allow POST"


def test_what_the_user_named_may_be_changed_and_not_removed(teams: Catalog) -> None:
    journal = Journal(Routes(teams.operations))
    policy = Policy.parse(["POST"], within=["team=theirs"]).judging(journal.effects)
    keys = {"path:team": "theirs", **body(key="docrev_00000000_4")}
    assert policy.verdict(teams[key("POST /team/{team}/secrets/create")], keys, journal) is None
    for operation in ("POST /team/{team}/secrets/delete", "POST /teams/delete"):
        sent = keys if "{" in operation else body(team_names=["theirs"], force=True)
        assert policy.verdict(teams[key(operation)], sent, journal) is not None


def test_a_thing_is_removed_by_the_call_that_names_it_alone(teams: Catalog) -> None:
    routes = Routes(teams.operations)
    found = routes.resolve("shop", "DELETE", f"/teams/{OURS}")
    assert found is not None
    assert found[0].path == "/teams/delete"
    assert found[1]["body:"]["team_names"] == [OURS]


@pytest.mark.parametrize(
    ("parts", "required", "route"),
    [
        ({"order_ids": NAMES, "name": NAME}, ["order_ids"], "PATCH /orders/{body:order_ids[]}"),
        ({"target": NAME, "name": NAME}, ["target"], None),
        ({"target": NAME, "name": NAME}, [], None),
        ({"name": NAME, "color": NAME}, ["name"], "PATCH /orders/{body:name}"),
    ],
)
def test_what_a_change_may_set_anew_says_what_it_goes_to_only_if_it_is_required(
    tmp_path: Path, parts: dict[str, Any], required: list[str], route: str | None
) -> None:
    schema = {"type": "object", "properties": parts, "required": required}
    extra = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    lines = ["POST /orders/create", "POST /orders/list", "POST /orders/edit"]
    found = catalog(tmp_path, lines, **{"POST /orders/edit": extra})[key("POST /orders/edit")].rpc_route
    assert (found and found.operation) == route


@pytest.mark.parametrize(
    ("line", "summary", "is_read"),
    [
        ("POST /orders/count", "Reset orders", False),
        ("POST /orders/show", "Archive orders", False),
        ("POST /orders/get_next", "", False),
        ("POST /orders/get_or_create", "", False),
        ("POST /orders/show", "Order details", True),
        ("POST /orders/count", "Count orders", True),
    ],
)
def test_what_is_called_like_a_read_and_says_that_it_acts_is_none(
    tmp_path: Path, line: str, summary: str, is_read: bool
) -> None:
    lines = ["POST /orders/create", "POST /orders/list", "POST /orders/delete", line]
    operation = catalog(tmp_path, lines, **{line: {"summary": summary}})[key(line)]
    assert (operation.route.method == "GET") is is_read
    assert (reading_verb(operation) is not None) is is_read or operation.summary != ""


ID = {"type": "integer"}


@pytest.mark.parametrize(
    ("line", "parts", "required", "route"),
    [
        ("POST /orders/get_all", {}, [], "GET /orders"),
        ("POST /orders/get_orders", {}, [], "GET /orders"),
        ("POST /orders/getAllOrders", {}, [], "GET /orders"),
        ("POST /orders/get_details", {"id": ID}, ["id"], "GET /orders/{body:id:integer}"),
        ("POST /orders/get_lines", {"id": ID}, ["id"], "GET /orders/get_lines/{body:id:integer}"),
        ("POST /orders/delete_many", {"ids": NAMES}, ["ids"], "DELETE /orders/{body:ids[]}"),
        ("POST /orders/delete_all", {"ids": NAMES}, ["ids"], "DELETE /orders/all/{body:ids[]}"),
        # What one thing is called is what it may be called from now on, where it is not required.
        ("POST /orders/bulk_edit", {"name": NAME, "color": NAME}, [], None),
        ("POST /orders/add_tag", {"order_id": ID, "tag_id": ID}, ["order_id"], "POST /orders/{body:order_id:integer}/"),
        ("GET /orders/next", {}, [], "POST /orders/next"),
        ("GET /orders/receive", {}, [], "POST /orders/receive"),
        ("GET /orders/latest", {}, [], None),
    ],
)
def test_a_route_is_that_of_all_of_one_or_of_nothing(
    tmp_path: Path, line: str, parts: dict[str, Any], required: list[str], route: str | None
) -> None:
    def of(parts: dict[str, Any], required: list[str]) -> dict[str, Any]:
        schema = {"type": "object", "properties": parts, "required": required}
        return {"requestBody": {"content": {"application/json": {"schema": schema}}}}

    lines = ["POST /orders/create", "POST /orders/info", line]
    found = catalog(tmp_path, lines, **{lines[1]: of({"id": ID}, ["id"]), line: of(parts, required)})[key(line)]
    told = found.rpc_route and found.rpc_route.operation
    assert told == route or (route is not None and route.endswith("}/") and told == route + line.rpartition("/")[2])


@pytest.mark.parametrize(
    ("lines", "is_maker"),
    [
        (["POST /orders/list", "POST /orders/delete"], True),
        (["POST /orders/list", "POST /orders/delete", "POST /orders/create"], False),
    ],
)
def test_what_saves_a_thing_makes_one_where_nothing_else_does(tmp_path: Path, lines: list[str], is_maker: bool) -> None:
    found = catalog(tmp_path, [*lines, "POST /orders/save"])[key("POST /orders/save")]
    assert (found.route.operation == "POST /orders") is is_maker


@pytest.mark.parametrize(
    ("line", "queried", "is_read"),
    [
        ("POST /getText", ["pad"], True),
        ("POST /getText", ["pad", "lock"], False),
        ("POST /addText", ["pad"], False),
        ("POST /statistics", ["pad"], False),
    ],
)
def test_a_post_that_is_documented_like_the_get_of_its_path_reads(
    tmp_path: Path, line: str, queried: list[str], is_read: bool
) -> None:
    def of(*names: str) -> dict[str, Any]:
        return {"parameters": [{"name": name, "in": "query", "schema": NAME} for name in names]}

    get, path = line.replace("POST", "GET"), line.removeprefix("POST ")
    described = document([get, line], **{get: of("pad"), line: of(*queried)})
    del described["paths"][path]["post"]["requestBody"]
    file = tmp_path / "shop.json"
    file.write_text(json.dumps(described))
    assert (load([file])[key(line)].route.method == "GET") == is_read


FLAT = {
    "POST /createPad": ["padID", "text"],
    "POST /deletePad": ["padID"],
    "GET /listAllPads": [],
    "POST /getText": ["padID", "rev"],
    "POST /setText": ["padID", "text"],
    "POST /copyPad": ["sourceID", "destinationID"],
    "POST /createGroup": [],
    "POST /deleteGroup": ["groupID"],
    "POST /listPads": ["groupID"],
    "POST /addPad": ["groupID", "padID"],
    "POST /createAuthor": ["name"],
    "POST /createDiffHTML": ["padID", "rev"],
    "POST /sendMessage": ["padID", "groupID"],
}
"""What operations whose names alone say what they are about are sent in the query."""


@pytest.mark.parametrize("base", ["", "/api/1.2"])
@pytest.mark.parametrize(
    ("line", "route"),
    [
        ("POST /createPad", "POST /pads"),
        ("POST /deletePad", "DELETE /pads/{query:padID}"),
        ("GET /listAllPads", "GET /pads"),
        ("POST /getText", "GET /pads/getText"),
        ("POST /setText", "POST /pads/{query:padID}/setText"),
        ("POST /listPads", "GET /groups/listPads"),
        # Into which pad a copy goes, or whose group a pad, nothing says.
        ("POST /copyPad", None),
        ("POST /addPad", None),
        # Nothing removes these.
        ("POST /createAuthor", None),
        ("POST /createDiffHTML", None),
        ("POST /sendMessage", None),
    ],
)
def test_what_a_name_alone_says_is_said_of_a_collection(
    tmp_path: Path, base: str, line: str, route: str | None
) -> None:
    extras = {
        name.replace("/", f"{base}/", 1): {"parameters": [{"name": one, "in": "query", "schema": NAME} for one in sent]}
        for name, sent in FLAT.items()
    }
    found = catalog(tmp_path, [*extras], **extras)[key(line.replace("/", f"{base}/", 1))].rpc_route
    assert (found and found.operation) == (route and route.replace("/", f"{base}/", 1))


IN_QUERY = {"in": "query", "name": "filterByTk", "schema": {"type": "integer"}}
CHOOSING = [IN_QUERY, {"in": "query", "name": "filter", "schema": {"type": "string"}}]


@pytest.fixture
def cars(tmp_path: Path) -> Catalog:
    alone = ["GET /cars:get", "POST /cars:update", "POST /cars:destroy"]
    extras: dict[str, Any] = {line: {"parameters": CHOOSING} for line in alone}
    extras["GET /cars:list"] = {"parameters": CHOOSING[1:]}
    parts = {"id": {"type": "integer", "readOnly": True}, "plate": NAME}
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": parts}}}}
    extras["POST /cars:create"] = {"requestBody": body}
    extras["POST /cars:update"] |= {"requestBody": body}
    return catalog(tmp_path, [*extras], **extras)


def test_what_all_that_goes_to_one_thing_takes_in_the_query_names_it(cars: Catalog) -> None:
    routes = {operation.path.partition(":")[2]: operation.route.operation for operation in cars.operations}
    one = "/cars/{query:filterByTk:integer}"
    assert routes == {
        "list": "GET /cars",
        "create": "POST /cars",
        "get": f"GET {one}",
        "update": f"PATCH {one}",
        "destroy": f"DELETE {one}",
    }


def test_what_a_list_takes_as_well_names_nothing(tmp_path: Path) -> None:
    lines = ["GET /cars:list", "POST /cars:create", "GET /cars:get", "POST /cars:update", "POST /cars:destroy"]
    found = catalog(tmp_path, lines, **{line: {"parameters": [IN_QUERY]} for line in lines})
    assert not any("{" in operation.route.path for operation in found.operations)


@pytest.mark.parametrize(
    ("operation", "arguments", "is_sent"),
    [
        ("POST /cars:update", {"query:filterByTk": 4, "body:": {"plate": "x"}}, True),
        ("POST /cars:update", {"query:filterByTk": 5, "body:": {"plate": "x"}}, False),
        ("POST /cars:update", {"query:filterByTk": 4, "query:filter": "{}", "body:": {"plate": "x"}}, False),
        ("POST /cars:update", {"query:filter": "{}", "body:": {"plate": "x"}}, False),
        ("POST /cars:destroy", {"query:filterByTk": 4}, True),
        ("POST /cars:destroy", {"query:filterByTk": 4, "query:filter": "{}"}, False),
        ("POST /cars:destroy", {}, False),
    ],
)
def test_what_is_named_in_the_query_is_changed_by_that_alone(
    cars: Catalog, operation: str, arguments: Arguments, is_sent: bool
) -> None:
    journal = Journal(Routes(cars.operations))
    journal.record("shop", "/cars/4", "c")
    policy = Policy.parse(["POST"]).judging(journal.effects)
    reason = policy.verdict(cars[key(operation)], arguments, journal)
    assert (reason is None) == is_sent, reason
