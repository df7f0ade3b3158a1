"""What a comparison finds, and what it must not find."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docrev.errors import InputError
from docrev.spec.diff import Difference, compare, table
from docrev.spec.diff.formats import FORMATS, show
from docrev.spec.document import Document

DATA = Path(__file__).parent / "data" / "diff"
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def spec(paths: Any, **rest: Any) -> Any:
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths, **rest}


def get(**operation: Any) -> Any:
    return spec({"/x": {"get": operation}})


def found(old: Any, new: Any) -> list[Difference]:
    """The differences of two trees, after a look at what must hold for any."""
    entries = list(compare(parsed(old, "old.json"), parsed(new, "new.json")).entries)
    assert {entry.id for entry in entries} <= set(table())
    assert len({entry.fingerprint for entry in entries}) == len(entries)
    return entries


def parsed(tree: Any, name: str) -> Document:
    return Document.parse(json.dumps(tree), name)


def ids(old: Any, new: Any) -> list[tuple[str, str]]:
    return [(entry.id, entry.location) for entry in found(old, new)]


def named(name: str) -> Document:
    return Document.parse((DATA / name).read_bytes(), name)


def test_a_document_has_no_difference_from_itself() -> None:
    assert not compare(named("before.yaml"), named("before.yaml"))


def test_yaml_and_json_and_one_long_line_are_no_difference() -> None:
    before = named("before.yaml")
    assert not compare(before, Document.parse(json.dumps(before.tree), "before.json"))
    assert not compare(Document.parse(json.dumps(before.tree, indent=2), "before.json"), before)


def test_the_ids_of_the_pair_and_the_side_they_stand_on() -> None:
    diff = compare(named("before.yaml"), named("after.yaml"))
    assert [(e.operation or e.shared, e.id, e.location) for e in diff.contract] == [
        ("GET /airports", "parameter-required-changed", "query:continent"),
        ("GET /airports", "parameter-enum-value-added", "query:continent"),
        ("POST /airports", "body-property-max-length-changed", "body:/note"),
        ("DELETE /airports/{id}", "operation-removed", ""),
        ("GET /countries", "operation-added", ""),
        ("parameter Limit", "parameter-maximum-added", "query:limit"),
        ("schema Airport", "schema-property-required-changed", "/id"),
        ("schema Airport", "schema-property-added", "/city"),
        ("schema Error", "schema-extension-changed", ""),
    ]
    assert [(e.operation or e.shared, e.id, e.location) for e in diff.docs] == [
        ("tag airports", "tag-description-changed", ""),
        ("GET /airports", "operation-description-changed", ""),
        ("GET /airports", "operation-experience-added", ""),
        ("GET /airports", "parameter-description-added", "query:continent"),
        ("GET /airports", "response-header-description-changed", "200:header:X-Total"),
        ("GET /airports", "response-example-changed", "200:"),
        ("GET /airports", "response-property-description-added", "200:/total"),
        ("GET /airports", "response-property-example-added", "200:/total"),
        ("POST /airports", "operation-callbacks-changed", ""),
        ("path /airports/{id}", "parameter-description-added", "path:id"),
        ("parameter Limit", "parameter-description-added", "query:limit"),
        ("schema Airport", "schema-property-description-added", "/id"),
        ("schema Owner", "schema-property-description-added", "/name"),
    ]


def test_lines_and_pointers_are_those_of_each_side() -> None:
    diff = compare(named("before.yaml"), named("after.yaml"))
    (required,) = [entry for entry in diff.entries if entry.id == "parameter-required-changed"]
    assert (required.old, required.new) == ("before.yaml:16", "after.yaml:30")
    assert required.pointer == "/paths/~1airports/get/parameters/1/required"
    assert (required.before, required.after) == (False, True)
    (gone,) = [entry for entry in diff.entries if entry.id == "operation-removed"]
    assert (gone.old, gone.new, gone.after) == ("before.yaml:56", "", None)
    assert gone.pointer == "/paths/~1airports~1{id}/delete"


def test_a_shared_definition_is_told_once_with_all_that_use_it() -> None:
    diff = compare(named("before.yaml"), named("after.yaml"))
    (owner,) = [entry for entry in diff.entries if entry.shared == "schema Owner"]
    assert owner.used_by == ("GET /airports", "POST /airports", "GET /airports/{id}")
    (error,) = [entry for entry in diff.entries if entry.shared == "schema Error"]
    assert error.used_by == ("GET /airports",)
    (path,) = [entry for entry in diff.entries if entry.shared == "path /airports/{id}"]
    assert path.used_by == ("GET /airports/{id}",)


def test_a_security_scheme_is_used_by_the_operations_that_ask_for_it() -> None:
    old, new = named("before.yaml").tree, json.loads(json.dumps(named("before.yaml").tree))
    new["components"]["securitySchemes"]["key"]["name"] = "X-Other"
    (entry,) = found(old, new)
    assert (entry.id, entry.shared, entry.used_by) == (
        "security-scheme-name-changed",
        "security scheme key",
        ("POST /airports",),
    )


def test_fingerprints_stay_when_lines_move_and_other_things_change() -> None:
    before, after = named("before.yaml"), named("after.yaml")
    first = {entry.fingerprint for entry in compare(before, after).entries}
    moved = after.text.replace("openapi: 3.0.3", "# one\n# two\nopenapi: 3.0.3").replace("List countries", "All")
    second = {entry.fingerprint for entry in compare(before, Document.parse(moved, "after.yaml")).entries}
    assert len(first - second) == len(second - first) == 1
    assert all(len(one) == 12 and int(one, 16) >= 0 for one in first)


def _places(node: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [at] * bool(at) + [place for key, value in inner for place in _places(value, (*at, key))]


def _with(tree: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value at a place, or without it where the value is `...`."""
    copy = json.loads(json.dumps(tree))
    node = copy
    for key in place[:-1]:
        node = node[key]
    if value is ...:
        del node[place[-1]]
    else:
        node[place[-1]] = value
    return copy


def _at(tree: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        tree = tree[key]
    return tree


SWAGGER = {
    "swagger": "2.0",
    "info": {"title": "T", "version": "1", "contact": {"name": "N"}},
    "consumes": ["application/json"],
    "paths": {
        "/x": {
            "post": {
                "produces": ["text/html", "application/json"],
                "parameters": [
                    {"name": "b", "in": "body", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}},
                    {"name": "q", "in": "query", "type": "array", "items": {"type": "string", "enum": ["a"]}},
                    {"$ref": "#/parameters/F"},
                ],
                "responses": {"200": {"description": "", "examples": {"a/b": 1}}, "400": {"$ref": "#/responses/R"}},
            }
        }
    },
    "parameters": {"F": {"name": "f", "in": "formData", "type": "string", "format": "date", "description": "D"}},
    "responses": {"R": {"description": "D", "schema": {"$ref": "#/definitions/S"}, "headers": {"H": {"type": "null"}}}},
    "definitions": {"S": {"type": "object", "discriminator": "t", "required": ["t"], "x-y": {"z": 1}}},
    "securityDefinitions": {"o": {"type": "oauth2", "flow": "implicit", "scopes": {"read": "Read"}}},
    "x-more": [1, {"a": 2}],
}  # fmt: skip


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(named("before.yaml").tree, marks=pytest.mark.long),
        pytest.param(named("after.yaml").tree, marks=pytest.mark.long),
        SWAGGER,
    ],
)
def test_no_value_changes_unnoticed(tree: Any) -> None:
    """Every place, one after the other: another value there is found, and found again the other way round."""
    places = list(_places(tree))
    assert places
    for place in places:
        old = _at(tree, place)
        other = "other" if isinstance(old, str) else not old if isinstance(old, bool) else 98765
        changed = _with(tree, place, other)
        assert found(tree, changed), place
        assert len(found(tree, changed)) == len(found(changed, tree)), place


@pytest.mark.parametrize("tree", [named("before.yaml").tree, named("after.yaml").tree, SWAGGER])
def test_nothing_goes_unnoticed(tree: Any) -> None:
    """Every place, one after the other: that it is gone is found, unless it said nothing (`[]`, `{}`, `false`)."""
    places = list(_places(tree))
    assert places
    for place in places:
        old = _at(tree, place)
        if old not in ({}, []) and not (old is False and place[-1] == "deprecated"):
            assert found(tree, _with(tree, place, ...)), place


def test_texts_and_contract_are_told_apart_by_structure_not_by_name() -> None:
    old = {"type": "object", "properties": {"description": {"type": "string"}, "example": {"title": "a"}}}
    new = {"type": "object", "properties": {"description": {"type": "integer"}, "example": {"title": "b"}}}
    entries = found(spec({}, components={"schemas": {"S": old}}), spec({}, components={"schemas": {"S": new}}))
    assert [(e.id, e.level, e.location) for e in entries] == [
        ("schema-property-type-changed", "contract", "/description"),
        ("schema-property-title-changed", "docs", "/example"),
    ]


def test_true_is_not_one_and_one_is_one_point_zero() -> None:
    assert ids(get(**{"x-n": 1}), get(**{"x-n": True})) == [("operation-extension-changed", "")]
    assert ids(get(**{"x-n": 1}), get(**{"x-n": 1.0})) == []


def test_order_says_nothing_where_it_means_nothing() -> None:
    old = get(tags=["a", "b"], parameters=[{"name": "p", "in": "query"}, {"name": "q", "in": "query"}])
    new = get(parameters=[{"in": "query", "name": "q"}, {"name": "p", "in": "query"}], tags=["b", "a"])
    assert ids(old, new) == []


def test_a_null_is_not_nothing() -> None:
    old = get(parameters=[{"name": "p", "in": "query", "schema": {}}])
    new = get(parameters=[{"name": "p", "in": "query", "schema": {"default": None}}])
    assert ids(old, new) == [("parameter-default-added", "query:p")]


def test_a_reference_that_replaces_its_own_target_says_nothing_new_at_its_users() -> None:
    schema = {"type": "object", "properties": {"self": {"$ref": "#/components/schemas/S"}}}
    body = {"content": {"application/json": {"schema": schema}}}
    other = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S"}}}}
    old, new = get(requestBody=body), get(requestBody=other)
    for tree in (old, new):
        tree["components"] = {"schemas": {"S": schema}}
    assert ids(old, new) == []
    new["components"] = {"schemas": {"S": {**schema, "minProperties": 1}}}
    assert ids(old, new) == [("body-min-properties-added", "body:"), ("schema-min-properties-added", "")]


def test_a_reference_that_points_elsewhere_is_one_difference() -> None:
    old = get(responses={"200": {"$ref": "#/components/responses/A"}})
    new = get(responses={"200": {"$ref": "#/components/responses/B"}})
    for tree in (old, new):
        tree["components"] = {"responses": {"A": {"description": "a"}, "B": {"description": "b"}}}
    assert ids(old, new) == [("response-reference-changed", "200:")]


def test_a_path_parameter_may_be_renamed() -> None:
    old = spec({"/x/{id}": {"get": {"summary": "a"}}})
    new = spec({"/x/{xid}": {"get": {"summary": "b"}}})
    assert [(e.id, e.operation, e.before, e.after) for e in found(old, new)] == [
        ("operation-path-changed", "GET /x/{xid}", "/x/{id}", "/x/{xid}"),
        ("operation-summary-changed", "GET /x/{xid}", "a", "b"),
    ]


def test_experience_is_told_item_by_item() -> None:
    one = {"scenario": "s1", "known": "k", "right": "r", "wrong": "w", "why": "y"}
    two = {**one, "scenario": "s2"}
    old = get(**{"x-docrev": {"experience": [one, two], "version": 1}})
    new = get(**{"x-docrev": {"experience": [{**two, "why": "z"}, {**one, "scenario": "s3"}], "version": 2}})
    entries = found(old, new)
    assert [(e.id, e.level) for e in entries] == [
        ("operation-experience-changed", "docs"),
        ("operation-experience-added", "docs"),
        ("operation-experience-removed", "docs"),
        ("operation-docrev-changed", "docs"),
    ]
    assert entries[0].after["why"] == "z"


def test_all_of_branches_belong_together_by_what_they_are() -> None:
    ref, old, new = {"$ref": "#/x"}, {"title": "T", "maximum": 1}, {"title": "T", "maximum": 2}
    schemas = [{"schemas": {"S": {"allOf": branches}}} for branches in ([ref, old], [{"minimum": 0}, new, ref])]
    entries = found(spec({}, components=schemas[0]), spec({}, components=schemas[1]))
    assert [entry.id for entry in entries] == ["schema-all-of-added", "schema-maximum-changed"]


def test_what_yaml_aliases_repeat_is_told_once_where_it_is_written() -> None:
    source = """
openapi: 3.0.3
paths:
  /a: {get: {parameters: [&limit {name: limit, in: query, description: old}], responses: {}}}
  /b: {get: {parameters: [*limit], responses: {}}}
"""
    old, new = Document.parse(source, "s.yaml"), Document.parse(source.replace("old", "new"), "s.yaml")
    (entry,) = compare(old, new).entries
    assert (entry.operation, entry.used_by) == ("GET /a", ("GET /a", "GET /b"))
    assert (entry.pointer, entry.new) == ("/paths/~1a/get/parameters/0/description", "s.yaml:4")


def test_broken_documents_are_compared_as_far_as_they_can_be() -> None:
    for paths in (None, [], {"/x": None}, {"/x": {"get": 1}}, {"/x": {"get": {"parameters": {}, "responses": []}}}):
        assert found(spec(paths), spec({"/x": {"get": {"summary": "a"}}}))
    loop = {"schemas": {"A": {"$ref": "#/components/schemas/A"}, "B": {"$ref": "#/none"}}}
    assert ids(spec({}, components=loop), spec({}, components={"schemas": {"A": {}, "B": {}}}))


@pytest.mark.shared
@pytest.mark.parametrize("name", ["tmdb_oas.json", "spotify_oas.json"])
def test_a_large_real_spec_against_an_edited_copy(name: str) -> None:
    if not SHARED.exists():
        pytest.skip("the reference data is not here")
    old = Document.read(SHARED / "restbench" / name)
    new = json.loads(old.text)
    path, item = next((path, item) for path, item in new["paths"].items() if "get" in item)
    item["get"]["description"] = "Changed."
    (entry,) = compare(old, Document.parse(json.dumps(new), name)).entries
    assert (entry.operation, entry.id) == (f"GET {path}", "operation-description-changed")
    assert entry.new == f"{name}:1"


def test_what_is_nested_too_deeply_is_one_line() -> None:
    old, new = (spec({}, components={"schemas": {"S": _nested(300, kind)}}) for kind in ("object", "array"))
    with pytest.raises(InputError, match=r"new\.json: nested too deeply to be compared"):
        found(old, new)


def _nested(levels: int, kind: str) -> Any:
    node: Any = {"type": kind}
    for _ in range(levels):
        node = {"properties": {"a": node}}
    return node


PETS = {name: {"type": "string"} for name in ("name", "kind", "owner")}


@pytest.mark.parametrize(
    ("new", "differences"),
    [
        ({"type": "object", "properties": {"total": {}, "rows": {}}}, [("response-reference-changed", "200:")]),
        ({"type": "array", "items": {"type": "object"}}, [("response-reference-changed", "200:")]),
        ({"type": "object", "properties": {**PETS, "age": {}}}, [("response-property-added", "200:/age")]),
        ({"type": "object"}, [("response-property-removed", f"200:/{name}") for name in PETS]),
    ],
)
def test_a_reference_that_gives_way_to_other_things_is_one_difference(new: Any, differences: Any) -> None:
    shared = {"components": {"schemas": {"Pet": {"type": "object", "properties": PETS}}}}
    sides = ({"$ref": "#/components/schemas/Pet"}, new)
    trees = (get(responses={"200": {"content": {"application/json": {"schema": schema}}}}) | shared for schema in sides)
    assert ids(*trees) == differences


def test_references_that_are_no_pointers_are_passed_over() -> None:
    for ref in ("#/a~2b", "#x", "", "http://example.com/#/a", "%00#/a", "//x", "x.yaml#/a"):
        old, new = (get(responses={"200": {"$ref": ref}}, summary=one) for one in "ab")
        assert ids(old, new) == [("operation-summary-changed", "")]


def test_halves_of_characters_and_what_is_no_number_can_be_shown() -> None:
    source = "openapi: 3.0.3\npaths: {}\nx-n: .nan\n"
    assert not compare(*[Document.parse(source, "s.yaml")] * 2)
    old, new = (Document.parse(f'{{"swagger": "2.0", "x-t": {text}}}', "s.json") for text in ('"a"', '"\\ud800"'))
    (entry,) = compare(old, new).entries
    assert entry.field == "x-t"
    for format in FORMATS:
        assert "ud800" in show(compare(old, new), format).encode().decode()
