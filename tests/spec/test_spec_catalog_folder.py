"""Files and folders, references between files, and what is wrong with them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from docrev.errors import InputError
from docrev.spec import Catalog, Finding, Place, load, validate

Json = Any

HEAD: Json = {"openapi": "3.0.3", "info": {"title": "T", "version": "1"}}


def write(folder: Path, **files: Json) -> Path:
    """Files by name (`a__b` is a/b.json); a string is YAML or whatever else it is."""
    for name, content in files.items():
        path = folder / (name.replace("__", "/") + (".yaml" if isinstance(content, str) else ".json"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1), encoding="utf-8")
    return folder


def answering(schema: Json) -> Json:
    """A spec with one operation whose answer has this schema."""
    content = {"application/json": {"schema": schema}}
    return HEAD | {"paths": {"/a": {"get": {"responses": {"200": {"description": "Fine.", "content": content}}}}}}


def found(catalog: Catalog) -> list[tuple[str, str]]:
    return [(finding.id, finding.level) for finding in catalog.findings]


def answer_type(catalog: Catalog) -> str | None:
    schema = catalog.operations[0].responses["200"].schema
    return schema.type if schema is not None else None


def test_a_folder_is_read_with_the_folders_in_it_and_hidden_ones_are_not(tmp_path: Path) -> None:
    spec = HEAD | {"paths": {"/a": {"get": {}}}}
    write(
        tmp_path, one=spec, sub__two=spec, sub__deep__three=spec, **{".docrev__four": spec, "node_modules__five": spec}
    )
    catalog = load([tmp_path])
    assert catalog.tools == ("one", "three", "two")
    assert catalog.files["three"] == f"{tmp_path}/sub/deep/three.json"


def test_a_file_that_is_no_spec_is_skipped_with_a_note_unless_it_is_referred_to(tmp_path: Path) -> None:
    ref = {"$ref": "shared/models.yaml#/Thing"}
    write(tmp_path, api=answering(ref), package={"name": "x"}, shared__models="Thing: {type: object}\n")
    catalog = load(tmp_path)
    assert found(catalog) == [("not-openapi", "info")]
    assert catalog.findings[0].file == f"{tmp_path}/package.json"
    schema = catalog.operations[0].responses["200"].schema
    assert schema is not None
    assert schema.place == Place(f"{tmp_path}/shared/models.yaml", "/Thing")
    assert schema.place.file in catalog.documents


def test_references_run_between_files_in_both_directions(tmp_path: Path) -> None:
    write(
        tmp_path,
        api=answering({"$ref": "models/node.json#/Node"}) | {"components": {"schemas": {"Id": {"type": "integer"}}}},
        models__node={
            "Node": {"properties": {"id": {"$ref": "../api.json#/components/schemas/Id"}, "next": {"$ref": "#/Node"}}}
        },
    )
    catalog = load([tmp_path / "api.json"])
    assert catalog.findings == ()
    schema = catalog.operations[0].responses["200"].schema
    assert schema is not None
    assert [(path, one.type) for path, one in schema.walk()] == [
        ("", "object"),
        ("/id", "integer"),
        ("/next", "object"),
    ]
    assert schema.properties()["id"].place == Place(f"{tmp_path}/api.json", "/components/schemas/Id")


def test_path_items_and_whole_files_may_be_referred_to(tmp_path: Path) -> None:
    item = {"parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}], "get": {"summary": "Ask."}}
    write(tmp_path, api=HEAD | {"paths": {"/a": {"$ref": "./items/a.json"}}}, items__a=item)
    operation = load(tmp_path).operations[0]
    assert operation.place == Place(f"{tmp_path}/items/a.json", "/get")
    assert [parameter.key for parameter in operation.parameters] == ["query:q"]


@pytest.mark.parametrize(
    "reference",
    [
        "$ref: types/b.json",
        '"$ref" : types/b.json',
        '{"\\x24ref": "types/b.json"}',
        "? $ref\n      : types/b.json",
        "$ref:\n        types/b.json",
        "$ref: &place types/b.json",
        "$ref: !!str types/b.json",
    ],
)
def test_what_only_unused_parts_refer_to_is_of_the_catalog_however_that_is_written(
    tmp_path: Path, reference: str
) -> None:
    head = 'openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {}\n'
    api = f"{head}components:\n  schemas:\n    B:\n      {reference}\n    C:\n      $ref: '#/components/schemas/B'\n"
    write(tmp_path, api=api, types__b={"type": "string", "maxLength": "3"})
    catalog = load([tmp_path / "api.yaml"])
    assert [*catalog.documents] == [f"{tmp_path}/api.yaml", f"{tmp_path}/types/b.json"]
    assert ("string-number", "warning") in found(catalog)


def test_faults_are_sought_when_they_are_asked_for_and_once(tmp_path: Path) -> None:
    write(tmp_path, api=answering({"type": "string", "maxLength": "3"}))
    catalog = load(tmp_path)
    assert "findings" not in vars(catalog)
    assert catalog.faults is catalog.faults
    assert found(catalog) == [("string-number", "warning")]


def test_all_paths_may_stand_in_another_file(tmp_path: Path) -> None:
    write(tmp_path, api=HEAD | {"paths": {"$ref": "paths.json"}}, paths={"/a": {"get": {"deprecated": "true"}}})
    catalog = load(tmp_path)
    assert [(str(one.key), one.place.file) for one in catalog.operations] == [("api GET /a", f"{tmp_path}/paths.json")]
    assert [(one.id, one.file) for one in catalog.findings] == [("string-boolean", f"{tmp_path}/paths.json")]
    write(tmp_path, api=HEAD | {"paths": {"$ref": "gone.json"}})
    assert ("unresolved-ref", "error") in found(load([tmp_path / "api.json"]))


@pytest.mark.parametrize(
    ("ref", "id"),
    [
        ("#/components/schemas/Nowhere", "unresolved-ref"),
        ("#nowhere", "unresolved-ref"),
        ("#/bad~5escape", "unresolved-ref"),
        ("missing.yaml", "unresolved-ref"),
        ("../outside.json#/A", "unresolved-ref"),
        ("/etc/hostname", "remote-ref"),
        ("file:///etc/hostname", "remote-ref"),
        ("http://127.0.0.1:9/schema.json", "remote-ref"),
        ("https://127.0.0.1:9/schema.json#/A", "remote-ref"),
        ("#/components/schemas/Itself", "circular-ref"),
    ],
)
def test_a_reference_that_is_not_followed_is_a_finding_and_the_rest_loads(tmp_path: Path, ref: str, id: str) -> None:
    tree = answering({"properties": {"bad": {"$ref": ref}, "good": {"type": "string"}}})
    tree["components"] = {"schemas": {"Itself": {"$ref": "#/components/schemas/Itself"}}}
    write(tmp_path, inner__api=tree, outside={"A": {"type": "string"}})
    catalog = load(tmp_path / "inner")
    pointer = "/paths/~1a/get/responses/200/content/application~1json/schema/properties/bad/$ref"
    finding = next(finding for finding in catalog.findings if finding.pointer == pointer)
    text = (tmp_path / "inner" / "api.json").read_text(encoding="utf-8").splitlines()
    assert finding.id == id
    assert f'"$ref": "{ref}"' in text[finding.line - 1]
    schema = catalog.operations[0].responses["200"].schema
    assert schema is not None
    assert {name: one.type for name, one in schema.properties().items()} == {"bad": None, "good": "string"}


def test_a_reference_through_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, inner__api=answering({"$ref": "link.json#/A"}), outside={"A": {"type": "string"}})
    (tmp_path / "inner" / "link.txt").symlink_to(tmp_path / "outside.json")
    tree = answering({"$ref": "link.txt#/A"})
    (tmp_path / "inner" / "api.json").write_text(json.dumps(tree))
    catalog = load(tmp_path / "inner")
    assert found(catalog) == [("unresolved-ref", "error")]
    assert answer_type(catalog) is None


def test_references_in_examples_are_data(tmp_path: Path) -> None:
    write(tmp_path, api=answering({"type": "object", "example": {"$ref": "#/nowhere"}, "default": {"$ref": "x"}}))
    assert load(tmp_path).findings == ()


def test_the_validator_fetches_nothing_and_sees_the_other_files(tmp_path: Path) -> None:
    tree = answering({"$ref": "models.json#/Thing"})
    tree["components"] = {"schemas": {"Far": {"$ref": "http://127.0.0.1:9/far.json"}}}
    write(
        tmp_path,
        api=tree,
        models={"Thing": {"type": "object", "properties": {"n": {"type": "integer", "default": "x"}}}},
    )
    catalog = load(tmp_path)
    [finding] = validate(catalog.documents[f"{tmp_path}/api.json"], catalog.refs)
    assert (finding.id, finding.file) == ("invalid", f"{tmp_path}/models.json")
    assert finding.pointer == "/Thing/properties/n/default"
    assert "'x' is not of type 'integer'" in finding.message


def refused(path: Path | str, **options: Json) -> str:
    with pytest.raises(InputError) as caught:
        load([path], **options)
    line = str(caught.value)
    assert "\n" not in line
    assert caught.value.exit_code == 2
    return line


def test_no_such_file(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.yaml").startswith(f"{tmp_path}/none.yaml: no such file")


def test_an_empty_folder(tmp_path: Path) -> None:
    assert "holds no .json, .yaml or .yml file" in refused(tmp_path)


def test_a_folder_without_a_spec(tmp_path: Path) -> None:
    write(tmp_path, package={"name": "x"})
    assert "no file in the folder is an OpenAPI document" in refused(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "openapi: [",
        "just words",
        "",
        '{"openapi": "3.0.0", "paths": {',
        "a: b",
        "[]",
        "swagger: '1.2'",
        "openapi: 4.0.0",
    ],
)
def test_a_file_that_is_no_spec(tmp_path: Path, content: str) -> None:
    write(tmp_path, bad=content)
    assert refused(tmp_path / "bad.yaml").startswith(f"{tmp_path}/bad.yaml")
    assert str(tmp_path) in refused(tmp_path)


def test_a_bad_file_among_good_ones_is_a_finding(tmp_path: Path) -> None:
    write(tmp_path, good=HEAD | {"paths": {"/a": {"get": {}}}}, truncated='{"openapi": "3.0.0",\n "paths": {')
    catalog = load(tmp_path)
    assert [str(operation.key) for operation in catalog.operations] == ["good GET /a"]
    assert found(catalog) == [("unreadable-file", "error")]


def test_a_version_that_is_not_read_is_told(tmp_path: Path) -> None:
    write(tmp_path, good=HEAD | {"paths": {"/a": {"get": {}}}}, old={"swagger": "1.2", "apis": []})
    catalog = load(tmp_path)
    assert (catalog.tools, found(catalog)) == (("good",), [("unsupported-version", "error")])


def test_a_file_over_the_size(tmp_path: Path) -> None:
    write(tmp_path, big=HEAD | {"paths": {}, "x-filler": "x" * 2000})
    assert "--max-spec-size" in refused(tmp_path / "big.json", max_size=1000)
    assert load([tmp_path / "big.json"], max_size=5000).tools == ("big",)


def test_a_spec_named_twice_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, api=HEAD | {"paths": {"/a": {"get": {}}}})
    monkeypatch.chdir(tmp_path)
    assert load([tmp_path, "api.json", Path("../") / tmp_path.name / "api.json"]).tools == ("api",)


def test_paths_with_dots_still_lead_to_the_same_documents(tmp_path: Path) -> None:
    write(
        tmp_path,
        x__api=answering({"$ref": "../x/api.json#/components/schemas/A"})
        | {"components": {"schemas": {"A": {"type": "number"}}}},
    )
    catalog = load([f"{tmp_path}/x/../x/api.json"])
    assert answer_type(catalog) == "number"
    assert list(catalog.documents) == [f"{tmp_path}/x/api.json"]


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, api=HEAD | {"paths": {"/a": {"get": {}}}})
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "gone.json").symlink_to(tmp_path / "nowhere.json")
    catalog = load(tmp_path)
    assert (catalog.tools, catalog.findings) == (("api",), ())


def test_findings_say_where_in_one_line() -> None:
    finding = Finding("some-id", "warning", "a.yaml", 7, "/paths", "what is wrong", "mend it")
    assert finding.where == "a.yaml:7"
    assert str(finding) == "a.yaml:7: warning: what is wrong at /paths; mend it [some-id]"
