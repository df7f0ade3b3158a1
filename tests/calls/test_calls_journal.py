"""What counts as created by this run, how it is found again, and in which order it is removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from callkit import ALL, CRUD, Api, catalog, invoke, key
from servers import Answer, Server, reply

from docrev.calls.journal import Journal
from docrev.prompts.steps import Invoke
from docrev.records import Call, Json

LOANS = (*CRUD, "POST /users/{user_id}/loans", "GET /loans/{loan_id}", "DELETE /loans/{loan_id}", "POST /search")


@pytest.fixture
def journal(tmp_path: Path) -> tuple[Journal, Api]:
    api = Api(catalog(tmp_path, LOANS), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    return api.executor().journal, api


def tell(
    pair: tuple[Journal, Api],
    line: str,
    arguments: dict[str, Json] | None = None,
    *,
    status: int = 201,
    body: Json = None,
    headers: dict[str, str] | None = None,
) -> list[str]:
    """Show a call to the journal; the paths of what changed."""
    operation = pair[1].catalog[key(line)]
    call = Call("c", key(line), arguments or {}, "", status, headers or {}, body, "", "survey")
    return [("-" if item.deleted else "") + item.path for item in pair[0].observe(operation, call)]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"id": 7}, "/items/7"),
        ({"uuid": "a-b"}, "/items/a-b"),
        ({"data": {"id": "x"}}, "/items/x"),
        ({"item": {"_id": 3, "name": "n"}}, "/items/3"),
        ({"widget": {"id": "a/b"}}, "/items/a%2Fb"),
        ({"item_id": 4, "size": 1}, "/items/4"),
        ({"id": True}, None),
        ({"code": 200, "name": "n", "user_id": 3}, None),
        ({"message": "queued"}, None),
        (None, None),
        ([1, 2], None),
    ],
)
def test_a_post_with_an_id_created_it(journal: tuple[Journal, Api], body: Json, path: str | None) -> None:
    assert tell(journal, "POST /items", body=body) == ([path] if path else [])


@pytest.mark.parametrize(
    "location", ["/v1/items/9", "http://127.0.0.1:9/v1/items/9", "/items/9", "http://other/v1/items/9?x=1"]
)
@pytest.mark.parametrize("status", [201, 303])
def test_a_location_says_where_it_is(journal: tuple[Journal, Api], location: str, status: int) -> None:
    assert tell(journal, "POST /items", status=status, headers={"location": location}) == ["/items/9"]


def test_a_location_that_the_catalog_does_not_know(journal: tuple[Journal, Api]) -> None:
    assert tell(journal, "POST /items", headers={"location": "/elsewhere/9"}) == []


def test_what_is_created_under_another_path_is_found(journal: tuple[Journal, Api]) -> None:
    assert tell(journal, "POST /users/{user_id}/loans", {"path:user_id": 1}, body={"loan_id": 5}) == ["/loans/5"]


def test_an_answer_about_the_parent_is_not_about_what_was_created(journal: tuple[Journal, Api]) -> None:
    assert tell(journal, "POST /users/{user_id}/loans", {"path:user_id": "1"}, body={"id": 1, "name": "ann"}) == []


@pytest.mark.parametrize("status", [400, 404, 409, 500])
def test_what_failed_created_nothing(journal: tuple[Journal, Api], status: int) -> None:
    assert tell(journal, "POST /items", status=status, body={"id": 7}) == []


def test_what_an_answer_showed_before_is_not_ours(journal: tuple[Journal, Api]) -> None:
    tell(journal, "GET /items", status=200, body={"items": [{"id": 7}, {"id": 8}]})
    tell(journal, "GET /items/{id}", {"path:id": "9"}, status=200, body={"id": 9})
    assert [tell(journal, "POST /items", body={"id": n}) for n in (7, 8, 9, 10)] == [[], [], [], ["/items/10"]]


def test_a_post_that_finds_what_it_names_created_nothing(journal: tuple[Journal, Api]) -> None:
    named = {"body:": {"data": {"id": "mine"}}}
    assert tell(journal, "POST /items", named, status=200, body={"data": {"id": "mine"}}) == []
    assert tell(journal, "POST /items", named, status=201, body={"data": {"id": "mine"}}) == ["/items/mine"]


def test_a_search_by_post_created_nothing(journal: tuple[Journal, Api]) -> None:
    assert tell(journal, "POST /search", status=200, body={"results": [{"id": 1}]}) == []


def test_a_put_to_a_chosen_id(journal: tuple[Journal, Api]) -> None:
    operation = journal[1].catalog[key("PUT /items/{id}")]
    assert tell(journal, "PUT /items/{id}", {"path:id": "a"}, status=200) == []
    assert tell(journal, "PUT /items/{id}", {"path:id": "b"}, status=201) == ["/items/b"]
    journal[0].choose(operation, {"path:id": "c"})
    assert tell(journal, "PUT /items/{id}", {"path:id": "c"}, status=200) == ["/items/c"]
    journal[0].choose(operation, {"path:id": "d"})
    assert tell(journal, "PUT /items/{id}", {"path:id": "d"}, status=400) == []


def test_the_same_item_whatever_its_parameter_is_called(journal: tuple[Journal, Api]) -> None:
    tell(journal, "POST /items", body={"id": 7})
    catalog_ = journal[1].catalog
    assert journal[0].owns(catalog_[key("DELETE /items/{id}")], {"path:id": "7"})
    assert journal[0].owns(catalog_[key("DELETE /items/{item_id}/notes")], {"path:item_id": 7})
    assert not journal[0].owns(catalog_[key("DELETE /items/{id}")], {"path:id": "70"})
    note = catalog_[key("DELETE /items/{item_id}/notes/{note_id}")]
    assert not journal[0].owns(note, {"path:item_id": 7, "path:note_id": 1})


def family(pair: tuple[Journal, Api]) -> Journal:
    tell(pair, "POST /items", body={"id": 1})
    tell(pair, "POST /items/{item_id}/notes", {"path:item_id": 1}, body={"id": "a"})
    tell(pair, "POST /items", body={"id": 2})
    tell(pair, "POST /items/{item_id}/notes", {"path:item_id": 1}, body={"id": "b"})
    return pair[0]


def test_children_go_before_parents_and_the_newest_first(journal: tuple[Journal, Api]) -> None:
    left = family(journal).left()
    assert [item.path for item in left] == ["/items/1/notes/b", "/items/1/notes/a", "/items/2", "/items/1"]
    assert [item.parent for item in left] == ["shop /items/1", "shop /items/1", None, None]
    removal = journal[0].removal(left[0])
    assert removal == Invoke(
        key("DELETE /items/{item_id}/notes/{note_id}"), {"path:item_id": "1", "path:note_id": "b"}, purpose="clean-up"
    )


@pytest.mark.parametrize(("status", "gone"), [(204, True), (404, True), (410, True), (500, False), (403, False)])
def test_what_is_deleted_takes_its_children_along(journal: tuple[Journal, Api], status: int, gone: bool) -> None:
    family(journal)
    changed = tell(journal, "DELETE /items/{id}", {"path:id": 1}, status=status)
    assert changed == (["-/items/1", "-/items/1/notes/a", "-/items/1/notes/b"] if gone else [])
    assert [item.path for item in journal[0].left()][-1] == ("/items/2" if gone else "/items/1")


def test_a_deleted_collection_takes_its_items_along(journal: tuple[Journal, Api]) -> None:
    family(journal)
    changed = tell(journal, "DELETE /items/{item_id}/notes", {"path:item_id": 1}, status=200, body={"deleted": 2})
    assert changed == ["-/items/1/notes/a", "-/items/1/notes/b"]


def test_with_a_query_only_those_that_the_answer_names(journal: tuple[Journal, Api]) -> None:
    family(journal)
    body = {"data": [{"id": "b", "deleted": True}]}
    arguments = {"path:item_id": 1, "query:q": "x"}
    assert tell(journal, "DELETE /items/{item_id}/notes", arguments, status=200, body=body) == ["-/items/1/notes/b"]


def test_items_of_an_earlier_process_are_taken_over_for_clean_up_alone(journal: tuple[Journal, Api]) -> None:
    old = family(journal).items
    fresh = journal[1].executor().journal
    fresh.restore(old)
    assert [item.path for item in fresh.left()] == [item.path for item in journal[0].left()]


def listing(paths: Sequence[Json], **headers: str) -> Call:
    arguments: dict[str, Json] = {"query:tag": "t"}
    return Call("g", key("GET /items"), arguments, "", 200, headers, {"data": list(paths)}, "", "survey")


def test_a_listing_of_own_items_and_nothing_else(journal: tuple[Journal, Api]) -> None:
    family(journal)
    delete = journal[1].catalog[key("DELETE /items")]

    def why(call: Call) -> str | None:
        return journal[0].only_own(delete, call)

    assert why(listing([{"id": 1}, {"id": 2}])) is None
    assert why(listing(["1"])) is None
    assert why(listing([{"id": 1}, {"id": 3}])) == "its GET twin lists an item that this run did not create"
    assert why(listing([{"name": "no id at all", "x": 1}])) == "its GET twin lists an item that this run did not create"
    assert why(listing([])) == "its GET twin does not list items of this run"
    assert why(replace(listing([{"id": 1}]), status=500)) == "its GET twin does not list items of this run"
    paged = "its GET twin may be one page of many"
    assert why(listing([{"id": 1}], **{"next-page": "http://x"})) == paged
    assert why(listing([{"id": 1}], **{"x-total-count": "2"})) == paged
    assert why(listing([{"id": 1}], link='<http://x?page=2>; rel="next"')) == paged
    assert why(replace(listing([]), body={"items": [{"id": 1}], "paging": {"next": "abc"}})) == paged
    assert why(replace(listing([]), body={"items": [{"id": 1}], "total": 9})) == paged
    assert why(listing([{"id": 1}] * 20)) == paged


@pytest.mark.parametrize(
    "body",
    [
        {"id": 5, "name": "a box", "items": [{"id": 1}]},
        {"1": {"size": 1}, "2": {"size": 2}},
        {"items": [{"id": 1}], "archived": [{"id": 9}]},
        {"items": [{"id": 1}], "related": {"items": [{"id": 9}]}},
        {"mine": [{"id": 1}], "shared": [{"id": 2}]},
        {"data": {"items": {"edges": [{"node": {"id": 1}}]}}},
        {"items": [{"id": 1}], "page_info": {"end": {"cursor": "x"}}},
        {"items": [{"id": 1}], "links": [{"rel": "next", "href": "/items?page=2"}]},
        {"items": [{"id": 1}], "page": {"next": {"href": "/items?page=2"}}},
        {"items": [{"id": 1}], "summary": {"counts": {"total": 2}}},
        {"items": [{"id": None}]},
    ],
)
def test_a_listing_in_doubt_shows_nothing(journal: tuple[Journal, Api], body: Json) -> None:
    """One thing with a list, a map, a second list, a connection, a next page anywhere, an item without an id."""
    family(journal)
    delete = journal[1].catalog[key("DELETE /items")]
    assert journal[0].only_own(delete, replace(listing([]), body={"items": [{"id": 1}, {"id": 2}]})) is None
    assert journal[0].only_own(delete, replace(listing([]), body=body)) is not None


@pytest.mark.parametrize(
    "body",
    [
        {"items": [{"id": 7}]},
        {"found": {"by": "name", "rows": [{"id": 7}]}, "size": {"other": []}},
        {"id": 1, "name": "a page", "items": [{"id": 7}]},
        {"permissions": [7], "items": [{"id": 7}]},
    ],
)
def test_whatever_list_showed_an_id_it_is_not_ours(journal: tuple[Journal, Api], body: Json) -> None:
    tell(journal, "GET /items", status=200, body=body)
    assert tell(journal, "POST /items", body={"id": 7}) == []


def test_the_journal_follows_what_is_sent(tmp_path: Path) -> None:
    api = Api(catalog(tmp_path), "", tmp_path, allow=ALL)
    routes = {"POST /v1/items": Answer(201, headers={"Location": "/v1/items/x%20y"}), "DELETE *": reply({})}
    with Server(routes) as server:
        calls = replace(api, url=f"{server.url}/v1").call(
            invoke("POST /items"), invoke("DELETE /items/{id}", {"path:id": "x y"})
        )
    assert [call.error for call in calls] == [None, None]
    assert server.seen == ["POST /v1/items", "DELETE /v1/items/x%20y"]
