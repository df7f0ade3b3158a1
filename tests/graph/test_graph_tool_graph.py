"""The tool graph: edges before the first call, and edges by value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docrev.graph.tool_graph import MAX_PRODUCERS, ToolGraph
from docrev.graph.values import flat, is_distinctive
from docrev.json_values.leaves import leaves
from docrev.records import Call, Json, OperationKey
from docrev.spec import Catalog, load


def operation(*parameters: str, fields: dict[str, str] | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "parameters": [{"name": name, "in": "query", "schema": {"type": "string"}} for name in parameters],
        "responses": {"200": {"description": "ok"}},
    }
    if fields:
        item = {"type": "object", "properties": {name: {"type": kind} for name, kind in fields.items()}}
        schema = {"type": "object", "properties": {"results": {"type": "array", "items": item}}}
        found["responses"]["200"]["content"] = {"application/json": {"schema": schema}}
    return found


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    document = {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {
            "/movies": {"get": operation("q", fields={"id": "integer", "title": "string"})},
            "/movies/{movie_id}": {"get": operation()},
            "/movies/{movie_id}/cast": {"get": operation()},
            "/people": {"get": operation()},
            "/people/{slug}": {"get": operation()},
        },
    }
    file = tmp_path / "films.json"
    file.write_text(json.dumps(document))
    return load([file])


def key(line: str) -> OperationKey:
    return OperationKey("films", line)


def call(line: str, body: Json, id: str, status: int = 200, **arguments: Json) -> Call:
    places = {name.replace("__", ":"): value for name, value in arguments.items()}
    return Call(id, key(line), places, "", status, {}, body, "application/json", "survey")


def test_names_and_paths_give_edges_before_the_first_call(catalog: Catalog) -> None:
    graph = ToolGraph(catalog)
    edge = graph.producers(key("GET /movies/{movie_id}"), "path:movie_id")[0]
    assert (edge.source, edge.pointer, edge.kind) == (key("GET /movies"), "200:/results/0/id", "path")
    assert graph.producers(key("GET /people/{slug}"), "path:slug") == []


def test_a_value_that_another_operation_accepted_gives_an_edge_that_names_both_calls(catalog: Catalog) -> None:
    graph = ToolGraph(catalog)
    graph.observe(call("GET /people", [{"tag_line": "keanu-reeves", "n": 7}], "a"))
    graph.observe(call("GET /people/{slug}", {"name": "Keanu Reeves"}, "b", path__slug="keanu-reeves"))
    [edge] = graph.producers(key("GET /people/{slug}"), "path:slug")
    assert (edge.source, edge.pointer, edge.kind) == (key("GET /people"), "200:/0/tag_line", "value")
    assert edge.calls == ("a", "b")


def test_a_refused_value_gives_none(catalog: Catalog) -> None:
    graph = ToolGraph(catalog)
    graph.observe(call("GET /people", [{"tag_line": "keanu-reeves"}], "a"))
    graph.observe(call("GET /people/{slug}", {"error": "no"}, "b", 404, path__slug="keanu-reeves"))
    assert graph.producers(key("GET /people/{slug}"), "path:slug") == []


def test_small_numbers_that_only_happen_to_be_equal_give_none(catalog: Catalog) -> None:
    graph = ToolGraph(catalog)
    graph.observe(call("GET /people", [{"pages": 7}], "a"))
    graph.observe(call("GET /people/{slug}", {}, "b", path__slug=7))
    assert graph.producers(key("GET /people/{slug}"), "path:slug") == []


def test_observed_fields_are_matched_by_name_too(catalog: Catalog) -> None:
    graph = ToolGraph(catalog)
    graph.observe(call("GET /people", {"data": [{"slug": "keanu"}]}, "a"))
    [edge] = graph.producers(key("GET /people/{slug}"), "path:slug")
    assert edge.pointer == "200:/data/0/slug"


def test_related_operations_are_told_from_both_sides(catalog: Catalog) -> None:
    graph = ToolGraph(catalog)
    assert key("GET /movies/{movie_id}") in graph.related(key("GET /movies"))
    assert key("GET /movies") in graph.related(key("GET /movies/{movie_id}"))


def test_samples_are_distinct_and_keep_their_order(catalog: Catalog) -> None:
    graph = ToolGraph(catalog)
    graph.observe(call("GET /people", [{"slug": "b"}, {"slug": "a"}], "first"))
    graph.observe(call("GET /people", [{"slug": "a"}, {"slug": "c"}], "second"))
    values = graph.values
    assert values.samples(key("GET /people"), "200:/0/slug") == ["b", "a", "c"]
    assert values.named("films", "SLUG") == [(key("GET /people"), "200:/0/slug")]


def test_leaves_are_bounded_and_never_recurse() -> None:
    deep: Json = "bottom"
    for _ in range(50_000):
        deep = [deep]
    assert len(list(leaves(deep))) == 1
    assert len(list(leaves([0] * 10_000))) == 50
    assert dict(leaves({"a/b": {"c~d": 1}})) == {"/a~1b/c~0d": 1}


def test_bodies_are_taken_apart() -> None:
    assert dict(flat({"path:id": 1, "body:": {"data": {"title": "x"}}})) == {"path:id": 1, "body:/data/title": "x"}


@pytest.mark.parametrize(
    ("value", "says"), [("AF", True), ("", False), (7, False), (1234, True), (True, False), (1.5, False)]
)
def test_only_distinctive_values_count(value: Json, says: bool) -> None:
    assert is_distinctive(value) is says


def test_a_parameter_keeps_the_best_of_its_many_producers(tmp_path: Path) -> None:
    listed = {"get": operation(fields={"movie_id": "integer"})}
    shown = {"get": operation(fields={"movie_id": "integer"})}
    document = {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {
            **{f"/kind{n}/{{a}}/{{b}}/{{c}}": shown for n in range(MAX_PRODUCERS)},
            "/movies/{movie_id}": {"get": operation()},
            **{f"/prizes{n}": listed for n in range(MAX_PRODUCERS)},
        },
    }
    (tmp_path / "films.json").write_text(json.dumps(document))
    graph = ToolGraph(load([tmp_path / "films.json"]))
    edges = graph.producers(key("GET /movies/{movie_id}"), "path:movie_id")
    assert [edge.source for edge in edges] == sorted(key(f"GET /prizes{n}") for n in range(MAX_PRODUCERS))
    left_out = key("GET /kind0/{a}/{b}/{c}")
    assert graph.related(left_out) == graph.consumers(left_out) == []
    assert len(graph.edges()) == MAX_PRODUCERS


def test_a_parameter_that_takes_several_ids_takes_those_of_a_list(tmp_path: Path) -> None:
    several = operation("q")
    several["parameters"][0] = {
        "name": "actor_id",
        "in": "query",
        "schema": {"type": "array", "items": {"type": "string"}},
        "explode": False,
    }
    paths = {"/actors": {"get": operation(fields={"id": "integer"})}, "/movies": {"get": several}}
    (tmp_path / "films.json").write_text(
        json.dumps({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths})
    )
    graph = ToolGraph(load([tmp_path / "films.json"]))
    sources = [edge.source for edge in graph.producers(key("GET /movies"), "query:actor_id")]
    assert sources == [key("GET /actors")]
