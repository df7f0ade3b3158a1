"""How what this run created is found again, whose it is by then, and in which order it is removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callkit import ALL, CRUD, Api, catalog, invoke, key
from journalkit import LOANS, MARKED, THERE, create, make, paths, shop_journal, tell
from servers import Answer, Received, Server, reply

from docrev.calls.created_items import created_items
from docrev.calls.creation_answers import CreationAnswer
from docrev.calls.journal import Journal
from docrev.calls.looks import Look
from docrev.conventions.run_names import run_name
from docrev.prompts.steps import Invoke
from docrev.records import Call, JournalItem, Json


@pytest.fixture
def journal(tmp_path: Path) -> tuple[Journal, Api]:
    return shop_journal(tmp_path)


def family(pair: tuple[Journal, Api]) -> Journal:
    make(pair, "POST /items", 1)
    make(pair, "POST /items/{item_id}/notes", "a", item_id=1)
    make(pair, "POST /items", 2)
    make(pair, "POST /items/{item_id}/notes", "b", item_id=1)
    return pair[0]


def test_children_go_before_parents_and_the_newest_first(journal: tuple[Journal, Api]) -> None:
    left = family(journal).left()
    assert [item.path for item in left] == ["/items/1/notes/b", "/items/1/notes/a", "/items/2", "/items/1"]
    assert [item.parent for item in left] == ["shop /items/1", "shop /items/1", None, None]
    removal = journal[0].removal(left[0])
    assert removal == Invoke(
        key("DELETE /items/{item_id}/notes/{note_id}"), {"path:item_id": "1", "path:note_id": "b"}, purpose="clean-up"
    )


def test_nothing_removes_what_nobody_can_name(tmp_path: Path) -> None:
    """Not even what its list would be as an item."""
    operations = ["POST /items/{id}/notes", "GET /items/{id}/{part}", "DELETE /items/{id}/{part}"]
    api = Api(catalog(tmp_path, operations), "http://127.0.0.1:9", tmp_path, allow=ALL)
    unknown = JournalItem("a", "shop", "/items/1/notes/?", {}, "", confirmed=False)
    assert api.executor().journal.removal(unknown) is None


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
    both = replace(listing([]), body={"items": [{"id": 1}, {"id": 2}]})
    assert journal[0].only_own(delete, both) is None
    assert journal[0].only_own(delete, replace(both, sampled=True)) == "its GET twin may be one page of many"
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
    assert create(journal, "POST /items", body={"id": 7}) == ["?/items/?"]


def test_the_journal_follows_what_is_sent(tmp_path: Path) -> None:
    api = Api(catalog(tmp_path), "", tmp_path, allow=ALL)
    there: list[str] = []

    def create(request: Received) -> Answer:
        there.append("x y")
        return Answer(201, headers={"Location": "/v1/items/x%20y"})

    routes: dict[str, Any] = {"POST /v1/items": create, "DELETE *": reply({})}
    routes["GET /v1/items"] = lambda request: reply([{"id": id} for id in there])
    with Server(routes) as server:
        calls = replace(api, url=f"{server.url}/v1").make(
            invoke("POST /items"), invoke("DELETE /items/{id}", {"path:id": "x y"})
        )
    assert [call.error for call in calls] == [None, None]
    assert server.changes == ["POST /v1/items", "DELETE /v1/items/x%20y"]


def change(pair: tuple[Journal, Api], id: Json, sent: Json, body: Json, *, there: Sequence[str]) -> list[str]:
    """Show a change of an item to the journal, after which GETs find what is `there`; the paths of what changed."""
    journal, line, arguments = pair[0], "PATCH /items/{id}", {"path:id": id, "body:": sent}
    tell(pair, line, arguments, status=200, body=body)
    move = journal.move(CreationAnswer(pair[1].catalog[key(line)], arguments, "c", 200, {}, body))
    if move is None:
        return []
    looks = {
        path: Call("l", key("GET /items/{id}"), {}, "", 404, {}, {}, "", "survey") for path in (move.old, move.new)
    }
    looks |= {path: replace(looks[path], status=200, body={"tag": "t"}) for path in there}
    return paths(journal.settle_move(move, looks))


MOVED, NAMED = "docrev-00000000-3", {"id": "docrev-00000000-3"}


def test_what_a_change_moves_is_still_the_run_s_own(journal: tuple[Journal, Api]) -> None:
    family(journal)
    make(journal, "POST /items/{item_id}/notes", 5, item_id=2)
    changed = change(journal, 2, {}, NAMED, there=[f"/items/{MOVED}"])
    assert changed == ["-/items/2", f"/items/{MOVED}", "-/items/2/notes/5", f"/items/{MOVED}/notes/5"]
    assert change(journal, MOVED, {}, {"id": 19}, there=["/items/19"]) == []


@pytest.mark.parametrize(
    ("sent", "body", "there", "changed"),
    [
        ({}, NAMED, ["/items/2"], []),
        ({}, NAMED, ["/items/2", f"/items/{MOVED}"], [f"?/items/{MOVED}"]),
        ({}, NAMED, [], [f"?/items/{MOVED}"]),
        ({"slug": "fido"}, {"id": "fido"}, ["/items/fido"], ["-/items/2", "?/items/fido"]),
        ({"slug": "fido"}, {"id": "fido"}, ["/items/2", "/items/fido"], ["?/items/fido"]),
        ({"slug": "fido"}, {"id": "fido"}, ["/items/2"], []),
    ],
)
def test_what_a_change_says_of_another_path_is_looked_at(
    journal: tuple[Journal, Api], sent: Json, body: Json, there: list[str], changed: list[str]
) -> None:
    family(journal)
    assert change(journal, 2, sent, body, there=there) == changed
    assert journal[0].made("shop", "/items/2") is ("-/items/2" not in changed)
    assert not journal[0].made("shop", "/items/fido")


def test_where_ids_are_names_what_was_sent_says_where_an_item_went(journal: tuple[Journal, Api]) -> None:
    make(journal, "POST /items", run_name(1))
    assert change(journal, run_name(1), {"name": MOVED}, None, there=[f"/items/{MOVED}"]) == [
        f"-/items/{run_name(1)}",
        f"/items/{MOVED}",
    ]
    assert change(journal, MOVED, {"size": 3}, None, there=[]) == []


def test_where_ids_are_names_the_number_beside_the_new_name_says_nothing(journal: tuple[Journal, Api]) -> None:
    make(journal, "POST /items", run_name(1))
    body: Json = {"id": 4, "name": MOVED}
    assert change(journal, run_name(1), {"name": MOVED}, body, there=[f"/items/{MOVED}"]) == [
        f"-/items/{run_name(1)}",
        f"/items/{MOVED}",
    ]


def test_the_number_of_what_moved_is_the_run_s_own(journal: tuple[Journal, Api]) -> None:
    make(journal, "POST /items", run_name(1))
    tell(journal, "GET /items", {}, status=200, body=[{"id": run_name(1), "pk": 4}, {"id": "theirs", "pk": 5}])
    change(journal, run_name(1), {}, NAMED, there=[f"/items/{MOVED}"])
    assert journal[0].made("shop", f"/items/{MOVED}")
    post = journal[1].catalog[key("POST /items/{item_id}/notes")]
    assert journal[0].foreign(post, {"item_id": 4}) == []
    assert [reference.value for reference in journal[0].foreign(post, {"item_id": 5})] == ["5"]


def test_what_the_run_made_is_meant_by_its_drawn_id_though_no_other_answer_showed_it(
    journal: tuple[Journal, Api],
) -> None:
    mine, theirs = "0b5f3c1e-8f2a-4d51-9a51-6f0d7c1f2f3b", "9a51d9b4-16b5-4c0a-a5e1-0b5f3c1e8f2a"
    make(journal, "POST /items", mine)
    post = journal[1].catalog[key("POST /items/{item_id}/notes")]
    assert journal[0].foreign(post, {"item": mine}) == []
    assert [reference.value for reference in journal[0].foreign(post, {"item": theirs})] == [theirs]
    tell(journal, "DELETE /items/{id}", {"path:id": mine}, status=204)
    assert [reference.value for reference in journal[0].foreign(post, {"item": mine})] == [mine]


def test_what_is_gone_without_having_been_deleted_may_be_somebody_else_s(journal: tuple[Journal, Api]) -> None:
    """A change of it finds nothing: what lies in it is gone too, and another thing may have these ids by now."""
    family(journal)
    note = journal[1].catalog[key("DELETE /items/{item_id}/notes/{note_id}")]
    below: dict[str, Json] = {"path:item_id": 1, "path:note_id": 5}
    make(journal, "POST /items/{item_id}/notes", 5, item_id=1)
    assert journal[0].owns(note, below)
    assert tell(journal, "PATCH /items/{id}", {"path:id": 1}, status=422) == []
    gone = tell(journal, "PATCH /items/{id}", {"path:id": 1}, status=404)
    assert "-/items/1/notes/5" in gone
    assert not journal[0].owns(note, below)
    assert not journal[0].below_own(note, below)


def test_nobody_else_has_what_the_run_called_by_its_own_name(journal: tuple[Journal, Api]) -> None:
    make(journal, "POST /items", run_name(1))
    assert tell(journal, "PATCH /items/{id}", {"path:id": run_name(1)}, status=404) == []


def test_what_is_listed_by_another_id_has_the_one_that_was_chosen_for_it(journal: tuple[Journal, Api]) -> None:
    blind = Journal(journal[0].routes)
    put, chosen = journal[1].catalog[key("PUT /items/{id}")], {"path:id": run_name(1), "body:": {}}
    creation = blind.creation(put, chosen)
    assert creation is not None
    look = Look(invoke("GET /items"))
    old, now = (replace(listing([]), body=body) for body in ([], [{"id": "0-0", "name": run_name(1)}]))
    assert created_items(creation, [(look, old, now)]).own == (f"/items/{run_name(1)}",)


@pytest.mark.parametrize(("body", "again"), [(MARKED, True), ({"body:": {"size": 1}}, False)])
def test_a_creation_that_failed_may_have_been_performed_where_a_page_is_all_that_shows(
    tmp_path: Path, body: dict[str, Json], again: bool
) -> None:
    """By its name it would be found at the end; what has none is not sent again."""
    paged = {"GET /items": {"parameters": [{"name": "cursor", "in": "query", "schema": {"type": "string"}}]}}
    api = Api(catalog(tmp_path, LOANS, **paged), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    pair = api.executor().journal, api
    page: Json = [{"id": 1}, {"id": 2}]
    assert create(pair, "POST /items", body, status=422, before=(200, page), after=(200, page)) == []
    assert create(pair, "POST /items", body, status=500, before=(200, page), after=(200, page)) == ["?/items/?"]
    assert pair[0].accepted(api.catalog[key("POST /items")]) is not again


def test_a_look_by_a_made_up_name_that_shows_nothing_is_no_look(tmp_path: Path) -> None:
    """Nothing lists them, and their ids are no names: two of them are told apart."""
    blind = Api(catalog(tmp_path, [line for line in CRUD if line != "GET /items"]), "http://x", tmp_path, allow=ALL)
    pair, gone, name = (blind.executor().journal, blind), (404, {}), {"name": run_name(2)}
    first = create(pair, "POST /items", MARKED, body={"id": 7}, before=gone, after=gone, shown={"/items/7": THERE})
    shown: dict[str, Json] = {"/items/7": THERE, "/items/8": name}
    second = create(pair, "POST /items", {"body:": name}, body={"id": 8}, before=gone, after=gone, shown=shown)
    assert (first, second) == (["?/items/7"], ["/items/7", "/items/8"])


def test_what_is_added_to_something_of_the_run_lies_in_it(journal: tuple[Journal, Api]) -> None:
    family(journal)
    post = journal[1].catalog[key("POST /items/{item_id}/notes")]
    patch = journal[1].catalog[key("PATCH /items/{id}")]
    assert journal[0].below_own(post, {"path:item_id": 1})
    assert not journal[0].below_own(post, {"path:item_id": 99})
    assert not journal[0].below_own(patch, {"path:id": 1})


def test_a_thing_of_the_run_is_its_own_under_every_path_that_takes_its_id(tmp_path: Path) -> None:
    more = ["POST /boards/{item_id}", "POST /boxes/{box_id}"]
    api = Api(catalog(tmp_path, [*CRUD, *more]), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    journal = api.executor().journal
    for id in (run_name(1), "7"):
        journal.record(api.catalog.operations[0].tool, f"/items/{id}", "c")
    board, box = (api.catalog[key(line)] for line in more)
    assert journal.owns(board, {"path:item_id": run_name(1)})
    # Another thing may have the ID 7, and a box is no item.
    assert not journal.owns(board, {"path:item_id": "7"})
    assert not journal.owns(box, {"path:box_id": run_name(1)})


def test_a_thing_of_the_run_does_not_make_its_own_what_else_a_path_names(tmp_path: Path) -> None:
    more = ["POST /items", "PUT /groups/{group}/members/{item_id}", "POST /items/{item}/groups/{group}/tags/{item_id}"]
    api = Api(catalog(tmp_path, [*CRUD, *more[1:]]), "http://127.0.0.1:9/v1", tmp_path, allow=ALL)
    journal, mine = api.executor().journal, run_name(1)
    put, post = (api.catalog[key(line)] for line in more[1:])
    for path in (f"/items/{mine}", f"/groups/{run_name(2)}"):
        journal.record(put.tool, path, "c")
    for group, is_own in ((run_name(2), True), ("theirs", False)):
        assert journal.owns(put, {"path:group": group, "path:item_id": mine}) is is_own
    assert not journal.owns(post, {"path:item": "8", "path:group": "theirs", "path:item_id": mine})
