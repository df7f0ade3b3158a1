"""Verbs in the paths of resources: which route each operation has without its verb."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from callkit import catalog, key

READ = "GET /users/{id}"


def route(folder: Path, lines: list[str], **extras: dict[str, Any]) -> str | None:
    """The route of the last line, if it is not its own."""
    found = catalog(folder, lines, **extras)[key(lines[-1])].rpc_route
    return found and found.operation


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("POST /users/create", "POST /users"),
        ("POST /users/create_user", "POST /users"),
        ("POST /users/new", "POST /users"),
        ("POST /users/register", "POST /users"),
        ("GET /users/all", "GET /users"),
        ("GET /users/list", "GET /users"),
        ("PUT /users/{id}/update", "PATCH /users/{id}"),
        ("POST /users/edit/{id}", "PATCH /users/{id}"),
        ("DELETE /users/{id}/delete", "DELETE /users/{id}"),
        ("DELETE /users/delete/{id}", "DELETE /users/{id}"),
        ("DELETE /delete_user/{id}", "DELETE /users/{id}"),
        ("POST /create-user", "POST /users"),
        ("GET /list_users", "GET /users"),
        ("GET /users/json", "GET /users"),
        ("GET /get_all_users", "GET /users"),
        ("POST /users/search", None),
        ("GET /users/search", None),
        ("GET /users/create", None),
        ("POST /users/invite", None),
        ("POST /users/create_batch", None),
        ("POST /users/{id}/add", None),
        ("POST /create_teams", None),
        ("GET /get_users_by_role", None),
        ("GET /users/get/{id}", None),
    ],
)
def test_a_verb_is_left_out_of_the_path_of_what_is_read(tmp_path: Path, line: str, wanted: str | None) -> None:
    assert route(tmp_path, [READ, line]) == wanted


@pytest.mark.parametrize("beside", ["POST /users", "PATCH /users/{id}", "DELETE /users/{id}"])
def test_what_a_path_without_a_verb_does_is_not_done_twice(tmp_path: Path, beside: str) -> None:
    lines = {"POST": "POST /users/create", "PATCH": "PUT /users/{id}/update", "DELETE": "DELETE /users/{id}/delete"}
    line = lines[beside.partition(" ")[0]]
    assert route(tmp_path, [READ, line]) == beside
    assert route(tmp_path, [READ, beside, line]) is None


def test_what_is_read_under_a_verb_shows_that_there_are_things(tmp_path: Path) -> None:
    lines = ["GET /users/get/{id}", "POST /users/create"]
    assert route(tmp_path, lines) == "POST /users"
    assert route(tmp_path, lines[::-1]) == "GET /users/{id}"
    assert route(tmp_path, lines[1:]) is None


@pytest.mark.parametrize(
    ("part", "wanted"),
    [(None, "DELETE /users/{id}"), ({"type": "boolean"}, "DELETE /users/{id}"), ({}, None), ({"type": "string"}, None)],
)
def test_what_removes_something_in_a_thing_does_not_remove_the_thing(
    tmp_path: Path, part: dict[str, str] | None, wanted: str | None
) -> None:
    line = "POST /users/{id}/remove"
    schema = {"type": "object", "properties": {"tag": part}}
    body = {"requestBody": {"content": {"application/json": {"schema": schema}}}} if part is not None else {}
    assert route(tmp_path, [READ, line], **{line: body}) == wanted


@pytest.mark.parametrize(
    ("summary", "beside", "wanted"),
    [
        ("Create A Source User", [], "POST /users"),
        ("Creates a guest user.", [], "POST /users"),
        ("Create an invitation", [], None),
        ("Check a guest user", [], None),
        ("Create a guest user", ["GET /users/guest"], None),
        ("Create a guest user", ["GET /users/guest/{id}"], None),
        ("Create a guest user", ["POST /users"], None),
    ],
)
def test_what_says_that_it_makes_one_of_the_things_does(
    tmp_path: Path, summary: str, beside: list[str], wanted: str | None
) -> None:
    line = "POST /users/guest"
    assert route(tmp_path, [READ, "DELETE /users/{id}", *beside, line], **{line: {"summary": summary}}) == wanted


@pytest.mark.parametrize("last", ["json", "info", "details", "show"])
def test_what_shows_a_thing_under_another_word_stands_for_the_thing(tmp_path: Path, last: str) -> None:
    line = f"GET /users/{{id}}/{last}"
    assert route(tmp_path, ["DELETE /users/{id}", line]) == "GET /users/{id}"
    assert route(tmp_path, [READ, line]) is None


def test_the_format_of_an_answer_is_no_part_of_a_route(tmp_path: Path) -> None:
    lines = ["GET /users.json", "POST /users.json", "GET /users/{id}.json", "DELETE /users/{id}.json"]
    found = catalog(tmp_path, lines)
    assert [found[key(line)].route.operation for line in lines] == [line.replace(".json", "") for line in lines]
    beside = ["GET /users", "GET /users.json", "GET /users/{id}.json"]
    found = catalog(tmp_path, beside)
    assert [found[key(line)].route.operation for line in beside] == [*beside[:2], "GET /users/{id}"]
    assert catalog(tmp_path, ["GET /openapi.json"])[key("GET /openapi.json")].bare_route is None


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        ({"type": "string", "const": "~"}, "POST /users/%7E/runs/list"),
        ({"type": "string", "enum": ["all"]}, "POST /users/all/runs/list"),
        ({"type": "string", "enum": ["a/b"]}, "POST /users/a%2Fb/runs/list"),
        ({"type": "string", "enum": ["all", "mine"]}, None),
        ({"type": "string", "enum": [""]}, None),
        ({"type": "integer", "enum": [1]}, None),
        ({"type": "string"}, None),
    ],
)
def test_a_path_parameter_that_can_have_one_value_alone_names_nothing(
    tmp_path: Path, schema: dict[str, Any], wanted: str | None
) -> None:
    line = "POST /users/{id}/runs/list"
    parameters = [{"name": "id", "in": "path", "required": True, "schema": schema}]
    bare = catalog(tmp_path, [READ, line], **{line: {"parameters": parameters}})[key(line)].bare_route
    assert (bare and bare.operation) == (wanted and wanted.replace("%7E", "~"))


@pytest.mark.parametrize("word", ["id", "by-id", "uuid"])
def test_the_word_that_an_id_follows_is_no_part_of_a_route(tmp_path: Path, word: str) -> None:
    wanted = {
        "GET /tools": "GET /tools",
        "POST /tools/create": "POST /tools",
        f"GET /tools/{word}/{{id}}": "GET /tools/{id}",
        f"DELETE /tools/{word}/{{id}}/delete": "DELETE /tools/{id}",
        f"POST /tools/{word}/{{id}}/toggle": "POST /tools/{id}/toggle",
    }
    found = catalog(tmp_path, [*wanted])
    assert {line: found[key(line)].route.operation for line in wanted} == wanted


@pytest.mark.parametrize(
    "lines",
    [
        ["GET /tools/{name}", "GET /tools/id/{id}"],
        ["DELETE /tools/{name}/parts", "GET /tools/id/{id}"],
        ["GET /tools", "GET /tools/name/{name}"],
        ["GET /id/{id}"],
    ],
)
def test_the_word_before_an_id_stays_where_something_else_would_have_the_path(tmp_path: Path, lines: list[str]) -> None:
    assert catalog(tmp_path, lines)[key(lines[-1])].bare_route is None
