"""ToolBench's data as OpenAPI: tool files, instruction files, sketches, and what is wrong in them."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from importkit import PACKAGES, errors, put

from docrev.errors import InputError
from docrev.records import OperationKey
from docrev.spec import validate
from docrev.spec.formats import read
from docrev.spec.formats.toolbench.api_names import apis, relevant

QUERY = {
    "query": "Where is my parcel?",
    "query_id": 7,
    "relevant APIs": [["Parcel Post", "Get Parcel"]],
    "api_list": [
        {
            "category_name": "Logistics",
            "tool_name": "Parcel Post",
            "api_name": "Get Parcel",
            "api_description": "",
            "required_parameters": [],
            "optional_parameters": [{"name": "id", "type": "STRING", "description": "", "default": ""}],
            "method": "GET",
        },
        {
            "category_name": "Logistics",
            "tool_name": "Parcel Post",
            "api_name": "Health",
            "api_description": "Whether it works.",
            "required_parameters": [],
            "optional_parameters": [{"name": "deep", "type": "string", "description": "", "default": 5}],
            "method": "GET",
        },
    ],
}
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def test_tool_file_becomes_a_valid_document(tmp_path: Path) -> None:
    put(tmp_path / "tools" / "Logistics" / "parcel_post.json", PACKAGES)
    result = read("toolbench", [tmp_path / "tools"])
    catalog = result.catalog()
    assert errors(catalog) == []
    assert result.warnings == []
    [document] = result.documents.values()
    assert list(result.documents) == ["parcel_post"]
    assert document["x-category"] == "Logistics"
    assert document["tags"] == [{"name": "Logistics"}]
    assert document["servers"] == [{"url": "https://parcels.example.org"}]
    assert document["x-toolbench"] == {"tool_name": "Parcel Post", "home_url": "https://example.org/parcels"}
    assert {str(operation.key) for operation in catalog.operations} == {
        "parcel_post GET /parcels/{id}",
        "parcel_post POST /search",
    }


def test_parameters_keep_type_default_and_place(tmp_path: Path) -> None:
    catalog = read("toolbench", [put(tmp_path / "a.json", PACKAGES)]).catalog()
    get, search = catalog.operations
    told = {parameter.key: parameter.schema.node for parameter in get.parameters}
    assert told == {
        "path:id": {"type": "string", "default": "P-7"},
        "query:weight": {"type": "number", "default": 2.5},
        "query:since": {"type": "string", "format": "date"},
        "query:area": {},
        "query:express": {"type": "boolean", "default": True},
        "query:size": {"type": "string", "enum": ["s", "m"], "default": "s"},
    }
    raw = catalog.documents["a.yaml" if "a.yaml" in catalog.documents else "parcel_post.yaml"]
    extras = {p["name"]: p.get("x-toolbench") for p in raw.get(f"{get.place.pointer}/parameters")}
    assert extras["since"] == {"default": "2024-02-30x"}
    assert extras["area"] == {"type": "GEOPOINT (latitude, longitude)"}
    assert extras["weight"] is None
    assert search.body is not None
    assert search.body.schema is not None
    assert set(search.body.schema.properties()) == {"text", "limit"}, "optional ones are kept where none is required"
    assert not search.body.required


def test_response_sketch_is_a_schema(tmp_path: Path) -> None:
    catalog = read("toolbench", [put(tmp_path / "a.json", PACKAGES)]).catalog()
    schema = catalog.operations[0].responses["200"].schema
    assert schema is not None
    steps = schema.properties()["steps"].items()
    assert steps is not None
    assert {name: field.type for name, field in steps.properties().items()} == {"at": "string", "km": "number"}


def test_instruction_files_merge_into_distinct_apis(tmp_path: Path) -> None:
    other = copy.deepcopy(QUERY)
    other["api_list"][0]["api_description"] = "Told only here."  # type: ignore[index]
    put(tmp_path / "q" / "G1.json", [QUERY])
    put(tmp_path / "q" / "G2.json", [other])
    result = read("toolbench", [tmp_path / "q"])
    assert (result.operations, result.duplicates, result.left_out) == (2, 2, 0)
    catalog = result.catalog()
    found = apis(catalog).operation_key("Logistics", "Parcel Post", "Get Parcel")
    assert found == OperationKey("parcel_post", "GET /get_parcel")
    assert catalog[found].description == "Told only here."
    assert [apis(catalog).operation_key(*name) for name in relevant(QUERY)] == [found]
    assert apis(catalog).operation_key("", "Parcel Post", "Health") is not None
    assert apis(catalog).operation_key("Food", "Parcel Post", "Health") is None


def test_tool_file_and_instruction_of_one_tool_come_together(tmp_path: Path) -> None:
    put(tmp_path / "tools" / "Logistics" / "p.json", PACKAGES)
    result = read("toolbench", [tmp_path / "tools", put(tmp_path / "G1.json", [QUERY])])
    assert (len(result.documents), result.operations) == (1, 3)


def test_differing_word_on_the_same_api_is_kept_as_a_variant(tmp_path: Path) -> None:
    one, two = copy.deepcopy(QUERY), copy.deepcopy(QUERY)
    one["api_list"][1]["api_description"] = "Something else."  # type: ignore[index]
    [document] = read("toolbench", [put(tmp_path / "q.json", [one, two])]).documents.values()
    operation = document["paths"]["/health"]["get"]
    assert operation["description"] == "Something else."
    assert operation["x-toolbench"]["variants"] == [{"description": "Whether it works."}]


def test_sketches_lie_beside_the_tool_of_their_name(tmp_path: Path) -> None:
    put(
        tmp_path / "sketches" / "Logistics" / "parcel_post.json",
        {"api_list": [{"name": "health", "schema": {"ok": "bool"}}]},
    )
    result = read("toolbench", [put(tmp_path / "q.json", QUERY), tmp_path / "sketches"])
    assert result.operations == 2
    schema = result.catalog()[OperationKey("parcel_post", "GET /health")].responses["200"].schema
    assert schema is not None
    assert set(schema.properties()) == {"ok"}


def test_same_url_twice_and_same_slug_twice_stay_apart(tmp_path: Path) -> None:
    record = copy.deepcopy(PACKAGES)
    first = {"name": "List", "url": "https://x.example/all?kind=a", "method": "GET"}
    second = {"name": "list!", "url": "https://x.example/all?kind=b", "method": "GET"}
    record["api_list"] = [first, second, {"name": "No URL"}, {"name": "no url"}]
    result = read("toolbench", [put(tmp_path / "a.json", record)])
    catalog = result.catalog()
    assert errors(catalog) == []
    assert len({operation.operation_id for operation in catalog.operations}) == 4
    kinds = [parameter.schema.enum for parameter in catalog.operations[0].parameters]
    assert kinds == [["a"]], "what the URL fixes in its query is sent"
    assert all(operation.path.startswith(("/all#list-", "/no_url_")) for operation in catalog.operations)


def test_tools_of_one_name_get_their_category_in_the_files_name(tmp_path: Path) -> None:
    listed = [dict(QUERY["api_list"][1], category_name=name) for name in ("Food", "Sports")]  # type: ignore[index]
    result = read("toolbench", [put(tmp_path / "q.json", [{"query": "?", "api_list": listed}])])
    assert list(result.documents) == ["parcel_post_for_food", "parcel_post_for_sports"]
    ids = {operation.operation_id for operation in result.catalog().operations}
    assert len(ids) == 2, "names are unique over all tools"


def test_bad_entries_are_counted_and_the_rest_imported(tmp_path: Path) -> None:
    deep: object = "str"
    for _ in range(60):
        deep = {"x": deep}
    item = QUERY["api_list"][1]  # type: ignore[index]
    bad = [
        "nonsense",
        {"tool_name": "x"},
        dict(item, api_name="deep", template_response=deep),
        dict(item, api_name="\ud800"),
    ]
    path = put(tmp_path / "q.json", [{"query": "?", "api_list": [*bad, item], "relevant APIs": [["No", "Such"]]}, {}])
    result = read("toolbench", [path])
    assert (result.operations, result.left_out) == (1, 4)
    assert f"{path}: /0/api_list/0: no tool_name and api_name: left out" in result.warnings
    assert any("nested more than" in line for line in result.warnings)
    assert any("No Such is not in the query's api_list" in line for line in result.warnings)
    assert any("1 of 2 queries have no api_list" in line for line in result.warnings)


def test_duplicate_parameters_and_odd_methods_are_kept_aside(tmp_path: Path) -> None:
    twice = [{"name": "id", "type": "STRING", "description": "", "default": ""}] * 2
    record = {"name": "x", "method": "Fetch", "required_parameters": [*twice, "what"], "optional_parameters": "none"}
    [document] = read("toolbench", [put(tmp_path / "a.json", dict(PACKAGES, api_list=[record]))]).documents.values()
    operation = document["paths"]["/x"]["post"]
    assert list(operation["requestBody"]["content"]["application/json"]["schema"]["properties"]) == ["id"]
    assert operation["x-toolbench"]["set_aside"] == {"required_parameters": [twice[0], "what"]}
    assert operation["x-toolbench"]["method"] == "Fetch"
    assert operation["x-toolbench"]["optional_parameters"] == "none"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", ":1: the file is empty"),
        ("[1, 2", ":1: this is not JSON"),
        ("[]", "an empty list"),
        ('{"tree": {}}', "neither a tool with its api_list nor a list of queries"),
        ('{"openapi": "3.1.0"}', "an OpenAPI document already"),
        ("[" * 2000 + "]" * 2000, "nested more than 1,000 deep"),
        ('[{"query": "?"}]', "1 of 1 queries have no api_list"),
    ],
)
def test_useless_sources_are_one_line(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        read("toolbench", [path])
    assert words in str(error.value)
    assert "a.json" in str(error.value)


def test_no_text_and_missing_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read("toolbench", [tmp_path / "none.json"])
    with pytest.raises(InputError, match=r"no \.json file"):
        read("toolbench", [tmp_path])
    (tmp_path / "a.json").write_bytes(b"\xff\xfe[")
    with pytest.raises(InputError, match="not UTF-8"):
        read("toolbench", [tmp_path / "a.json"])


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared/data")
def test_public_instruction_files_are_imported_whole() -> None:
    folders = [SHARED / "stabletoolbench" / "solvable_queries", SHARED / "toolbench" / "instruction"]
    result = read("toolbench", folders)
    assert (result.operations, result.left_out) == (1458, 0)
    catalog = result.catalog()
    assert [finding for finding in catalog.findings if finding.level == "error"] == []
    some = list(catalog.documents.values())[::12]
    assert [finding for document in some for finding in validate(document, catalog.refs)] == []
    known = apis(catalog)
    told = [query for folder in folders for path in folder.glob("*.json") for query in json.loads(path.read_text())]
    names = [name for query in told for name in relevant(query)]
    assert len(names) == 1203
    assert all(known.operation_key(*name) for name in names)
