"""What error messages say, in the styles of the common frameworks."""

from __future__ import annotations

import pytest

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import hints_about, read_hints
from docrev.conventions.error_messages import messages, summarise_error
from docrev.records import Call, Json, OperationKey


def refused(body: Json) -> Call:
    return Call("call", OperationKey("tool", "GET /items"), {}, "", 422, {}, body, "application/json", "probe")


def about(body: Json, name: str, place: str = "") -> list[Hint]:
    return hints_about(refused(body), name, place)


def read(body: Json) -> list[Hint]:
    return [hint for hint in read_hints(422, {}, body) if hint.name]


def fastapi(name: str, text: str) -> Json:
    return {"detail": [{"loc": ["query", name], "msg": text, "type": "x"}]}


def drf(name: str, text: str) -> Json:
    return {name: [text]}


def rails(name: str, text: str) -> Json:
    return {"errors": {name: [text]}}


def marshmallow(name: str, text: str) -> Json:
    return {"messages": {"query": {name: [text]}}}


def spring(name: str, text: str) -> Json:
    return {"status": 400, "errors": [{"field": name, "defaultMessage": text, "rejectedValue": "zzz"}]}


def ajv(name: str, text: str) -> Json:
    return [{"instancePath": f"/{name}", "keyword": "x", "params": {}, "message": text}]


def zod(name: str, text: str) -> Json:
    return {"issues": [{"code": "x", "path": [name], "message": text}]}


def cornice(name: str, text: str) -> Json:
    return {"code": 400, "details": [{"location": "querystring", "name": name, "description": text}]}


def problem(name: str, text: str) -> Json:
    return {"type": "about:blank", "title": "Bad", "invalid-params": [{"name": name, "reason": text}]}


SAID = [
    (fastapi, "Field required", [("required", ())]),
    (fastapi, "Input should be a valid integer, unable to parse string as an integer", [("type", ("integer",))]),
    (fastapi, "Input should be greater than or equal to 1", [("minimum", ("1",))]),
    (fastapi, "Input should be less than 100", [("exclusive-maximum", ("100",))]),
    (fastapi, "Input should be 'a', 'b' or 'c'", [("allowed-values", ("a", "b", "c"))]),
    (fastapi, "String should match pattern '^a+$'", [("pattern", ("^a+$",))]),
    (fastapi, "String should have at least 2 characters", [("min-length", ("2",))]),
    (fastapi, "List should have at least 1 item after validation, not 0", [("min-items", ("1",))]),
    (drf, "A valid integer is required.", [("type", ("integer",))]),
    (drf, "This field is required.", [("required", ())]),
    (drf, "Ensure this value is less than or equal to 100.", [("maximum", ("100",))]),
    (drf, "Ensure this field has no more than 80 characters.", [("max-length", ("80",))]),
    (drf, "Date has wrong format. Use one of these formats instead: YYYY-MM-DD.", [("format", ("date",))]),
    (drf, '"zzz" is not a valid choice.', [("invalid", ())]),
    (
        marshmallow,
        "Must be greater than or equal to 1 and less than or equal to 9.",
        [("minimum", ("1",)), ("maximum", ("9",))],
    ),
    (marshmallow, "Length must be between 2 and 80.", [("min-length", ("2",)), ("max-length", ("80",))]),
    (marshmallow, "Must be one of: a, b, c.", [("allowed-values", ("a", "b", "c"))]),
    (marshmallow, "Unknown field.", [("unknown", ())]),
    (rails, "can't be blank", [("required", ())]),
    (rails, "is too short (minimum is 2 characters)", [("min-length", ("2",))]),
    (rails, "must be greater than 0", [("exclusive-minimum", ("0",))]),
    (rails, "is not a number", [("type", ("number",))]),
    (spring, "size must be between 1 and 60", [("min-length", ("1",)), ("max-length", ("60",))]),
    (spring, "must be less than or equal to 100", [("maximum", ("100",))]),
    (spring, 'must match "^[a-z]+$"', [("pattern", ("^[a-z]+$",))]),
    (ajv, "must be >= 1", [("minimum", ("1",))]),
    (ajv, "must be integer", [("type", ("integer",))]),
    (ajv, "must NOT have more than 80 characters", [("max-length", ("80",))]),
    (ajv, "must NOT have fewer than 2 characters", [("min-length", ("2",))]),
    (ajv, 'must match format "date"', [("format", ("date",))]),
    (zod, "Number must be greater than or equal to 1", [("minimum", ("1",))]),
    (zod, "Invalid enum value. Expected 'a' | 'b', received 'zzz'", [("allowed-values", ("a", "b"))]),
    (zod, "Expected number, received string", [("type", ("number",))]),
    (zod, "Too small: expected string to have >=2 characters", [("min-length", ("2",))]),
    (zod, 'Invalid option: expected one of "a"|"b"', [("allowed-values", ("a", "b"))]),
    (cornice, "0 is less than minimum value 1", [("minimum", ("1",))]),
    (cornice, "101 is greater than maximum value 100", [("maximum", ("100",))]),
    (cornice, '"zzz" is not one of a, b, c', [("allowed-values", ("a", "b", "c"))]),
    (cornice, '"zzz" is not a number', [("type", ("number",))]),
    (problem, "must be a positive integer", [("type", ("integer",)), ("exclusive-minimum", ("0",))]),
]


@pytest.mark.parametrize(("style", "text", "wanted"), SAID, ids=[f"{s.__name__}: {t}" for s, t, _ in SAID])
def test_a_message_is_read(style: object, text: str, wanted: list[tuple[str, tuple[str, ...]]]) -> None:
    assert callable(style)
    body = style("size", text)
    assert [(said.kind, said.values) for said in about(body, "size", "query")] == wanted
    assert {said.name for said in read(body)} == {"size"}


def test_choices_that_stand_beside_the_text_are_read() -> None:
    entry = {"instancePath": "/unit", "params": {"allowedValues": ["km", "mi"]}, "message": "must be equal to one of"}
    [said] = about([entry], "unit")
    assert (said.kind, said.values) == ("allowed-values", ("km", "mi"))


def test_plain_sentences_are_on_what_they_name() -> None:
    [low, high] = about({"error": "limit must be between 1 and 100"}, "limit", "query")
    assert [(low.kind, low.values), (high.kind, high.values)] == [("minimum", ("1",)), ("maximum", ("100",))]
    assert about({"message": "querystring/limit must be <= 50"}, "limit", "query")[0].values == ("50",)
    wanted = "Failed to convert value of type 'java.lang.String' to required type 'int'"
    assert read_hints(400, {}, {"message": wanted})[0].values == ("integer",)


def test_a_message_on_another_argument_is_not_on_this_one() -> None:
    body = fastapi("limit", "Input should be greater than or equal to 1")
    assert about(body, "page", "query") == []
    assert about(body, "limit", "body") == []


def test_what_names_nothing_is_on_the_one_argument_that_changed() -> None:
    assert about({"error": "Must be one of: a, b"}, "sort", "query")[0].values == ("a", "b")
    assert read({"error": "Must be one of: a, b"}) == []


@pytest.mark.parametrize(
    "body",
    [
        {"status_code": 400, "status_message": "query parameter 'sort' must be one of name, -name"},
        {"success": False, "errorDescription": "query parameter 'sort' must be one of name, -name", "errors": []},
    ],
)
def test_a_text_is_read_under_any_name_that_ends_as_such_names_do(body: Json) -> None:
    [said] = about(body, "sort", "query")
    assert (said.kind, said.values) == ("allowed-values", ("name", "-name"))


def test_an_empty_value_that_is_quoted_in_a_list_of_choices_is_one_of_them() -> None:
    [said] = about({"message": "query parameter 'sort' must be one of '', name, -name"}, "sort", "query")
    assert (said.kind, said.values) == ("allowed-values", ("", "name", "-name"))


def test_numbers_may_be_the_choices() -> None:
    [said] = about({"message": "query parameter 'status' must be one of 0, 1, 2"}, "status", "query")
    assert (said.kind, said.values) == ("allowed-values", ("0", "1", "2"))


def test_a_message_without_a_text_is_rendered_by_its_code() -> None:
    echo: Json = {"request_body": {"state": {"type": "SCHEDULED"}}}
    assert [message.texts for message in messages(echo)] == [()]
    assert summarise_error(echo) == "state: SCHEDULED"
