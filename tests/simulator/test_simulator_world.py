"""A simulated world: what it answers is consistent, checked as its spec says, and changes only by writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_schema_validator import OAS30Validator

from docrev.errors import UsageError
from docrev.facts.registry import KINDS
from docrev.records import Json, OperationKey
from docrev.simulator import World, WorldReply
from docrev.spec import MISSING, Catalog, Operation, load

LIBRARY = Path(__file__).parents[1] / "library.yaml"
SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load(LIBRARY)


@pytest.fixture
def world(catalog: Catalog) -> World:
    return World(catalog, seed=3)


def get(world: World, path: str) -> Any:
    reply = world.respond("GET", path)
    assert reply.status == 200, reply.body
    return reply.json


def send(world: World, method: str, path: str, body: Json = None) -> WorldReply:
    return world.respond(method, path, body=b"" if body is None else json.dumps(body).encode())


def without(body: dict[str, Json], name: str) -> dict[str, Json]:
    return {key: value for key, value in body.items() if key != name}


def books(world: World, query: str = "") -> list[Any]:
    found: list[Any] = get(world, f"/books?limit=50&{query}")["items"]
    return found


def test_one_entity_is_the_same_everywhere(world: World) -> None:
    assert books(world)
    for short in books(world):
        book = get(world, f"/books/{short['id']}")
        assert {name: book[name] for name in short} == short
        assert book["author"]["id"] == book["author_id"]
        author = get(world, f"/authors/{book['author_id']}")
        assert author["name"] == book["author"]["name"]
        assert short in author["books"]
        assert short in get(world, f"/authors/{author['id']}/books")["data"]


def test_names_identify(world: World) -> None:
    titles = [
        book["title"] for start in range(0, 200, 50) for book in get(world, f"/books?limit=50&offset={start}")["items"]
    ]
    assert len(set(titles)) == len(titles) > 100


@pytest.mark.parametrize("path", ["/books/1", "/books/1/reviews", "/authors/2", "/authors/2/books", "/nothing"])
def test_unknown_ids_and_paths_are_404(world: World, path: str) -> None:
    assert world.respond("GET", path).status == 404


def test_errors_have_the_documented_form_and_name_the_parameter(world: World) -> None:
    reply = world.respond("GET", "/books?limit=many")
    assert reply.status == 400
    assert reply.json == {"code": 400, "detail": "query parameter 'limit' must be an integer", "field": "limit"}


@pytest.mark.parametrize(
    ("path", "name", "why"),
    [
        ("/books?genre=western", "genre", "one of novel, poetry, essay"),
        ("/books?limit=0", "limit", "at least 1"),
        ("/books?limit=51", "limit", "at most 50"),
        ("/books?offset=-1", "offset", "at least 0"),
        ("/books?in_stock=maybe", "in_stock", "a boolean"),
        ("/search/author", "query", "required"),
        ("/search/author?query=x", "query", "2 characters"),
        ("/branches/LHR?since=yesterday", "since", "valid date"),
        ("/branches/LHR?tags=old,blue", "tags", "one of old, new"),
        ("/branches/LHR?tags=old,new,old", "tags", "at most 2"),
        ("/branches/lhr", "code", "pattern"),
        ("/books/first", "book_id", "an integer"),
    ],
)
def test_parameters_are_checked(world: World, path: str, name: str, why: str) -> None:
    reply = world.respond("GET", path)
    assert reply.status == 400
    text = json.dumps(reply.json)
    assert name in text
    assert why in text


@pytest.mark.parametrize(
    ("body", "name", "why"),
    [
        (None, "body", "required"),
        ({}, "title", "required"),
        ({"title": ""}, "title", "at least 1"),
        ({"title": 5}, "title", "a string"),
        ({"title": "A", "year": 1200}, "year", "at least 1450"),
        ({"title": "A", "genre": "western"}, "genre", "one of"),
        ([], "body", "an object"),
    ],
)
def test_bodies_are_checked(world: World, body: Json, name: str, why: str) -> None:
    reply = send(world, "POST", "/books", body)
    assert reply.status == 400
    assert name in reply.json["detail"]
    assert why in reply.json["detail"]


def test_a_body_that_is_no_json_is_refused(world: World) -> None:
    assert world.respond("POST", "/books", body=b"{").status == 400


def test_a_search_finds_what_is_named(world: World) -> None:
    found = get(world, "/search/author?query=Grace%20Hopper")["results"]
    assert [author["name"] for author in found] == ["Grace Hopper"]
    assert get(world, f"/authors/{found[0]['id']}") == found[0]
    assert get(world, "/search/author?query=grace%20hopper")["results"] == found
    written = get(world, f"/authors/{found[0]['id']}/books")["data"]
    assert written
    assert get(world, f"/books/{written[0]['id']}")["author"]["name"] == "Grace Hopper"


def test_a_search_finds_parts_of_names_and_no_nonsense(world: World) -> None:
    name = get(world, f"/authors/{books(world)[0]['author_id']}")["name"]
    last = name.split()[-1]
    found = get(world, f"/search/author?query={last}")["results"]
    assert name in [author["name"] for author in found]
    assert all(last in author["name"] for author in found)
    for text in ("xqz7vw-0k3", "docrev", "zz-docrev-9", "unheardof"):
        assert get(world, f"/search/author?query={text}")["results"] == []
    part = last[1:].lower()
    assert all(part in author["name"].lower() for author in get(world, f"/search/author?query={part}")["results"])
    assert not [a for a in get(world, f"/search/author?query={part}")["results"] if a["name"].lower() == part]


def test_filters_leave_what_they_say(world: World) -> None:
    every = books(world)
    assert {book["genre"] for book in books(world, "genre=poetry")} == {"poetry"}
    assert all(1970 <= book["year"] <= 1990 for book in books(world, "year_min=1970&year_max=1990"))
    assert {book["in_stock"] for book in books(world, "in_stock=false")} == {False}
    assert {book["author_id"] for book in books(world, f"author_id={every[0]['author_id']}")} == {every[0]["author_id"]}
    word = every[0]["title"].split()[-1]
    assert every[0] in books(world, f"title={word.lower()}")
    assert books(world, "colour=red") == every


@pytest.mark.parametrize("field", ["title", "year"])
def test_sorts_sort(world: World, field: str) -> None:
    up, down = ([book[field] for book in books(world, f"sort={sign}{field}")] for sign in ("", "-"))
    assert up == sorted(up)
    assert down == sorted(down, reverse=True)
    assert up != down


def test_pages_hold_the_whole_list_once(world: World) -> None:
    first = get(world, "/books?limit=7")
    ids, url = [], "/books?limit=7"
    while url:
        page = get(world, url)
        assert page["total"] == first["total"]
        ids += [book["id"] for book in page["items"]]
        url = (page["next"] or "").removeprefix("https://library.example.com/v1")
    assert len(ids) == len(set(ids)) == first["total"]
    assert get(world, "/books")["limit"] == 10
    assert get(world, "/search/author?query=an&page=999")["results"] == []


def test_what_is_made_is_read_changed_and_removed(world: World) -> None:
    before = get(world, "/books")["total"]
    reply = send(world, "POST", "/books", {"title": "Middlemarch", "year": 1871, "genre": "novel"})
    assert reply.status == 201
    made = reply.json
    assert (made["title"], made["year"], made["genre"]) == ("Middlemarch", 1871, "novel")
    path = f"/books/{made['id']}"
    assert reply.headers["location"].endswith(path)
    assert get(world, path) == made
    assert get(world, "/books")["total"] == before + 1
    assert [book["id"] for book in books(world, "title=middlemarch")] == [made["id"]]
    assert send(world, "PATCH", path, {"year": 1872}).json["year"] == 1872
    assert without(get(world, path), "author") == without({**made, "year": 1872}, "author")
    assert send(world, "PUT", path, {"title": "Romola"}).status == 200
    assert get(world, path)["title"] == "Romola"
    assert send(world, "DELETE", path).status == 204
    assert world.respond("GET", path).status == 404
    assert send(world, "DELETE", path).status == 404
    assert get(world, "/books")["total"] == before


def test_a_put_makes_what_is_not_there(world: World) -> None:
    assert send(world, "PUT", "/books/123456", {"title": "Emma"}).status == 201
    assert get(world, "/books/123456")["title"] == "Emma"
    assert send(world, "PATCH", "/books/654321", {"title": "Emma"}).status == 404


def test_what_is_made_below_something_is_listed_there_alone(world: World) -> None:
    one, other = books(world)[:2]
    made = send(world, "POST", f"/books/{one['id']}/reviews", {"text": "Fine.", "stars": 4}).json
    assert made["text"] == "Fine."
    assert made in get(world, f"/books/{one['id']}/reviews")
    assert made not in get(world, f"/books/{other['id']}/reviews")


def test_lists_of_ones_own_take_and_give_back(world: World) -> None:
    shelf = [book["id"] for book in get(world, "/me/books")["items"]]
    new = next(book["id"] for book in books(world) if book["id"] not in shelf)
    assert send(world, "PUT", f"/me/books?ids={new}").status == 204
    assert new in [book["id"] for book in get(world, "/me/books")["items"]]
    assert send(world, "DELETE", f"/me/books?ids={new},{shelf[0]}").status == 204
    assert [book["id"] for book in get(world, "/me/books")["items"]] == shelf[1:]
    assert send(world, "PUT", "/me/books?ids=5").status == 404


def test_reset_undoes_what_was_written(world: World) -> None:
    first = world.respond("GET", "/books").body
    send(world, "POST", "/books", {"title": "Emma"})
    world.reset()
    assert world.respond("GET", "/books").body == first


def test_other_methods(world: World) -> None:
    whole = world.respond("GET", "/books")
    head = world.respond("HEAD", "/books")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-length"] == str(len(whole.body))
    options = world.respond("OPTIONS", "/books")
    assert (options.status, options.headers["allow"]) == (204, "GET, POST, HEAD, OPTIONS")
    refused = world.respond("DELETE", "/books")
    assert (refused.status, refused.headers["allow"]) == (405, "GET, POST, HEAD, OPTIONS")


def test_examples_are_there_first(world: World) -> None:
    assert get(world, "/authors/77")["id"] == 77
    assert get(world, "/branches/LHR")["code"] == "LHR"


def test_the_order_of_requests_changes_nothing(catalog: Catalog) -> None:
    paths = [
        "/books",
        "/authors/77",
        "/search/author?query=Ada%20Lovelace",
        "/me/books",
        "/authors/77/books",
        "/books?sort=year",
    ]
    one, other = World(catalog, seed=5), World(catalog, seed=5)
    told = {path: one.respond("GET", path).body for path in paths}
    assert told == {path: other.respond("GET", path).body for path in reversed(paths)}
    assert World(catalog, seed=6).respond("GET", "/books").body != told["/books"]


def test_calls_by_arguments(world: World) -> None:
    key = OperationKey("library", "GET /books")
    assert world.call(key, {"query:limit": 2, "query:in_stock": True}).json["limit"] == 2
    key = OperationKey("library", "POST /books")
    assert world.call(key, {"body:": {"title": "Emma"}}).status == 201


def test_the_truth_holds(world: World, catalog: Catalog) -> None:
    stated = {
        (one.kind, one.location): one.value for one in world.truth(catalog[OperationKey("library", "GET /books")])
    }
    assert {kind for kind, _ in stated} <= set(KINDS)
    assert stated["filters", "query:genre"] == "200:/items/0/genre"
    assert stated["searches", "query:title"] == ["200:/items/0/title"]
    assert stated["at-least", "query:year_min"] == "200:/items/0/year"
    assert stated["limits", "query:limit"] == "200:/items"
    assert stated["pages", "query:offset"] == {"by": "offset", "list": "200:/items"}
    assert stated["ignored", "query:colour"] is True
    assert stated["range", "query:limit"] == {"minimum": 1, "maximum": 50}
    assert stated["sorts", "query:sort"]["field"] == "200:/items/0/year"


def test_a_world_is_made_of_one_spec(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_bytes(LIBRARY.read_bytes())
    with pytest.raises(UsageError, match="one spec"):
        World(load(tmp_path))


def arguments(world: World, operation: Operation) -> dict[str, Json]:
    """Arguments with which an operation answers: ids that the world has, enums, examples."""
    found: dict[str, Json] = {}
    above = None
    for step in world.kinds.steps(operation):
        nested = world.kinds.kind(step.kind).parent is not None
        above = world.entities.all(step.kind, above if nested else None)[0]
        if step.parameter:
            found[f"path:{step.parameter}"] = above.id
    for parameter in operation.parameters:
        if parameter.required and parameter.key not in found:
            items = parameter.schema.items()
            enum = parameter.schema.enum or (items.enum if items is not None else None)
            example = parameter.example if parameter.example is not MISSING else parameter.schema.example
            found[parameter.key] = enum[0] if enum else "Amber Road" if example is MISSING else example
    return found


def plain(schema: Json) -> Json:
    """A schema without discriminators, which the validator cannot follow in fragments."""
    if isinstance(schema, dict):
        return {name: plain(value) for name, value in schema.items() if name != "discriminator"}
    return [plain(value) for value in schema] if isinstance(schema, list) else schema


SPECS = [
    LIBRARY,
    SHARED / "restbench/tmdb_oas.json",
    SHARED / "openapi/genome-nexus.json",
    SHARED / "openapi/rest-countries.json",
]


@pytest.mark.parametrize(
    "spec", [pytest.param(one, marks=pytest.mark.shared if one != LIBRARY else ()) for one in SPECS]
)
def test_every_answer_has_the_documented_form(spec: Path) -> None:
    if not spec.exists():
        pytest.skip(f"{spec.name} is not at ../shared/data")
    catalog = load(spec)
    world = World(catalog)
    parts = plain(next(iter(catalog.documents.values())).tree.get("components", {}))
    assert catalog.operations
    for operation in catalog.operations:
        success = operation.success
        if operation.method == "GET" and success is not None and success.schema is not None:
            reply = world.call(operation.key, arguments(world, operation))
            assert reply.status == 200, (operation.key, reply.body)
            validator = OAS30Validator({**plain(success.schema.node), "components": parts})
            assert [error.message for error in validator.iter_errors(reply.json)] == [], operation.key
