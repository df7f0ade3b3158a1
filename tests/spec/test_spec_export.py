"""There, back and there again; and specs that were never imported, for those who read no OpenAPI."""

from __future__ import annotations

import copy
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importkit import PACKAGES, TOOL, WEATHER, again, errors, put

from docrev.errors import UsageError
from docrev.spec import Catalog, Document, load
from docrev.spec.formats import export, read
from docrev.spec.formats.fitted_schemas import fitted, restored
from docrev.spec.formats.names import LEGAL
from docrev.spec.plain_data import same

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
SHOPS = """openapi: 3.1.0
info: {title: Shops, version: "1"}
servers: [{url: https://shops.example.org/v1}]
paths:
  /shops/{id}:
    put:
      operationId: putShop
      description: Writes one shop.
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}, description: Its number.}
        - {name: id, in: query, schema: {type: string}}
        - {name: "X-Trace", in: header, schema: {type: string}, example: t-1}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Shop"}
      responses:
        "200": {description: Done., content: {application/json: {schema: {$ref: "#/components/schemas/Shop"}}}}
      x-docrev:
        experience:
          - text: For the number of a shop, use `GET /shops`.
            use: GET /shops
          - text: First read the shops with `GET /shops`.
  /shops:
    get:
      operationId: listShops
      summary: Lists shops.
      responses: {"200": {description: Fine.}}
components:
  schemas:
    Shop:
      type: object
      required: [name]
      properties:
        name: {type: string, description: Its name.}
        parent: {$ref: "#/components/schemas/Shop"}
"""
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALAR = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-2, 2) | TEXT | st.sampled_from(["5", "true", "[]"])
VALUE = SCALAR | st.lists(SCALAR, max_size=2) | st.dictionaries(TEXT, SCALAR, max_size=2)
TYPE = st.sampled_from(
    ["string", "number", "integer", "object", "array", "dict", "float", "any", ["string", "null"], 5]
)
REF = st.sampled_from(["#/$defs/A", "#/properties/a", "#", "#/nowhere", "http://x.example/s", "#anchor", 4])
WORDS = st.sampled_from(
    ["minimum", "minLength", "title", "default", "enum", "examples", "required", "pattern", "example"]
)
MORE_WORDS = st.sampled_from(
    ["$schema", "$id", "deprecated", "xml", "x-mine", "x-json-schema-type", "const", "pattern"]
)


def _around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    inner = inner | VALUE
    named = st.dictionaries(st.sampled_from(["a", "b", "A"]), inner, max_size=2)
    known = {"type": TYPE, "properties": named, "$defs": named, "items": inner, "anyOf": st.lists(inner, max_size=2)}
    parts = st.fixed_dictionaries({}, optional=known | {"additionalProperties": inner, "$ref": REF})
    return st.builds(lambda one, two: one | two, parts, st.dictionaries(WORDS | MORE_WORDS, VALUE, max_size=3))


SCHEMA = st.recursive(st.fixed_dictionaries({"type": TYPE}), _around, max_leaves=4)
NAME = st.sampled_from(["id", "q", "Get One", "get one", "a.b", "x" * 80, "数", "and/or"]) | TEXT.filter(str.strip)
PARAMETER = st.fixed_dictionaries(
    {"name": NAME | SCALAR},
    optional={
        "type": st.sampled_from(["STRING", "NUMBER", "string", "BOOLEAN", "ENUM", "ARRAY", "OBJECT", "MAP"]) | VALUE,
        "description": TEXT | VALUE,
        "default": VALUE,
        "in": st.sampled_from(["query", "header", "body", "path", "nowhere"]),
        "schema": SCHEMA | VALUE,
        "enum": st.lists(TEXT, max_size=2),
        "implied": VALUE,
        "_optional": VALUE,
        "more": VALUE,
    },
)
URL = st.sampled_from(
    [
        "https://a.example/x/{id}",
        "https://a.example/x?k=v",
        "http://b.example",
        "/y/{id}/{id}",
        "ftp://c/{",
        "z",
        "",
        5,
        None,
    ]
)
SKETCH = st.recursive(
    st.sampled_from(["str", "int", "empty list", "list of str with length 2", "?", 3, None]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["a", "type", "properties", "_list_length"]), inner | st.just(4), max_size=3)
    ),
    max_leaves=5,
)
API = st.fixed_dictionaries(
    {"name": NAME},
    optional={
        "url": URL,
        "method": st.sampled_from(["GET", "POST", "get", "Fetch", "", None, 4]),
        "description": TEXT | VALUE,
        "required_parameters": st.lists(PARAMETER | VALUE, max_size=3) | SCALAR,
        "optional_parameters": st.lists(PARAMETER, max_size=3),
        "template_response": SKETCH,
        "schema": SKETCH | SCHEMA,
        "api_name": VALUE,
        "statuscode": SCALAR,
    },
)
ABOUT = st.fixed_dictionaries(
    {"tool_name": NAME},
    optional={"title": TEXT, "tool_description": TEXT | VALUE, "category_name": TEXT, "home": VALUE, "tool": VALUE},
)
RECORD = st.builds(lambda about, apis: about | {"api_list": apis}, ABOUT, st.lists(API, min_size=1, max_size=4))
FUNCTION = st.fixed_dictionaries(
    {"name": NAME}, optional={"description": TEXT | VALUE, "parameters": SCHEMA | VALUE, "strict": VALUE, "form": VALUE}
)
FUNCTIONS = st.lists(
    FUNCTION
    | st.builds(lambda one, more: {"type": "function", "function": one} | more, FUNCTION, st.dictionaries(TEXT, SCALAR))
    | st.builds(lambda one: {"type": "function"} | one, FUNCTION),
    min_size=1,
    max_size=4,
)
TOOLS = st.lists(
    st.fixed_dictionaries(
        {"name": NAME},
        optional={
            "title": TEXT,
            "description": TEXT,
            "inputSchema": SCHEMA | VALUE,
            "outputSchema": SCHEMA,
            "_meta": VALUE,
        },
    ),
    min_size=1,
    max_size=4,
)


def round_trip(format: str, tree: Any) -> None:
    """Import, export and import again give the same files, and they are valid."""
    with tempfile.TemporaryDirectory() as folder:
        first = read(format, [put(Path(folder) / "source" / "tools.json", tree)])
        second = again(format, first, Path(folder) / "out")
        assert second.texts() == first.texts()
        assert second.left_out == 0
        assert errors(first.catalog()) == []


@settings(max_examples=40, deadline=None)
@given(st.lists(RECORD, min_size=1, max_size=3))
def test_toolbench_comes_back_as_it_was(tree: Any) -> None:
    round_trip("toolbench", tree)


def test_an_optional_parameter_of_a_path_keeps_its_place() -> None:
    parameters = [{"name": "0"}, {"name": "id"}]
    api = {"name": "id", "url": "https://a.example/x/{id}", "optional_parameters": parameters}
    round_trip("toolbench", [{"tool_name": "id", "api_list": [api]}])


@settings(max_examples=25, deadline=None)
@given(FUNCTIONS)
def test_functions_come_back_as_they_were(tree: Any) -> None:
    round_trip("functions", tree)


@pytest.mark.parametrize("text", [" ", " a ", "\n"])
def test_blanks_of_a_description_come_back(text: str) -> None:
    round_trip("functions", [{"name": "id", "description": text}])


@settings(max_examples=20, deadline=None)
@given(TOOLS)
def test_mcp_comes_back_as_it_was(tree: Any) -> None:
    round_trip("mcp", tree)


@settings(max_examples=100, deadline=None)
@given(SCHEMA)
def test_schemas_come_back_as_they_were(schema: Any) -> None:
    assert same(restored(fitted(schema, "/at/x"), "/at/x"), schema)


@pytest.mark.parametrize(
    ("format", "tree"),
    [
        ("functions", WEATHER),
        ("functions", {"tools": [WEATHER, {"type": "web_search"}], "model": "m"}),
        ("mcp", {"jsonrpc": "2.0", "id": 1, "result": {"tools": [TOOL]}}),
        ("mcp", [TOOL]),
    ],
)
def test_the_source_itself_comes_back(format: str, tree: Any, tmp_path: Path) -> None:
    imported = read(format, [put(tmp_path / "a.json", tree)])
    assert export(format, imported.catalog(), alone=True).files[""] == tree


def test_toolbench_record_itself_comes_back(tmp_path: Path) -> None:
    imported = read("toolbench", [put(tmp_path / "a.json", PACKAGES)])
    [record] = export("toolbench", imported.catalog()).files.values()
    wanted = copy.deepcopy(PACKAGES) | {"category_name": ""}
    assert record == wanted


def test_changed_text_and_type_are_exported_not_the_old_ones(tmp_path: Path) -> None:
    imported = read("toolbench", [put(tmp_path / "a.json", PACKAGES)])
    text = next(iter(imported.texts().values()))
    text = text.replace("One parcel by its id.", "Better words.").replace("default: 2.5", "default: 7.5")
    [record] = export("toolbench", Catalog.of([Document.parse(text, "a.yaml")])).files.values()
    assert isinstance(record, dict)
    assert record["api_list"][0]["description"] == "Better words."
    assert record["api_list"][0]["optional_parameters"][0]["default"] == "7.5"


@pytest.fixture
def shops() -> Catalog:
    return Catalog.of([Document.parse(SHOPS, "shops.yaml")])


def test_any_spec_as_functions(shops: Catalog) -> None:
    result = export("functions", shops, alone=True)
    put_shop, listed = (item["function"] for item in result.files[""])  # type: ignore[index, union-attr]
    assert put_shop["name"] == "putShop"
    parameters = put_shop["parameters"]
    assert list(parameters["properties"]) == ["id", "id_query", "X-Trace", "name", "parent"]
    assert parameters["required"] == ["id", "name"]
    assert parameters["properties"]["id"] == {"type": "integer", "description": "Its number."}
    assert parameters["properties"]["X-Trace"]["examples"] == ["t-1"]
    assert parameters["properties"]["parent"]["properties"]["parent"] == {"$ref": "#/$defs/Shop"}
    assert parameters["$defs"]["Shop"]["properties"]["parent"] == {"$ref": "#/$defs/Shop"}
    assert result.table["putShop"] == {
        "name": "putShop",
        "tool": "shops",
        "operation": "PUT /shops/{id}",
        "arguments": {
            "id": "path:id",
            "id_query": "query:id",
            "X-Trace": "header:X-Trace",
            "name": "body:/name",
            "parent": "body:/parent",
        },
    }
    assert listed["description"] == "Lists shops."
    assert put_shop["description"].startswith("Writes one shop.\n\nFor the number of a shop, use listShops.")
    assert "First read the shops with listShops." in put_shop["description"]


def test_experience_is_dropped_before_the_description_is_cut(shops: Catalog) -> None:
    long = SHOPS.replace("Writes one shop.", "Writes one shop. " + "Word " * 195)
    result = export("functions", Catalog.of([Document.parse(long, "shops.yaml")]), alone=True)
    text = result.files[""][0]["function"]["description"]  # type: ignore[index, call-overload]
    assert len(text) <= 1024
    assert text.endswith("Word")
    longer = SHOPS.replace("Writes one shop.", "Writes one shop. " + "Word " * 300)
    catalog = Catalog.of([Document.parse(longer, "shops.yaml")])
    text = export("functions", catalog, alone=True).files[""][0]["function"]["description"]  # type: ignore[index, call-overload]
    assert 1000 < len(text) <= 1024
    assert text.endswith("Word…")
    assert export("functions", catalog, alone=True, whole=True).cut == 0


def test_any_spec_as_mcp_and_toolbench(shops: Catalog) -> None:
    tools = export("mcp", shops, alone=True).files[""]["tools"]  # type: ignore[index, call-overload]
    assert [tool.get("annotations") for tool in tools] == [None, {"readOnlyHint": True}]
    assert "outputSchema" not in tools[0]
    [record] = export("toolbench", shops).files.values()
    put_shop, listed = record["api_list"]  # type: ignore[index, call-overload]
    assert put_shop["url"] == "https://shops.example.org/v1/shops/{id}"
    assert [(one["name"], one.get("in")) for one in put_shop["required_parameters"]] == [("id", None), ("name", None)]
    assert [(one["name"], one.get("in")) for one in put_shop["optional_parameters"]] == [
        ("id", "query"),
        ("X-Trace", "header"),
        ("parent", None),
    ]
    assert put_shop["template_response"]["name"] == "str"
    assert listed["name"] == "listShops"


def test_names_shared_by_two_tools_are_told_apart() -> None:
    documents = [Document.parse(SHOPS, name) for name in ("a.yaml", "b.yaml")]
    result = export("functions", Catalog.of(documents))
    assert result.renamed == len(result.table) == 4
    assert all(LEGAL.fullmatch(name) for name in result.table)


def test_no_such_format(shops: Catalog) -> None:
    with pytest.raises(UsageError, match="no such format"):
        export("nonsense", shops)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared/data")
def test_public_data_comes_back_as_it_was(tmp_path: Path) -> None:
    first = read(
        "toolbench",
        [SHARED / "toolbench" / "instruction", SHARED / "stabletoolbench" / "solvable_queries" / "G3_instruction.json"],
    )
    assert again("toolbench", first, tmp_path).texts() == first.texts()


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared/data")
@pytest.mark.parametrize("format", ["functions", "mcp", "toolbench"])
@pytest.mark.parametrize("name", ["restbench/spotify_oas", "openapi/language-tool"])
def test_real_specs_are_exported_whole(format: str, name: str, tmp_path: Path) -> None:
    catalog = load(SHARED / f"{name}.json")
    result = export(format, catalog)
    assert result.operations == len(catalog)
    result.write(tmp_path)
    back = read(format, [tmp_path])
    assert (back.operations, back.left_out) == (len(catalog), 0)
    assert errors(back.catalog()) == []
    assert json.dumps(list(result.files.values())).count("x-docrev") == 0
