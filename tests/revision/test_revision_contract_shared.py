"""What the contract says of shared and open schemas: references are reused, data is no property, users agree."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from revisekit import call, fact, keep, write_spec
from test_revision_texts import revised

from docrev.records import Call, Fact
from docrev.spec import load

SPEC = """\
openapi: "3.0.3"
info: {title: Library, version: "1"}
paths:
  /rooms:
    get:
      responses:
        200:
          description: OK
          content: {application/json: {schema: {$ref: '#/components/schemas/Rooms'}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
      responses:
        201: {description: Made}
        default:
          description: Refused
          content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}
  /rooms/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        200: {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}}
      responses: {200: {description: OK}}
  /batch:
    post:
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        200:
          description: OK
          content:
            application/json:
              schema:
                type: object
                properties:
                  answers: {type: array, items: {type: object, properties: {body: {type: object}}}}
components:
  schemas:
    Rooms: {type: object, properties: {byName: {type: object}, open: {type: object}}}
    Room: {type: object, properties: {name: {type: string}, kind: {type: string}}}
    Problem: {type: object, properties: {error: {type: string}, detail: {type: string}}}
"""
ROOMS = {"red": {"name": "red", "seats": 3}, "blue": {"name": "blue", "seats": 4}}
OPEN = {"seats": 7, "floor": 2}
CALLS = [
    call("GET /rooms", {"byName": ROOMS, "open": OPEN}),
    call("GET /rooms", {"byName": {"red": ROOMS["red"]}, "open": OPEN}, query_x=1),
    call("GET /rooms/{id}", {"name": "red"}, path_id="red"),
    call("GET /rooms/{id}", {"error": "no such room"}, status=404, path_id="a"),
    call("GET /rooms/{id}", {"error": "no such room"}, status=404, path_id="b"),
    call("POST /batch", {"answers": [{"body": {"seats": 3}}]}, body_={"paths": ["/rooms/red"]}),
    call("POST /batch", {"answers": [{"body": {"seats": 4}}]}, body_={"paths": ["/rooms/blue"]}),
]


def contract(tmp_path: Path, facts: list[Fact], calls: list[Call] | None = None) -> Any:
    path = write_spec(tmp_path, SPEC)
    evidence = keep(tmp_path / "evidence", load([path]), calls or CALLS, facts=facts)
    [document] = revised(path, evidence, edit="contract").documents.values()
    return document.tree


def test_names_that_are_data_become_additional_properties(tmp_path: Path) -> None:
    rooms = contract(tmp_path, [])["components"]["schemas"]["Rooms"]["properties"]
    assert rooms["byName"]["additionalProperties"] == {"type": "object"}
    assert "properties" not in rooms["byName"]
    assert rooms["open"]["properties"].keys() == {"floor", "seats"}


def test_what_callers_give_as_they_like_is_of_no_one_type(tmp_path: Path) -> None:
    given = SPEC.replace(
        "Room: {type: object, properties: {", "Room: {type: object, properties: {byName: {type: object}, "
    )
    path = write_spec(tmp_path, given)
    evidence = keep(tmp_path / "evidence", load([path]), CALLS, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    rooms = document.tree["components"]["schemas"]["Rooms"]["properties"]
    assert "additionalProperties" not in rooms["byName"]


@pytest.mark.parametrize(
    ("open_", "named"), [({"basic": {"url": "http://a/b", "text": "x"}}, []), ({"size": 7}, ["size"])]
)
def test_one_object_by_its_name_may_be_one_of_many(tmp_path: Path, open_: dict[str, Any], named: list[str]) -> None:
    calls = [call("GET /rooms", {"byName": ROOMS, "open": open_}, query_x=number) for number in range(2)]
    rooms = contract(tmp_path, [], [*calls, *CALLS[2:]])["components"]["schemas"]["Rooms"]["properties"]
    assert [*rooms["open"].get("properties", {})] == named


@pytest.mark.parametrize(("kind", "is_added"), [("hall", False), ("other", True)])
def test_what_only_things_of_one_kind_have_is_no_property_of_all(tmp_path: Path, kind: str, is_added: bool) -> None:
    rooms = [{"name": name, "kind": kind, "hall": {"seats": n}} for n, name in enumerate(("red", "blue"))]
    calls = [call("GET /rooms/{id}", room, path_id=str(room["name"])) for room in rooms]
    room = contract(tmp_path, [], [*CALLS[:2], *calls])["components"]["schemas"]["Room"]["properties"]
    assert ("hall" in room) is is_added


@pytest.mark.parametrize("columns", [["floor", "seats", "wing"], ["floor"]])
def test_names_that_a_list_beside_them_has_are_data(tmp_path: Path, columns: list[str]) -> None:
    calls = [call("GET /rooms", {"byName": ROOMS, "open": OPEN, "columns": columns}), *CALLS[1:]]
    calls[1] = call("GET /rooms", {"byName": ROOMS, "open": OPEN, "columns": columns}, query_x=1)
    rooms = contract(tmp_path, [], calls)["components"]["schemas"]["Rooms"]["properties"]
    assert ("properties" in rooms["open"]) is (len(columns) == 1)


def test_the_error_schema_of_other_operations_is_reused(tmp_path: Path) -> None:
    response = contract(tmp_path, [])["paths"]["/rooms/{id}"]["get"]["responses"]["404"]
    assert response["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Problem"}


def test_an_error_with_another_form_gets_a_schema_of_its_own(tmp_path: Path) -> None:
    others = [call("GET /rooms/{id}", {"why": "gone"}, status=410, path_id=id) for id in "xy"]
    response = contract(tmp_path, [], [*CALLS, *others])["paths"]["/rooms/{id}"]["get"]["responses"]["410"]
    assert response["content"]["application/json"]["schema"]["properties"] == {"why": {"type": "string"}}


def test_the_schema_of_an_error_with_a_text_of_its_own_is_not_reused(tmp_path: Path) -> None:
    spec = SPEC.replace("properties: {error: {type: string}", "properties: {error: {type: string, default: denied}")
    path = write_spec(tmp_path, spec)
    evidence = keep(tmp_path / "evidence", load([path]), CALLS, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    response = document.tree["paths"]["/rooms/{id}"]["get"]["responses"]["404"]
    assert "properties" in response["content"]["application/json"]["schema"]


def test_what_a_shared_error_says_besides_is_no_property(tmp_path: Path) -> None:
    spec = yaml.safe_load(SPEC)
    spec["components"]["schemas"]["Problem"]["properties"]["context"] = {"type": "object"}
    problem = spec["paths"]["/rooms"]["post"]["responses"].pop("default")
    for method in ("get", "put"):
        spec["paths"]["/rooms/{id}"][method]["responses"]["404"] = deepcopy(problem)
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    body = {"error": "no such room", "context": {"tag": "x"}}
    names = ("GET /rooms/{id}", "PUT /rooms/{id}")
    calls = [*CALLS[:2], *(call(name, body, status=404, path_id=id) for name in names for id in "abc")]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    assert document.tree["components"]["schemas"]["Problem"]["properties"]["context"] == {"type": "object"}


def test_an_error_schema_whose_members_are_of_other_types_is_not_reused(tmp_path: Path) -> None:
    others = [call("GET /rooms/{id}", {"error": {"text": "gone"}}, status=410, path_id=id) for id in "xy"]
    response = contract(tmp_path, [], [*CALLS, *others])["paths"]["/rooms/{id}"]["get"]["responses"]["410"]
    assert response["content"]["application/json"]["schema"]["properties"]["error"]["type"] == "object"


def test_what_a_batch_carries_is_no_property_of_the_batch(tmp_path: Path) -> None:
    schema = contract(tmp_path, [])["paths"]["/batch"]["post"]["responses"]["200"]["content"]["application/json"]
    assert schema["schema"]["properties"]["answers"]["items"]["properties"]["body"].keys() <= {
        "type",
        "description",
    }


@pytest.mark.parametrize(
    ("users", "required"), [(["POST /rooms"], None), (["POST /rooms", "PUT /rooms/{id}"], ["kind"])]
)
def test_a_shared_body_requires_what_all_its_users_require(tmp_path: Path, users: list[str], required: Any) -> None:
    made = [
        call("POST /rooms", {"name": "red"}, status=201, body_={"name": "red", "kind": "x"}),
        call("PUT /rooms/{id}", {"name": "red"}, path_id="red", body_={"name": "red", "kind": "x"}),
    ]
    facts = [fact(user, "required", "body:/kind", True) for user in users]
    tree = contract(tmp_path, facts, [*CALLS, *made])
    assert tree["components"]["schemas"]["Room"].get("required") == required
    if required is None:
        assert "`kind` is required." in tree["paths"]["/rooms"]["post"]["description"]


@pytest.mark.parametrize(("kind", "is_added"), [("required", False), ("stored", True)])
def test_what_one_request_alone_must_have_is_no_property_of_what_others_return(
    tmp_path: Path, kind: str, is_added: bool
) -> None:
    made = [call("POST /rooms", {"name": "red"}, status=201, body_={"name": "red", "key_id": 1})]
    tree = contract(tmp_path, [fact("POST /rooms", kind, "body:/key_id", True)], [*CALLS, *made])
    assert ("key_id" in tree["components"]["schemas"]["Room"]["properties"]) is is_added
    assert is_added or "`key_id`" in tree["paths"]["/rooms"]["post"]["description"]


def test_a_shared_body_gets_what_its_users_store_of_whose_type_only_one_knows_more_than_the_choices(
    tmp_path: Path,
) -> None:
    made = [
        call("POST /rooms", {"name": "red"}, status=201, body_={"name": "red", "view": "sea"}),
        call("PUT /rooms/{id}", {"name": "red"}, path_id="red", body_={"name": "red"}),
    ]
    facts = [
        fact(user, kind, "body:/view", ["sea", "yard"])
        for user in ("POST /rooms", "PUT /rooms/{id}")
        for kind in ("stored", "allowed-values")
    ]
    known = [fact("POST /rooms", "type", "body:/view", "string"), fact("POST /rooms", "default", "body:/view", "sea")]
    tree = contract(tmp_path, [*facts, *known], [*CALLS, *made])
    assert tree["components"]["schemas"]["Room"]["properties"]["view"] == {"type": "string", "enum": ["sea", "yard"]}


SUCCESS = {"status": 200, "cause": "success"}


@pytest.mark.parametrize(
    ("cause", "expected"),
    [
        ({"cause": "unknown id", "parameter": "path:id"}, "`id` does not exist"),
        ({"cause": "kind not valid", "parameter": "body:/rooms/0/kind"}, "`kind` is not valid"),
        ({"cause": "body missing", "parameter": "body:"}, "The request body is missing"),
        ({"cause": "request not valid"}, "Bad Request"),
        (
            {"cause": "n not valid", "parameter": "query:n", "message": "The number must be positive."},
            "`n` is not valid: `The number must be positive`",
        ),
        ({"cause": "n not valid", "parameter": "query:n", "message": "'q7' is not a valid n"}, "`n` is not valid"),
    ],
)
def test_a_status_is_described_by_what_it_is_about_or_by_its_name(tmp_path: Path, cause: Any, expected: str) -> None:
    calls = [one for one in CALLS if one.ok]
    shown = fact("GET /rooms/{id}", "status", "", {"status": 400, **cause})
    responses = contract(tmp_path, [shown], calls)["paths"]["/rooms/{id}"]["get"]["responses"]
    assert responses["400"]["description"] == expected


def test_an_absence_is_described_by_what_must_be_made_first(tmp_path: Path) -> None:
    causes = [{"status": 404, "cause": f"unknown {name}", "parameter": f"path:{name}"} for name in ("house", "id")]
    needed = [{"operation": f"library {each}", "status": 404} for each in ("POST /houses/{id}/rooms", "POST /houses")]
    shown = [fact("GET /rooms/{id}", "status", "", cause) for cause in causes]
    shown += [fact("GET /rooms/{id}", "needs-first", "", need) for need in needed]
    responses = contract(tmp_path, shown, [one for one in CALLS if one.ok])["paths"]["/rooms/{id}"]["get"]["responses"]
    assert responses["404"]["description"] == "The house or room does not exist"


def test_a_response_with_an_object_on_each_line_gets_no_schema_of_one_object(tmp_path: Path) -> None:
    spec = yaml.safe_load(SPEC) | {"paths": {"/log": {"get": {"responses": {"200": {"description": "OK"}}}}}}
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    lines = [call("GET /log", {"n": 1}, query_n=1), call("GET /log", '{"n": 1}\n{"n": 2}\n', query_n=2)]
    for at, calls in enumerate((lines[:1], lines)):
        known = [fact("GET /log", "type", "200:", "object"), fact("GET /log", "status", "", SUCCESS)]
        evidence = keep(tmp_path / f"evidence{at}", load([path]), calls, facts=known)
        [document] = revised(path, evidence, edit="contract").documents.values()
        assert ("content" in document.tree["paths"]["/log"]["get"]["responses"]["200"]) == (at == 0)


def test_a_field_that_was_always_null_is_a_property_of_any_type(tmp_path: Path) -> None:
    spec = yaml.safe_load(SPEC) | {"paths": {"/log": {"get": {"responses": {"200": {"description": "OK"}}}}}}
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    calls = [call("GET /log", {"n": 1, "seen": None}, query_n=n) for n in (1, 2)]
    known = [
        fact("GET /log", "status", "", SUCCESS),
        fact("GET /log", "type", "200:", "object"),
        fact("GET /log", "type", "200:/n", "integer"),
        *(fact("GET /log", "field", f"200:/{name}", True) for name in ("n", "seen")),
    ]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=known)
    [document] = revised(path, evidence, edit="contract").documents.values()
    [media] = document.tree["paths"]["/log"]["get"]["responses"]["200"]["content"].values()
    described = {"description": "May be null."}
    assert media["schema"]["properties"] == {"n": {"type": "integer"}, "seen": described}


def test_a_parameter_that_a_path_lacks_is_declared_once_for_all_its_operations(tmp_path: Path) -> None:
    answers = {"responses": {"200": {"description": "OK"}}}
    mine = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}]}
    paths = {"/lamps/{id}": {"get": answers, "put": answers}, "/jars/{id}": {"get": answers | mine}}
    path = write_spec(tmp_path, yaml.safe_dump(yaml.safe_load(SPEC) | {"paths": paths}))
    calls = [call(f"GET /{name}/{{id}}", {"on": True}, path_id=4) for name in ("lamps", "jars")]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    tree = document.tree["paths"]
    assert tree["/lamps/{id}"]["parameters"] == mine["parameters"]
    assert "parameters" not in tree["/jars/{id}"]
    assert "parameters" not in tree["/lamps/{id}"]["get"]


def test_a_rule_of_one_operation_on_what_others_share_stands_at_the_operation(tmp_path: Path) -> None:
    made = [
        call("POST /rooms", {"name": "red."}, status=201, body_={"name": "red."}),
        call("PUT /rooms/{id}", {"name": "red"}, path_id="red", body_={"name": "red"}),
    ]
    shown = [fact("POST /rooms", "characters", "body:/name", {"suffix": "."})]
    tree = contract(tmp_path, shown, [*CALLS, *made])
    assert "`name` must end with a dot (`.`)." in tree["paths"]["/rooms"]["post"]["description"]
    assert "must end with" not in tree["components"]["schemas"]["Room"]["properties"]["name"].get("description", "")


@pytest.mark.parametrize(("pattern", "is_told"), [("^[-a-z0-9]+$", False), ("^[-a-z. ]+$", True), ("(", True)])
def test_which_characters_a_text_may_have_is_not_told_where_its_pattern_says_so(
    tmp_path: Path, pattern: str, *, is_told: bool
) -> None:
    form = {"type": "string", "pattern": pattern}
    spec = yaml.safe_load(SPEC)
    spec["components"]["schemas"]["Room"]["properties"]["name"] = form
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    made = [call("POST /rooms", {"name": "red"}, status=201, body_={"name": "red"})]
    shown = [fact("POST /rooms", "characters", "body:/name", {"allowed": "[a-z0-9-]"})]
    [document] = revised(path, keep(tmp_path / "evidence", load([path]), made, facts=shown)).documents.values()
    assert ("ust contain only characters from `[a-z0-9-]`" in yaml.safe_dump(document.tree, width=1000)) is is_told


def test_an_undeclared_success_is_what_is_returned_and_not_what_is_sent(tmp_path: Path) -> None:
    one = {"$ref": "#/components/schemas/Room"}, {"$ref": "#/components/schemas/NewRoom"}
    returned, sent = ({"content": {"application/json": {"schema": schema}}} for schema in one)
    spec = yaml.safe_load(SPEC)
    spec["paths"] = {"/rooms": {"post": {"requestBody": sent, "responses": {"200": {"description": "OK"} | returned}}}}
    spec["components"]["schemas"]["NewRoom"] = spec["components"]["schemas"]["Room"]
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    calls = [call("POST /rooms", {"name": n, "kind": "big"}, status=201, body_={"name": n}) for n in ("a", "b")]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    [media] = document.tree["paths"]["/rooms"]["post"]["responses"]["201"]["content"].values()
    assert media["schema"] == one[0]


@pytest.mark.parametrize("other", ["RoomForStaff", ""])
def test_what_a_schema_for_others_has_is_not_added_for_all(tmp_path: Path, other: str) -> None:
    spec = yaml.safe_load(SPEC)
    schemas = spec["components"]["schemas"]
    if other:
        schemas[other] = {"properties": schemas["Room"]["properties"] | {"seats": {"type": "integer"}}}
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    calls = [call("GET /rooms/{id}", {"name": n, "kind": "big", "seats": len(n)}, path_id=n) for n in ("a", "bb")]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    names = document.tree["components"]["schemas"]["Room"]["properties"].keys()
    text = document.tree["paths"]["/rooms/{id}"]["get"].get("description", "")
    assert ("seats" in names, "`seats`" in text) == ((False, True) if other else (True, False))


@pytest.mark.parametrize("also", [False, True])
def test_properties_of_a_shared_open_object_were_seen_at_several_of_its_users(tmp_path: Path, *, also: bool) -> None:
    log = {"type": "object", "properties": {"changes": {"type": "object"}}}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Log"}}}
    answers = {"200": {"description": "OK", "content": content}}
    paths = {f"/{name}/log": {"get": {"responses": answers}} for name in ("tags", "rooms")}
    spec = yaml.safe_load(SPEC) | {"paths": paths, "components": {"schemas": {"Log": log}}}
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    names = ("tags", "rooms") if also else ("tags",)
    calls = [call(f"GET /{name}/log", {"changes": {"title": n}}, query_page=n) for name in names for n in "ab"]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    changes = document.tree["components"]["schemas"]["Log"]["properties"]["changes"]
    assert ("title" in changes.get("properties", {})) == also


def test_an_empty_schema_for_several_kinds_of_things_gets_what_all_of_them_have(tmp_path: Path) -> None:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
    answers = {"200": {"description": "OK", "content": content}}
    paths = {f"/{name}/{{id}}": {"get": {"responses": answers}} for name in ("tags", "rooms", "lamps")}
    spec = yaml.safe_load(SPEC) | {
        "paths": paths,
        "components": {"schemas": {"Thing": {"type": "object", "properties": {}}}},
    }
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    own = {"tags": {"color": "red"}, "rooms": {"seats": 4}}
    calls = [call(f"GET /{name}/{{id}}", {"handle": n, **own[name]}, path_id=n) for name in own for n in ("a", "b")]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    assert [*document.tree["components"]["schemas"]["Thing"]["properties"]] == ["handle"]


def test_a_declared_map_gets_no_properties(tmp_path: Path) -> None:
    options = {"type": "object", "additionalProperties": {}}
    schema = {"type": "object", "properties": {"options": options}}
    content = {"application/json": {"schema": schema}}
    spec = yaml.safe_load(SPEC) | {
        "paths": {"/run": {"get": {"responses": {"200": {"description": "OK", "content": content}}}}}
    }
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    calls = [call("GET /run", {"options": {"wide": n}}, query_page=n) for n in (1, 2)]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=[])
    assert revised(path, evidence, edit="contract").changes == ()


def test_a_new_property_of_a_shared_schema_may_be_null_if_it_is_at_another_operation(tmp_path: Path) -> None:
    spec = yaml.safe_load(SPEC)
    ok = {
        "200": {"description": "OK", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Plan"}}}}
    }
    spec["paths"] = {path: {"get": {"responses": ok}} for path in ("/plan", "/draft")}
    spec["components"]["schemas"]["Plan"] = {"type": "object", "properties": {"name": {"type": "string"}}}
    path = write_spec(tmp_path, yaml.safe_dump(spec))
    plans = [{"name": name, "zone": zone, "__v": 1} for name, zone in (("a", "UTC"), ("b", "CET"))]
    calls = [call("GET /plan", plan, query_x=number) for number, plan in enumerate(plans)]
    calls += [call("GET /draft", {**plans[0], "zone": None}, query_x=number) for number in range(2)]
    evidence = keep(tmp_path / "evidence", load([path]), calls, facts=[])
    [document] = revised(path, evidence, edit="contract").documents.values()
    found = document.tree["components"]["schemas"]["Plan"]["properties"]
    assert found == {"name": {"type": "string"}, "zone": {"type": "string", "nullable": True}}
