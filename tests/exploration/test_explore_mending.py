"""Mending refused calls: hints become the next arguments; bodies to try without hints; what was learned of names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docrev.conventions.error_claims import Hint
from docrev.conventions.error_hints import read_hints
from docrev.conventions.run_names import renumbered, run_name, run_uuid
from docrev.exploration.bodies import body_variants, days_later, named_in
from docrev.exploration.lessons import Lessons
from docrev.exploration.mending import ValueSources, mended
from docrev.exploration.unsaid_hints import hinted, supposed
from docrev.records import Json
from docrev.spec import Operation, Schema, load

NAME = run_name(1)
BODY = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "depth": {"type": "integer"},
        "parent": {"type": "integer"},
        "space": {
            "type": "object",
            "properties": {"metric": {"type": "string"}, "unit_id": {"type": "integer"}},
        },
    },
}
KNOWN: dict[str, list[Json]] = {
    "body:/owner": [7, 8],
    "body:/parent": [3],
    "body:/kind": ["a", "b"],
    "body:/space/metric": ["l2"],
    "body:/space/unit_id": [5],
    "path:box": ["old", run_uuid(3)],
}


@pytest.fixture(scope="module")
def operation(tmp_path_factory: pytest.TempPathFactory) -> Operation:
    file = tmp_path_factory.mktemp("mending") / "shop.json"
    parameters = [
        {"name": "box", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "order-by", "in": "query", "schema": {"type": "string"}},
    ]
    post = {
        "parameters": parameters,
        "requestBody": {"content": {"application/json": {"schema": BODY}}},
        "responses": {"201": {"description": "made"}},
    }
    spec = {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {"/boxes/{box}/things": {"post": post}},
    }
    file.write_text(json.dumps(spec))
    return load([file]).operations[0]


def ideas(operation: Operation, arguments: dict[str, Json], status: int, body: Json) -> list[dict[str, Json]]:
    hints = read_hints(status, {}, body)
    sources = ValueSources(lambda location: KNOWN.get(location, []), lambda value: renumbered(value, 9))
    return list(mended(operation, arguments, hints, sources))


@pytest.mark.parametrize(
    ("sent", "status", "error", "wanted"),
    [
        ({"name": "a b"}, 422, {"detail": [{"loc": ["body", "owner"], "msg": "Field required"}]}, {"owner": 7}),
        ({"name": NAME}, 409, {"error": f"{NAME} already exists"}, {"name": run_name(9)}),
        ({"name": NAME}, 422, {"error": f"Name '{NAME}' must end with '.'"}, {"name": NAME + "."}),
        ({"depth": "x"}, 400, {"errors": {"depth": ["must be an integer"]}}, {"depth": 1}),
        (
            {"space": {"metric": "docrev"}},
            422,
            {"message": "space.metric: unknown variant `docrev`, expected one of `l2`, `ip`"},
            {"space": {"metric": "l2"}},
        ),
        (
            {"space": {"metric": "l2"}},
            422,
            {"errors": ["Unit can't be blank"]},
            {"space": {"metric": "l2", "unit_id": 5}},
        ),
        ({"name": NAME}, 400, {"message": "Parent id is required when creating a thing."}, {"parent": 3}),
    ],
)
def test_a_body_is_changed_where_the_error_says(
    operation: Operation, sent: Json, status: int, error: Json, wanted: dict[str, Json]
) -> None:
    found = ideas(operation, {"path:box": "old", "body:": sent}, status, error)
    assert found
    assert found[0] == {"path:box": "old", "body:": {**sent, **wanted}}


def test_what_an_error_forbids_is_left_out_also_in_the_query(operation: Operation) -> None:
    sent = {"path:box": "old", "query:order-by": "x", "body:": {"name": NAME, "more": 1}}
    error = {"detail": [{"loc": ["body", "more"], "msg": "Extra inputs are not permitted", "type": "extra_forbidden"}]}
    assert ideas(operation, sent, 422, error)[0]["body:"] == {"name": NAME}


def test_every_allowed_value_is_an_idea(operation: Operation) -> None:
    error = {"message": "kind must be one of 'x', 'y'"}
    found = ideas(operation, {"path:box": "old", "body:": {"kind": "a"}}, 422, error)
    assert [idea["body:"]["kind"] for idea in found] == ["x", "y"]


def test_what_is_named_keeps_a_name_of_the_run_where_a_name_of_somebody_would_fit(operation: Operation) -> None:
    rule = read_hints(422, {}, {"error": f"DNS Name '{NAME}' is not canonical"})
    sources = ValueSources(lambda location: ["theirs."], lambda value: value)
    first = next(mended(operation, {"body:": {"name": NAME}}, rule, sources))
    assert first == {"body:": {"name": f"{NAME}."}}


def test_an_id_in_the_path_takes_the_known_value_of_the_wanted_form(operation: Operation) -> None:
    found = ideas(operation, {"path:box": "old", "body:": {}}, 400, {"message": "Box is not a valid UUID"})
    assert found[0]["path:box"] == run_uuid(3)


@pytest.mark.parametrize(
    ("kind", "sent", "wanted"),
    [
        ("exactly-one-of", {"kind": "a", "owner": 7}, [{"kind": "a"}, {"owner": 7}]),
        ("exactly-one-of", {}, [{"kind": "a"}, {"owner": 7}]),
        ("at-least-one-of", {}, [{"kind": "a"}, {"owner": 7}]),
        ("all-or-none-of", {"kind": "a"}, [{"kind": "a", "owner": 7}, {}]),
    ],
)
def test_relations_between_members_are_met(
    operation: Operation, kind: str, sent: Json, wanted: list[dict[str, Json]]
) -> None:
    hint = Hint(kind, "body", "", ("kind", "owner"), "")
    sources = ValueSources(lambda location: KNOWN.get(location, []), lambda value: value)
    found = mended(operation, {"path:box": "old", "body:": sent}, [hint], sources)
    assert [idea["body:"] for idea in found] == wanted


def test_what_an_error_only_mentions_is_a_hint_too(operation: Operation) -> None:
    sent = {"path:box": "old", "body:": {"kind": "docrev", "name": NAME}}
    assert [hint.kind for hint in hinted(operation, sent, "Unsupported thing 'docrev'")] == ["invalid"]
    missing = hinted(operation, sent, "No depth given")
    assert [(hint.kind, hint.place, hint.pointer) for hint in missing] == [("required", "body", "/depth")]
    assert hinted(operation, sent, "No rows given") == []
    bare = hinted(operation, {"path:box": "old"}, "Unexpected end of JSON input")
    assert [(hint.kind, hint.place) for hint in bare] == [("required", "body")]
    found = mended(
        operation, {"path:box": "old", "query:rows": 2}, bare, ValueSources(lambda at: [], lambda value: value)
    )
    assert [idea["body:"] for idea in found] == [{}, {"rows": 2}]


def test_what_is_missing_deep_in_a_body_is_added_there(operation: Operation) -> None:
    found = ideas(
        operation,
        {"path:box": "old", "body:": {"space": {}}},
        422,
        {"error": "Key 'metric' not present or not a String"},
    )
    assert list(found[0]["body:"]["space"]) == ["metric"]


def test_values_are_read_out_of_descriptions() -> None:
    assert named_in("MUST be REPLACE or DELETE; see `other`.") == ["REPLACE", "DELETE", "other"]


def test_bodies_grow_by_one_thing_and_by_halves(operation: Operation) -> None:
    assert operation.body is not None
    schema = operation.body.schema
    assert isinstance(schema, Schema)
    full = {"name": NAME, "depth": 1, "kind": "a", "space": {}}
    found = list(body_variants(schema, {"name": NAME}, full))
    assert found[:2] == [{"name": NAME, "kind": "a"}, {"name": NAME, "kind": "b"}]
    assert {"name": NAME, "depth": 1} in found
    assert {"name": NAME, "space": {}, "depth": 1} in found


def test_a_rule_for_a_name_holds_for_the_next_body_of_the_tool() -> None:
    lessons = Lessons()
    lessons.note("shop", "body:/name", [Hint("suffix", "body", "/name", (".",), "")])
    assert lessons.fitting("shop", "body:/zone/name", "x", None) == "x."
    assert lessons.fitting("other", "body:/name", "x", None) == "x"
    assert lessons.fits("shop", "body:/name", "x.")
    assert not lessons.fits("shop", "body:/name", "x")


@pytest.mark.parametrize(
    "text",
    [
        "Invalid body, key from request body doesn't match uri parameter",
        "ID mismatch between path and payload",
        "The name in the URL and the one in the body differ.",
    ],
)
def test_what_the_body_calls_a_thing_becomes_what_the_path_calls_it(tmp_path: Path, text: str) -> None:
    schema = {"type": "object", "properties": {"key": {"type": "string"}, "value": {"type": "string"}}}
    patch = {
        "parameters": [{"name": "variable_key", "in": "path", "required": True, "schema": {"type": "string"}}],
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": {"200": {"description": "changed"}},
    }
    info = {"title": "t", "version": "1"}
    (tmp_path / "a.json").write_text(
        json.dumps({"openapi": "3.0.3", "info": info, "paths": {"/variables/{variable_key}": {"patch": patch}}})
    )
    operation = load([tmp_path / "a.json"]).operations[0]
    arguments: dict[str, Json] = {"path:variable_key": run_name(1), "body:": {"key": run_name(2), "value": "v"}}
    sources = ValueSources(lambda location: [], lambda value: value)
    found = list(mended(operation, arguments, hinted(operation, arguments, text), sources))
    assert found == [{**arguments, "body:": {"key": run_name(1), "value": "v"}}]


def test_times_are_moved_by_whole_days() -> None:
    body: dict[str, Json] = {"start": "2024-02-28T12:00:00Z", "days": ["2024-12-31", "9999-12-31"], "note": "2024"}
    assert days_later(body, 2) == {**body, "start": "2024-03-01T12:00:00Z", "days": ["2025-01-02", "9999-12-31"]}


def test_what_is_said_of_a_list_is_mended_in_it(operation: Operation) -> None:
    hint = Hint("format", "body", "/masters", ("ipv4",), "")
    sources = ValueSources(lambda location: [], lambda value: value)
    found = next(mended(operation, {"path:box": "old", "body:": {"masters": [NAME]}}, [hint], sources))
    assert found["body:"] == {"masters": ["192.0.2.1"]}


def test_a_text_is_written_as_json_once(operation: Operation) -> None:
    hint = Hint("format", "body", "/masters/0", ("json",), "")
    sources = ValueSources(lambda location: [], lambda value: value)
    sent: dict[str, Json] = {"path:box": "old", "body:": {"masters": [NAME]}}
    first = next(mended(operation, sent, [hint], sources))
    assert first["body:"] == {"masters": [json.dumps([NAME])]}
    again = mended(operation, first, [hint], sources)
    assert not any("\\" in json.loads(json.dumps(idea["body:"]))["masters"][0] for idea in again)


def test_an_invalid_name_of_the_run_is_tried_with_plainer_signs(operation: Operation) -> None:
    names, name = [], NAME
    for _ in range(2):
        sent: dict[str, Json] = {"path:box": name, "body:": {}}
        hints = read_hints(422, {}, {"message": f"{name} is not a valid box."})
        sources = ValueSources(lambda location: ["theirs"], lambda value: value)
        found = list(mended(operation, sent, hints + supposed(operation, sent, hints), sources))
        name = next(idea["path:box"] for idea in found if renumbered(idea["path:box"], 5) != idea["path:box"])
        names.append(name)
    assert names == ["docrev_00000000_1", "docrev000000001"]
    assert supposed(operation, {"path:box": "theirs", "body:": {}}, hints) == []


def test_items_that_must_be_unique_are_each_called_otherwise(operation: Operation) -> None:
    numbers = iter(range(7, 10))
    hint = Hint("exists", "body", "/levels", (), "Level names must be unique")
    sources = ValueSources(lambda location: [], lambda value: renumbered(value, next(numbers)))
    sent: dict[str, Json] = {"path:box": "old", "body:": {"levels": [{"name": NAME}, {"name": NAME}]}}
    [found] = mended(operation, sent, [hint], sources)
    assert found["body:"] == {"levels": [{"name": run_name(7)}, {"name": run_name(8)}]}


def test_a_choice_that_an_error_mentions_is_made_otherwise(operation: Operation) -> None:
    sent: dict[str, Json] = {"path:box": "old", "body:": {"kind": "a"}}
    hints = hinted(operation, sent, "A boxes cannot be checked")
    assert [(hint.kind, hint.pointer) for hint in hints] == [("invalid", "/kind")]
    sources = ValueSources(lambda location: KNOWN.get(location, []), lambda value: value)
    assert [idea["body:"] for idea in mended(operation, sent, hints, sources)] == [{"kind": "b"}]


def test_a_link_to_a_thing_is_sent_as_it_is_where_a_url_is_wanted(operation: Operation) -> None:
    refused, link = "https://example.com/1", "/api/owners/7/"
    hints = read_hints(400, {}, {"owner": ["Invalid hyperlink - No URL match."]})
    sources = ValueSources(lambda location: ["7", link], lambda value: value)
    ideas = mended(operation, {"path:box": "old", "body:": {"owner": refused}}, hints, sources)
    bodies = [idea["body:"] for idea in ideas]
    assert bodies[0] == {"owner": link}
    assert {"owner": "https://example.org/7"} in bodies
