"""What error responses of the common frameworks say must change in the next call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from docrev.conventions.error_hints import read_hints

TABLE: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("error_hints.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", TABLE, ids=[case["from"] for case in TABLE])
def test_an_error_response_is_read_as_hints(case: dict[str, Any]) -> None:
    found = read_hints(case["status"], case.get("headers", {}), case["body"])
    assert sorted([hint.kind, hint.place, hint.pointer, *hint.values] for hint in found) == sorted(case["hints"])


def test_of_a_long_list_of_names_the_first_are_read() -> None:
    body = {"missing_fields": [f"field_{n}" for n in range(5000)]}
    assert [hint.name for hint in read_hints(422, {}, body)] == [f"field_{n}" for n in range(40)]


@pytest.mark.parametrize(
    ("text", "sent", "hints"),
    [
        ("tags: Longer than maximum length 2", {"tags": ["a", "b", "c"]}, [["max-items", "/tags", "2"]]),
        ("name: String is shorter than 3 characters", {"name": "ab"}, [["min-length", "/name", "3"]]),
        ("tags must not be empty", {"tags": []}, [["min-items", "/tags", "1"]]),
        ("name may not be blank", {"name": ""}, [["min-length", "/name", "1"]]),
        ("name may not be blank", {}, [["required", "/name"]]),
        ("name is too long (maximum is 10 characters)", {"name": "ab"}, [["max-length", "/name", "10"]]),
        ("'To' number 182 is not a valid phone number.", {"To": "182"}, [["format", "/To", "phone"]]),
        ("Start date must be a date", {"startDate": "x"}, [["format", "/startDate", "date"]]),
        ("Thing name must be 3 characters", {"label": "x"}, [["min-length", "", "3"], ["max-length", "", "3"]]),
        ("boss is not included in the list", {"role": "boss"}, [["invalid", ""]]),
        ("arr[1] already exists", {"arr": ["a", "a"]}, [["unique-items", "/arr"]]),
        ("http: request body too large", {"title": "x"}, []),
        ("Unit price may not be negative", {"unitPrice": -3}, [["minimum", "/unitPrice", "0"]]),
        ("Requested limit (500) is above the allowed maximum (100)", {"limit": 500}, [["maximum", "/limit", "100"]]),
        ("age under 18", {"age": 17}, [["minimum", "/age", "18"]]),
        ("At most two tags are allowed", {"tags": ["a", "b", "c"]}, [["max-items", "/tags", "2"]]),
        ("title must be a string", {"title": "a"}, [["invalid", "/title"]]),
        ("No lines given in the update", {}, [["required", "/lines"]]),
        ("No file type provided", {"name": "a"}, [["required", "/type"]]),
        ("No JSON data provided", {}, []),
        ("Unsupported cipher 'rot13'", {"name": "rot13", "cipher": "rot13"}, [["invalid", "/cipher"]]),
        ("name must be a non-empty string", {"name": ""}, [["min-length", "/name", "1"]]),
        (
            'Variable "$seats" got invalid value "x"; Expected an integer.',
            {"seats": "x"},
            [["type", "/seats", "integer"]],
        ),
        ("No user named 'bob' exists", {"user": "bob"}, [["not-found", "/user", "bob"]]),
        (
            "Invalid stage of a plan: Live. Must be one of a, b:c.",
            {"plan": "Live"},
            [["allowed-values", "/plan", "a", "b:c"]],
        ),
        ("no must be a string", {}, [["type", "/no", "string"]]),
        ("Flight cannot depart while boarding is open", {"gate": 4}, [["state", ""]]),
        ("Ticket 4 was scanned at 09:14 and can no longer be voided.", {"reason": "x"}, [["state", ""]]),
        ("The review has been locked by a moderator and cannot be edited.", {"title": "a"}, [["state", ""]]),
        (
            "open: Input should be in a valid time format, hour is outside 0-23",
            {"open": "25:00"},
            [["format", "/open", "time"]],
        ),
        (
            'object has missing required properties (["sku","size"])',
            {"title": "a"},
            [["required", "/sku"], ["required", "/size"]],
        ),
        (
            "'IC' is too long\n\nFailed validating 'maxLength' in schema:\n  {'maxLength': 4}\n\nOn instance:\n  'IC'",
            {"train": "IC"},
            [["max-length", "", "4"]],
        ),
        ("keeper: key is not provided", {"key": ""}, [["required", "/key"]]),
        (
            "Value 'x' at 'hash' failed the constraint: Member must satisfy regular expression pattern: 0|(1\\d*)",
            {"hash": "x"},
            [["pattern", "/hash", "0|(1\\d*)"]],
        ),
        ("Master (ns1) is not an IP address", {"masters": ["ns1"]}, [["format", "/masters/0", "ip"]]),
        ("parent page doesn't exist", {"child_of": 99}, [["not-found", ""]]),
        ("requested lease not found", {"lease": "99"}, [["not-found", "/lease"]]),
        ("user_id 7 does not exist", {"user_id": 7}, [["not-found", "/user_id", "7"]]),
        (
            "name must be between 3 and 8 characters",
            {"name": 5},
            [["min-length", "/name", "3"], ["max-length", "/name", "8"]],
        ),
        ("Expecting number at age but instead got: x", {"age": "x", "name": "y"}, [["type", "/age", "number"]]),
        ("{'span': 2} is not valid under any of the given schemas", {"span": 2}, [["invalid", ""]]),
        ("Unknown stream type 'tape'", {"kind": "tape", "name": "x"}, [["invalid", "/kind"]]),
        ('"noise" isn\'t a supported event kind', {"type": "noise"}, [["invalid", "/type"]]),
        ("Invalid username: a b/c", {"usernames": ["a b/c"]}, [["invalid", "/usernames/0"]]),
        ("unknown module: htp", {"apps": {"htp": {}}}, [["unknown", "/htp"]]),
        ("no such column: age", {"sort": "age"}, [["invalid", "/sort"]]),
        ("unknown column name 'age'", {"filter": {"columnName": "age"}}, [["invalid", "/columnName"]]),
        ("unknown field 'age'", {"age": 1, "field": "name"}, [["unknown", "/age"]]),
        ("No such server 'x1'", {"servers": {"x1": {}}}, [["not-found", "", "server", "x1"]]),
        (
            "cannot set 'core.pause' to 'often': invalid integer",
            {"core.pause": "often"},
            [["type", "/core.pause", "integer"]],
        ),
        ("The limit parameter 'x' is not valid", {"limit": "x"}, [["invalid", "/limit"]]),
        ("path parameter 'span' must be one of day, week", {}, [["allowed-values", "/span", "day", "week"]]),
        ("Project is invalid", {"project_id": "x"}, [["invalid", "/project_id"]]),
        ("Class nope not found", {"class": "nope"}, [["not-found", "/class", "nope"]]),
        (
            "loading config: decoding module: http: time: invalid duration",
            {"http": {"pause": "soon"}},
            [["format", "", "duration-in-units"]],
        ),
    ],
)
def test_what_was_sent_settles_what_a_message_leaves_open(
    text: str, sent: dict[str, Any], hints: list[list[str]]
) -> None:
    found = read_hints(400, {}, {"error": text}, {"body:": sent})
    assert [[hint.kind, hint.pointer, *hint.values] for hint in found] == hints


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("page starts at one", []),
        ("label is three to twenty characters long", [["min-length", "/label", "3"], ["max-length", "/label", "20"]]),
        ("Send either iban or card_token, not both", [["exactly-one-of", "", "iban", "card_token"]]),
        ("page_token is refused when offset is used", [["excluded-by", "/page_token", "offset"]]),
        ("There is already a pipeline called nightly", [["exists", ""]]),
        ("No Room matches the given query.", [["not-found", "", "Room"]]),
        ("Jobs can be cancelled while queued or running", [["state", "", "queued", "running"]]),
        (
            "Failed to parse lines field: Failed to parse qty field: must be an integer",
            [["type", "/lines/qty", "integer"]],
        ),
        ("[Path '/n'] string found, integer expected", [["type", "/n", "integer"]]),
        (
            "some but not all values in the same group of inclusion 'pos' @ data[<pos>]",
            [["all-or-none-of", ""]],
        ),
        ("Must provide source or customer.", [["at-least-one-of", "", "source", "customer"]]),
        (
            "Only one of the pair 'lat' and 'lon' is given, they should be used in pairs!",
            [["all-or-none-of", "", "lat", "lon"]],
        ),
        ("CHECK constraint failed: kind in ('rail','road')", [["allowed-values", "/kind", "rail", "road"]]),
        ("Email: a@b.no is already being used by another user", [["exists", "/Email"]]),
        ("The Url field is not a valid fully-qualified http, https, or ftp URL.", [["format", "/Url", "url"]]),
        ("Deleting is not possible. Send POST /invoices/17/void instead.", [["method", "", "POST"]]),
        ("Element 'pet', attribute 'hue': The attribute 'hue' is not allowed.", [["unknown", "/hue"]]),
        ('Didn\'t find key "remote" in input', [["required", "/remote"]]),
        (
            "Must specify one of alias, mark or properties for it",
            [["exactly-one-of", "", "alias", "mark", "properties"]],
        ),
        ('It is missing the required "source" or "path" property', [["at-least-one-of", "", "source", "path"]]),
        ("unacceptable content-type: text/xml; 'application/json' required", [["media-type", "", "application/json"]]),
        (
            "Invalid rule of ingress 0: Action must be one of: allow, drop",
            [["allowed-values", "/action", "allow", "drop"]],
        ),
        (
            "Invalid element (codec can only be or contain opus, pcmu or g722)",
            [["allowed-values", "/codec", "opus", "pcmu", "g722"]],
        ),
        ("no certificate authority configured with id: nope", [["not-found", "", "certificate authority", "nope"]]),
        ("no such file available", [["not-found", "", "file"]]),
        ("The super admin cannot be deleted", [["state", ""]]),
        ("Printer is not operational or currently printing", [["state", ""]]),
    ],
)
def test_a_plain_sentence_is_read_as_those_of_frameworks(text: str, hints: list[list[str]]) -> None:
    assert [[hint.kind, hint.pointer, *hint.values] for hint in read_hints(409, {}, {"error": text})] == hints


def test_a_refusal_that_is_not_understood_is_one_of_the_value_under_whose_name_it_stands() -> None:
    in_french = "La valeur de age doit être supérieure ou égale à 18."
    [hint] = read_hints(422, {}, {"errors": {"age": [in_french]}}, {"body:": {"age": 12}})
    assert (hint.kind, hint.pointer) == ("invalid", "/age")
    assert read_hints(422, {}, {"error": in_french}, {"body:": {"age": 12}}) == []
    refused = {"errors": {"age": ["is not acceptable"]}}
    [hint] = read_hints(422, {}, refused, {"body:": {"age": 12}})
    assert (hint.kind, hint.pointer) == ("invalid", "/age")
    assert read_hints(422, {}, refused, {"body:": {"name": "x"}}) == []


def test_a_name_is_told_from_the_root_of_what_was_sent() -> None:
    body = {"erros": {"nome": ["is required"], "idade": ["must be at least 18"]}}
    told = read_hints(400, {}, body, {"body:": {"idade": 12}})
    assert [(hint.kind, hint.pointer) for hint in told] == [("required", "/nome"), ("minimum", "/idade")]


@pytest.mark.parametrize(
    "body",
    [
        {"Response": {"Body": {"Faults": {"Fault": [{"Where": "/lines/0/qty", "What": "qty is limited to 40"}]}}}},
        {"invalid": [{"json_pointer": "/lines/0/qty", "rule": "at most 40", "got": 41}]},
        {"odata.error": {"code": "Bad", "message": {"lang": "en", "value": "qty must be at most 40"}}},
        {"message": "Some are wrong: qty must be at most 40", "memberNames": ["qty"]},
        {"fields": [{"name": "qty", "messages": ["must be at most 40"]}]},
    ],
)
def test_an_error_is_found_by_its_shape(body: Any) -> None:
    told = read_hints(400, {}, body, {"body:": {"lines": [{"qty": 41}]}})
    assert [(hint.kind, hint.name, hint.values) for hint in told] == [("maximum", "qty", ("40",))]


def test_a_success_that_says_that_it_failed_is_read() -> None:
    assert [hint.kind for hint in read_hints(200, {}, {"ok": False, "error": "channel_not_found"})] == ["not-found"]
    assert read_hints(200, {}, {"items": [{"message": "age must be an integer"}], "errors": []}) == []
    inside = {"done": "event", "plugin": {"data": {"error_code": 430, "error": "room should be a positive integer"}}}
    for body in (inside, {"SET": [False, "ERR room should be a positive integer"]}):
        told = read_hints(200, {}, body, {"body:": {"room": "x"}})
        assert [(hint.kind, hint.pointer) for hint in told] == [("type", "/room"), ("exclusive-minimum", "/room")]
    assert read_hints(200, {}, {"job": {"error_code": None, "error": "room should be an integer"}}) == []
    assert read_hints(200, {}, [False, "room should be an integer"]) == []


def test_what_comes_too_often_or_is_too_large_asks_for_no_other_value() -> None:
    assert read_hints(403, {}, {"message": "You have exceeded a secondary rate limit."}) == []
    assert read_hints(413, {}, {"error": "body must be at most 100 characters"}) == []


@pytest.mark.parametrize(
    ("body", "hints"),
    [
        ({"error": "The operation failed because a record was required"}, []),
        ({"error": "minimum string length is 3", "field": "name"}, [["min-length", "/name", "3"]]),
        ({"error": "The input is not greater than '5'", "field": "n"}, [["exclusive-minimum", "/n", "5"]]),
        ({"error": "name can't be longer than 10 characters"}, [["max-length", "/name", "10"]]),
        ({"error": "name must be 10 characters or fewer"}, [["max-length", "/name", "10"]]),
        (
            {"error": "n must be between 1 and 10 (exclusive)"},
            [["exclusive-minimum", "/n", "1"], ["exclusive-maximum", "/n", "10"]],
        ),
        ({"details": {"name": {"message": "minLength 3"}}, "message": "Invalid"}, [["min-length", "/name", "3"]]),
        ({"error": 'instance requires property "missing"'}, [["required", "/missing"]]),
        ({"error": "age is not of a type(s) integer"}, [["type", "/age", "integer"]]),
        ({"error": 'Argument "page" must be of type int, string given'}, [["type", "/page", "integer"]]),
        ({"error": "Unknown role boss; valid roles are admin, user"}, [["allowed-values", "", "admin", "user"]]),
        ({"error": "slug must be lowercase"}, [["forbidden-characters", "/slug", "[A-Z]"]]),
        ({"error": "host: blank value is not allowed"}, [["required", "/host"]]),
        (
            {"error": "Value must be one of: dev; ops (not 'boss')", "attr": "role"},
            [["allowed-values", "/role", "dev", "ops"]],
        ),
        ({"error": "pre: xx does not start with cus_"}, [["prefix", "/pre", "cus_"]]),
        ({"error": "kind: 'c' not in ('a', 'b')"}, [["allowed-values", "/kind", "a", "b"]]),
        ({"error": "The object '' contains forbidden keys: 'plan'."}, [["unknown", "/plan"]]),
        ({"error": "(1364, \"Field 'frame' doesn't have a default value\")"}, [["required", "/frame"]]),
        (
            {"error": 'Expected a value between 1 and 8\n  at ["seats"]'},
            [["minimum", "/seats", "1"], ["maximum", "/seats", "8"]],
        ),
        ("<html><h1>Bad Request</h1><p>limit should be integer</p></html>", [["type", "/limit", "integer"]]),
        (
            {"issues": [{"message": "Invalid length: Expected >=2", "path": [{"key": "trip", "type": "object"}]}]},
            [["min-length", "/trip", "2"]],
        ),
        ({"message": {"lang": "en", "value": "age must be an integer"}}, [["type", "/age", "integer"]]),
        ({"message": '"%fieldName" is required.', "parameters": {"fieldName": "sku"}}, [["required", "/sku"]]),
        ({"error": "Malformed JSON in request body"}, [["format", "", "json"]]),
        ({"error": "Either `a_b` or `c_d` must be provided"}, [["at-least-one-of", "", "a_b", "c_d"]]),
        ({"error": "body must have property cvc when property card is present"}, [["needs", "/card", "cvc"]]),
        ({"error": "at must match the format Y-m-d H:i"}, [["format", "/at", "date-time"]]),
        ({"error": "Invalid RFC3339 encoded datetime - at `$.at`"}, [["format", "/at", "date-time"]]),
        ({"error": "less than 18 (minimum)", "field": "age"}, [["minimum", "/age", "18"]]),
        ({"error": "Expected `3` (number) in `#/tags/1` to be of type `string`"}, [["type", "/tags/1", "string"]]),
        (
            {"error": "code must match regex '[a-z]+' ('A1' doesn't), Attribute(name='m')"},
            [["pattern", "/code", "[a-z]+"]],
        ),
        ({"error": "Cannot use a_b and c_d at the same time"}, [["at-most-one-of", "", "a_b", "c_d"]]),
        ({"errors": {"vat": ["vat is required when mail is empty."]}}, [["required", "/vat"]]),
        ({"errors": {"card": "correct only if iban is not defined"}}, [["excluded-by", "/card", "iban"]]),
        ({"badRequest": {"code": 400, "message": "age must be an integer"}}, [["type", "/age", "integer"]]),
        ({"error": "You must provide a selector"}, [["required", "/selector"]]),
        (
            {"property": "/a", "message": "bad", "errors": [{"path": "/b", "message": "Unexpected property"}]},
            [["unknown", "/b"]],
        ),
    ],
)
def test_a_message_is_read_by_what_it_says(body: Any, hints: list[list[str]]) -> None:
    found = read_hints(400, {}, body)
    assert [[hint.kind, hint.pointer, *hint.values] for hint in found] == hints


@pytest.mark.parametrize(
    ("body", "hints"),
    [
        ({"violations": [{"at": "$.age", "text": "3 is not of type 'string'"}]}, [["type", "/age", "string"]]),
        ({"errors": {"team_id": ["does not exist"]}}, [["not-found", "/team_id"]]),
        (
            {"ok": False, "error": "invalid_arguments", "meta": {"notes": ["missing required field: hue"]}},
            [["required", "/hue"]],
        ),
        (
            {"errors": [{"path": "/lamp/unit", "message": "Unit 'mile' is not recognised."}]},
            [["invalid", "/lamp/unit"]],
        ),
        ({"error": "Wrong password"}, [["invalid", "/password"]]),
        ({"error": "Wrong recipient"}, [["invalid", ""]]),
        ({"code": "ALREADY_EXISTS"}, [["exists", ""]]),
        ({"error": "The fields age, hue must make a unique set."}, [["exists", ""]]),
        ({"extra": [{"message": "Not a date", "key": "lamp.units[0]"}]}, [["format", "/lamp/units/0", "date"]]),
        ({"error": "age: illegal base64 data at input byte 1"}, [["format", "/age", "base64"]]),
        ({"error": "No enum constant com.acme.Unit.mile"}, [["invalid", "/unit"]]),
        (
            {
                "errors": [
                    "Password is too short (minimum is 9 characters)",
                    "Body is too short (minimum is 20 characters)",
                ]
            },
            [["min-length", "/password", "9"], ["min-length", "/Body", "20"]],
        ),
        ({"error": "password missing"}, [["required", "/password"]]),
        ({"error": "If-Match header required"}, [["required", "/If-Match"]]),
        (
            {"code": "OUT_OF_RANGE", "field": "age", "min": 9, "max": 99},
            [["minimum", "/age", "9"], ["maximum", "/age", "99"]],
        ),
        ({"errors": [{"field": "age", "expected": "string", "actual": "number"}]}, [["type", "/age", "string"]]),
        ({"errors": [{"code": "UNEXPECTED_BODY_PARAM", "param": "age"}]}, [["unknown", "/age"]]),
        ({"errors": {"hue": "MISSING_REQUIRED_VALUE"}}, [["required", "/hue"]]),
        ({"errors": [{"field": "age", "code": "invalid"}]}, [["invalid", "/age"]]),
        ({"errors": {"age": ["must be at least 9", "is reserved"]}}, [["minimum", "/age", "9"], ["invalid", "/age"]]),
        ({"errors": {"age": ["does not meet the house rules"]}}, [["invalid", "/age"]]),
        ({"errors": {"age": ["field 'hue' is required"]}}, [["needs", "/age", "hue"]]),
        (
            {"errors": [{"path": "/unit", "message": "Expected union", "schema": {"anyOf": [{"const": "a"}]}}]},
            [["allowed-values", "/unit", "a"]],
        ),
        ({"detail": [{"loc": ["body", "data"], "msg": "age is 4 at most"}]}, [["maximum", "/age", "4"]]),
        (
            "<f><reason>Element 'age': too small, minimum 9</reason><reason>Element 'hue': must be a date</reason></f>",
            [["minimum", "/age", "9"], ["format", "/hue", "date"]],
        ),
        ({"password": "must only contain letters and 'umlauts'"}, [["invalid", "/password"]]),
        ({"error": "age: 3 > 2, which is the maximum for kettle-4"}, [["maximum", "/age", "2"]]),
        ({"errors": {"password": "must be 'no', 'yes' or 7"}}, [["allowed-values", "/password", "no", "yes", "7"]]),
        ({"error": "Value must not have a time zone", "param": "age"}, [["format", "/age", "date-time"]]),
        (
            {"message": 'not a `java.time.Instant` value (through reference chain: a.Lamp["lamp"]->a.Unit["unit"])'},
            [["format", "/lamp/unit", "date-time"]],
        ),
        (
            {"message": "lamp.unit: must not be blank, age: must be greater than or equal to 18"},
            [["required", "/lamp/unit"], ["minimum", "/age", "18"]],
        ),
        (
            {"reason": "failed to parse field [age]", "caused_by": {"reason": 'For input string: "x"'}},
            [["type", "/age", "integer"]],
        ),
        ({"team_id": ["Incorrect type. Expected pk value, received str."]}, [["type", "/team_id", "integer"]]),
        ({"error": "age must be an integer", "path": "people/create", "status": 400}, [["type", "/age", "integer"]]),
        (
            {"error": {"code": "FORMAT_ERROR", "fields": {"age": "NOT_POSITIVE_INTEGER", "team_id": "TOO_LOW"}}},
            [["type", "/age", "integer"], ["exclusive-minimum", "/age", "0"], ["invalid", "/team_id"]],
        ),
        (
            {
                "message": "2 errors:\n  {'type': 'missing', 'loc': ('body', 'size'), 'msg': 'Field required'}"
                "\n  {'type': 'int_parsing', 'loc': ('body', 'age'), 'msg': 'Input should be a valid integer'}"
            },
            [["required", "/size"], ["type", "/age", "integer"]],
        ),
        (
            {
                "detail": [
                    {"type": "missing", "loc": ["body", "lamp", "Wire", "metres"], "msg": "Field required"},
                    {"type": "missing", "loc": ["body", "lamp", "Wire", "colour"], "msg": "Field required"},
                    {"type": "missing", "loc": ["body", "lamp", "Bulb", "watts"], "msg": "Field required"},
                    {"type": "missing", "loc": ["body", "Lamp", "size"], "msg": "Field required"},
                ]
            },
            [["required", "/lamp/watts"], ["required", "/Lamp/size"]],
        ),
        (
            {
                "detail": "[{'type': 'missing', 'loc': ('body', 'lamp', 'function-after[check(), Bulb]', 'watts'), "
                "'msg': 'Field required', 'input': {}}]"
            },
            [["required", "/lamp/watts"]],
        ),
    ],
)
def test_an_envelope_tells_where_its_sentences_belong(body: Any, hints: list[list[str]]) -> None:
    sent = {"body:": {"age": 3, "team_id": 4, "lamp": {"unit": "mile"}, "password": "x"}}
    assert [[hint.kind, hint.pointer, *hint.values] for hint in read_hints(422, {}, body, sent)] == hints


def test_credentials_are_asked_for_where_a_refusal_of_a_call_tells_no_other_reason() -> None:
    kinds = [hint.kind for hint in read_hints(403, {}, {"error": "The field owner is required"})]
    assert kinds == ["required"]
    assert [hint.kind for hint in read_hints(403, {}, {"error": "No."})] == ["credentials"]
    assert [hint.kind for hint in read_hints(400, {}, {"error": "Only bearer auth is supported"})] == ["credentials"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Forbidden", ["credentials"]),
        ("Only the owner of a list may share it with others.", ["credentials"]),
        ("You cannot publish over the previously published versions: 1.0.2.", []),
    ],
)
def test_a_403_asks_for_credentials_unless_it_speaks_of_something_else(text: str, kinds: list[str]) -> None:
    assert [hint.kind for hint in read_hints(403, {}, {"error": text})] == kinds


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Cannot GET /api/users/ab/profile", "unsupported"),
        ('No route matches [GET] "/users/1"', "unsupported"),
        ("The route api/users/1 could not be found.", "unsupported"),
        ("No static resource users/1.", "unsupported"),
        ("Route GET:/users/1 not found", "unsupported"),
        ("This server does not support this operation", "unsupported"),
        ("Route ab not found", "not-found"),
        ("Cannot delete /etc", "not-found"),
        ("No route to host ab", "not-found"),
    ],
)
def test_where_there_is_no_route_no_other_arguments_help(text: str, kind: str) -> None:
    assert {hint.kind for hint in read_hints(404, {}, {"message": text})} == {kind}
