"""The toolbox: sheets from documents, names, what becomes of arguments, and what is shown of responses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from driving import called

from docrev.models.observations import read_observation
from docrev.models.rendering import messages
from docrev.prompts.agents import NextAction, Sheet
from docrev.prompts.steps import Invoke
from docrev.records import Json, OperationKey
from docrev.runners import Toolbox
from docrev.runners.binding import Invalid, convert
from docrev.runners.compression import compress, observe, tokens
from docrev.spec import load

LIBRARY = Path(__file__).resolve().parents[1] / "library.yaml"


@pytest.fixture(scope="module")
def tools() -> Toolbox:
    return Toolbox(load(LIBRARY))


def sheet(tools: Toolbox, name: str) -> Sheet:
    found = tools.sheet(name)
    assert found is not None
    return found


def spec(tmp_path: Path, paths: dict[str, Any], name: str = "shop") -> Path:
    path = tmp_path / f"{name}.json"
    document = {"openapi": "3.0.3", "info": {"title": "x", "version": "1"}, "paths": paths}
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_a_sheet_holds_what_the_documentation_says(tools: Toolbox) -> None:
    found = sheet(tools, "GET /books")
    assert found.description == "List books"
    genre, limit = found.parameters[0], found.parameters[7]
    assert (genre.name, genre.location, genre.allowed) == ("genre", "query:genre", ("novel", "poetry", "essay"))
    assert genre.description == "Only books of this genre."
    assert (limit.type, limit.default, limit.limits) == ("integer", 10, "1 to 50")
    assert "/items/0/title" in [field.pointer for field in found.fields]
    author = sheet(tools, "get_authors_by_author_id")
    assert [(one.required, one.example) for one in author.parameters] == [(True, 77)]


def test_a_response_field_is_shown_with_what_its_text_says_beyond_its_name(tmp_path: Path) -> None:
    fields = {
        "price": {"type": "number", "description": "Price of the order, in cents. Example: `1250`."},
        "status": {"type": "string", "description": "Status of the order. Example: `open`."},
        "id": {"type": "string", "description": "Example: `o_7`."},
        "total": {"type": "integer", "description": "Total number of orders, across all pages."},
        "count": {"type": "integer", "description": "Number of orders in this response."},
        "next": {"type": "string", "description": "Cursor for the next page; null on the last page."},
    }
    schema = {"type": "object", "properties": fields}
    answer = {"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}}
    tools = Toolbox(load(spec(tmp_path, {"/orders/latest": {"get": {"responses": answer}}})))
    shown = {one.pointer: one.description for one in tools.sheets[0].fields}
    said = {"/price": "Price of the order, in cents.", "/count": "Number of orders in this response."}
    assert shown == {**dict.fromkeys(("/status", "/id", "/total", "/next"), ""), **said}


@pytest.mark.parametrize(
    ("schema", "limits"),
    [
        ({"type": "integer", "minimum": 1}, ""),
        ({"type": "integer", "minimum": 5}, "at least 5"),
        ({"type": "integer", "minimum": 0, "maximum": 9}, "0 to 9"),
        ({"type": "string", "format": "date"}, "date"),
        ({"type": "string", "minLength": 2, "maxLength": 2, "pattern": "^[A-Z]+$"}, "pattern ^[A-Z]+$, 2 characters"),
        ({"type": "string", "maxLength": 12}, "at most 12 characters"),
        ({"type": "string", "minLength": 8, "maxLength": 80}, "at least 8 characters"),
        ({"type": "string", "minLength": 2, "maxLength": 80}, ""),
        ({"type": "integer", "minimum": 0, "maximum": 2**63}, ""),
    ],
)
def test_bounds_are_said_as_short_as_they_can_be(tmp_path: Path, schema: dict[str, Any], limits: str) -> None:
    parameter = {"name": "value", "in": "query", "schema": schema}
    tools = Toolbox(load(spec(tmp_path, {"/orders": {"get": {"parameters": [parameter], "responses": {}}}})))
    assert tools.sheets[0].parameters[0].limits == limits


def test_that_pages_begin_at_the_first_is_not_said(tmp_path: Path) -> None:
    defaults = {"page": 1, "offset": 0, "limit": 1}
    parameters = [{"name": name, "in": "query", "schema": {"default": value}} for name, value in defaults.items()]
    tools = Toolbox(load(spec(tmp_path, {"/orders": {"get": {"parameters": parameters, "responses": {}}}})))
    assert [one.default for one in tools.sheets[0].parameters] == [None, None, 1]


def test_rules_of_an_api_are_shown_whole_and_of_a_long_text_its_beginning_and_the_last_ones(tmp_path: Path) -> None:
    rules = [f"Rule {number}: {'a thing that holds everywhere ' * 9}`PUT /books/{{id}}`." for number in range(40)]
    path = spec(tmp_path, {"/books/{id}": {"put": {"operationId": "putBook", "responses": {"200": {}}}}})
    document = json.loads(path.read_text("utf-8"))

    def shown(*paragraphs: str) -> str:
        document["info"]["description"] = "\n\n".join(paragraphs)
        path.write_text(json.dumps(document), "utf-8")
        return messages(NextAction(task="Put it.", operations=Toolbox(load(path)).sheets))[-1]["content"]

    short = shown("A shop.", *rules[:5])
    assert [number for number in range(40) if f"Rule {number}:" in short] == [0, 1, 2, 3, 4]
    assert short.count("everywhere `putBook`.") == 5
    long = shown("A shop. " + "It sells what readers want. " * 50, *rules)
    assert "A shop. It sells" in long
    assert [number for number in range(40) if f"Rule {number}:" in long] == [35, 36, 37, 38, 39]


def test_rules_that_an_agent_can_do_nothing_with_are_left_out(tmp_path: Path) -> None:
    rules = (
        "A shop. It sells books.",
        "Unknown query parameters are ignored. Times are in UTC.",
        "Most requests without credentials return 403.",
        "The rate limit is in the response headers `X-Limit`.",
        "Most errors are JSON objects with `message`.",
    )
    path = spec(tmp_path, {"/orders": {"get": {"responses": {}}}})
    document = json.loads(path.read_text("utf-8"))

    def head(*paragraphs: str) -> str:
        document["info"]["description"] = "\n\n".join(paragraphs)
        path.write_text(json.dumps(document), "utf-8")
        return Toolbox(load(path)).sheets[0].api

    assert head(*rules) == "shop: A shop. It sells books. Times are in UTC."
    assert head(*rules[2:]) == ""


def test_what_objects_and_lists_of_objects_in_a_body_contain_is_shown(tmp_path: Path) -> None:
    text = {"type": "string"}
    record = {"type": "object", "properties": {"content": text, "id": {"type": "integer", "readOnly": True}}}
    line = {"type": "object", "properties": {"name": text, "records": {"type": "array", "items": record}}}
    body = {
        "lines": {"type": "array", "items": line},
        "tags": {"type": "array", "items": text},
        "access": {"type": "object", "properties": {"read": {"type": "array", "items": text}}},
    }
    content = {"application/json": {"schema": {"type": "object", "properties": body}}}
    path = spec(tmp_path, {"/zones": {"post": {"requestBody": {"content": content}, "responses": {"200": {}}}}})
    prompt = messages(NextAction(task="Put it.", operations=Toolbox(load(path)).sheets))[-1]["content"]
    shown = [line.removeprefix("  parameter ") for line in prompt.splitlines() if line.startswith("  parameter ")]
    assert shown == ["lines (array of {name, records: [{content}]})", "tags (array)", "access (object {read})"]


def test_only_the_candidates_of_a_task_are_shown(tools: Toolbox) -> None:
    catalog = load(LIBRARY)
    some = Toolbox(catalog, [OperationKey("library", "GET /me"), OperationKey("library", "GET /books")])
    assert [one.key.operation for one in some.sheets] == ["GET /books", "GET /me"]
    assert some.sheet("POST /books") is None
    assert 0 < some.size(some.sheets) < tools.size(tools.sheets)


def test_names_are_unique_short_and_keep_their_beginning(tmp_path: Path) -> None:
    long = "find_" + "x" * 80
    ids = [long, long, "Read it!", "read_it_", "finish", ""]
    paths = {f"/p{at}": {"get": {"operationId": name, "responses": {}}} for at, name in enumerate(ids)}
    names = [one.name for one in Toolbox(load(spec(tmp_path, paths))).sheets]
    assert len({name.lower() for name in names}) == len(ids)
    assert all(len(name) <= 64 for name in names)
    assert [name.partition("x")[0] for name in names[:2]] == ["find_", "shop_find_"]
    assert names[2:] == ["Read_it", "shop_read_it", "shop_finish", "get_p5"]


def test_a_name_in_path_and_query_is_two_arguments(tmp_path: Path) -> None:
    parameters = [
        {"name": "id", "in": where, "required": True, "schema": {"type": "string"}} for where in ("path", "query")
    ]
    tools = Toolbox(load(spec(tmp_path, {"/a/{id}": {"get": {"parameters": parameters, "responses": {}}}})))
    found = tools.sheets[0]
    assert [one.name for one in found.parameters] == ["id", "query_id"]
    assert tools.bind(found, {"id": "a", "query_id": 2}) == {"path:id": "a", "query:id": "2"}


def test_arguments_are_put_where_they_belong(tools: Toolbox) -> None:
    found = sheet(tools, "post_books_by_book_id_reviews")
    given = {"book_id": "3", "text": "Fine", "stars": 4}
    assert tools.bind(found, given) == {"path:book_id": 3, "body:": {"text": "Fine", "stars": 4}}
    missing = tools.bind(found, {"book_id": 3})
    assert isinstance(missing, Invalid)
    assert (missing.reason, "text" in missing.text) == ("missing-argument", True)


@pytest.mark.parametrize(
    ("value", "kind", "wanted"),
    [
        ("7", "integer", 7),
        (7.0, "integer", 7),
        (7.5, "integer", None),
        ("nan", "number", None),
        (True, "integer", None),
        (7, "string", "7"),
        (True, "string", "true"),
        ("False", "boolean", False),
        ("x", "boolean", None),
        ("a", "array", ["a"]),
        ('["a","b"]', "array", ["a", "b"]),
        ({"a": 1}, "array", None),
        ('{"a": 1}', "object", {"a": 1}),
        ("{", "object", None),
        ({"a": 1}, "any", {"a": 1}),
    ],
)
def test_what_was_only_written_otherwise_is_taken(value: Json, kind: str, wanted: Json) -> None:
    found = convert(value, kind)
    assert found == wanted
    assert type(found) is type(wanted)


def test_a_response_is_shortened_by_what_matters_least(tools: Toolbox) -> None:
    found = sheet(tools, "GET /books")
    items = [
        {"id": number, "title": f"Book {number}", "blurb": "long " * 100, "gone": None, "shelf": {"a": {"b": {"c": 1}}}}
        for number in range(40)
    ]
    text = compress(found, {"items": items})
    assert tokens(text) <= 1024
    read = read_observation(text)
    assert read["items"][0]["title"] == "Book 0"
    assert "gone" not in read["items"][0]
    assert len(read["items"]) > 10
    small = {"items": items[:1]}
    assert json.loads(compress(found, small)) == small


def test_what_is_left_out_of_a_response_is_marked_and_a_count_is_kept(tools: Toolbox) -> None:
    found = sheet(tools, "GET /books")
    deep = {"a": {"b": {"c": {"d": 1}}}, "tags": [str(number) for number in range(7)]}
    items = [{"id": number, "title": "x" * 50, "shelf": deep} for number in range(60)]
    text = compress(found, {"items": items, "next": None, "total": 60})
    assert tokens(text) <= 1024
    assert text.startswith('{"total":60,"items":[{"id":0,')
    assert '"d":1' not in text
    assert '{"a":{"b":"…"},"tags":["0","1","2","3","4","… 2 more"]}' in text
    shown = read_observation(text)
    assert f'"… {60 - len(shown["items"])} more"]}}' in text
    assert shown["items"][-1]["id"] == len(shown["items"]) - 1


def test_a_rule_of_ones_own_may_shorten(tools: Toolbox) -> None:
    """ToolLLM §2.1 and appendix, response compression: the fields that a rule keeps."""
    found = sheet(tools, "GET /books")
    long = {"items": [{"id": number, "title": "x" * 50} for number in range(400)]}
    text = compress(found, long, rule=lambda sheet, value: {"first": value["items"][0]["id"]})
    assert text == '{"first":0}'


def test_failures_say_what_failed(tools: Toolbox) -> None:
    found = sheet(tools, "GET /books")
    invoke = Invoke(found.key, {})
    assert observe(found, called(invoke, {"detail": "no"}, 422)) == 'HTTP 422: {"detail":"no"}'
    assert observe(found, called(invoke, None, 500)) == "HTTP 500."
    assert observe(found, called(invoke, None, 204)) == "Done (HTTP 204, no content)."
