"""Refusals of validators and servers outside the usual stacks: by their envelopes, their wordings and their codes."""

from __future__ import annotations

from typing import Any

import pytest

from docrev.conventions.error_hints import read_hints


@pytest.mark.parametrize(
    ("body", "hints"),
    [
        ({"status": "error", "message": "age must be an integer"}, [["type", "/age", "integer"]]),
        ({"status": "error", "message": "age must be an integer", "id": 4}, []),
        (
            {"jsonrpc": "2.0", "error": {"code": -32602, "message": "Invalid params.", "data": "Incorrect age: x."}},
            [["invalid", "/age"]],
        ),
        (
            {"jsonrpc": "2.0", "error": {"code": -32602, "message": "Invalid params.", "data": "Try it later."}},
            [],
        ),
        (
            {
                "error": {
                    "code": -32602,
                    "message": "Invalid params.",
                    "data": 'Invalid parameter "/age": a number is expected.',
                }
            },
            [["type", "/age", "number"]],
        ),
        ({"error": {"code": -32602, "message": "Invalid params."}}, []),
    ],
)
def test_a_success_tells_its_failure(body: Any, hints: list[list[str]]) -> None:
    found = read_hints(200, {}, body, {"body:": {"jsonrpc": "2.0", "params": {"age": "x"}, "method": "add"}})
    assert [[hint.kind, hint.pointer, *hint.values] for hint in found] == hints


_KIN = 'request body has an error: doesn\'t match the schema: Error at "/{}": {}\nSchema:\n  {{\n    {}\n  }}\n\n'
_VALUES = 'Value:\n  "x"\n | Error at "/hue": property "hue" is missing\nSchema:\n  {\n    "required": ["hue"]\n  }\n\n'


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("0.hue in body is required", [["required", "/0/hue"]]),
        (
            _KIN.format("age", "number must be at most 9", '"maximum": 9') + _VALUES,
            [["maximum", "/age", "9"], ["required", "/hue"]],
        ),
        ("hues: array items[0,1] must be unique", [["unique-items", "/hues"]]),
        ("hues: Unique items required.", [["unique-items", "/hues"]]),
        ("(root): hue is required", [["required", "/hue"]]),
        ("(root): Additional property hue is not allowed", [["unknown", "/hue"]]),
        ("(root): Has a dependency on hue", [["required", "/hue"]]),
        ("hue: Value is not nullable", [["required", "/hue"]]),
        ("age: Field must be set to string or not be present", [["type", "/age", "string"]]),
        ('doesn\'t match schema #/components/schemas/X: Error at "/age": value is wrong', [["invalid", "/age"]]),
        ("missing `match[]` arg", [["required", "/match[]"]]),
        ("String does not match ^[A-Z]{3}$.", [["pattern", "", "^[A-Z]{3}$"]]),
        ("title: String is too long: 4/3.", [["max-length", "/title", "3"]]),
        ("Properties not allowed: deck.", [["unknown", "/deck"]]),
        ("Unknown setting max_age, e.what() = failed", [["unknown", "/max_age"]]),
        ("header X-Unit has unexpected value 'mile'", [["invalid", "/X-Unit"]]),
        ("Expected application/json - got text/plain.", [["media-type", "", "application/json"]]),
        ("failed to parse age param: error parsing regexp: missing closing ]: `[`", [["format", "/age", "regex"]]),
        ("Maximum entries must be larger than 2", [["minimum", "", "3"]]),
        ("you must choose at least one stream for /v1.40/logs", []),
        ("The age requested is larger than the number of ages available.", [["invalid", "/age"]]),
        ("no age or hue specified", [["at-least-one-of", "", "age", "hue"]]),
        ("Both age and hue parameters should not be set at the same time", [["at-most-one-of", "", "age", "hue"]]),
        ('no hue with name or ID "x" found: no such hue', [["not-found", "", "hue"]]),
        ("status is not one of draft, future, and open.", [["allowed-values", "/status", "draft", "future", "open"]]),
        ("Not currently recording.", [["state", "", "recording"]]),
    ],
)
def test_a_sentence_of_a_validator_is_read(text: str, hints: list[list[str]]) -> None:
    found = read_hints(400, {}, {"error": text}, {"body:": {"age": 12, "title": "abcd", "hues": "a", "status": "x"}})
    assert [[hint.kind, hint.pointer, *hint.values] for hint in found] == hints


@pytest.mark.parametrize(
    ("code", "text", "form"),
    [
        ("value_error.url.scheme", "invalid or missing URL scheme", "url"),
        ("value_error.url.host", "URL host invalid, top level domain required", "url"),
        ("value_error.email", "refused", "email"),
        ("value_error.uuid", "refused", "uuid"),
    ],
)
def test_a_code_tells_a_format_and_a_key_is_no_root(code: str, text: str, form: str) -> None:
    body = {"detail": [{"loc": ["body", "link", "__root__", "__root__"], "msg": text, "type": code}]}
    found = read_hints(422, {}, body, {"body:": {"link": "x"}})
    assert [[hint.kind, hint.pointer, *hint.values] for hint in found] == [["format", "/link", form]]


@pytest.mark.parametrize(
    ("key", "name", "pointers"),
    [
        ("attr", "non_field_errors", set()),
        ("field", "__all__", set()),
        ("attribute", "base", set()),
        ("field", "base", {"/base"}),
    ],
)
def test_what_stands_for_no_field_is_no_member(key: str, name: str, pointers: set[str]) -> None:
    body = {"errors": [{"code": "invalid", "detail": "Start and end timestamps are required.", key: name}]}
    assert {hint.pointer for hint in read_hints(400, {}, body, {"body:": {"kind": "x"}}) if hint.pointer} == pointers


@pytest.mark.parametrize(
    "text", ["File type 'text/plain' not allowed.", "Only image files are allowed", "Invalid image"]
)
def test_a_refused_file_is_the_one_that_was_sent(text: str) -> None:
    for name in ("file", "avatar_upload"):
        found = read_hints(400, {}, {"detail": text}, {"body:": {name: "abc", "title": "t"}})
        assert [[hint.kind, hint.pointer] for hint in found] == [["invalid", f"/{name}"]]
    assert {hint.name for hint in read_hints(400, {}, {"detail": text}, {"body:": {"upload_id": "abc"}})} == {""}


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("age: 30 does not validate as range(1|20)", [["minimum", "/age", "1"], ["maximum", "/age", "20"]]),
        ("hue: red does not validate as in(S|M|L)", [["allowed-values", "/hue", "S", "M", "L"]]),
        ("hue: red does not validate as matches(^[A-Z]{3}$)", [["pattern", "/hue", "^[A-Z]{3}$"]]),
        ("hue: red does not satisfy minLength(4)", [["min-length", "/hue", "4"]]),
        (
            "hue: red does not validate as length(4|9);site: x y does not validate as url",
            [["min-length", "/hue", "4"], ["max-length", "/hue", "9"], ["format", "/site", "url"]],
        ),
        ("hue: red is not known to lookup(red)", [["invalid", "/hue"]]),
    ],
)
def test_a_rule_is_read_as_it_is_called(text: str, hints: list[list[str]]) -> None:
    sent = {"body:": {"age": 30, "hue": "red", "site": "x y"}}
    assert [[hint.kind, hint.pointer, *hint.values] for hint in read_hints(422, {}, {"message": text}, sent)] == hints


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a.StateException: Expected BEGIN_ARRAY but was STRING at line 1 column 9 path $.tags", "array"),
        ("Parameter 'tags' must be type 'typing.Optional[bool]'", "boolean"),
        ("'tags' is not an instance of integer", "integer"),
        ("tags: a cannot be converted; failed parsing 'a' as integer; at path $.tags", "integer"),
    ],
)
def test_a_type_is_read_in_the_words_of_languages(text: str, wanted: str) -> None:
    found = read_hints(400, {}, {"message": text}, {"body:": {"tags": "a"}})
    assert [(hint.kind, hint.pointer, hint.values) for hint in found] == [("type", "/tags", (wanted,))]


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ({"errors": {"code": "must match '^[A-Z]-\\\\d+$'"}}, ("pattern", r"^[A-Z]-\d+$")),
        ({"errors": {"code": "must match '^[A-Z]-\\d+$'"}}, ("pattern", r"^[A-Z]-\d+$")),
        ({"errors": {"code": "must contain only characters: abcdef"}}, ("invalid",)),
        ({"errors": {"code": "must not contain: <"}}, ("forbidden-characters", "[<]")),
    ],
)
def test_a_pattern_or_a_class_is_read_as_it_is_meant(body: Any, hint: tuple[str, ...]) -> None:
    found = read_hints(422, {}, body, {"body:": {"code": "x<"}})
    assert [(one.kind, *one.values) for one in found] == [hint]


def test_a_value_is_found_where_a_hint_points_though_another_has_its_name() -> None:
    body = {"lines": [{"sku": "a"}, {"sku": "b"}]}
    said = {"lines": {"1": {"sku": ["String does not match expected pattern."]}}}
    found = read_hints(422, {}, {"errors": said}, {"body:": body})
    assert [(hint.kind, hint.pointer) for hint in found] == [("invalid", "/lines/1/sku")]


@pytest.mark.parametrize(
    ("body", "hints"),
    [
        ([[-22, 0.5, "[shelf][create] label is missing", [["create", "shelf.c", 3]]], False], [["required", "/label"]]),
        ({"error": "invalid shelf level: <loud>"}, [["invalid", "/level"]]),
        ({"error": "[a][b] neither <_key> nor <_id> is specified"}, [["at-least-one-of", "", "_key", "_id"]]),
        ({"error": "label type doesn't exist: <loud>"}, [["not-found", ""]]),
        (
            {"error": "label can only contain 0-9, a-z, #, - or _: <1 a>"},
            [["characters", "/label", "[0-9a-z#_-]"]],
        ),
        ({"error": 'shelf number out of range: "loud"'}, [["invalid", "/level"]]),
        ({"error": "Unable to convert shelf address 'loud'"}, [["invalid", "/level"]]),
    ],
)
def test_a_server_tags_and_quotes_in_brackets(body: Any, hints: list[list[str]]) -> None:
    found = read_hints(400, {}, body, {"query:level": "loud"})
    assert [[hint.kind, hint.pointer, *hint.values] for hint in found] == hints


@pytest.mark.parametrize(
    ("tag", "param", "value", "hints"),
    [
        ("len", "4", "abc", [["min-length", "/hue", "4"], ["max-length", "/hue", "4"]]),
        ("min", "2", [1], [["min-items", "/hue", "2"]]),
        ("max", "9", 10, [["maximum", "/hue", "9"]]),
        ("endswith", ".0", "1", [["suffix", "/hue", ".0"]]),
    ],
)
def test_a_tag_of_go_measures_the_value_beside_it(tag: str, param: str, value: Any, hints: list[list[str]]) -> None:
    found = read_hints(422, {}, {"fields": [{"field": "hue", "tag": tag, "param": param, "value": value}]})
    assert [[hint.kind, hint.pointer, *hint.values] for hint in found] == hints


@pytest.mark.parametrize(
    ("body", "hints"),
    [
        ({"error": "json: cannot unmarshal array into Go value of type main.Depot"}, [["type", "", "object"]]),
        ({"error": "mail: missing '@' or angle-addr"}, [["format", "", "email"]]),
        ({"error": 'netip.ParsePrefix("10.0.0.0/33"): prefix length out of range'}, [["format", "", "cidr"]]),
        ({"error": "proto: (line 1:10): invalid value for string type: 4"}, [["type", "", "string"]]),
        ({"errors": {"hue": "field has value >255"}}, [["maximum", "/hue", "255"]]),
        ({"errors": [{"pointer": "#/hue", "detail": "3 is valid under each of {}, {}"}]}, [["invalid", "/hue"]]),
        ({"error": "failed to set shelf: 'loud'"}, [["invalid", "/hue"]]),
        (
            {"detail": [{"type": "json_invalid", "loc": ["body", 15], "msg": "JSON decode error"}]},
            [["format", "", "json"]],
        ),
    ],
)
def test_what_a_parser_leaves_behind_is_read(body: Any, hints: list[list[str]]) -> None:
    found = read_hints(400, {}, body, {"body:": {"hue": "loud"}})
    assert [[hint.kind, hint.pointer, *hint.values] for hint in found] == hints


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Unknown virtual host", ["invalid", "/host"]),
        ("Unknown module: host", ["unknown", "/host"]),
        ("Invalid log level", ["invalid", "/loglevel"]),
        ("Room doesn't exists", ["not-found", "", "Room"]),
    ],
)
def test_a_name_in_two_words_and_a_value_that_is_unknown_are_read(text: str, hint: list[str]) -> None:
    found = read_hints(400, {}, {"message": text}, {"body:": {"host": "nope", "loglevel": "loud"}})
    assert [[one.kind, one.pointer, *one.values] for one in found] == [hint]


def test_the_text_of_a_body_is_no_location() -> None:
    body = {"errors": [{"code": "invalid JSON", "message": "Unable to parse body as JSON", "source": "{"}]}
    found = read_hints(400, {}, body, {"body:": {"hue": "red"}})
    assert [(hint.kind, hint.pointer, hint.values) for hint in found] == [("format", "", ("json",))]


_SCHEMA = '\n\nFailed validating "enum" in schema["properties"]["hue"]\n\nOn instance["hue"]:\n    "x"'


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('"x" is not one of "red", "blue" or 3 other candidates' + _SCHEMA, []),
        ('"x" is not one of "red" or "blue"' + _SCHEMA, ["red", "blue"]),
        ("hue must be one of red, blue and 4 more", []),
        ("hue must be one of: red, blue, ...", []),
        ("hue must be one of: red, blue, … (12 more)", []),
        ("hue must be one of 'red', 'blue' and no other", ["red", "blue"]),
    ],
)
def test_a_list_that_is_cut_is_not_all_that_is_allowed(text: str, values: list[str]) -> None:
    hints = read_hints(422, {}, {"detail": text}, {"body:": {"hue": "x"}})
    assert [value for hint in hints if hint.kind == "allowed-values" for value in hint.values] == values
