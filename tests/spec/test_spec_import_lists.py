"""Function schemas, MCP lists, DRAFT and EasyTool records as OpenAPI."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from importkit import TOOL, WEATHER, errors, put

from docrev.errors import InputError
from docrev.spec import load
from docrev.spec.formats import read

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
BARE = WEATHER["function"]
ENDPOINT = {
    "ID": 0,
    "tool_name": "GET_movie_movie_id",
    "description": "One movie.",
    "url": "http://api.example.org/3/movie/{movie_id}",
    "required_parameters": [],
    "optional_parameters": [
        {"name": "page", "schema": {"type": "integer", "default": "1"}, "in": "query", "required": "false"}
    ],
    "example": {"User Query": "Which movie is 5?"},
}
EASY = {
    "ID": 1,
    "tool_name": "/search/tv",
    "tool_description": "Finds shows.",
    "tool_usage": "GET /search/tv",
    "Example": {"Scenario": "A show by name.", "Parameters": {"input": "GET /search/tv?query=Friends"}},
}
GUIDED = {
    "ID": 2,
    "category": "Media",
    "tool_name": "Vimeo",
    "tool_description": "Videos.",
    "tool_guidelines": {
        "Search": {
            "name": "Search",
            "description": "Finds videos.",
            "required_parameters": [{"name": "q", "type": "STRING", "description": "Words.", "default": ""}],
            "optional_parameters": [],
        }
    },
}


@pytest.mark.parametrize(
    "tree",
    [
        WEATHER,
        [WEATHER],
        {"tools": [WEATHER], "model": "m"},
        {"functions": [BARE]},
        [dict(BARE, type="function")],
        [{"name": "get_weather", "description": "The weather of a city.", "input_schema": BARE["parameters"]}],
    ],
)
def test_every_form_of_a_function_is_the_same_operation(tree: Any, tmp_path: Path) -> None:
    catalog = read("functions", [put(tmp_path / "fns.json", tree)]).catalog()
    assert errors(catalog) == []
    [operation] = catalog.operations
    assert str(operation.key) == "fns POST /get_weather"
    assert operation.description == "The weather of a city."
    assert operation.body is not None
    assert operation.body.schema is not None
    fields = operation.body.schema.properties()
    assert fields["city"].type == "string", "the reference into the schema's own $defs is followed"
    assert operation.body.schema.required == {"city"}


def test_schemas_of_other_dialects_are_made_valid_and_kept(tmp_path: Path) -> None:
    odd = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "dict",
        "required": ["a"],
        "properties": {
            "a": {"type": "float", "minimum": "0", "default": "x", "required": True},
            "b": {"$ref": "other.json#/x"},
            "c": None,
            "d": {"type": "string", "pattern": "(", "default": "v"},
        },
    }
    result = read("functions", [put(tmp_path / "f.json", {"name": "odd.one", "parameters": odd})])
    catalog = result.catalog()
    assert errors(catalog) == []
    [operation] = catalog.operations
    assert operation.name == "odd_one"
    assert operation.body is not None
    assert operation.body.schema is not None
    node = operation.body.schema.node
    assert (node["type"], node["x-json-schema-type"]) == ("object", "dict")
    a = node["properties"]["a"]
    assert (a["type"], a["minimum"], a["x-json-schema-minimum"]) == ("number", 0, "0")
    assert (a["x-json-schema-default"], a["x-json-schema-required"]) == ("x", True)


def test_twins_of_a_name_and_what_is_no_function(tmp_path: Path) -> None:
    other = dict(WEATHER, function=dict(BARE, description="Something else."))
    path = put(tmp_path / "f.json", [WEATHER, WEATHER, other, {"type": "web_search"}, 5, {"name": ""}])
    result = read("functions", [path])
    assert (result.operations, result.duplicates, result.left_out) == (1, 1, 3)
    assert result.documents["f"]["x-functions"] == {"others": [{"type": "web_search"}]}
    assert f"{path}: /2: another get_weather comes before it: left out" in result.warnings


@pytest.mark.parametrize(
    "tree", [[TOOL], {"tools": [TOOL]}, {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL], "nextCursor": "x"}}]
)
def test_mcp_list_in_every_wrapping(tree: Any, tmp_path: Path) -> None:
    result = read("mcp", [put(tmp_path / "files.json", tree)])
    catalog = result.catalog()
    assert errors(catalog) == []
    [operation] = catalog.operations
    assert (operation.summary, operation.description) == ("Read a file", "Reads one file.")
    assert operation.responses["200"].schema is not None
    raw = result.documents["files"]["paths"]["/read_file"]["post"]["x-mcp"]
    assert raw == {"rest": {"annotations": {"readOnlyHint": True}, "_meta": {"since": 2}}}
    assert any("nextCursor" in line for line in result.warnings) == (isinstance(tree, dict) and "result" in tree)


def test_mcp_error_is_said(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "not now"}})
    with pytest.raises(InputError, match="but an error: not now"):
        read("mcp", [path])


def test_draft_endpoints_have_the_specs_paths(tmp_path: Path) -> None:
    other = dict(ENDPOINT, tool_name="GET_movie_popular", url="http://api.example.org/3/movie/popular")
    result = read("draft", [put(tmp_path / "TMDB.json", {"0": ENDPOINT, "1": other})])
    catalog = result.catalog()
    assert errors(catalog) == []
    assert catalog.servers == {"TMDB": ("http://api.example.org/3",)}
    get, popular = catalog.operations
    assert (get.key.operation, popular.key.operation) == ("GET /movie/{movie_id}", "GET /movie/popular")
    assert [parameter.key for parameter in get.parameters] == ["path:movie_id", "query:page"]
    assert get.parameters[1].schema.node == {"type": "integer", "default": 1, "x-json-schema-default": "1"}
    assert result.documents["TMDB"]["paths"]["/movie/{movie_id}"]["get"]["x-toolbench"] == {
        "api_name": "GET_movie_movie_id",
        "ID": 0,
        "example": {"User Query": "Which movie is 5?"},
    }


def test_easytool_usage_gives_the_operation_and_its_example_the_query(tmp_path: Path) -> None:
    catalog = read("easytool", [put(tmp_path / "tmdb.json", [EASY])]).catalog()
    [operation] = catalog.operations
    assert operation.key.operation == "GET /search/tv"
    assert operation.description == "Finds shows."
    assert [(p.key, p.required, p.example) for p in operation.parameters] == [("query:query", False, "Friends")]


@pytest.mark.parametrize("format", ["draft", "easytool"])
def test_guidelines_are_a_tool_of_apis(format: str, tmp_path: Path) -> None:
    result = read(format, [put(tmp_path / "x.json", {"2": GUIDED, "3": {"nothing": 1}})])
    assert (list(result.documents), result.left_out) == (["vimeo"], 1)
    [operation] = result.catalog().operations
    assert (operation.description, operation.tags) == ("Finds videos.", ("Media",))


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared/data")
@pytest.mark.parametrize(("name", "spec"), [("TMDB", "tmdb_oas.json"), ("Spotify", "spotify_oas.json")])
def test_drafts_documents_have_the_operations_of_restbench(name: str, spec: str) -> None:
    result = read("draft", sorted((SHARED / "draft").glob(f"{name}_*.json")))
    catalog = result.catalog()
    assert errors(catalog) == []
    known = {operation.key.operation for operation in load(SHARED / "restbench" / spec).operations}
    for kind in ("Initial", "DRAFT"):
        assert {operation.key.operation for operation in catalog.of_tool(f"{name}_{kind}")} == known
    described = json.loads((SHARED / "draft" / f"{name}_DRAFT.json").read_text())
    texts = {operation.description for operation in catalog.of_tool(f"{name}_DRAFT")}
    assert texts == {record["description"] for record in described.values()}
